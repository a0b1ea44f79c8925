// A table with all that it stands on, for tests.
#ifndef TUPLESTONE_ENGINE_HASH_TABLE_FOR_TEST_H_
#define TUPLESTONE_ENGINE_HASH_TABLE_FOR_TEST_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/hash/tuple_table.h"
#include "engine/memory/alloc_set.h"
#include "engine/memory/bump.h"
#include "engine/memory/counting_source.h"

namespace tuplestone::hash {

inline constexpr uint64_t kTestSeed = 7;

inline tuple::Schema MakeSchema(std::vector<tuple::Type> types) {
  return *tuple::Schema::Make(types);
}

inline tuple::Hasher MakeHasher(const tuple::Schema& schema, std::vector<uint16_t> columns) {
  return *tuple::Hasher::Make(schema, columns, kTestSeed);
}

// Rows of one int8.
class TableForTest {
 public:
  explicit TableForTest(const TableOptions& options = {},
                        tuple::Schema schema = MakeSchema({tuple::Type::kInt8}),
                        std::vector<uint16_t> columns = {0})
      : tuples_(memory::Bump::Create(source, "tuples")),
        buckets_(memory::AllocSet::Create(source, "buckets")),
        scratch_(memory::Bump::Create(source, "rows")),
        space(*tuples_) {
    table.emplace(MakeHasher(schema, columns), space, *buckets_, options);
  }

  tuple::Tuple Row(int64_t value) { return Row({tuple::Value::Int8(value)}); }
  tuple::Tuple Row(std::vector<tuple::Value> values) {
    return tuple::Form(table->hasher().schema(), values, *scratch_);
  }
  Member Insert(int64_t value) { return table->FindOrInsert(Row(value)); }
  Member Find(int64_t value) { return table->Find(Row(value)); }

  memory::CountingSource source;

 private:
  memory::OwnedContext<memory::Bump> tuples_;
  memory::OwnedContext<memory::AllocSet> buckets_;
  memory::OwnedContext<memory::Bump> scratch_;

 public:
  TupleSpace space;
  std::optional<TupleTable> table;
  memory::Bump& tuples() { return *tuples_; }
  memory::AllocSet& buckets() { return *buckets_; }
};

}  // namespace tuplestone::hash

#endif  // TUPLESTONE_ENGINE_HASH_TABLE_FOR_TEST_H_
