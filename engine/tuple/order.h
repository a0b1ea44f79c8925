// PostgreSQL's b-tree order: of values of a type, and of tuples by keys.
//
//   bool            false, true
//   int2 .. int8    by size
//   float4, float8  by size; -0 = 0; all NaNs are equal and above infinity
//   text, bytea     by bytes, unsigned; a prefix before what it is a prefix of (C collation)
//
// Nulls are equal to each other and stand first or last, whatever the direction.
//
// A prefix is eight bytes of the first key that compare as the key does, direction and nulls
// applied, so that most comparisons of a sort need no tuple:
//
//   null            0 where nulls are first, else 2^64 - 1
//   bool .. float8  the value's place among its type's values, from 1 except for int8
//   text, bytea     the first seven bytes, zeros behind a shorter value; then 1 + the length, 9
//                   for all lengths above seven
//   descending      all bits of a value's inverted
//
// Invariants (invariants.h):
//   U4  Comparison is a total order, and the one above.
//   U5  Prefix(a) < Prefix(b) implies Compare(a, b) < 0; where the prefix decides, equal prefixes
//       mean equal first keys.
#ifndef TUPLESTONE_ENGINE_TUPLE_ORDER_H_
#define TUPLESTONE_ENGINE_TUPLE_ORDER_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "engine/base/bytes.h"
#include "engine/tuple/minimal_tuple.h"
#include "engine/tuple/schema.h"
#include "engine/tuple/value.h"

namespace tuplestone::tuple {

struct SortKey {
  uint16_t column = 0;
  bool descending = false;
  bool nulls_first = false;
  friend bool operator==(const SortKey&, const SortKey&) = default;
};

// Below, equal to, or above 0 as `a` is before, equal to, or after `b`. Requires (U7): both are of
// one type, none is null.
int CompareValues(const Value& a, const Value& b);

// Comparison by keys, prepared once. Immutable; copies are equal.
class Order {
 public:
  // InvalidArgument names a key whose column the schema has not. No keys: all tuples are equal.
  static absl::StatusOr<Order> Make(const Schema& schema, absl::Span<const SortKey> keys);

  // As CompareValues, key after key. Requires, as Prefix: tuples of the schema.
  int Compare(Tuple a, Tuple b) const {
    if (int8_at_ >= 0 && !a.HasNulls() && !b.HasNulls()) [[likely]] {
      const auto x = Load<int64_t>(a.data() + int8_at_);
      const auto y = Load<int64_t>(b.data() + int8_at_);
      if (x != y) return (x < y) == keys_[0].descending ? 1 : -1;
      if (keys_.size() == 1) return 0;
    }
    return CompareAll(a, b);
  }

  uint64_t Prefix(Tuple tuple) const {
    if (int8_at_ >= 0 && !tuple.HasNulls()) [[likely]] {
      return (Load<uint64_t>(tuple.data() + int8_at_) ^ kInt8Sign) ^ flip_;
    }
    return PrefixOfAny(tuple);
  }

  // Whether equal prefixes always mean equal first keys.
  bool PrefixDecides() const { return prefix_decides_; }
  // Whether two tuples that both have this prefix have equal first keys. Int8: all but the one that
  // null has too; text and bytea: those of up to seven bytes.
  bool PrefixDecides(uint64_t prefix) const {
    if (ends_with_length_) return ((prefix ^ flip_) & 0xFF) != kLongText;
    return prefix_decides_ || prefix != null_prefix_;
  }

  const Schema& schema() const { return schema_; }
  absl::Span<const SortKey> keys() const { return keys_; }

 private:
  static constexpr uint64_t kInt8Sign = uint64_t{1} << 63;
  static constexpr uint64_t kLongText = 9;

  Order(const Schema& schema, absl::Span<const SortKey> keys);

  int CompareAll(Tuple a, Tuple b) const;
  uint64_t PrefixOfAny(Tuple tuple) const;

  Schema schema_;
  std::vector<SortKey> keys_;
  uint64_t flip_ = 0;         // all ones where the first key is descending
  uint64_t null_prefix_ = 0;  // of a null first key
  int32_t int8_at_ = -1;      // the first key, where it is an int8 with a fixed offset
  bool prefix_decides_ = true;
  bool ends_with_length_ = false;  // the prefix of the first key, being text or bytea
};

}  // namespace tuplestone::tuple

#endif  // TUPLESTONE_ENGINE_TUPLE_ORDER_H_
