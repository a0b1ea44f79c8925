#include "engine/tuple/order.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "absl/strings/str_cat.h"
#include "engine/tuple/canonical.h"
#include "engine/tuple/column.h"

namespace tuplestone::tuple {
namespace {

template <typename T>
int ThreeWay(T a, T b) {
  return (a > b) - (a < b);
}

int CompareBytes(Bytes a, Bytes b) {
  const size_t common = std::min(a.size(), b.size());
  const int order = common == 0 ? 0 : std::memcmp(a.data(), b.data(), common);
  return order != 0 ? order : ThreeWay(a.size(), b.size());
}

template <typename T>
int CompareStored(const std::byte* a, const std::byte* b) {
  return ThreeWay(Load<T>(a), Load<T>(b));
}

template <typename Float>
int CompareFloats(const std::byte* a, const std::byte* b) {
  return ThreeWay(OrderedBits(Load<Float>(a)), OrderedBits(Load<Float>(b)));
}

template <typename Integer>
uint64_t PlaceOf(const std::byte* from) {
  constexpr int64_t kLowest = std::numeric_limits<Integer>::min();
  return static_cast<uint64_t>(int64_t{Load<Integer>(from)} - kLowest) + 1;
}

uint64_t PlaceOfBytes(Bytes bytes) {
  constexpr size_t kHeld = 7;
  uint64_t place = 0;
  const size_t held = std::min(bytes.size(), kHeld);
  for (size_t i = 0; i < kHeld; ++i) {
    place = place << 8 | (i < held ? static_cast<uint64_t>(bytes[i]) : 0);
  }
  return place << 8 | (1 + std::min(bytes.size(), kHeld + 1));
}

// Where a value stands among those of its type.
uint64_t PlaceAt(Type type, const std::byte* tuple, size_t at) {
  const std::byte* from = tuple + at;
  switch (type) {
    case Type::kBool:
      return static_cast<uint64_t>(*from) + 1;
    case Type::kInt2:
      return PlaceOf<int16_t>(from);
    case Type::kInt4:
      return PlaceOf<int32_t>(from);
    case Type::kInt8:
      return Load<uint64_t>(from) ^ uint64_t { 1 } << 63;
    case Type::kFloat4:
      return OrderedBits(Load<float>(from));
    case Type::kFloat8:
      return OrderedBits(Load<double>(from));
    case Type::kText:
    case Type::kBytea:
      return PlaceOfBytes(PayloadAt(tuple, at));
  }
  return 0;
}

}  // namespace

int CompareAt(Type type, const std::byte* a, size_t a_at, const std::byte* b, size_t b_at) {
  switch (type) {
    case Type::kBool:
      return CompareStored<uint8_t>(a + a_at, b + b_at);
    case Type::kInt2:
      return CompareStored<int16_t>(a + a_at, b + b_at);
    case Type::kInt4:
      return CompareStored<int32_t>(a + a_at, b + b_at);
    case Type::kInt8:
      return CompareStored<int64_t>(a + a_at, b + b_at);
    case Type::kFloat4:
      return CompareFloats<float>(a + a_at, b + b_at);
    case Type::kFloat8:
      return CompareFloats<double>(a + a_at, b + b_at);
    case Type::kText:
    case Type::kBytea:
      return CompareBytes(PayloadAt(a, a_at), PayloadAt(b, b_at));
  }
  return 0;
}

int CompareValues(const Value& a, const Value& b) {
  TUPLESTONE_CHECK(kU7, a.type() == b.type());
  switch (a.type()) {
    case Type::kBool:
      return ThreeWay(a.AsBool(), b.AsBool());
    case Type::kInt2:
    case Type::kInt4:
    case Type::kInt8:
      return ThreeWay(a.AsInt(), b.AsInt());
    case Type::kFloat4:
      return ThreeWay(OrderedBits(a.AsFloat4()), OrderedBits(b.AsFloat4()));
    case Type::kFloat8:
      return ThreeWay(OrderedBits(a.AsFloat8()), OrderedBits(b.AsFloat8()));
    case Type::kText:
    case Type::kBytea:
      return CompareBytes(a.AsBytes(), b.AsBytes());
  }
  return 0;
}

absl::StatusOr<Order> Order::Make(const Schema& schema, absl::Span<const SortKey> keys) {
  for (const SortKey& key : keys) {
    if (key.column >= schema.columns()) {
      return absl::InvalidArgumentError(
          absl::StrCat("a sort key on column ", key.column, " of ", schema.columns()));
    }
  }
  return Order(schema, keys);
}

Order::Order(const Schema& schema, absl::Span<const SortKey> keys)
    : schema_(schema), keys_(keys.begin(), keys.end()) {
  if (keys_.empty()) return;
  const SortKey& first = keys_.front();
  const Type type = schema_.type(first.column);
  if (type == Type::kInt8) int8_at_ = schema_.fixed_offset(first.column);
  flip_ = first.descending ? ~uint64_t{0} : 0;
  null_prefix_ = first.nulls_first ? 0 : ~uint64_t{0};
  ends_with_length_ = IsVariable(type);
  prefix_decides_ = type != Type::kInt8 && !ends_with_length_;
}

int Order::CompareAll(Tuple a, Tuple b) const {
  const bool nulls = a.HasNulls() || b.HasNulls();
  for (const SortKey& key : keys_) {
    if (nulls) {
      const bool a_null = a.IsNull(key.column);
      const bool b_null = b.IsNull(key.column);
      if (a_null && b_null) continue;
      if (a_null || b_null) return a_null == key.nulls_first ? -1 : 1;
    }
    const int order = CompareAt(schema_.type(key.column), a.data(), Locate(schema_, a, key.column),
                                b.data(), Locate(schema_, b, key.column));
    if (order != 0) return (order < 0) == key.descending ? 1 : -1;
  }
  return 0;
}

uint64_t Order::PrefixOfAny(Tuple tuple) const {
  if (keys_.empty()) return 0;
  const int column = keys_.front().column;
  if (tuple.IsNull(column)) return null_prefix_;
  return PlaceAt(schema_.type(column), tuple.data(), Locate(schema_, tuple, column)) ^ flip_;
}

}  // namespace tuplestone::tuple
