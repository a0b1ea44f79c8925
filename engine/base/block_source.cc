#include "engine/base/block_source.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>

#include "engine/base/align.h"
#include "engine/base/poison.h"

namespace tuplestone {
namespace {

// From here on memory is taken in pages of this size where the machine has them: their first touch
// costs a small page's 512 times less often.
constexpr size_t kHugePageBytes = size_t{2} << 20;

void* ObtainHuge(size_t bytes, size_t alignment) {
  if (bytes > SIZE_MAX / 2) return nullptr;
  void* block = std::aligned_alloc(alignment > kHugePageBytes ? alignment : kHugePageBytes,
                                   AlignUp(bytes, kMaxAlign));
  // A wish: nothing changes where it is refused.
  if (block != nullptr) (void)madvise(block, AlignDown(bytes, kHugePageBytes), MADV_HUGEPAGE);
  return block;
}

class System final : public BlockSource {
 public:
  void* Obtain(size_t bytes, size_t alignment) noexcept override {
    if (!kAddressSanitizer && bytes >= kHugePageBytes) return ObtainHuge(bytes, alignment);
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
