// tuple_order_fuzzer: bytes become rows; TupleSuite holds the model and the checks.
#include "fuzz/entry.h"
#include "properties/tuple/tuple_suite.h"
TUPLESTONE_FUZZ_TARGET(tuplestone::properties::TupleSuite)
