// Tests only: the rule of block_size_rule.h the way history wrote it, as a loop.
#ifndef TUPLESTONE_ENGINE_MEMORY_HISTORICAL_BLOCK_SIZE_H_
#define TUPLESTONE_ENGINE_MEMORY_HISTORICAL_BLOCK_SIZE_H_

#include <cstddef>
#include <cstdint>

namespace tuplestone::memory {

inline size_t HistoricalBlockBytesMax(int64_t work_mem_kb) {
  size_t bytes = 8 << 20;
  while (16 * bytes > static_cast<size_t>(work_mem_kb) * 1024) bytes >>= 1;
  return bytes < (8 << 10) ? 8 << 10 : bytes;
}

}  // namespace tuplestone::memory

#endif  // TUPLESTONE_ENGINE_MEMORY_HISTORICAL_BLOCK_SIZE_H_
