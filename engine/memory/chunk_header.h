// The eight bytes before every chunk that can be freed: enough to find its block, and in it its
// context, and to give back exactly what was booked.
//
//   63            36 35          10 9         5  4         3     2..0
//   | offset / 8    | requested    | alignment | dedicated| live| kind |     a chunk's own header
//   | distance / 8                 | 0                          |   5  |     a redirect
//
//   block                     payload        p
//   | header | ... | own header|...padding |redirect| requested bytes ... |
//                  ^ payload - 8           ^ p - 8, only where p is not the payload itself
//
// The offset is from the block to the payload, so block = payload - offset. The alignment is its
// binary logarithm less 3. A dedicated chunk's requested size is in its block. Kinds 0 and 7 are
// what zeroed and wiped memory would show; no chunk has them.
#ifndef TUPLESTONE_ENGINE_MEMORY_CHUNK_HEADER_H_
#define TUPLESTONE_ENGINE_MEMORY_CHUNK_HEADER_H_

#include <bit>
#include <cstddef>
#include <cstdint>

#include "engine/base/align.h"
#include "engine/base/poison.h"
#include "engine/memory/options.h"

// Headers and free lists lie in memory that AddressSanitizer takes for unreadable.
#ifdef TUPLESTONE_ADDRESS_SANITIZER
#define TUPLESTONE_ALLOCATOR_ACCESS __attribute__((no_sanitize("address"), noinline))
#else
#define TUPLESTONE_ALLOCATOR_ACCESS
#endif

namespace tuplestone::memory {

inline constexpr size_t kHeaderWordBytes = 8;

namespace header_internal {
typedef uint64_t __attribute__((may_alias)) AliasedWord;
}  // namespace header_internal

// Requires: `p` 8-aligned.
TUPLESTONE_ALLOCATOR_ACCESS inline uint64_t LoadWord(const void* p) {
  return *static_cast<const header_internal::AliasedWord*>(p);
}
TUPLESTONE_ALLOCATOR_ACCESS inline void StoreWord(void* p, uint64_t word) {
  *static_cast<header_internal::AliasedWord*>(p) = word;
}

struct ChunkHeader {
  static constexpr uint64_t kKindMask = 7;
  static constexpr uint64_t kRedirect = 5;
  static constexpr uint64_t kLive = 1 << 3;
  static constexpr uint64_t kDedicated = 1 << 4;
  static constexpr int kAlignmentShift = 5;
  static constexpr uint64_t kAlignmentMask = uint64_t{31} << kAlignmentShift;
  static constexpr int kRequestedShift = 10;
  static constexpr uint64_t kRequestedMax = (1 << 26) - 1;
  static constexpr uint64_t kRequestedMask = kRequestedMax << kRequestedShift;
  static constexpr int kOffsetShift = 36;
  static constexpr int kRedirectShift = 10;
  // All that tells an ordinary live chunk of a kind: not dedicated, alignment 8.
  static constexpr uint64_t kPlainMask = kKindMask | kLive | kDedicated | kAlignmentMask;

  uint64_t word = 0;

  // Requires: offset a multiple of 8 below 2^31, requested <= kRequestedMax.
  static constexpr ChunkHeader Live(Kind kind, size_t offset, size_t requested) {
    return {(offset << (kOffsetShift - 3)) | (requested << kRequestedShift) | kLive |
            static_cast<uint64_t>(kind)};
  }
  static constexpr ChunkHeader Redirect(size_t distance) {
    return {((distance / 8) << kRedirectShift) | kRedirect};
  }
  // Requires: alignment a power of two, 8 .. kAlignmentCeiling.
  constexpr ChunkHeader WithAlignment(size_t alignment) const {
    return {word | (static_cast<uint64_t>(std::countr_zero(alignment) - 3) << kAlignmentShift)};
  }

  constexpr uint64_t kind_code() const { return word & kKindMask; }
  constexpr bool IsRedirect() const { return kind_code() == kRedirect; }
  constexpr bool IsLive() const { return (word & kLive) != 0; }
  constexpr bool IsDedicated() const { return (word & kDedicated) != 0; }
  constexpr size_t distance() const { return (word >> kRedirectShift) * 8; }
  constexpr size_t offset() const { return (word >> kOffsetShift) << 3; }
  constexpr size_t requested() const { return (word & kRequestedMask) >> kRequestedShift; }
  constexpr size_t alignment() const {
    return size_t{8} << ((word & kAlignmentMask) >> kAlignmentShift);
  }
};

inline ChunkHeader LoadHeader(const std::byte* payload) {
  return {LoadWord(payload - kHeaderWordBytes)};
}
inline void StoreHeader(std::byte* payload, ChunkHeader header) {
  StoreWord(payload - kHeaderWordBytes, header.word);
}

// The payload bytes to set aside so that `requested` bytes at `alignment` fit wherever the block
// lies. Requires: requested <= kRequestBytesCeiling, alignment as WithAlignment.
constexpr size_t PaddedBytes(size_t requested, size_t alignment) {
  return (requested == 0 ? 1 : requested) + (alignment - kMaxAlign);
}

inline std::byte* AlignPointer(std::byte* p, size_t alignment) {
  const auto address = reinterpret_cast<uintptr_t>(p);
  return p + (AlignUp(address, alignment) - address);
}

}  // namespace tuplestone::memory

#endif  // TUPLESTONE_ENGINE_MEMORY_CHUNK_HEADER_H_
