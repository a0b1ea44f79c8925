#include "engine/hash/aggregate_plan.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "absl/strings/str_cat.h"
#include "engine/base/align.h"
#include "engine/base/bytes.h"
#include "engine/tuple/order.h"

namespace tuplestone::hash {
namespace {

using tuple::Type;
using tuple::Value;

const char* FunctionName(Function function) {
  constexpr const char* kNames[] = {"count", "sum", "min", "max"};
  return kNames[static_cast<size_t>(function)];
}

bool IsInteger(Type type) {
  return type == Type::kInt2 || type == Type::kInt4 || type == Type::kInt8;
}
bool IsFloat(Type type) { return type == Type::kFloat4 || type == Type::kFloat8; }

Type ResultType(Function function, Type type) {
  if (function == Function::kCount) return Type::kInt8;
  if (function == Function::kSum) return IsFloat(type) ? Type::kFloat8 : Type::kInt8;
  return type;
}

absl::Status CheckAggregate(const tuple::Schema& input, const Aggregate& aggregate) {
  const char* name = FunctionName(aggregate.function);
  if (aggregate.column == kNoColumn) {
    if (aggregate.function == Function::kCount) return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrCat(name, " of no column"));
  }
  if (aggregate.column >= input.columns()) {
    return absl::InvalidArgumentError(
        absl::StrCat(name, " of column ", aggregate.column, " of ", input.columns()));
  }
  const Type type = input.type(aggregate.column);
  const bool takes = aggregate.function == Function::kCount ||
                     (aggregate.function == Function::kSum ? IsInteger(type) || IsFloat(type)
                                                           : !tuple::IsVariable(type));
  if (takes) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(name, " of column ", aggregate.column, ", which is ", tuple::TypeName(type)));
}

// A value of a fixed type as a word, and back.
uint64_t WordOf(const Value& value) {
  switch (value.type()) {
    case Type::kBool:
      return value.AsBool() ? 1 : 0;
    case Type::kFloat4:
      return std::bit_cast<uint32_t>(value.AsFloat4());
    case Type::kFloat8:
      return std::bit_cast<uint64_t>(value.AsFloat8());
    default:
      return static_cast<uint64_t>(value.AsInt());
  }
}

Value ValueOf(Type type, uint64_t word) {
  switch (type) {
    case Type::kBool:
      return Value::Bool(word != 0);
    case Type::kInt2:
      return Value::Int2(static_cast<int16_t>(word));
    case Type::kInt4:
      return Value::Int4(static_cast<int32_t>(word));
    case Type::kFloat4:
      return Value::Float4(std::bit_cast<float>(static_cast<uint32_t>(word)));
    case Type::kFloat8:
      return Value::Float8(std::bit_cast<double>(word));
    default:
      return Value::Int8(static_cast<int64_t>(word));
  }
}

double FloatOf(const Value& value) {
  return value.type() == Type::kFloat4 ? double{value.AsFloat4()} : value.AsFloat8();
}

// Adds to the word; false if the sum leaves int8, or is infinite where nothing added was.
bool AddTo(uint64_t* word, const Value& value) {
  if (IsFloat(value.type())) {
    const double before = std::bit_cast<double>(*word);
    const double added = FloatOf(value);
    const double sum = before + added;
    *word = std::bit_cast<uint64_t>(sum);
    return !std::isinf(sum) || std::isinf(before) || std::isinf(added);
  }
  int64_t sum = 0;
  if (__builtin_add_overflow(static_cast<int64_t>(*word), value.AsInt(), &sum)) return false;
  *word = static_cast<uint64_t>(sum);
  return true;
}

}  // namespace

absl::StatusOr<AggregatePlan> AggregatePlan::Make(const tuple::Schema& input,
                                                  absl::Span<const uint16_t> keys,
                                                  absl::Span<const Aggregate> aggregates) {
  if (keys.empty()) return absl::InvalidArgumentError("an aggregation without a key");
  std::vector<uint16_t> row_inputs(keys.begin(), keys.end());
  std::vector<Type> key_types;
  for (const uint16_t key : keys) {
    if (key >= input.columns()) {
      return absl::InvalidArgumentError(absl::StrCat("key column ", key, " of ", input.columns()));
    }
    key_types.push_back(input.type(key));
  }
  std::vector<Step> steps;
  std::vector<Type> result_types = key_types;
  for (const Aggregate& aggregate : aggregates) {
    if (const absl::Status checked = CheckAggregate(input, aggregate); !checked.ok()) {
      return checked;
    }
    Step step{aggregate.function, Type::kInt8, kNoColumn, aggregate.column};
    if (aggregate.column != kNoColumn) {
      const auto at = std::find(row_inputs.begin(), row_inputs.end(), aggregate.column);
      step.argument = static_cast<uint16_t>(at - row_inputs.begin());
      if (at == row_inputs.end()) row_inputs.push_back(aggregate.column);
      step.type = input.type(aggregate.column);
    }
    result_types.push_back(ResultType(step.function, step.type));
    steps.push_back(step);
  }
  std::vector<Type> row_types;
  for (const uint16_t column : row_inputs) row_types.push_back(input.type(column));
  const auto row = tuple::Schema::Make(row_types);
  const auto key = tuple::Schema::Make(key_types);
  const auto result = tuple::Schema::Make(result_types);
  for (const auto& made : {row, key, result}) {
    if (!made.ok()) return made.status();
  }
  AggregatePlan plan(input, *row, *key, *result);
  for (uint16_t k = 0; k < keys.size(); ++k) plan.row_keys_.push_back(k);
  plan.rows_are_input_ = row->columns() == input.columns();
  for (size_t c = 0; c < row_inputs.size(); ++c) plan.rows_are_input_ &= row_inputs[c] == c;
  plan.input_columns_used_ = size_t{*std::ranges::max_element(row_inputs)} + 1;
  plan.row_inputs_ = std::move(row_inputs);
  plan.has_arguments_ =
      std::ranges::any_of(steps, [](const Step& s) { return s.argument != kNoColumn; });
  const bool has_bits =
      std::ranges::any_of(steps, [](const Step& s) { return s.function != Function::kCount; });
  plan.state_bytes_ = MaxAlign(steps.size() * 8 + (has_bits ? (steps.size() + 7) / 8 : 0));
  plan.steps_ = std::move(steps);
  return plan;
}

void AggregatePlan::Project(tuple::Tuple input, absl::Span<Value> row,
                            absl::Span<Value> scratch) const {
  if (rows_are_input_) return tuple::Deform(input_, input, row);
  tuple::Deform(input_, input, scratch.subspan(0, input_columns_used_));
  for (size_t c = 0; c < row_inputs_.size(); ++c) row[c] = scratch[row_inputs_[c]];
}

bool AggregatePlan::HasValue(const std::byte* state, size_t step) const {
  const std::byte bits = state[steps_.size() * 8 + step / 8];
  return (bits >> (step % 8) & std::byte{1}) != std::byte{0};
}

void AggregatePlan::SetHasValue(std::byte* state, size_t step) const {
  state[steps_.size() * 8 + step / 8] |= std::byte{1} << (step % 8);
}

// False: the sum overflows.
bool AggregatePlan::AdvanceStep(size_t step, std::byte* state, const Value& value) const {
  std::byte* at = state + step * 8;
  auto word = Load<uint64_t>(at);
  if (!HasValue(state, step)) {
    SetHasValue(state, step);
    word = WordOf(value);
    if (steps_[step].function == Function::kSum && IsFloat(value.type())) {
      word = std::bit_cast<uint64_t>(FloatOf(value));
    }
    Store(at, word);
    return true;
  }
  if (steps_[step].function == Function::kSum) {
    const bool fits = AddTo(&word, value);
    Store(at, word);
    return fits;
  }
  const int order = tuple::CompareValues(value, ValueOf(steps_[step].type, word));
  if (steps_[step].function == Function::kMin ? order < 0 : order > 0) Store(at, WordOf(value));
  return true;
}

int AggregatePlan::Advance(std::byte* state, absl::Span<const Value> row) const {
  for (size_t i = 0; i < steps_.size(); ++i) {
    const Step& step = steps_[i];
    if (step.argument != kNoColumn && row[step.argument].is_null()) continue;
    if (step.function == Function::kCount) {
      Store(state + i * 8, Load<uint64_t>(state + i * 8) + 1);
    } else if (!AdvanceStep(i, state, row[step.argument])) {
      return static_cast<int>(i);
    }
  }
  return kNoOverflow;
}

void AggregatePlan::Results(const std::byte* state, absl::Span<Value> values) const {
  for (size_t i = 0; i < steps_.size(); ++i) {
    const auto word = Load<uint64_t>(state + i * 8);
    const Type type = ResultType(steps_[i].function, steps_[i].type);
    const bool is_null = steps_[i].function != Function::kCount && !HasValue(state, i);
    values[i] = is_null ? Value::Null() : ValueOf(type, word);
  }
}

std::string AggregatePlan::Describe(int aggregate) const {
  const Step& step = steps_[static_cast<size_t>(aggregate)];
  return absl::StrCat(FunctionName(step.function), " of column ", step.input);
}

}  // namespace tuplestone::hash
