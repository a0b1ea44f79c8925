// sort_program_fuzzer: bytes become sort operations; SortSuite holds the model and the checks.
#include "fuzz/entry.h"
#include "properties/sort/sort_suite.h"
TUPLESTONE_FUZZ_TARGET(tuplestone::properties::SortSuite)
