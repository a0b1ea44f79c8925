#include "engine/base/block_source.h"

#include <cstdlib>

#include "engine/base/align.h"

namespace tuplestone {
namespace {

class System final : public BlockSource {
 public:
  void* Obtain(size_t bytes, size_t alignment) noexcept override {
    if (alignment <= alignof(std::max_align_t)) return std::malloc(bytes);
    if (bytes > SIZE_MAX - alignment) return nullptr;
    return std::aligned_alloc(alignment, AlignUp(bytes, alignment));
  }
  void Return(void* block, size_t, size_t) noexcept override { std::free(block); }
};

}  // namespace

BlockSource& SystemBlockSource() {
  static constinit System source;
  return source;
}

}  // namespace tuplestone
