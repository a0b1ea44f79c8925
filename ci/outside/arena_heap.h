// The arena as a subject of the heap suite.
#ifndef ARENA_HEAP_H_
#define ARENA_HEAP_H_

#include <map>

#include "arena.h"
#include "properties/memory/memory_subjects.h"

class ArenaHeap {
 public:
  static constexpr tuplestone::properties::HeapTraits kTraits{
      .reallocates = false, .survives_failures = false, .alignment_max = 16};

  ArenaHeap(const tuplestone::properties::ModelOptions& options, tuplestone::BlockSource&)
      : bytes_max_(options.shared.limits.request_bytes_max) {}

  void* Allocate(size_t bytes, size_t) {
    if (bytes > bytes_max_) return nullptr;
    void* p = arena_.Allocate(bytes);
    sizes_[p] = bytes;
    return p;
  }
  void* Reallocate(void*, size_t) { return nullptr; }
  void Free(void* p) {
    arena_.Free(p, sizes_.at(p));
    sizes_.erase(p);
  }
  void Reset() { arena_.Reset(); }
  void Verify() const {}

 private:
  size_t bytes_max_;
  Arena arena_;
  std::map<void*, size_t> sizes_;
};

#endif  // ARENA_HEAP_H_
