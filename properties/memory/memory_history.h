// What a heap was asked for since it was last empty, without what failed.
//
// Another heap that is asked for just that must come to the same figures, and serve what comes next
// with the same figures: else a failure left something behind that no figure showed (M6).
#ifndef TUPLESTONE_PROPERTIES_MEMORY_MEMORY_HISTORY_H_
#define TUPLESTONE_PROPERTIES_MEMORY_MEMORY_HISTORY_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/base/align.h"
#include "properties/memory/memory_ops.h"

namespace tuplestone::properties {

// The most that `on_chunk` returns while a loop's chunks are allocated and freed, `rounds` times.
template <class Subject, class OnChunk>
size_t RunLoop(Subject& heap, const MemoryLoop& op, int rounds, OnChunk on_chunk) {
  size_t peak = 0;
  std::vector<void*> chunks;
  for (int round = 0; round < rounds; ++round) {
    chunks.clear();
    for (uint64_t i = 0; i < op.count; ++i) {
      void* p = heap.Allocate(op.bytes, kMaxAlign);
      if (p == nullptr) break;
      void* moved = op.doubled ? heap.Reallocate(p, 2 * op.bytes) : nullptr;
      chunks.push_back(moved == nullptr ? p : moved);
      peak = std::max(peak, on_chunk());
    }
    for (void* p : chunks) heap.Free(p);
  }
  return peak;
}

class HeapHistory {
 public:
  // Chunks by number; each is allocated once.
  void Allocated(size_t chunk, size_t bytes, size_t alignment) {
    calls_.push_back({What::kAllocate, chunk, bytes, alignment});
  }
  void Reallocated(size_t chunk, size_t bytes) {
    calls_.push_back({What::kReallocate, chunk, bytes, 0});
  }
  void Freed(size_t chunk) { calls_.push_back({What::kFree, chunk, 0, 0}); }
  void Looped(const MemoryLoop& op, int rounds) {
    calls_.push_back({What::kLoop, loops_.size(), static_cast<size_t>(rounds), 0});
    loops_.push_back(op);
  }
  void Failed() { failed_ = true; }
  void Emptied() { *this = {}; }

  bool has_failures() const { return failed_; }

  template <class Subject>
  void Repeat(Subject& heap) const {
    std::vector<void*> chunks;
    for (const Call& call : calls_) {
      switch (call.what) {
        case What::kAllocate:
          chunks.resize(std::max(chunks.size(), call.chunk + 1));
          chunks[call.chunk] = heap.Allocate(call.bytes, call.alignment);
          break;
        case What::kReallocate:
          chunks[call.chunk] = heap.Reallocate(chunks[call.chunk], call.bytes);
          break;
        case What::kFree:
          heap.Free(chunks[call.chunk]);
          break;
        case What::kLoop:
          RunLoop(heap, loops_[call.chunk], static_cast<int>(call.bytes), [] { return size_t{0}; });
          break;
      }
    }
  }

 private:
  enum class What { kAllocate, kReallocate, kFree, kLoop };
  struct Call {
    What what;
    size_t chunk;  // of a loop: its number
    size_t bytes;  // of a loop: rounds
    size_t alignment;
  };
  std::vector<Call> calls_;
  std::vector<MemoryLoop> loops_;
  bool failed_ = false;
};

}  // namespace tuplestone::properties

#endif  // TUPLESTONE_PROPERTIES_MEMORY_MEMORY_HISTORY_H_
