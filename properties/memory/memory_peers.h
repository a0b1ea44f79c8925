// Allocators known to be good, as subjects of the heap suite: they prove the suite. And an example
// of how little it takes to test one's own.
#ifndef TUPLESTONE_PROPERTIES_MEMORY_MEMORY_PEERS_H_
#define TUPLESTONE_PROPERTIES_MEMORY_MEMORY_PEERS_H_

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory_resource>
#include <new>

#include "engine/base/align.h"
#include "engine/base/block_source.h"
#include "properties/memory/memory_suite.h"

namespace tuplestone::properties {

// A block source as std::pmr wants its upstream.
class SourceResource final : public std::pmr::memory_resource {
 public:
  explicit SourceResource(BlockSource& source) : source_(&source) {}

 private:
  void* do_allocate(size_t bytes, size_t alignment) override {
    void* block = source_->Obtain(bytes, alignment);
    if (block == nullptr) throw std::bad_alloc();
    return block;
  }
  void do_deallocate(void* block, size_t bytes, size_t alignment) override {
    source_->Return(block, bytes, alignment);
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }

  BlockSource* source_;
};

// A std::pmr resource. It has to be told the size of what it gets back, so that is kept beside.
// No failures are tried on it: the suite shows that libstdc++ 12's pool reads wild memory after its
// upstream has thrown once (docs/components/memory.md has the program).
template <class Resource, bool kFreesChunks>
class PmrHeap {
 public:
  static constexpr HeapTraits kTraits{
      .frees = kFreesChunks, .reallocates = false, .survives_failures = false};

  PmrHeap(const ModelOptions& options, BlockSource& source)
      : bytes_max_(options.shared.limits.request_bytes_max), upstream_(source) {}

  void* Allocate(size_t bytes, size_t alignment) {
    if (bytes > bytes_max_) return nullptr;
    alignment = std::max(alignment, kMaxAlign);
    // libstdc++ 12's pool serves 700 bytes at 512 from blocks of 768, at 256: it keeps to
    // alignments that divide the size.
    const size_t asked = AlignUp(std::max<size_t>(bytes, 1), alignment);
    try {
      void* p = resource_.allocate(asked, alignment);
      sizes_[p] = {asked, alignment};
      return p;
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
  }
  void* Reallocate(void*, size_t) { return nullptr; }
  void Free(void* p) {
    const auto [bytes, alignment] = sizes_.at(p);
    sizes_.erase(p);
    resource_.deallocate(p, bytes, alignment);
  }
  void Reset() {
    sizes_.clear();
    resource_.release();
  }
  void Verify() const {}

 private:
  size_t bytes_max_;
  SourceResource upstream_;
  Resource resource_{&upstream_};
  std::map<void*, std::pair<size_t, size_t>> sizes_;
};

using PoolHeap = PmrHeap<std::pmr::unsynchronized_pool_resource, true>;
using MonotonicHeap = PmrHeap<std::pmr::monotonic_buffer_resource, false>;

// The C library. It has no reset, so what is live is remembered.
class MallocHeap {
 public:
  static constexpr HeapTraits kTraits{.frees = true, .reallocates = true};

  MallocHeap(const ModelOptions& options, BlockSource&)
      : bytes_max_(options.shared.limits.request_bytes_max) {}
  ~MallocHeap() { Reset(); }
  MallocHeap(const MallocHeap&) = delete;
  MallocHeap& operator=(const MallocHeap&) = delete;

  void* Allocate(size_t bytes, size_t alignment) {
    if (bytes > bytes_max_) return nullptr;
    alignment = std::max(alignment, kMaxAlign);
    void* p = std::aligned_alloc(alignment, AlignUp(std::max<size_t>(bytes, 1), alignment));
    live_[p] = {bytes, alignment};
    return p;
  }
  void* Reallocate(void* p, size_t bytes) {
    const auto [old_bytes, alignment] = live_.at(p);
    void* moved = Allocate(bytes, alignment);
    if (moved == nullptr) return nullptr;
    std::memcpy(moved, p, std::min(bytes, old_bytes));
    Free(p);
    return moved;
  }
  void Free(void* p) {
    live_.erase(p);
    std::free(p);
  }
  void Reset() {
    for (const auto& [p, sizes] : live_) std::free(p);
    live_.clear();
  }
  void Verify() const {}

 private:
  size_t bytes_max_;
  std::map<void*, std::pair<size_t, size_t>> live_;
};

}  // namespace tuplestone::properties

#endif  // TUPLESTONE_PROPERTIES_MEMORY_MEMORY_PEERS_H_
