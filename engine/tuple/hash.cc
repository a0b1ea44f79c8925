#include "engine/tuple/hash.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "engine/tuple/canonical.h"
#include "engine/tuple/column.h"
#include "engine/tuple/order.h"

namespace tuplestone::tuple {
namespace {

constexpr uint64_t kNullWord = 0xA0761D6478BD642F;

uint64_t MixBytes(uint64_t state, Bytes bytes) {
  state = MixWord(state, bytes.size());
  size_t at = 0;
  for (; bytes.size() - at >= sizeof(uint64_t); at += sizeof(uint64_t)) {
    state = MixWord(state, Load<uint64_t>(bytes.data() + at));
  }
  if (at == bytes.size()) return state;
  uint64_t tail = 0;
  std::memcpy(&tail, bytes.data() + at, bytes.size() - at);
  return MixWord(state, tail);
}

uint64_t MixSigned(uint64_t state, int64_t value) {
  return MixWord(state, static_cast<uint64_t>(value));
}

uint64_t MixValue(uint64_t state, const Value& value) {
  if (value.is_null()) return MixWord(state, kNullWord);
  switch (value.type()) {
    case Type::kBool:
      return MixWord(state, value.AsBool() ? 1 : 0);
    case Type::kInt2:
    case Type::kInt4:
    case Type::kInt8:
      return MixSigned(state, value.AsInt());
    case Type::kFloat4:
      return MixWord(state, CanonicalBits(value.AsFloat4()));
    case Type::kFloat8:
      return MixWord(state, CanonicalBits(value.AsFloat8()));
    case Type::kText:
    case Type::kBytea:
      return MixBytes(state, value.AsBytes());
  }
  return state;
}

// The same of a value at an offset that Locate gave.
uint64_t MixAt(uint64_t state, Type type, const std::byte* tuple, size_t at) {
  const std::byte* from = tuple + at;
  switch (type) {
    case Type::kBool:
      return MixWord(state, static_cast<uint64_t>(*from));
    case Type::kInt2:
      return MixSigned(state, Load<int16_t>(from));
    case Type::kInt4:
      return MixSigned(state, Load<int32_t>(from));
    case Type::kInt8:
      return MixSigned(state, Load<int64_t>(from));
    case Type::kFloat4:
      return MixWord(state, CanonicalBits(Load<float>(from)));
    case Type::kFloat8:
      return MixWord(state, CanonicalBits(Load<double>(from)));
    case Type::kText:
    case Type::kBytea:
      return MixBytes(state, PayloadAt(tuple, at));
  }
  return state;
}

bool EqualOrNull(const Value& a, const Value& b) {
  if (a.is_null() || b.is_null()) return a.is_null() == b.is_null();
  return CompareValues(a, b) == 0;
}

}  // namespace

uint32_t HashMix(uint32_t hash, uint64_t salt) { return FinishHash(MixWord(salt, hash)); }

absl::StatusOr<Hasher> Hasher::Make(const Schema& schema, absl::Span<const uint16_t> columns,
                                    uint64_t seed) {
  for (const uint16_t column : columns) {
    if (column >= schema.columns()) {
      return absl::InvalidArgumentError(
          absl::StrCat("a hash of column ", column, " of ", schema.columns()));
    }
  }
  return Hasher(schema, columns, seed);
}

Hasher::Hasher(const Schema& schema, absl::Span<const uint16_t> columns, uint64_t seed)
    : schema_(schema), columns_(columns.begin(), columns.end()), seed_(seed) {
  if (columns_.size() != 1) return;
  if (schema_.type(columns_.front()) != Type::kInt8) return;
  int8_at_ = schema_.fixed_offset(columns_.front());
}

uint32_t Hasher::HashAny(Tuple tuple) const {
  uint64_t state = seed_;
  for (const uint16_t column : columns_) {
    if (tuple.IsNull(column)) {
      state = MixWord(state, kNullWord);
    } else {
      const size_t at = Locate(schema_, tuple, column);
      state = MixAt(state, schema_.type(column), tuple.data(), at);
    }
  }
  return FinishHash(state);
}

uint32_t Hasher::HashValues(absl::Span<const Value> row) const {
  TUPLESTONE_CHECK_EQ(kU7, schema_.columns(), row.size());
  uint64_t state = seed_;
  for (const uint16_t column : columns_) state = MixValue(state, row[column]);
  return FinishHash(state);
}

bool Hasher::EqualAny(Tuple a, Tuple b) const {
  return std::ranges::all_of(columns_, [&](uint16_t column) {
    const bool null = a.IsNull(column);
    if (null || b.IsNull(column)) return null == b.IsNull(column);
    return CompareAt(schema_.type(column), a.data(), Locate(schema_, a, column), b.data(),
                     Locate(schema_, b, column)) == 0;
  });
}

bool Hasher::EqualValues(Tuple a, absl::Span<const Value> row) const {
  TUPLESTONE_CHECK_EQ(kU7, schema_.columns(), row.size());
  return std::ranges::all_of(columns_, [&](uint16_t column) {
    return EqualOrNull(Column(schema_, a, column), row[column]);
  });
}

}  // namespace tuplestone::tuple
