// Tests only: a block source that counts what it lends, can fail on demand, and never lends clean
// memory, so that nobody relies on zeroes. It dies of whoever returns other than was lent, or
// nothing.
#ifndef TUPLESTONE_ENGINE_MEMORY_COUNTING_SOURCE_H_
#define TUPLESTONE_ENGINE_MEMORY_COUNTING_SOURCE_H_

#include <cstdint>
#include <cstring>
#include <map>

#include "engine/base/block_source.h"
#include "engine/base/check.h"
#include "engine/memory/invariants.h"

namespace tuplestone::memory {

class CountingSource final : public BlockSource {
 public:
  ~CountingSource() override { TUPLESTONE_CHECK_EQ(kM4, 0, lent_bytes_); }

  void* Obtain(size_t bytes, size_t alignment) noexcept override {
    ++requests_;
    if (requests_ == fail_at_ || bytes > bytes_max_) return nullptr;
    void* block = SystemBlockSource().Obtain(bytes, alignment);
    if (block == nullptr) return nullptr;
    std::memset(block, 0xDB, bytes < kDirtyBytesMax ? bytes : kDirtyBytesMax);
    lent_[block] = bytes;
    lent_bytes_ += bytes;
    return block;
  }
  void Return(void* block, size_t bytes, size_t alignment) noexcept override {
    const auto found = lent_.find(block);
    TUPLESTONE_CHECK(kM4, found != lent_.end());
    TUPLESTONE_CHECK_EQ(kM4, found->second, bytes);
    lent_.erase(found);
    lent_bytes_ -= bytes;
    SystemBlockSource().Return(block, bytes, alignment);
  }

  // The `n`-th request from now fails, once; 0 never.
  void FailAt(uint64_t n) { fail_at_ = n == 0 ? 0 : requests_ + n; }
  void RefuseAbove(size_t bytes) { bytes_max_ = bytes; }
  uint64_t requests() const { return requests_; }
  size_t lent_bytes() const { return lent_bytes_; }
  size_t lent_blocks() const { return lent_.size(); }

 private:
  static constexpr size_t kDirtyBytesMax = 1 << 20;
  std::map<void*, size_t> lent_;
  size_t lent_bytes_ = 0;
  uint64_t requests_ = 0;
  uint64_t fail_at_ = 0;
  size_t bytes_max_ = SIZE_MAX;
};

}  // namespace tuplestone::memory

#endif  // TUPLESTONE_ENGINE_MEMORY_COUNTING_SOURCE_H_
