// Pages that PostgreSQL wrote, compiled in, so that programs can start from them. An image's number
// is for ever: the list only grows at its end.
#ifndef TUPLESTONE_PROPERTIES_PAGE_PAGE_IMAGES_H_
#define TUPLESTONE_PROPERTIES_PAGE_PAGE_IMAGES_H_

#include <cstddef>

#include "engine/base/bytes.h"

namespace tuplestone::properties {

inline constexpr size_t kPageImageCount = 32;

struct PageImage {
  const char* name;  // "before_narrow 0": file of corpus/relation_file/seed, block
  Bytes bytes;
};

// Requires: number < kPageImageCount.
PageImage PageImageAt(size_t number);

}  // namespace tuplestone::properties

#endif  // TUPLESTONE_PROPERTIES_PAGE_PAGE_IMAGES_H_
