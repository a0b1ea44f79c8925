// ops_text_fuzzer: bytes become text that every language tries to read.
#include "fuzz/entry.h"
#include "fuzz/suites.h"
TUPLESTONE_FUZZ_TARGET(tuplestone::fuzz::OpsTextSuite)
