// tuple_table_fuzzer: bytes become table operations; TableSuite holds the model and the checks.
#include "fuzz/entry.h"
#include "properties/hash/table_suite.h"
TUPLESTONE_FUZZ_TARGET(tuplestone::properties::TableSuite)
