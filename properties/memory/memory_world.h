// What both suites of the memory room look at: the model, the block source, and where each live
// chunk really lies.
#ifndef TUPLESTONE_PROPERTIES_MEMORY_MEMORY_WORLD_H_
#define TUPLESTONE_PROPERTIES_MEMORY_MEMORY_WORLD_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/align.h"
#include "engine/memory/account.h"
#include "engine/memory/context.h"
#include "engine/memory/invariants.h"
#include "properties/kit/expect.h"
#include "properties/kit/faulty_source.h"
#include "properties/kit/run.h"
#include "properties/memory/memory_model.h"
#include "properties/memory/memory_ops.h"

namespace tuplestone::properties {

inline constexpr int kChunks = 0;  // populations
inline constexpr int kContexts = 1;

namespace memory_internal {

ModelOptions OptionsOf(uint64_t initial, uint64_t grown, uint64_t divisor, uint64_t header,
                       MemoryClasses classes, MemoryGrowth growth, uint64_t spares,
                       uint64_t slab_bytes, uint64_t slab_alignment, uint64_t refs);

}  // namespace memory_internal

// The options that a head draws.
template <size_t kTarget>
ModelOptions OptionsOf(const MemoryHead<kTarget>& head) {
  return memory_internal::OptionsOf(head.initial, head.grown, head.divisor, head.header,
                                    head.classes, head.growth, head.spares, head.slab_bytes,
                                    head.slab_alignment, head.refs);
}

void ExpectSameAccount(const Invariant& invariant, const memory::Account& expected,
                       const memory::Account& actual);

// A context's account in words, without what depends on the build.
std::string ShowAccount(const memory::Context& context);

class MemoryWorld {
 public:
  MemoryWorld(const ModelOptions& options, kit::Runner& run) : model(options), run_(run) {}

  // The chunk that `p` is: filled, and checked against all others (M1). Its birth number.
  size_t Adopt(size_t context, void* p, size_t bytes, size_t alignment, uint64_t fill);
  // Before a chunk goes, or is moved: its bytes are as they were left (M2).
  void CheckContents(size_t chunk) const;
  // `chunk` lies at `p` now and has `bytes`; the kept ones are checked, the others filled.
  void Move(size_t chunk, void* p, size_t bytes, uint64_t fill);
  void Died(size_t chunk);
  void Died(const std::vector<size_t>& chunks);  // those that the model has dropped already

  // Whether a null is in order: the request is refused for ever, or the source failed since.
  void ExpectNullExcused(memory::Kind kind, size_t bytes, size_t alignment,
                         uint64_t failures_before) const;
  void ExpectNotRefused(memory::Kind kind, size_t bytes, size_t alignment) const;

  // The account of a context against the model (M3).
  void CheckAccount(const memory::Context& context, size_t id) const;
  void CheckAllContents() const;

  // The live chunks, for people.
  std::string ShowModel() const;

  // Requires: `chunk` is alive.
  uint8_t* at(size_t chunk) const { return pointers_[chunk]; }
  kit::Runner& run() { return run_; }

  kit::FaultySource source;
  MemoryModel model;

 private:
  struct Range {
    uintptr_t begin;
    uintptr_t end;  // empty chunks count as one byte
  };
  std::vector<Range>::iterator RangeAtOrAfter(uintptr_t begin);
  void CheckContents(size_t chunk, const ModelChunk& expected) const;
  void Occupy(size_t chunk, uint8_t* p, size_t bytes, size_t alignment);
  void Vacate(size_t chunk);

  kit::Runner& run_;
  std::vector<uint8_t*> pointers_;  // by birth
  std::vector<Range> ranges_;       // of live chunks, ascending
};

}  // namespace tuplestone::properties

#endif  // TUPLESTONE_PROPERTIES_MEMORY_MEMORY_WORLD_H_
