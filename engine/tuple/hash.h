// Hashing and equality of tuples by chosen columns, as grouping needs them: nulls are equal to each
// other, and so are -0 and 0, and all NaNs.
//
// A hash is a function of seed, values and their number of columns: the same in every process and
// build, of a tuple as of a row of values, wherever the columns lie.
//
// Each value is turned into words (canonical.h for floats, eight bytes each and the length for text
// and bytea), a null into one fixed word; each word is mixed into 64 bits, of which the upper 32
// are the hash. One int8 costs two multiplications. It is not a cryptographic hash: who knows the
// seed can find values that collide.
//
// Invariants (invariants.h):
//   U6  Equal values hash equal, of tuples as of rows of values.
#ifndef TUPLESTONE_ENGINE_TUPLE_HASH_H_
#define TUPLESTONE_ENGINE_TUPLE_HASH_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "engine/base/bytes.h"
#include "engine/tuple/minimal_tuple.h"
#include "engine/tuple/schema.h"
#include "engine/tuple/value.h"

namespace tuplestone::tuple {

// The steps of the hash: a word is mixed in; at the end 32 bits are taken. Each is a bijection of
// the 64 bits, so hashes of single words differ in 64 bits before the last 32 are dropped.
inline uint64_t MixWord(uint64_t state, uint64_t word) {
  const uint64_t mixed = (state ^ word) * 0x9E3779B97F4A7C15;
  return mixed ^ mixed >> 32;
}
inline uint32_t FinishHash(uint64_t state) {
  return static_cast<uint32_t>((state * 0xD6E8FEB86659FD93) >> 32);
}

// The hash of one int8: what a Hasher of one int8 column gives.
inline uint32_t HashInt8(int64_t value, uint64_t seed) {
  return FinishHash(MixWord(seed, static_cast<uint64_t>(value)));
}

// A hash for another level of partitions. Equal hashes stay equal.
uint32_t HashMix(uint32_t hash, uint64_t salt);

// Prepared once for a set of columns. Immutable.
class Hasher {
 public:
  // InvalidArgument names a column that the schema has not. No columns: all tuples are equal.
  static absl::StatusOr<Hasher> Make(const Schema& schema, absl::Span<const uint16_t> columns,
                                     uint64_t seed);

  // Requires of each call: tuples of the schema; rows (U7) with a value a column of the schema, of
  // its type or null.
  uint32_t Hash(Tuple tuple) const {
    if (int8_at_ >= 0 && !tuple.HasNulls()) [[likely]] {
      return HashInt8(Load<int64_t>(tuple.data() + int8_at_), seed_);
    }
    return HashAny(tuple);
  }
  uint32_t HashValues(absl::Span<const Value> row) const;

  bool Equal(Tuple a, Tuple b) const {
    if (int8_at_ >= 0 && !a.HasNulls() && !b.HasNulls()) [[likely]] {
      return Load<int64_t>(a.data() + int8_at_) == Load<int64_t>(b.data() + int8_at_);
    }
    return EqualAny(a, b);
  }
  bool EqualValues(Tuple a, absl::Span<const Value> row) const;

  const Schema& schema() const { return schema_; }
  absl::Span<const uint16_t> columns() const { return columns_; }
  uint64_t seed() const { return seed_; }

 private:
  Hasher(const Schema& schema, absl::Span<const uint16_t> columns, uint64_t seed);

  uint32_t HashAny(Tuple tuple) const;
  bool EqualAny(Tuple a, Tuple b) const;

  Schema schema_;
  std::vector<uint16_t> columns_;
  uint64_t seed_;
  int32_t int8_at_ = -1;  // the only column, where it is an int8 with a fixed offset
};

}  // namespace tuplestone::tuple

#endif  // TUPLESTONE_ENGINE_TUPLE_HASH_H_
