// Alignment arithmetic. Sizes are bytes.
#ifndef TUPLESTONE_ENGINE_BASE_ALIGN_H_
#define TUPLESTONE_ENGINE_BASE_ALIGN_H_

#include <bit>
#include <cstddef>
#include <cstdint>

namespace tuplestone {

static_assert(std::endian::native == std::endian::little, "the formats are little-endian");
static_assert(sizeof(void*) == 8, "64-bit only");

// Every chunk, tuple and special area starts at a multiple of this.
inline constexpr size_t kMaxAlign = 8;

constexpr bool IsPowerOfTwo(size_t n) { return std::has_single_bit(n); }

// Requires: `alignment` is a power of two and `n` + `alignment` does not wrap.
constexpr size_t AlignUp(size_t n, size_t alignment) {
  return (n + alignment - 1) & ~(alignment - 1);
}
constexpr size_t AlignDown(size_t n, size_t alignment) { return n & ~(alignment - 1); }
constexpr bool IsAligned(size_t n, size_t alignment) { return (n & (alignment - 1)) == 0; }

// `n` rounded up to kMaxAlign. Requires: no wrap.
constexpr size_t MaxAlign(size_t n) { return AlignUp(n, kMaxAlign); }

inline bool IsAligned(const void* p, size_t alignment) {
  return IsAligned(reinterpret_cast<uintptr_t>(p), alignment);
}

}  // namespace tuplestone

#endif  // TUPLESTONE_ENGINE_BASE_ALIGN_H_
