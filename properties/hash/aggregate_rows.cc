#include "properties/hash/aggregate_rows.h"

#include <cmath>
#include <limits>

#include "absl/strings/str_cat.h"

namespace tuplestone::properties {
namespace {

using tuple::Type;
using tuple::Value;

std::vector<Type> TypesOf(AggregateRows kind) {
  switch (kind) {
    case AggregateRows::kInt8:
      return {Type::kInt8};
    case AggregateRows::kIntegers:
      return {Type::kInt8, Type::kInt4};
    case AggregateRows::kTextFloat:
      return {Type::kFloat8, Type::kText};
    case AggregateRows::kMixed:
      return {Type::kBool, Type::kInt2, Type::kInt8, Type::kText, Type::kFloat4};
  }
  return {Type::kInt8};
}

std::vector<uint16_t> KeysOf(AggregateRows kind) {
  if (kind == AggregateRows::kTextFloat) return {1};
  if (kind == AggregateRows::kMixed) return {4, 1};
  return {0};
}

uint16_t ArgumentOf(AggregateRows kind) {
  if (kind == AggregateRows::kIntegers) return 1;
  return kind == AggregateRows::kMixed ? 2 : 0;
}

double SpecialFloat(uint64_t value) {
  constexpr double kMax = std::numeric_limits<double>::max();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  switch (value) {
    case 250:
      return std::nan("");
    case 251:
      return kInfinity;
    case 252:
      return -kInfinity;
    case 253:
      return -0.0;
    case 254:
    case 255:
      return kMax;
    default:
      return static_cast<double>(value) / 7;
  }
}

}  // namespace

AggregateRowMaker::AggregateRowMaker(AggregateRows kind)
    : kind_(kind),
      schema_(*tuple::Schema::Make(TypesOf(kind))),
      keys_(KeysOf(kind)),
      argument_(ArgumentOf(kind)) {}

std::vector<hash::Aggregate> AggregateRowMaker::Functions(uint64_t bits) const {
  std::vector<hash::Aggregate> functions;
  if ((bits & 1) != 0) functions.push_back({hash::Function::kCount, hash::kNoColumn});
  if ((bits & 2) != 0) functions.push_back({hash::Function::kCount, argument_});
  if ((bits & 4) != 0) functions.push_back({hash::Function::kSum, argument_});
  if ((bits & 8) != 0) functions.push_back({hash::Function::kMin, argument_});
  if ((bits & 16) != 0) functions.push_back({hash::Function::kMax, argument_});
  return functions;
}

// Mostly short, every 50th some kilobytes.
Value AggregateRowMaker::Text(uint64_t n) {
  const size_t more = n % 50 == 49 ? 1000 + n % 1500 : n % 13;
  text_ = absl::StrCat("k", n, std::string(more, '.'));
  return Value::Text(text_);
}

Value AggregateRowMaker::Argument(uint64_t value) const {
  if (value == 7) return Value::Null();
  const auto small = static_cast<int64_t>(value) - 100;
  switch (kind_) {
    case AggregateRows::kIntegers:
      return Value::Int4(static_cast<int32_t>(small * 10'000'000));
    case AggregateRows::kTextFloat:
      return Value::Float8(SpecialFloat(value));
    default:
      // Two of the largest, or of the smallest, overflow.
      if (value >= 253) return Value::Int8(std::numeric_limits<int64_t>::max() - small);
      if (value == 252) return Value::Int8(std::numeric_limits<int64_t>::min());
      return Value::Int8(small);
  }
}

AggregateRow AggregateRowMaker::Row(uint64_t key, uint64_t value) {
  AggregateRow row;
  const Value argument = Argument(value);
  switch (kind_) {
    case AggregateRows::kInt8:
      row.values = {key == 3 ? Value::Null() : Value::Int8(static_cast<int64_t>(key) - 5)};
      break;
    case AggregateRows::kIntegers:
      row.values = {key == 3 ? Value::Null() : Value::Int8(static_cast<int64_t>(key) << 30),
                    argument};
      break;
    case AggregateRows::kTextFloat:
      row.values = {argument, key == 3 ? Value::Null() : Text(key)};
      break;
    case AggregateRows::kMixed:
      // Zeroes of either sign are one key.
      row.values = {Value::Bool(value % 2 == 1), Value::Int2(static_cast<int16_t>(key / 2)),
                    argument, Text(value), Value::Float4(key % 2 == 0 ? 0.0F : -0.0F)};
      break;
  }
  for (const uint16_t k : keys_) {
    const std::string text = tuple::ToString(row.values[k]);
    absl::StrAppend(&row.spelt, row.spelt.empty() ? "" : ", ", text);
    absl::StrAppend(&row.key, text == "-0" ? "0" : text, "|");
  }
  row.argument = NumberOf(row.values[argument_]);
  return row;
}

MaybeNumber NumberOf(const tuple::Value& value) {
  if (value.is_null()) return std::nullopt;
  switch (value.type()) {
    case Type::kFloat4:
      return double{value.AsFloat4()};
    case Type::kFloat8:
      return value.AsFloat8();
    default:
      return value.AsInt();
  }
}

}  // namespace tuplestone::properties
