// relation_file_fuzzer: bytes from outside are read as a relation file, page by page.
#include "fuzz/entry.h"
#include "properties/page/page_image_suite.h"
TUPLESTONE_FUZZ_TARGET(tuplestone::properties::RelationFileSuite)
