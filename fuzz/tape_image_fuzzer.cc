// tape_image_fuzzer: bytes from outside change what lies in a tape store; each change is reported.
#include "fuzz/entry.h"
#include "properties/tape/tape_image_suite.h"
TUPLESTONE_FUZZ_TARGET(tuplestone::properties::TapeImageSuite)
