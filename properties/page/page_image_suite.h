// Bytes from outside, taken for a page. Whatever they are, they give a page that holds all
// invariants under every operation, or a refusal that says what is wrong; never anything else.
//
// An input that is whole pages is taken as it is. Any other ends in a mode byte, before which a
// page is cut to size or filled up with zeroes:
//
//   bit 0     the checksum is recomputed before the engine looks
//   bit 1     and, if bit 0 is set too, the header: version and flags known, lower, upper and
//   special
//             so that they fit the line pointers. Without it nearly every mutation dies at the
//             header
//   bits 2-3  taken for: what Classify says, heap, index, opaque
//   bits 4-7  which line pointers the operations hit first
#ifndef TUPLESTONE_PROPERTIES_PAGE_PAGE_IMAGE_SUITE_H_
#define TUPLESTONE_PROPERTIES_PAGE_PAGE_IMAGE_SUITE_H_

#include <vector>

#include "engine/base/bytes.h"
#include "engine/page/page_types.h"

namespace tuplestone::properties {

struct PageImageSuite {
  static constexpr const char* kHeader = "properties/page/page_image_suite.h";
  static constexpr const char* kName = "page_image";
  static void Run(Bytes input);
};

// Pages of a relation file, read from a stream, inspected, and repaired where they are sound.
struct RelationFileSuite {
  static constexpr const char* kHeader = "properties/page/page_image_suite.h";
  static constexpr const char* kName = "relation_file";
  static void Run(Bytes input);
};

// Makes the header fit the line pointers as far as it can. Requires: a page's bytes.
void MendHeader(MutableBytes page);

// One page, taken for `kind`, through every operation. `seed` chooses line pointers.
void CheckImage(Bytes page, page::PageKind kind, uint8_t seed);

}  // namespace tuplestone::properties

#endif  // TUPLESTONE_PROPERTIES_PAGE_PAGE_IMAGE_SUITE_H_
