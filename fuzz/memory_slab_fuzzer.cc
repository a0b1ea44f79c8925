// memory_slab_fuzzer: bytes become operations on one Slab context.
#include "fuzz/entry.h"
#include "properties/memory/memory_suite.h"
TUPLESTONE_FUZZ_TARGET(tuplestone::properties::MemorySlabSuite)
