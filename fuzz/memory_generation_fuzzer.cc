// memory_generation_fuzzer: bytes become operations on one Generation context.
#include "fuzz/entry.h"
#include "properties/memory/memory_suite.h"
TUPLESTONE_FUZZ_TARGET(tuplestone::properties::MemoryGenerationSuite)
