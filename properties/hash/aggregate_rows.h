// The inputs that aggregate programs speak of: key n and argument n of a kind are always the same
// values.
#ifndef TUPLESTONE_PROPERTIES_HASH_AGGREGATE_ROWS_H_
#define TUPLESTONE_PROPERTIES_HASH_AGGREGATE_ROWS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "engine/hash/aggregate_plan.h"
#include "engine/tuple/schema.h"
#include "engine/tuple/value.h"
#include "properties/hash/aggregate_model.h"
#include "properties/hash/aggregate_ops.h"

namespace tuplestone::properties {

struct AggregateRow {
  std::vector<tuple::Value> values;
  std::string key;    // equal for equal keys
  std::string spelt;  // the key's values as they are
  MaybeNumber argument;
};

class AggregateRowMaker {
 public:
  explicit AggregateRowMaker(AggregateRows kind);

  const tuple::Schema& schema() const { return schema_; }
  const std::vector<uint16_t>& keys() const { return keys_; }
  uint16_t argument() const { return argument_; }
  // What the bits of a head's `functions` stand for.
  std::vector<hash::Aggregate> Functions(uint64_t bits) const;
  // Valid until the next row.
  AggregateRow Row(uint64_t key, uint64_t value);

 private:
  tuple::Value Argument(uint64_t value) const;
  tuple::Value Text(uint64_t n);

  AggregateRows kind_;
  tuple::Schema schema_;
  std::vector<uint16_t> keys_;
  uint16_t argument_;
  std::string text_;
};

// An engine's value as the model has it. Requires: a number, or null.
MaybeNumber NumberOf(const tuple::Value& value);

}  // namespace tuplestone::properties

#endif  // TUPLESTONE_PROPERTIES_HASH_AGGREGATE_ROWS_H_
