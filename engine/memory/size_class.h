// What a request is rounded to: a pure function of its size and the class rule.
//
//   steps           8 16 24 ... 1016 1024 | 1152 1280 ... 2048 | 2304 ... 8192
//   index           1  2  3      127  128 |  129  130      136 |  137      152
//   powers of two   8 16 32 64 ... 8192       index 0 to 10
//
// Invariant: ClassBytes(rule, ClassIndex(rule, n)) is the smallest class of at least n bytes.
#ifndef TUPLESTONE_ENGINE_MEMORY_SIZE_CLASS_H_
#define TUPLESTONE_ENGINE_MEMORY_SIZE_CLASS_H_

#include <bit>
#include <cstddef>

#include "engine/base/align.h"
#include "engine/memory/options.h"

namespace tuplestone::memory {

inline constexpr size_t kStepBytesMax = 1024;   // up to here classes are 8 bytes apart
inline constexpr size_t kClassBytesMax = 8192;  // no class is larger
inline constexpr size_t kClassCount = 153;

// Requires: 1 <= bytes <= kClassBytesMax.
constexpr size_t ClassIndex(ClassRule rule, size_t bytes) {
  if (rule == ClassRule::kPowersOfTwo) {
    return static_cast<size_t>(std::bit_width((bytes - 1) >> 3));
  }
  if (bytes <= kStepBytesMax) return (bytes + 7) / 8;
  const size_t shift = static_cast<size_t>(std::bit_width(bytes - 1)) - 4;
  return 129 + (shift - 7) * 8 + ((bytes - 1) >> shift) - 8;
}

// Requires: `index` came from ClassIndex.
constexpr size_t ClassBytes(ClassRule rule, size_t index) {
  if (rule == ClassRule::kPowersOfTwo) return size_t{8} << index;
  if (index <= 128) return index * 8;
  const size_t above = index - 129;
  return (above % 8 + 9) << (above / 8 + 7);
}

// The payload bytes of an AllocSet's chunk. Requires: 1 <= bytes <= kClassBytesMax.
constexpr size_t RoundToClass(ClassRule rule, size_t bytes) {
  return ClassBytes(rule, ClassIndex(rule, bytes));
}

// The largest request that may share a block: limits.chunk_limit_bytes, halved until a chunk with
// its header is at most a chunk_limit_divisor-th of what the largest block carries. A multiple of
// 8, and never below 8.
constexpr size_t ChunkLimit(const Limits& limits, size_t header_bytes, size_t block_header_bytes) {
  const size_t share = (limits.block_max_bytes - block_header_bytes) / limits.chunk_limit_divisor;
  size_t limit = limits.chunk_limit_bytes;
  while (limit > 8 && limit + header_bytes > share) limit /= 2;
  return limit < 8 ? 8 : AlignDown(limit, 8);
}

// The largest class of at most `bytes`. Requires: bytes >= 8.
constexpr size_t FloorToClass(ClassRule rule, size_t bytes) {
  if (bytes > kClassBytesMax) return kClassBytesMax;
  const size_t index = ClassIndex(rule, bytes);
  const size_t above = ClassBytes(rule, index);
  return above == bytes ? above : ClassBytes(rule, index - 1);
}

}  // namespace tuplestone::memory

#endif  // TUPLESTONE_ENGINE_MEMORY_SIZE_CLASS_H_
