#include "engine/tuple/order.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "engine/tuple/rows_for_test.h"

namespace tuplestone::tuple {
namespace {

int Sign(int order) { return (order > 0) - (order < 0); }

Order OrderOf(const Schema& schema, const std::vector<SortKey>& keys) {
  return Order::Make(schema, keys).value();
}

// U4. Every pair of edge values of every type.
TEST(OrderTest, ValuesOfAscendingListsAscend) {
  for (const Type type : kEveryType) {
    const std::vector<Value> values = AscendingValues(type);
    for (size_t i = 0; i < values.size(); ++i) {
      for (size_t j = 0; j < values.size(); ++j) {
        ASSERT_EQ(Sign(CompareValues(values[i], values[j])), (i > j) - (i < j))
            << ToString(values[i]) << " " << ToString(values[j]);
      }
    }
  }
}

// U4, U5. The same through tuples, with nulls, in each direction, as the first column and behind
// one of variable length.
TEST(OrderTest, TuplesAndPrefixesFollowTheDirection) {
  Former form;
  for (const Type type : kEveryType) {
    for (const uint16_t column : {uint16_t{0}, uint16_t{2}}) {
      const Schema schema =
          column == 0 ? SchemaOf({type}) : SchemaOf({Type::kText, Type::kBool, type});
      std::vector<Tuple> tuples;
      for (const Value& value : AscendingValues(type)) {
        tuples.push_back(column == 0 ? form(schema, {value})
                                     : form(schema, {Value::Text("ab"), Value(), value}));
      }
      const Tuple null = column == 0 ? form(schema, {Value()})
                                     : form(schema, {Value::Text("ab"), Value(), Value()});
      for (const bool descending : {false, true}) {
        for (const bool nulls_first : {false, true}) {
          const Order order = OrderOf(schema, {{column, descending, nulls_first}});
          std::vector<Tuple> sorted = tuples;
          if (descending) std::ranges::reverse(sorted);
          sorted.insert(nulls_first ? sorted.begin() : sorted.end(), null);
          for (size_t i = 0; i < sorted.size(); ++i) {
            for (size_t j = 0; j < sorted.size(); ++j) {
              const int expected = (i > j) - (i < j);
              ASSERT_EQ(Sign(order.Compare(sorted[i], sorted[j])), expected)
                  << ToString(schema, sorted[i]) << ToString(schema, sorted[j]);
              const uint64_t a = order.Prefix(sorted[i]);
              const uint64_t b = order.Prefix(sorted[j]);
              if (a < b) {
                ASSERT_LT(expected, 0);
              }
              if (a > b) {
                ASSERT_GT(expected, 0);
              }
              if (a == b && (order.PrefixDecides() || order.PrefixDecides(a))) {
                ASSERT_EQ(expected, 0)
                    << ToString(schema, sorted[i]) << ToString(schema, sorted[j]);
              }
            }
          }
        }
      }
    }
  }
}

// U5.
TEST(OrderTest, PrefixesDecideWhereTheValueFits) {
  for (const Type type : kEveryType) {
    const bool fits = type != Type::kInt8 && !IsVariable(type);
    EXPECT_EQ(OrderOf(SchemaOf({type}), {{0}}).PrefixDecides(), fits) << TypeName(type);
  }
  Former form;
  const Schema schema = SchemaOf({Type::kText, Type::kInt8});
  const Order text = OrderOf(schema, {{0, true, true}});
  const auto prefix = [&](const Order& order, Value a, Value b) {
    return order.Prefix(form(schema, {a, b}));
  };
  EXPECT_TRUE(text.PrefixDecides(prefix(text, Value::Text("seven__"), Value())));
  EXPECT_FALSE(text.PrefixDecides(prefix(text, Value::Text("eight___"), Value())));
  EXPECT_TRUE(text.PrefixDecides(prefix(text, Value(), Value())));
  const Order int8 = OrderOf(schema, {{1, false, false}});
  EXPECT_TRUE(int8.PrefixDecides(prefix(int8, Value(), Value::Int8(INT64_MIN))));
  EXPECT_FALSE(int8.PrefixDecides(prefix(int8, Value(), Value::Int8(INT64_MAX))));
  EXPECT_FALSE(int8.PrefixDecides(prefix(int8, Value(), Value())));
}

// U4.
TEST(OrderTest, ZeroesAndNaNsAreEqual) {
  Former form;
  const Schema schema = SchemaOf({Type::kFloat8, Type::kFloat4});
  const Tuple a = form(schema, {Value::Float8(-0.0), Value::Float4(NAN)});
  const Tuple b = form(schema, {Value::Float8(0.0), Value::Float4(-NAN)});
  for (const uint16_t column : {uint16_t{0}, uint16_t{1}}) {
    const Order order = OrderOf(schema, {{column}});
    EXPECT_EQ(order.Compare(a, b), 0);
    EXPECT_EQ(order.Prefix(a), order.Prefix(b));
  }
}

// U4. The second key speaks where the first is equal, null or not, int8 or not.
TEST(OrderTest, LaterKeysBreakTies) {
  Former form;
  for (const Value& first : {Value(), Value::Int8(3)}) {
    const Schema schema = SchemaOf({Type::kInt8, Type::kText});
    const Tuple a = form(schema, {first, Value::Text("a")});
    const Tuple b = form(schema, {first, Value::Text("b")});
    EXPECT_LT(OrderOf(schema, {{0}, {1}}).Compare(a, b), 0);
    EXPECT_GT(OrderOf(schema, {{0}, {1, true}}).Compare(a, b), 0);
    EXPECT_EQ(OrderOf(schema, {{0}}).Compare(a, b), 0);
    EXPECT_EQ(OrderOf(schema, {}).Compare(a, b), 0);
    EXPECT_EQ(OrderOf(schema, {}).Prefix(a), OrderOf(schema, {}).Prefix(b));
  }
}

TEST(OrderTest, AKeyOnNoColumnIsRefused) {
  const std::vector<SortKey> keys = {{0}, {2}};
  EXPECT_EQ(Order::Make(SchemaOf({Type::kBool, Type::kBool}), keys).status().message(),
            "a sort key on column 2 of 2");
}

}  // namespace
}  // namespace tuplestone::tuple
