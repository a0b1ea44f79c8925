// page_program_fuzzer: bytes become page operations; PageSuite holds the model and the checks.
#include "fuzz/entry.h"
#include "properties/page/page_suite.h"
TUPLESTONE_FUZZ_TARGET(tuplestone::properties::PageSuite)
