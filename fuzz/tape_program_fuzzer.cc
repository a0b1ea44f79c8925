// tape_program_fuzzer: bytes become tape operations; TapeSuite holds the model and the checks.
#include "fuzz/entry.h"
#include "properties/tape/tape_suite.h"
TUPLESTONE_FUZZ_TARGET(tuplestone::properties::TapeSuite)
