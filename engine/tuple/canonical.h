// Numbers of which equal ones have equal bits: one NaN, one zero.
#ifndef TUPLESTONE_ENGINE_TUPLE_CANONICAL_H_
#define TUPLESTONE_ENGINE_TUPLE_CANONICAL_H_

#include <bit>
#include <cstdint>

namespace tuplestone::tuple {

inline uint32_t CanonicalBits(float value) {
  if (value != value) return 0x7FC00000;
  return std::bit_cast<uint32_t>(value == 0 ? 0.0F : value);
}

inline uint64_t CanonicalBits(double value) {
  if (value != value) return 0x7FF8000000000000;
  return std::bit_cast<uint64_t>(value == 0 ? 0.0 : value);
}

// Unsigned numbers in the order of the floats: a negative one's bits fall as it rises.
inline uint32_t OrderedBits(float value) {
  const uint32_t bits = CanonicalBits(value);
  return (bits >> 31) != 0 ? ~bits : bits | uint32_t{1} << 31;
}

inline uint64_t OrderedBits(double value) {
  const uint64_t bits = CanonicalBits(value);
  return (bits >> 63) != 0 ? ~bits : bits | uint64_t{1} << 63;
}

}  // namespace tuplestone::tuple

#endif  // TUPLESTONE_ENGINE_TUPLE_CANONICAL_H_
