// Small worlds, whole: every row of up to three columns from a few values, under every order; every
// byte of generated tuples changed to every other, every pair of bits, every length.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "engine/memory/alloc_set.h"
#include "engine/tuple/hash.h"
#include "properties/kit/faulty_source.h"
#include "properties/tuple/tuple_checks.h"
#include "properties/tuple/tuple_suite.h"

namespace tuplestone::properties {
namespace {

constexpr ModelType kAllTypes[] = {ModelType::kBool, ModelType::kInt2,   ModelType::kInt4,
                                   ModelType::kInt8, ModelType::kFloat4, ModelType::kFloat8,
                                   ModelType::kText, ModelType::kBytea};

std::vector<ModelRow> RowsOver(const ModelTypes& types, const std::vector<ValueEdge>& edges) {
  std::vector<ModelRow> rows = {{}};
  for (const ModelType type : types) {
    std::vector<ModelRow> longer;
    for (const ModelRow& row : rows) {
      for (const ValueEdge edge : edges) {
        longer.push_back(row);
        longer.back().push_back(EdgeValue(type, edge));
      }
    }
    rows = std::move(longer);
  }
  return rows;
}

class Formed {
 public:
  Formed(const ModelTypes& types, const std::vector<ModelRow>& rows)
      : schema_(EngineSchema(types)), context_(memory::AllocSet::Create(source_, "tuples")) {
    for (const ModelRow& row : rows) {
      tuples_.push_back(Form(schema_, EngineValues(types, row), *context_));
    }
  }
  const tuple::Schema& schema() const { return schema_; }
  tuple::Tuple operator[](size_t i) const { return tuples_[i]; }

 private:
  tuple::Schema schema_;
  kit::FaultySource source_;
  memory::OwnedContext<memory::AllocSet> context_;
  std::vector<tuple::Tuple> tuples_;
};

const std::vector<ValueEdge>& EveryEdge() {
  static const auto* edges = [] {
    auto* all = new std::vector<ValueEdge>;
    for (size_t i = 0; i < kValueEdgeNames.size(); ++i) all->push_back(static_cast<ValueEdge>(i));
    return all;
  }();
  return *edges;
}

// U1, U2, U3: every schema of up to three columns, every row of null, one, the largest, and a long
// value.
TEST(TupleExhaustive, EveryRowOfThreeColumns) {
  const std::vector<ValueEdge> edges = {ValueEdge::kNull, ValueEdge::kOne, ValueEdge::kLargest,
                                        ValueEdge::kOtherNaN};
  const std::function<void(const ModelTypes&)> extend = [&](const ModelTypes& types) {
    if (!types.empty()) {
      const std::vector<ModelRow> rows = RowsOver(types, edges);
      const Formed formed(types, rows);
      for (size_t i = 0; i < rows.size(); ++i)
        CheckTuple(formed.schema(), types, rows[i], formed[i]);
    }
    if (types.size() == 3) return;
    for (const ModelType type : kAllTypes) {
      ModelTypes longer = types;
      longer.push_back(type);
      extend(longer);
    }
  };
  extend({});
}

// U4, U5, U6: every pair of every edge value of every type, in each direction, with the key as
// first, last and only column.
TEST(TupleExhaustive, EveryPairOfEdgesInEveryDirection) {
  for (const ModelType type : kAllTypes) {
    for (const size_t column : {0, 1}) {
      const ModelTypes types = column == 0 ? ModelTypes{type} : ModelTypes{ModelType::kText, type};
      std::vector<ModelRow> rows;
      for (const ValueEdge edge : EveryEdge()) {
        rows.push_back(RowsOver({type}, {edge})[0]);
        if (column == 1) rows.back().insert(rows.back().begin(), EdgeValue(ModelType::kText, edge));
      }
      const Formed formed(types, rows);
      const auto hashed = static_cast<uint16_t>(column);
      const tuple::Hasher hasher = *tuple::Hasher::Make(formed.schema(), {&hashed, 1}, 3);
      for (const bool descending : {false, true}) {
        for (const bool nulls_first : {false, true}) {
          const tuple::SortKey key = {hashed, descending, nulls_first};
          const tuple::Order order = *tuple::Order::Make(formed.schema(), {&key, 1});
          for (size_t i = 0; i < rows.size(); ++i) {
            for (size_t j = 0; j < rows.size(); ++j) {
              CheckPair(order, types, {{column, descending, nulls_first}}, rows[i], formed[i],
                        rows[j], formed[j]);
              const bool equal = ModelEqual(types, {column}, rows[i], rows[j]);
              ASSERT_EQ(hasher.Equal(formed[i], formed[j]), equal);
              ASSERT_EQ(hasher.Hash(formed[i]) == hasher.Hash(formed[j]), equal);
            }
          }
        }
      }
    }
  }
}

// U4: every pair of rows of two columns of five values, under every order of two keys.
TEST(TupleExhaustive, EveryOrderOfTwoKeys) {
  for (const ModelTypes& types : {ModelTypes{ModelType::kInt8, ModelType::kText},
                                  {ModelType::kFloat4, ModelType::kInt8},
                                  {ModelType::kBytea, ModelType::kInt8}}) {
    const std::vector<ModelRow> rows =
        RowsOver(types, {ValueEdge::kNull, ValueEdge::kZero, ValueEdge::kMinusZero,
                         ValueEdge::kSmallest, ValueEdge::kNaN});
    const Formed formed(types, rows);
    for (size_t variant = 0; variant < 32; ++variant) {
      const size_t first = variant >> 4;
      const std::vector<ModelKey> keys = {{first, (variant & 1) != 0, (variant & 2) != 0},
                                          {1 - first, (variant & 4) != 0, (variant & 8) != 0}};
      std::vector<tuple::SortKey> sort_keys;
      for (const ModelKey& key : keys) {
        sort_keys.push_back({static_cast<uint16_t>(key.column), key.descending, key.nulls_first});
      }
      const tuple::Order order = *tuple::Order::Make(formed.schema(), sort_keys);
      for (size_t i = 0; i < rows.size(); ++i) {
        for (size_t j = 0; j < rows.size(); ++j) {
          CheckPair(order, types, keys, rows[i], formed[i], rows[j], formed[j]);
        }
      }
    }
  }
}

struct World {
  ModelTypes types;
  ModelRow row;
};

std::vector<World> Worlds() {
  std::vector<World> worlds;
  for (const ValueEdge edge : {ValueEdge::kNull, ValueEdge::kOne, ValueEdge::kOtherNaN}) {
    for (const ModelTypes& types :
         {ModelTypes{ModelType::kBool, ModelType::kText, ModelType::kInt2, ModelType::kFloat8},
          {ModelType::kBytea, ModelType::kInt4, ModelType::kText},
          {ModelType::kInt8, ModelType::kInt8},
          ModelTypes(9, ModelType::kBool)}) {
      World world{types, {}};
      for (const ModelType type : types) world.row.push_back(EdgeValue(type, edge));
      worlds.push_back(world);
      world.row.back() = EdgeValue(types.back(), ValueEdge::kTiny);
      worlds.push_back(world);
    }
  }
  return worlds;
}

// U3.
TEST(TupleExhaustive, EveryByteChangedToEveryOther) {
  for (const World& world : Worlds()) {
    const tuple::Schema schema = EngineSchema(world.types);
    const std::string good = ModelForm(world.types, world.row);
    ASSERT_TRUE(CheckUntrusted(schema, world.types, good));
    for (size_t at = 0; at < good.size(); ++at) {
      for (int byte = 0; byte < 256; ++byte) {
        std::string bytes = good;
        bytes[at] = static_cast<char>(byte);
        CheckUntrusted(schema, world.types, bytes);
      }
    }
  }
}

// U3: in the header and the first data; of tuples of less than 100 bytes.
TEST(TupleExhaustive, EveryPairOfBitsFlipped) {
  for (const World& world : Worlds()) {
    const tuple::Schema schema = EngineSchema(world.types);
    const std::string good = ModelForm(world.types, world.row);
    if (good.size() > 100) continue;
    const size_t bits = 8 * good.size();
    for (size_t first = 0; first < bits; ++first) {
      for (size_t second = first + 1; second < bits; ++second) {
        std::string bytes = good;
        bytes[first / 8] = static_cast<char>(bytes[first / 8] ^ 1 << first % 8);
        bytes[second / 8] = static_cast<char>(bytes[second / 8] ^ 1 << second % 8);
        CheckUntrusted(schema, world.types, bytes);
      }
    }
  }
}

// U3: cut anywhere, or with something behind; with the old length and with a fitting one.
TEST(TupleExhaustive, EveryOtherLength) {
  for (const World& world : Worlds()) {
    const tuple::Schema schema = EngineSchema(world.types);
    const std::string good = ModelForm(world.types, world.row);
    for (size_t length = 0; length <= good.size() + 9; ++length) {
      std::string bytes = good;
      bytes.resize(length);
      CheckUntrusted(schema, world.types, bytes);
      if (length < 4) continue;
      for (size_t i = 0; i < 4; ++i) bytes[i] = static_cast<char>(length >> (8 * i));
      CheckUntrusted(schema, world.types, bytes);
    }
  }
}

// U4, U5: all int2, and float4 with every sign, exponent and start of a fraction, one after the
// other.
TEST(TupleExhaustive, PrefixesOfAllSmallNumbersAscend) {
  for (const ModelType type : {ModelType::kInt2, ModelType::kFloat4}) {
    const ModelTypes types = {type};
    std::vector<ModelRow> rows;
    for (uint64_t i = 0; i < 1 << 16; ++i) {
      rows.push_back({ModelFromBits(type, type == ModelType::kInt2 ? i : i << 16 | (i & 1))});
    }
    std::ranges::sort(rows, [&](const ModelRow& a, const ModelRow& b) {
      return ModelCompare(type, a[0], b[0]) < 0;
    });
    const Formed formed(types, rows);
    const tuple::SortKey key;
    const tuple::Order order = *tuple::Order::Make(formed.schema(), {&key, 1});
    for (size_t i = 1; i < rows.size(); ++i) {
      CheckPair(order, types, {ModelKey{}}, rows[i - 1], formed[i - 1], rows[i], formed[i]);
    }
  }
}

}  // namespace
}  // namespace tuplestone::properties
