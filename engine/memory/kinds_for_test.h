// Tests only: the four kinds under one name, each in an ordinary and in a small world, whose blocks
// of some hundred bytes make rare states common; and a context of a world with its books.
#ifndef TUPLESTONE_ENGINE_MEMORY_KINDS_FOR_TEST_H_
#define TUPLESTONE_ENGINE_MEMORY_KINDS_FOR_TEST_H_

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "engine/base/block_source.h"
#include "engine/memory/alloc_set.h"
#include "engine/memory/bump.h"
#include "engine/memory/context.h"
#include "engine/memory/counting_source.h"
#include "engine/memory/generation.h"
#include "engine/memory/slab.h"

namespace tuplestone::memory {

struct World {
  std::string name;
  Kind kind;
  Options options;
  SlabOptions slab;

  Context* Create(BlockSource& source, std::string_view context_name = "test") const {
    switch (kind) {
      case Kind::kAllocSet:
        return AllocSet::Create(source, context_name, options);
      case Kind::kGeneration:
        return Generation::Create(source, context_name, options);
      case Kind::kSlab:
        return Slab::Create(source, context_name, slab);
      case Kind::kBump:
        return Bump::Create(source, context_name, options);
    }
    return nullptr;
  }
  bool Frees() const { return kind != Kind::kBump; }
  // The largest request and alignment the kind serves here; sizes above are to fail.
  size_t BytesMax() const {
    return kind == Kind::kSlab ? slab.chunk_bytes : options.limits.request_bytes_max;
  }
  size_t AlignmentMax() const { return kind == Kind::kSlab ? slab.alignment : kAlignmentCeiling; }
};

// What GoogleTest prints of a world.
inline void PrintTo(const World& world, std::ostream* out) { *out << world.name; }

inline Options SmallOptions(Options options, size_t initial, size_t max) {
  options.limits.block_initial_bytes = initial;
  options.limits.block_max_bytes = max;
  options.limits.ref_granule_bytes = 256;
  return options;
}

inline std::vector<World> Worlds() {
  SlabOptions small_slab;
  small_slab.chunk_bytes = 40;
  small_slab.limits.slab_block_bytes = 512;
  SlabOptions aligned_slab;
  aligned_slab.chunk_bytes = 100;
  aligned_slab.alignment = 64;
  aligned_slab.header_bytes = 16;
  aligned_slab.limits.spare_blocks_max = 0;
  const Options compact;
  Options no_spare = SmallOptions(Options::HistoricalGeneration(), 1024, 4096);
  no_spare.limits.spare_blocks_max = 0;
  return {
      {"AllocSet", Kind::kAllocSet, compact, {}},
      {"AllocSetSmall", Kind::kAllocSet, SmallOptions(compact, 256, 2048), {}},
      {"AllocSetTiny", Kind::kAllocSet, SmallOptions(compact, 128, 128), {}},
      {"AllocSetHistorical",
       Kind::kAllocSet,
       SmallOptions(Options::HistoricalAllocSet(), 1024, 8192),
       {}},
      {"Generation", Kind::kGeneration, compact, {}},
      {"GenerationSmall", Kind::kGeneration, SmallOptions(compact, 256, 2048), {}},
      {"GenerationTiny", Kind::kGeneration, SmallOptions(compact, 128, 512), {}},
      {"GenerationHistorical", Kind::kGeneration, no_spare, {}},
      {"Slab", Kind::kSlab, compact, {}},
      {"SlabSmall", Kind::kSlab, compact, small_slab},
      {"SlabAligned", Kind::kSlab, compact, aligned_slab},
      {"Bump", Kind::kBump, compact, {}},
      {"BumpSmall", Kind::kBump, SmallOptions(compact, 256, 2048), {}},
      {"BumpTiny", Kind::kBump, SmallOptions(compact, 128, 128), {}},
  };
}

// A context of a world and its source, which must have everything back in the end.
class WorldContext {
 public:
  explicit WorldContext(const World& world) : owner_(world.Create(source_)) {}

  Context* context() { return owner_.get(); }
  CountingSource& source() { return source_; }
  // Which of the books do not balance: the equation, the source's own count, what limits look at.
  std::string Imbalance() const {
    const Account a = owner_->account();
    std::string wrong;
    if (a.obtained != a.overhead + a.live + a.guards + a.free + a.dead + a.tail)
      wrong += "account ";
    if (a.obtained != source_.lent_bytes()) wrong += "source ";
    if (a.obtained != owner_->obtained_bytes()) wrong += "obtained ";
    if (a.held() != owner_->held_bytes()) wrong += "held ";
    return wrong;
  }

 private:
  CountingSource source_;
  OwnedContext<> owner_;
};

}  // namespace tuplestone::memory

#endif  // TUPLESTONE_ENGINE_MEMORY_KINDS_FOR_TEST_H_
