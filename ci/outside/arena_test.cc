// The heap suite over one's own arena.
#include <gtest/gtest.h>

#include "arena_heap.h"
#include "properties/kit/property.h"
#include "properties/memory/memory_suite.h"

// The number is that of a language whose inputs the arena's shall be: 1 is memory_alloc_set.
using ArenaSuite = tuplestone::properties::HeapSuite<ArenaHeap, 1>;

TEST(Arena, KeepsEveryInvariant) { tuplestone::kit::ForAll<ArenaSuite>(); }
