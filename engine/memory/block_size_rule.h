// How large the blocks of a context may grow that lives under a memory limit: small limits get
// small blocks, so that one more block does not overshoot them by much.
#ifndef TUPLESTONE_ENGINE_MEMORY_BLOCK_SIZE_RULE_H_
#define TUPLESTONE_ENGINE_MEMORY_BLOCK_SIZE_RULE_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace tuplestone::memory {

inline constexpr size_t kRuleBlockBytesMin = 8 << 10;
inline constexpr size_t kRuleBlockBytesMax = 8 << 20;

// The largest power of two of at most a sixteenth of `work_mem_kb` kilobytes, clamped to
// 8 kB .. 8 MB. All arithmetic is in size_t. Requires: work_mem_kb < 2^31.
constexpr size_t BlockBytesMax(size_t work_mem_kb) {
  return std::clamp(std::bit_floor(work_mem_kb * 1024 / 16), kRuleBlockBytesMin,
                    kRuleBlockBytesMax);
}

}  // namespace tuplestone::memory

#endif  // TUPLESTONE_ENGINE_MEMORY_BLOCK_SIZE_RULE_H_
