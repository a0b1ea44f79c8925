#include "properties/sort/sort_rows.h"

#include <cmath>
#include <limits>
#include <vector>

namespace tuplestone::properties {
namespace {

uint64_t Mixed(uint64_t n) {
  n = (n ^ (n >> 31)) * 0x9e3779b97f4a7c15;
  return n ^ (n >> 29);
}

template <class Integer>
int64_t IntegerNumber(uint64_t n) {
  using Limits = std::numeric_limits<Integer>;
  switch (n) {
    case 1:
      return Limits::max();
    case 2:
      return Limits::min();
    case 3:
      return -1;
    case 4:
      return Limits::min() + 1;
    default:
      break;
  }
  return n % 3 == 0 ? static_cast<int64_t>(n % 128) : static_cast<Integer>(Mixed(n));
}

double FloatNumber(uint64_t n) {
  switch (n) {
    case 1:
      return -0.0;
    case 2:
      return std::numeric_limits<float>::infinity();
    case 3:
      return -std::numeric_limits<float>::infinity();
    case 4:
      return std::nanf("");
    case 5:
      return -std::nanf("");
    case 6:
      return std::numeric_limits<float>::denorm_min();
    default:
      return static_cast<float>(static_cast<int64_t>(n * 37 % 101) - 50) * 0.25F;
  }
}

// Many begin alike, some are a beginning of others, some hold bytes above 127 and zeros.
std::string BytesNumber(uint64_t n) {
  std::string bytes((n / 4) % 12, 'a');
  if (n % 4 == 1) bytes += static_cast<char>(Mixed(n));
  if (n % 4 == 2) bytes += std::string(n % 3, '\0');
  if (n % 4 == 3) bytes += std::string(1, 'b') + std::string(n % 200, 'c');
  return bytes;
}

tuple::Type EngineType(SortType type) {
  return static_cast<tuple::Type>(static_cast<int>(type) - 1);
}

std::vector<tuple::Type> EngineTypes(const std::vector<SortType>& types) {
  std::vector<tuple::Type> engine;
  for (SortType type : types) engine.push_back(EngineType(type));
  return engine;
}

std::vector<SortType> TypesOf(const SortHead& head) {
  const SortType first = head.first;
  const SortType second = head.second;
  std::vector<SortType> types = {first == SortType::kNone ? SortType::kInt8 : first};
  if (second != SortType::kNone) types.push_back(second);
  types.push_back(SortType::kInt8);
  types.push_back(SortType::kText);
  return types;
}

}  // namespace

SortValue ValueNumber(SortType type, uint64_t n) {
  SortValue value;
  if (n % 16 == 15) return value;
  switch (type) {
    case SortType::kNone:
      break;
    case SortType::kBool:
      value.kind = SortValue::Kind::kInteger;
      value.integer = static_cast<int64_t>(n % 2);
      break;
    case SortType::kInt2:
    case SortType::kInt4:
    case SortType::kInt8:
      value.kind = SortValue::Kind::kInteger;
      value.integer = type == SortType::kInt2   ? IntegerNumber<int16_t>(n)
                      : type == SortType::kInt4 ? IntegerNumber<int32_t>(n)
                                                : IntegerNumber<int64_t>(n);
      break;
    case SortType::kFloat4:
    case SortType::kFloat8:
      value.kind = SortValue::Kind::kFloat;
      value.real = FloatNumber(n);
      break;
    case SortType::kText:
    case SortType::kBytea:
      value.kind = SortValue::Kind::kBytes;
      value.bytes = BytesNumber(n);
      break;
  }
  return value;
}

tuple::Value EngineValue(SortType type, const SortValue& value) {
  if (value.kind == SortValue::Kind::kNull) return tuple::Value::Null();
  switch (type) {
    case SortType::kBool:
      return tuple::Value::Bool(value.integer != 0);
    case SortType::kInt2:
      return tuple::Value::Int2(static_cast<int16_t>(value.integer));
    case SortType::kInt4:
      return tuple::Value::Int4(static_cast<int32_t>(value.integer));
    case SortType::kNone:
    case SortType::kInt8:
      return tuple::Value::Int8(value.integer);
    case SortType::kFloat4:
      return tuple::Value::Float4(static_cast<float>(value.real));
    case SortType::kFloat8:
      return tuple::Value::Float8(value.real);
    case SortType::kText:
      return tuple::Value::Text(absl::string_view(value.bytes.data(), value.bytes.size()));
    case SortType::kBytea:
      return tuple::Value::Bytea(
          Bytes(reinterpret_cast<const std::byte*>(value.bytes.data()), value.bytes.size()));
  }
  return tuple::Value::Null();
}

SortRowMaker::SortRowMaker(const SortHead& head)
    : types_(TypesOf(head)), schema_(*tuple::Schema::Make(EngineTypes(types_))) {
  const bool has_second = head.second != SortType::kNone;
  const uint64_t ways = head.ways;
  const SortModelKey first{0, (ways & 1) != 0, (ways & 2) != 0};
  const SortModelKey second{1, (ways & 4) != 0, (ways & 8) != 0};
  switch (head.by) {
    case SortBy::kFirst:
      keys_ = {first};
      break;
    case SortBy::kSecond:
      keys_ = {has_second ? second : first};
      break;
    case SortBy::kFirstSecond:
      keys_ = {first};
      if (has_second) keys_.push_back(second);
      break;
    case SortBy::kSecondFirst:
      if (has_second) keys_.push_back(second);
      keys_.push_back(first);
      break;
    case SortBy::kNothing:
      break;
  }
}

tuple::Order SortRowMaker::MakeOrder() const {
  std::vector<tuple::SortKey> keys;
  for (const SortModelKey& key : keys_) {
    keys.push_back({static_cast<uint16_t>(key.column), key.descending, key.nulls_first});
  }
  return *tuple::Order::Make(schema_, keys);
}

SortRow SortRowMaker::Make(uint64_t first, uint64_t second, int64_t number, size_t pad) const {
  SortRow row;
  row.values.push_back(ValueNumber(types_[0], first));
  if (types_.size() == 4) row.values.push_back(ValueNumber(types_[1], second));
  SortValue count;
  count.kind = SortValue::Kind::kInteger;
  count.integer = number;
  row.values.push_back(count);
  SortValue text;
  text.kind = SortValue::Kind::kBytes;
  text.bytes = std::string(pad, static_cast<char>('p' + number % 8));
  row.values.push_back(text);
  const std::vector<tuple::Value> values = Values(row);
  const size_t bytes = tuple::FormedBytesOrDie(schema_, values);
  std::vector<uint64_t> words((bytes + 7) / 8);
  auto* memory = reinterpret_cast<std::byte*>(words.data());
  tuple::FormInto(schema_, values, memory, bytes);
  row.tuple.assign(reinterpret_cast<const char*>(memory), bytes);
  return row;
}

std::vector<tuple::Value> SortRowMaker::Values(const SortRow& row) const {
  std::vector<tuple::Value> values;
  for (size_t i = 0; i < types_.size(); ++i) {
    values.push_back(EngineValue(types_[i], row.values[i]));
  }
  return values;
}

}  // namespace tuplestone::properties
