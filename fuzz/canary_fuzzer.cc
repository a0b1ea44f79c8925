// canary_fuzzer fails on purpose, to prove that an alarm reaches whoever listens. It is never
// shipped to a service.
#include "fuzz/entry.h"
#include "properties/toy/toy_suite.h"
TUPLESTONE_FUZZ_TARGET(tuplestone::properties::ToySuite)
