// M1 to M7 and M9 by random programs. Not covered: M8, whose tests stand beside the engine.
#include <gtest/gtest.h>

#include "properties/kit/property.h"
#include "properties/memory/memory_peers.h"
#include "properties/memory/memory_suite.h"
#include "properties/memory/memory_tree_suite.h"

namespace tuplestone::properties {
namespace {

TEST(MemoryProperty, AllocSetProgramsKeepEveryInvariant) { kit::ForAll<MemoryAllocSetSuite>(); }
TEST(MemoryProperty, GenerationProgramsKeepEveryInvariant) { kit::ForAll<MemoryGenerationSuite>(); }
TEST(MemoryProperty, SlabProgramsKeepEveryInvariant) { kit::ForAll<MemorySlabSuite>(); }
TEST(MemoryProperty, BumpProgramsKeepEveryInvariant) { kit::ForAll<MemoryBumpSuite>(); }
TEST(MemoryProperty, TreeProgramsKeepEveryInvariant) { kit::ForAll<MemoryTreeSuite>(); }

// Three sets of options for each kind, whatever else a program draws.
enum class OptionSet { kTiny, kHistorical, kLarge };

template <size_t kTarget>
MemoryHead<kTarget> Under(OptionSet set, MemoryHead<kTarget> head) {
  head.initial = set == OptionSet::kTiny ? 0 : 6;  // 128 bytes, or PostgreSQL's 8 kB
  head.grown = set == OptionSet::kTiny ? 1 : 6;
  head.divisor = set == OptionSet::kHistorical ? 2 : 6;
  head.header = set == OptionSet::kHistorical ? (kTarget == 2 ? 2 : 1) : 0;
  const bool historical = set == OptionSet::kHistorical;
  head.classes = historical ? MemoryClasses::kPowersOfTwo : MemoryClasses::kSteps;
  head.growth = historical ? MemoryGrowth::kDoubling : MemoryGrowth::kCompact;
  head.spares = 1;
  return head;
}

template <class Suite, OptionSet kSet>
class WithOptions : public Suite {
 public:
  WithOptions(const decltype(Suite::Program::head)& head, kit::Runner& run)
      : Suite(Under(kSet, head), run) {}
};

template <class Suite>
void PassesUnderEachSet() {
  kit::ForAll<WithOptions<Suite, OptionSet::kTiny>>();
  kit::ForAll<WithOptions<Suite, OptionSet::kHistorical>>();
  kit::ForAll<WithOptions<Suite, OptionSet::kLarge>>();
}

TEST(MemoryOptionsProperty, AllocSetHoldsUnderEachSet) {
  PassesUnderEachSet<MemoryAllocSetSuite>();
}
TEST(MemoryOptionsProperty, GenerationHoldsUnderEachSet) {
  PassesUnderEachSet<MemoryGenerationSuite>();
}
TEST(MemoryOptionsProperty, SlabHoldsUnderEachSet) { PassesUnderEachSet<MemorySlabSuite>(); }
TEST(MemoryOptionsProperty, BumpHoldsUnderEachSet) { PassesUnderEachSet<MemoryBumpSuite>(); }

// Allocators known to be good prove the suite.
TEST(MemoryProperty, StandardPoolsPassTheHeapSuite) { kit::ForAll<HeapSuite<PoolHeap, 1>>(); }
TEST(MemoryProperty, StandardMonotonicBuffersPassTheHeapSuite) {
  kit::ForAll<HeapSuite<MonotonicHeap, 4>>();
}
TEST(MemoryProperty, TheCLibraryPassesTheHeapSuite) { kit::ForAll<HeapSuite<MallocHeap, 2>>(); }

template <class Suite>
void ExpectReached(const char* prefix) {
  kit::ExpectProbesReached(kit::ProgramTarget<Suite>(), prefix, 20000);
}

TEST(MemoryProperty, EveryRareStateIsReached) {
  ExpectReached<MemoryTreeSuite>("memory.context.");
  ExpectReached<MemoryAllocSetSuite>("memory.alloc_set.");
  ExpectReached<MemoryGenerationSuite>("memory.generation.");
  ExpectReached<MemorySlabSuite>("memory.slab.");
  ExpectReached<MemoryBumpSuite>("memory.bump.");
}

}  // namespace
}  // namespace tuplestone::properties
