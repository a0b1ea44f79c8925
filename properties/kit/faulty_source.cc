#include "properties/kit/faulty_source.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "engine/base/align.h"

namespace tuplestone::kit {
namespace {

constexpr int kObtainedFill = 0xa7;
constexpr int kReturnedFill = 0x5b;
constexpr size_t kPageBytes = 4096;

// Addresses without memory: pages come into being when touched. Null where the address space
// refuses.
void* Reserve(size_t bytes, size_t alignment) {
  if (alignment > kPageBytes || bytes > SIZE_MAX - kPageBytes) return nullptr;
  void* block = mmap(nullptr, AlignUp(bytes, kPageBytes), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return block == MAP_FAILED ? nullptr : block;
}

}  // namespace

FaultySource::~FaultySource() {
  TUPLESTONE_CHECK_EQ(kF6, 0, lent_bytes_);
  TUPLESTONE_CHECK_EQ(kF6, 0, blocks_.size());
}

bool FaultySource::Refuses(size_t bytes) {
  if (failures_left_ > 0) {
    if (successes_left_ == 0) {
      --failures_left_;
      return true;
    }
    --successes_left_;
  }
  return lent_bytes_ > cap_bytes_ || bytes > cap_bytes_ - lent_bytes_;
}

void* FaultySource::Obtain(size_t bytes, size_t alignment) noexcept {
  ++requests_;
  const bool reserved_only = bytes >= reserve_only_bytes_;
  void* block = nullptr;
  if (!Refuses(bytes)) {
    block =
        reserved_only ? Reserve(bytes, alignment) : SystemBlockSource().Obtain(bytes, alignment);
  }
  if (block == nullptr) {
    ++failures_;
    return nullptr;
  }
  if (!reserved_only) std::memset(block, kObtainedFill, bytes);
  blocks_[block] = Block{bytes, alignment, reserved_only};
  lent_bytes_ += bytes;
  lent_bytes_peak_ = std::max(lent_bytes_peak_, lent_bytes_);
  return block;
}

void FaultySource::Return(void* block, size_t bytes, size_t alignment) noexcept {
  const auto at = blocks_.find(block);
  TUPLESTONE_CHECK(kF5, at != blocks_.end());
  const Block lent = at->second;
  TUPLESTONE_CHECK_EQ(kF5, lent.bytes, bytes);
  TUPLESTONE_CHECK_EQ(kF5, lent.alignment, alignment);
  blocks_.erase(at);
  lent_bytes_ -= bytes;
  if (lent.reserved_only) {
    munmap(block, AlignUp(bytes, kPageBytes));
    return;
  }
  std::memset(block, kReturnedFill, bytes);
  SystemBlockSource().Return(block, bytes, alignment);
}

}  // namespace tuplestone::kit
