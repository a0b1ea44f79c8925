// page_image_fuzzer: bytes from outside are taken for a page, and must be one or be refused.
#include "fuzz/entry.h"
#include "properties/page/page_image_suite.h"
TUPLESTONE_FUZZ_TARGET(tuplestone::properties::PageImageSuite)
