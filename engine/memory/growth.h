// How large the next block is. Two steps, so that a request that fails leaves no trace: NextBytes
// says, Commit moves on once the block is there.
#ifndef TUPLESTONE_ENGINE_MEMORY_GROWTH_H_
#define TUPLESTONE_ENGINE_MEMORY_GROWTH_H_

#include <algorithm>
#include <bit>
#include <cstddef>

#include "engine/base/align.h"
#include "engine/memory/options.h"

namespace tuplestone::memory {

class BlockGrowth {
 public:
  explicit BlockGrowth(const Options& options)
      : initial_(options.limits.block_initial_bytes),
        max_(options.limits.block_max_bytes),
        divisor_(options.limits.growth_divisor),
        rule_(options.layout.growth),
        next_(initial_) {}

  // Nominal bytes of the next block of a context whose regular blocks take `held` bytes, and which
  // needs `needed` of the block, its header included. Requires: needed <= the maximum.
  size_t NextBytes(size_t held, size_t needed) const {
    if (rule_ == Growth::kCompact) {
      // In steps of the first block: at most a divisor-th of all is tail.
      const size_t share = std::clamp(held / divisor_ / initial_ * initial_, initial_, max_);
      return std::max(share, std::min(AlignUp(needed, initial_), max_));
    }
    size_t bytes = next_;
    while (bytes < needed) bytes *= 2;
    return std::min(bytes, max_);
  }
  void Commit() {
    if (rule_ == Growth::kDoubling) next_ = std::min(next_ * 2, max_);
  }
  void Reset() { next_ = initial_; }

 private:
  size_t initial_;
  size_t max_;
  size_t divisor_;
  Growth rule_;
  size_t next_;  // doubling only
};

}  // namespace tuplestone::memory

#endif  // TUPLESTONE_ENGINE_MEMORY_GROWTH_H_
