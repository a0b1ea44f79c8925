// The assembler takes the pages out of the relation files, so that no copy of them can go stale.
#include "properties/page/page_images.h"

#include "engine/page/page_types.h"

#define TUPLESTONE_PAGE_IMAGE_FILE(name) \
  TUPLESTONE_SOURCE_DIR "/corpus/relation_file/seed/" name ".rel"

// One image: 8192 bytes of `name`.rel from `block` on.
#define TUPLESTONE_PAGE_IMAGE(name, block) \
  ".incbin \"" TUPLESTONE_PAGE_IMAGE_FILE(name) "\", 8192 * " #block ", 8192\n"

// Number, file, block. Append only.
#define TUPLESTONE_PAGE_IMAGES(X)                                           \
  X(0, "before_narrow", 0)  /* full, in line order, two of five go */       \
  X(1, "after_narrow", 0)   /* the same, compacted */                       \
  X(2, "before_narrow", 46) /* the last page */                             \
  X(3, "before_wide", 0)    /* 128-byte tuples */                           \
  X(4, "after_wide", 0)                                                     \
  X(5, "before_ragged", 0) /* 32 to 1,800 bytes */                          \
  X(6, "after_ragged", 0)                                                   \
  X(7, "before_ragged", 30)                                                 \
  X(8, "before_hot", 0) /* update chains */                                 \
  X(9, "after_hot", 0)  /* redirects */                                     \
  X(10, "after_hot", 13)                                                    \
  X(11, "before_reused_narrow", 0) /* line pointers reused: out of order */ \
  X(12, "after_reused_narrow", 0)                                           \
  X(13, "before_reused_narrow", 20)                                         \
  X(14, "before_reused_wide", 0)                                            \
  X(15, "before_reused_wide", 20)                                           \
  X(16, "before_reused_ragged", 0)                                          \
  X(17, "before_reused_ragged", 33)                                         \
  X(18, "after_reused_ragged", 0)                                           \
  X(19, "before_narrow_i", 1)  /* b-tree leaf */                            \
  X(20, "before_narrow_i", 3)  /* b-tree root */                            \
  X(21, "before_narrow_i", 19) /* b-tree leaf that vacuum thins */          \
  X(22, "before_narrow_b", 1)  /* b-tree with posting lists */              \
  X(23, "before_hot_pkey", 1)                                               \
  X(24, "after_wide_pkey", 1)                                               \
  X(25, "before_ragged_gist", 1)                                            \
  X(26, "before_ragged_gist", 0) /* GiST root */                            \
  X(27, "before_ragged_hash", 1)                                            \
  X(28, "before_ragged_gin", 1)  /* 11 wide entries */                      \
  X(29, "before_ragged_gin", 13) /* pending list */                         \
  X(30, "before_ragged_brin", 2)                                            \
  X(31, "before_ragged_k", 1)

#define TUPLESTONE_PAGE_IMAGE_DATA(number, name, block) TUPLESTONE_PAGE_IMAGE(name, block)

__asm__(
    ".pushsection .rodata\n"
    ".balign 64\n"
    ".globl tuplestone_page_images\n"
    "tuplestone_page_images:\n" TUPLESTONE_PAGE_IMAGES(TUPLESTONE_PAGE_IMAGE_DATA) ".text\n");

extern "C" const std::byte tuplestone_page_images[];

namespace tuplestone::properties {
namespace {

#define TUPLESTONE_PAGE_IMAGE_NAME(number, name, block) name " " #block,
constexpr const char* kNames[] = {TUPLESTONE_PAGE_IMAGES(TUPLESTONE_PAGE_IMAGE_NAME)};
#define TUPLESTONE_PAGE_IMAGE_NUMBER(number, name, block) number,
constexpr size_t kNumbers[] = {TUPLESTONE_PAGE_IMAGES(TUPLESTONE_PAGE_IMAGE_NUMBER)};

constexpr bool NumbersAreInOrder() {
  size_t expected = 0;
  for (size_t number : kNumbers) {
    if (number != expected++) return false;
  }
  return expected == kPageImageCount;
}
static_assert(NumbersAreInOrder());

}  // namespace

PageImage PageImageAt(size_t number) {
  return PageImage{kNames[number],
                   Bytes(tuplestone_page_images + number * page::kPageBytes, page::kPageBytes)};
}

}  // namespace tuplestone::properties
