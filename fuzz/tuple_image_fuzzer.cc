// tuple_image_fuzzer: bytes from outside are taken for a tuple: a row's, or refused.
#include "fuzz/entry.h"
#include "properties/tuple/tuple_image_suite.h"
TUPLESTONE_FUZZ_TARGET(tuplestone::properties::TupleImageSuite)
