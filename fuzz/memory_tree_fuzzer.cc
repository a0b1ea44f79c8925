// memory_tree_fuzzer: bytes become operations on a tree of contexts of all kinds.
#include "fuzz/entry.h"
#include "properties/memory/memory_tree_suite.h"
TUPLESTONE_FUZZ_TARGET(tuplestone::properties::MemoryTreeSuite)
