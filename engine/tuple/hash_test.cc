#include "engine/tuple/hash.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "engine/tuple/order.h"
#include "engine/tuple/rows_for_test.h"

namespace tuplestone::tuple {
namespace {

Hasher HasherOf(const Schema& schema, const std::vector<uint16_t>& columns, uint64_t seed = 1) {
  return Hasher::Make(schema, columns, seed).value();
}

// U6. Different edge values of a type have different hashes, equal ones the same, of tuples as of
// rows, wherever the column lies.
TEST(HashTest, EqualValuesHashEqualAndEdgeValuesApart) {
  Former form;
  for (const Type type : kEveryType) {
    const Schema first = SchemaOf({type});
    const Schema last = SchemaOf({Type::kText, type});
    const Hasher hash = HasherOf(first, {0});
    const Hasher hash_last = HasherOf(last, {1});
    std::vector<Value> values = AscendingValues(type);
    values.emplace_back();
    std::set<uint32_t> hashes;
    for (const Value& value : values) {
      const Tuple tuple = form(first, {value});
      const std::vector<Value> row = {Value::Text("any"), value};
      hashes.insert(hash.Hash(tuple));
      EXPECT_EQ(hash_last.Hash(form(last, row)), hash.Hash(tuple)) << ToString(value);
      EXPECT_EQ(hash_last.HashValues(row), hash.Hash(tuple)) << ToString(value);
      for (const Value& other : values) {
        const bool same = ToString(value) == ToString(other);
        EXPECT_EQ(hash.Equal(tuple, form(first, {other})), same);
        EXPECT_EQ(hash.EqualValues(tuple, {other}), same);
      }
    }
    EXPECT_EQ(hashes.size(), values.size()) << TypeName(type);
  }
}

// U6.
TEST(HashTest, ZeroesAndNaNsHashEqual) {
  Former form;
  const Schema schema = SchemaOf({Type::kFloat8, Type::kFloat4});
  const Hasher hash = HasherOf(schema, {0, 1});
  const auto odd = std::bit_cast<float>(0xFFC0BEEF);
  const std::vector<Value> row = {Value::Float8(-0.0), Value::Float4(odd)};
  const Tuple a = form(schema, row);
  const Tuple b = form(schema, {Value::Float8(0.0), Value::Float4(NAN)});
  EXPECT_EQ(hash.Hash(a), hash.Hash(b));
  EXPECT_EQ(hash.HashValues(row), hash.Hash(b));
  EXPECT_TRUE(hash.Equal(a, b));
  EXPECT_TRUE(hash.EqualValues(b, row));
}

// Seeds and the order of columns matter; columns not chosen do not.
TEST(HashTest, TheChosenColumnsAndTheSeedMakeTheHash) {
  Former form;
  const Schema schema = SchemaOf({Type::kInt4, Type::kInt4, Type::kInt4});
  const Tuple a = form(schema, {Value::Int4(1), Value::Int4(2), Value::Int4(3)});
  const Tuple b = form(schema, {Value::Int4(1), Value::Int4(2), Value()});
  const Hasher hash = HasherOf(schema, {0, 1});
  EXPECT_EQ(hash.Hash(a), hash.Hash(b));
  EXPECT_TRUE(hash.Equal(a, b));
  EXPECT_NE(HasherOf(schema, {1, 0}).Hash(a), hash.Hash(a));
  EXPECT_NE(HasherOf(schema, {0, 1}, 2).Hash(a), hash.Hash(a));
  EXPECT_NE(HasherOf(schema, {0, 2}).Hash(a), HasherOf(schema, {0, 2}).Hash(b));
  EXPECT_TRUE(HasherOf(schema, {}).Equal(a, b));
}

// The same in every build and process: the figures are the format of hashed data.
TEST(HashTest, KnownAnswers) {
  Former form;
  const Schema schema = SchemaOf({Type::kInt8, Type::kText});
  const std::vector<Value> row = {Value::Int8(42), Value::Text("tuplestone")};
  EXPECT_EQ(HashInt8(42, 7), HasherOf(schema, {0}, 7).Hash(form(schema, row)));
  EXPECT_EQ(HashInt8(42, 7), 0x7AFD3F25u);
  EXPECT_EQ(HasherOf(schema, {1}, 7).Hash(form(schema, row)), 0x665BFCA0u);
  EXPECT_EQ(HashMix(1, 2), 0xE7D92AE6u);
}

// A million neighbours, multiples of powers of two and high bits alone: 2^12 buckets by the lowest,
// by the middle and by the highest bits are filled about evenly.
TEST(HashTest, RegularInt8sSpreadOverBuckets) {
  constexpr int kBuckets = 1 << 12;
  for (const int shift : {0, 3, 12, 32, 43}) {
    for (const int bits_at : {0, 10, 20}) {
      std::vector<int> buckets(kBuckets);
      for (int64_t i = 0; i < 1 << 20; ++i) {
        ++buckets[HashInt8(i << shift, 0) >> bits_at & (kBuckets - 1)];
      }
      for (const int count : buckets) {
        ASSERT_GT(count, 256 - 112) << shift << " " << bits_at;  // seven standard deviations
        ASSERT_LT(count, 256 + 112) << shift << " " << bits_at;
      }
    }
  }
}

TEST(HashTest, AHashOfNoColumnIsRefused) {
  const std::vector<uint16_t> columns = {1};
  EXPECT_EQ(Hasher::Make(SchemaOf({Type::kBool}), columns, 0).status().message(),
            "a hash of column 1 of 1");
}

}  // namespace
}  // namespace tuplestone::tuple
