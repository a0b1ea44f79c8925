// The constants that decide when a tape set changes state. Plain numbers, which models may know.
#ifndef TUPLESTONE_ENGINE_TAPE_LIMITS_H_
#define TUPLESTONE_ENGINE_TAPE_LIMITS_H_

#include <cstddef>
#include <cstdint>

namespace tuplestone::tape {

inline constexpr size_t kTrailerBytes = 16;  // of each block; the rest is payload
inline constexpr size_t kBlockBytesMin = 32;
inline constexpr uint32_t kNoBlock = 0xffffffff;
inline constexpr uint32_t kBlocksMax = 0xfffffffe;  // 32 TB in blocks of 8 kB

struct Limits {
  size_t block_bytes = 8192;         // a multiple of 8, kBlockBytesMin to the store's maximum
  uint32_t blocks_max = kBlocksMax;  // ever in use at the same time
  uint32_t map_blocks = 1024;        // that the first map has room for; doubles. Not 0
};

constexpr size_t PayloadBytes(const Limits& limits) { return limits.block_bytes - kTrailerBytes; }

}  // namespace tuplestone::tape

#endif  // TUPLESTONE_ENGINE_TAPE_LIMITS_H_
