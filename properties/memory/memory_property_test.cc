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
