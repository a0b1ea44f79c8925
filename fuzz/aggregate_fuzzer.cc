// aggregate_fuzzer: bytes become rows to group; AggregateSuite holds the model and the checks.
#include "fuzz/entry.h"
#include "properties/hash/aggregate_suite.h"
TUPLESTONE_FUZZ_TARGET(tuplestone::properties::AggregateSuite)
