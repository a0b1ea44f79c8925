// A value of one of the types, or null. Text and bytea are borrowed: the bytes must outlive it.
#ifndef TUPLESTONE_ENGINE_TUPLE_VALUE_H_
#define TUPLESTONE_ENGINE_TUPLE_VALUE_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/tuple/invariants.h"
#include "engine/tuple/type.h"

namespace tuplestone::tuple {

class Value {
 public:
  Value() = default;  // null
  static Value Null() { return {}; }
  static Value Bool(bool value) { return {Type::kBool, value ? 1U : 0U}; }
  static Value Int2(int16_t value) { return {Type::kInt2, Widened(value)}; }
  static Value Int4(int32_t value) { return {Type::kInt4, Widened(value)}; }
  static Value Int8(int64_t value) { return {Type::kInt8, Widened(value)}; }
  // Every bit of a NaN is kept.
  static Value Float4(float value) { return {Type::kFloat4, std::bit_cast<uint32_t>(value)}; }
  static Value Float8(double value) { return {Type::kFloat8, std::bit_cast<uint64_t>(value)}; }
  static Value Text(absl::string_view value) {
    return {Type::kText, reinterpret_cast<const std::byte*>(value.data()), value.size()};
  }
  static Value Bytea(Bytes value) { return {Type::kBytea, value.data(), value.size()}; }

  bool is_null() const { return null_; }
  // Requires (U7), as each accessor: a value of the type, not null.
  Type type() const {
    TUPLESTONE_CHECK(kU7, !null_);
    return type_;
  }
  bool AsBool() const { return BitsOf(type_ == Type::kBool) != 0; }
  // Of int2, int4 and int8.
  int64_t AsInt() const {
    return static_cast<int64_t>(BitsOf(type_ >= Type::kInt2 && type_ <= Type::kInt8));
  }
  float AsFloat4() const {
    return std::bit_cast<float>(static_cast<uint32_t>(BitsOf(type_ == Type::kFloat4)));
  }
  double AsFloat8() const { return std::bit_cast<double>(BitsOf(type_ == Type::kFloat8)); }
  // Of text and bytea.
  Bytes AsBytes() const {
    TUPLESTONE_CHECK(kU7, !null_);
    TUPLESTONE_CHECK(kU7, IsVariable(type_));
    return {data_, size_};
  }

  // A value of that type, not null.
  bool Is(Type type) const { return type_ == type && !null_; }
  // The same as the accessors above, for those who know what it is: nothing is checked.
  uint64_t known_bits() const { return bits_; }  // floats bit by bit, integers sign-extended
  Bytes known_bytes() const { return {data_, size_}; }

 private:
  Value(Type type, uint64_t bits) : bits_(bits), type_(type), null_(false) {}
  Value(Type type, const std::byte* data, size_t size)
      : data_(data), size_(size), type_(type), null_(false) {}

  static uint64_t Widened(int64_t value) { return static_cast<uint64_t>(value); }

  uint64_t BitsOf(bool of_the_type) const {
    TUPLESTONE_CHECK(kU7, !null_);
    TUPLESTONE_CHECK(kU7, of_the_type);
    return bits_;
  }

  union {
    uint64_t bits_ = 0;  // a fixed type's: integers sign-extended, floats bit by bit
    const std::byte* data_;
  };
  size_t size_ = 0;
  Type type_ = Type::kBool;
  bool null_ = true;
};

static_assert(sizeof(Value) == 24);
static_assert(std::is_trivially_copyable_v<Value>);

// Readable, and different for different values of a type, but that all NaNs are one:
//   null  true  -5  NaN  -0  1e+300  'it''s'  E'line\x0a'  \x00ff
std::string ToString(const Value& value);

}  // namespace tuplestone::tuple

#endif  // TUPLESTONE_ENGINE_TUPLE_VALUE_H_
