// memory_alloc_set_fuzzer: bytes become operations on one AllocSet context.
#include "fuzz/entry.h"
#include "properties/memory/memory_suite.h"
TUPLESTONE_FUZZ_TARGET(tuplestone::properties::MemoryAllocSetSuite)
