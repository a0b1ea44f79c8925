// What an aggregation computes: which columns are the key, which aggregates of which columns, and
// how rows, groups and states are laid out for it.
//
//   input    | a | b | c | d |              any schema
//   row      | key columns | arguments |    what of the input is needed; spilled in this form
//   group    | state | key columns |        a table's member: the state is its additional bytes
//   state    | word | word | ... | bits |   a word an aggregate; a bit: a value has come
//   result   | key columns | aggregates |
//
// Columns of the input that nobody needs are not spilled. Where the row is the input, column by
// column, the input's tuples are taken as they are.
#ifndef TUPLESTONE_ENGINE_HASH_AGGREGATE_PLAN_H_
#define TUPLESTONE_ENGINE_HASH_AGGREGATE_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "engine/tuple/minimal_tuple.h"
#include "engine/tuple/schema.h"
#include "engine/tuple/value.h"

namespace tuplestone::hash {

// Nulls are passed over; the result is null where nothing else came, of count 0. -0 and 0 are
// equal, NaN is above all, as in tuple/order.h.
enum class Function : uint8_t {
  kCount,  // int8; of kNoColumn: all rows
  kSum,    // of int2, int4, int8: int8; of float4, float8: float8, added in the order of the input
  kMin,    // of any type of fixed length
  kMax
};

inline constexpr uint16_t kNoColumn = 0xffff;

struct Aggregate {
  Function function = Function::kCount;
  uint16_t column = kNoColumn;
};

class AggregatePlan {
 public:
  // InvalidArgument names what is wrong: no key, a column that the input has not, a function that
  // its type does not have.
  static absl::StatusOr<AggregatePlan> Make(const tuple::Schema& input,
                                            absl::Span<const uint16_t> keys,
                                            absl::Span<const Aggregate> aggregates);

  const tuple::Schema& input() const { return input_; }
  const tuple::Schema& row_schema() const { return row_; }
  const tuple::Schema& key_schema() const { return key_; }
  const tuple::Schema& result_schema() const { return result_; }
  // The key's columns in rows and groups: 0, 1, ...
  const std::vector<uint16_t>& row_keys() const { return row_keys_; }
  absl::Span<const uint16_t> input_keys() const {
    return absl::MakeConstSpan(row_inputs_).subspan(0, row_keys_.size());
  }
  size_t key_columns() const { return static_cast<size_t>(key_.columns()); }
  size_t row_columns() const { return static_cast<size_t>(row_.columns()); }
  size_t result_columns() const { return static_cast<size_t>(result_.columns()); }
  bool rows_are_input() const { return rows_are_input_; }
  bool rows_are_keys() const { return row_columns() == key_columns(); }
  // Whether states depend on more than the number of rows.
  bool has_arguments() const { return has_arguments_; }
  size_t state_bytes() const { return state_bytes_; }
  // How many of the input's columns Project looks at.
  size_t input_columns_used() const { return input_columns_used_; }

  // The row's values out of an input tuple. `scratch` has room for input_columns_used() values.
  void Project(tuple::Tuple input, absl::Span<tuple::Value> row,
               absl::Span<tuple::Value> scratch) const;

  static constexpr int kNoOverflow = -1;
  // Takes a row into the state, or says which aggregate's sum it makes overflow. `row` may be empty
  // where nothing has arguments.
  int Advance(std::byte* state, absl::Span<const tuple::Value> row) const;
  // The values of the aggregates.
  void Results(const std::byte* state, absl::Span<tuple::Value> values) const;
  // "sum of column 3"
  std::string Describe(int aggregate) const;

 private:
  struct Step {
    Function function;
    tuple::Type type;   // of the argument
    uint16_t argument;  // a column of the row, or kNoColumn
    uint16_t input;     // the column of the input
  };

  AggregatePlan(const tuple::Schema& input, const tuple::Schema& row, const tuple::Schema& key,
                const tuple::Schema& result)
      : input_(input), row_(row), key_(key), result_(result) {}
  bool HasValue(const std::byte* state, size_t step) const;
  void SetHasValue(std::byte* state, size_t step) const;
  bool AdvanceStep(size_t step, std::byte* state, const tuple::Value& value) const;

  tuple::Schema input_;
  tuple::Schema row_;
  tuple::Schema key_;
  tuple::Schema result_;
  std::vector<uint16_t> row_keys_;
  std::vector<uint16_t> row_inputs_;  // by column of the row: the input's
  std::vector<Step> steps_;
  size_t state_bytes_ = 0;
  size_t input_columns_used_ = 0;
  bool rows_are_input_ = false;
  bool has_arguments_ = false;
};

}  // namespace tuplestone::hash

#endif  // TUPLESTONE_ENGINE_HASH_AGGREGATE_PLAN_H_
