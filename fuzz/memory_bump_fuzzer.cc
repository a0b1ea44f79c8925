// memory_bump_fuzzer: bytes become operations on one Bump context.
#include "fuzz/entry.h"
#include "properties/memory/memory_suite.h"
TUPLESTONE_FUZZ_TARGET(tuplestone::properties::MemoryBumpSuite)
