// The allocators that memory_bench times, each with Allocate, Free and Reset.
//
// mimalloc and jemalloc are opened at run time, where installed: linked, either would take the
// place of the C library's.
#ifndef TUPLESTONE_PROPERTIES_MEMORY_TIMED_HEAPS_H_
#define TUPLESTONE_PROPERTIES_MEMORY_TIMED_HEAPS_H_

#include <cstddef>
#include <cstdlib>
#include <memory_resource>
#include <vector>

#include "engine/base/block_source.h"
#include "engine/memory/alloc_set.h"
#include "engine/memory/bump.h"
#include "engine/memory/generation.h"
#include "engine/memory/slab.h"

namespace tuplestone::properties {

// The system's allocator, counted.
class CountedSource final : public BlockSource {
 public:
  void* Obtain(size_t bytes, size_t alignment) noexcept override {
    lent_bytes_ += bytes;
    return SystemBlockSource().Obtain(bytes, alignment);
  }
  void Return(void* block, size_t bytes, size_t alignment) noexcept override {
    lent_bytes_ -= bytes;
    SystemBlockSource().Return(block, bytes, alignment);
  }
  size_t lent_bytes() const { return lent_bytes_; }

 private:
  size_t lent_bytes_ = 0;
};

// The same for std::pmr.
class CountedResource final : public std::pmr::memory_resource {
 public:
  size_t lent_bytes() const { return source_.lent_bytes(); }

 private:
  void* do_allocate(size_t bytes, size_t alignment) override {
    return source_.Obtain(bytes, alignment);
  }
  void do_deallocate(void* block, size_t bytes, size_t alignment) override {
    source_.Return(block, bytes, alignment);
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }
  CountedSource source_;
};

// A context of kind C. `bytes`: of the largest request.
template <class C>
class TimedContext {
 public:
  static constexpr bool kFrees = !std::is_same_v<C, memory::Bump>;
  static constexpr bool kOneSize = std::is_same_v<C, memory::Slab>;

  explicit TimedContext(size_t bytes) {
    if constexpr (kOneSize) {
      memory::SlabOptions options;
      options.chunk_bytes = bytes;
      options.limits.slab_block_bytes = 64 << 10;
      options.limits.spare_blocks_max = 16;
      owner_.reset(C::Create(source_, "timed", options));
    } else {
      owner_.reset(C::Create(source_, "timed"));
    }
  }
  void* Allocate(size_t bytes) { return owner_->Allocate(bytes); }
  void Free(void* p, size_t) {
    if constexpr (kFrees) owner_->Free(p);
  }
  void Reset(const std::vector<void*>&, size_t) { owner_->Reset(); }
  size_t lent_bytes() const { return source_.lent_bytes(); }
  // Less the part of the last block that nothing was carved from.
  size_t used_bytes() const { return source_.lent_bytes() - owner_->account().tail; }

 private:
  CountedSource source_;
  memory::OwnedContext<C> owner_;
};

template <class Resource>
class TimedResource {
 public:
  static constexpr bool kFrees = !std::is_same_v<Resource, std::pmr::monotonic_buffer_resource>;
  static constexpr bool kOneSize = false;

  explicit TimedResource(size_t) {}
  void* Allocate(size_t bytes) { return resource_.allocate(bytes, kMaxAlign); }
  void Free(void* p, size_t bytes) { resource_.deallocate(p, bytes, kMaxAlign); }
  void Reset(const std::vector<void*>&, size_t) { resource_.release(); }
  size_t lent_bytes() const { return upstream_.lent_bytes(); }

 private:
  CountedResource upstream_;
  Resource resource_{&upstream_};
};

// malloc and free, by address: the C library's or those of an opened library.
struct MallocFunctions {
  void* (*allocate)(size_t) = nullptr;
  void (*free)(void*) = nullptr;
};

class TimedMalloc {
 public:
  static constexpr bool kFrees = true;
  static constexpr bool kOneSize = false;

  explicit TimedMalloc(MallocFunctions functions) : functions_(functions) {}
  void* Allocate(size_t bytes) { return functions_.allocate(bytes); }
  void Free(void* p, size_t) { functions_.free(p); }
  void Reset(const std::vector<void*>& live, size_t) {
    for (void* p : live) functions_.free(p);
  }

 private:
  MallocFunctions functions_;
};

}  // namespace tuplestone::properties

#endif  // TUPLESTONE_PROPERTIES_MEMORY_TIMED_HEAPS_H_
