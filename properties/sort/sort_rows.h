// Rows of sort programs: values that a small number names, chosen where comparison is delicate.
#ifndef TUPLESTONE_PROPERTIES_SORT_SORT_ROWS_H_
#define TUPLESTONE_PROPERTIES_SORT_SORT_ROWS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "engine/tuple/minimal_tuple.h"
#include "engine/tuple/order.h"
#include "engine/tuple/schema.h"
#include "engine/tuple/value.h"
#include "properties/sort/sort_model.h"
#include "properties/sort/sort_ops.h"

namespace tuplestone::properties {

// Value `n` of a type: its edges first, null for every sixteenth number, then values that differ in
// all bits, texts that differ behind the eighth byte, zeros of both signs, NaNs.
SortValue ValueNumber(SortType type, uint64_t n);

// The same as the engine takes it; text is borrowed.
tuple::Value EngineValue(SortType type, const SortValue& value);

// The columns of a head: first, second unless none, number, pad.
class SortRowMaker {
 public:
  explicit SortRowMaker(const SortHead& head);

  const tuple::Schema& schema() const { return schema_; }
  const std::vector<SortModelKey>& model_keys() const { return keys_; }
  tuple::Order MakeOrder() const;

  SortRow Make(uint64_t first, uint64_t second, int64_t number, size_t pad) const;
  // The row's values; they borrow from it.
  std::vector<tuple::Value> Values(const SortRow& row) const;

 private:
  std::vector<SortType> types_;
  tuple::Schema schema_;
  std::vector<SortModelKey> keys_;
};

}  // namespace tuplestone::properties

#endif  // TUPLESTONE_PROPERTIES_SORT_SORT_ROWS_H_
