#include "properties/hash/table_rows.h"

#include <limits>

#include "absl/strings/str_cat.h"

namespace tuplestone::properties {
namespace {

using tuple::Type;
using tuple::Value;

std::vector<Type> TypesOf(TableRows kind) {
  switch (kind) {
    case TableRows::kInt8:
      return {Type::kInt8};
    case TableRows::kText:
      return {Type::kText};
    case TableRows::kFloat8:
      return {Type::kFloat8};
    case TableRows::kKeyInTheMiddle:
      return {Type::kText, Type::kInt4, Type::kBool};
    case TableRows::kThreeKeys:
      return {Type::kBool, Type::kFloat4, Type::kBytea};
  }
  return {Type::kInt8};
}

// Few enough that programs meet each, and the special ones first.
Value Float(uint64_t n) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  constexpr double kSpecial[] = {0.0,
                                 -0.0,
                                 kNaN,
                                 -kNaN,
                                 std::numeric_limits<double>::infinity(),
                                 std::numeric_limits<double>::denorm_min()};
  return Value::Float8(n < std::size(kSpecial) ? kSpecial[n] : static_cast<double>(n) / 4);
}

std::string KeyOf(const Value& value) {
  const std::string text = tuple::ToString(value);
  return text == "-0" ? "0" : text;
}

}  // namespace

TableRowMaker::TableRowMaker(TableRows kind)
    : kind_(kind), schema_(*tuple::Schema::Make(TypesOf(kind))) {
  if (kind == TableRows::kKeyInTheMiddle) {
    keys_ = {1};
  } else {
    for (int c = 0; c < schema_.columns(); ++c) keys_.push_back(static_cast<uint16_t>(c));
  }
}

// Every fifth text needs a long header.
Value TableRowMaker::Text(uint64_t n) {
  texts_.push_back(absl::StrCat("t", n, std::string(n % 5 == 4 ? 150 + n % 3 : n % 3, '.')));
  return Value::Text(texts_.back());
}

TableRow TableRowMaker::Row(uint64_t n) {
  TableRow row;
  const bool is_null = n == 7;
  switch (kind_) {
    case TableRows::kInt8:
      row.values = {Value::Int8(static_cast<int64_t>(n) - 3)};
      break;
    case TableRows::kText:
      row.values = {Text(n)};
      break;
    case TableRows::kFloat8:
      row.values = {Float(n)};
      break;
    case TableRows::kKeyInTheMiddle:
      row.values = {Text(n), Value::Int4(static_cast<int32_t>(n / 2)), Value::Bool(n % 2 == 1)};
      break;
    case TableRows::kThreeKeys: {
      const Value text = Text(n / 4);
      row.values = {Value::Bool(n % 2 == 1), Value::Float4(n % 4 < 2 ? 0.0F : -0.0F),
                    Value::Bytea(text.AsBytes())};
      break;
    }
  }
  if (is_null) row.values[keys_.back()] = Value::Null();
  row.text.push_back('(');
  for (const Value& value : row.values) {
    absl::StrAppend(&row.text, row.text.size() == 1 ? "" : ", ", tuple::ToString(value));
  }
  row.text.push_back(')');
  for (const uint16_t key : keys_) absl::StrAppend(&row.key, KeyOf(row.values[key]), "|");
  return row;
}

}  // namespace tuplestone::properties
