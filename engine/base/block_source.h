// Where raw memory comes from. Contexts obtain blocks here and nowhere else, so that a test can
// count, cap and fail them.
#ifndef TUPLESTONE_ENGINE_BASE_BLOCK_SOURCE_H_
#define TUPLESTONE_ENGINE_BASE_BLOCK_SOURCE_H_

#include <cstddef>

namespace tuplestone {

// Not thread-safe. A source outlives every block obtained from it.
class BlockSource {
 public:
  virtual ~BlockSource() = default;

  // `bytes` of memory at a multiple of `alignment`, or null when there is none. Contents are
  // indeterminate. Requires: bytes > 0, alignment a power of two.
  virtual void* Obtain(size_t bytes, size_t alignment) noexcept = 0;

  // Gives back what Obtain(bytes, alignment) returned. The block must not be poisoned.
  virtual void Return(void* block, size_t bytes, size_t alignment) noexcept = 0;
};

// The default: the C library's allocator. Lives for ever.
BlockSource& SystemBlockSource();

}  // namespace tuplestone

#endif  // TUPLESTONE_ENGINE_BASE_BLOCK_SOURCE_H_
