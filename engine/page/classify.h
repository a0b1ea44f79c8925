// What kind of page untrusted bytes are, told by the special area. Total: any bytes have an answer.
//
//   special bytes   told by                                              carries line pointers
//   0               -                                        heap         yes
//   8               first word 0x1717                        sequence     yes, as heap
//   8               last half-word 0xF091, 0xF092, 0xF093    BRIN         regular pages only
//   8               last half-word 0xFF82                    SP-GiST      all but meta pages
//   8               otherwise; flags at 6                    GIN          entry and list pages
//   16              last half-word 0xFF80; flags at 12       hash         bucket and overflow pages
//   16              last half-word 0xFF81; flags at 12       GiST         all but deleted pages
//   16              last half-word below; flags at 12        b-tree       all but meta and deleted
//
// Data in the hole decides nothing: compacted pages leave stale bytes there too.
#ifndef TUPLESTONE_ENGINE_PAGE_CLASSIFY_H_
#define TUPLESTONE_ENGINE_PAGE_CLASSIFY_H_

#include <cstdint>

#include "engine/base/bytes.h"
#include "engine/page/page_types.h"

namespace tuplestone::page {

enum class PageType : uint8_t {
  kNew,
  kHeap,
  kSequence,
  kBtree,
  kBtreeMeta,
  kBtreeDeleted,  // a transaction id lies where line pointers were
  kHash,
  kHashMeta,
  kHashBitmap,
  kGist,
  kGistDeleted,  // as kBtreeDeleted
  kBrin,
  kBrinMeta,
  kBrinRevmap,
  kSpgist,
  kSpgistMeta,
  kGin,
  kGinMeta,
  kGinData,
  kUnrecognized,  // not a page of 8192 bytes, or a special area that none of these has
};
inline constexpr int kPageTypeCount = static_cast<int>(PageType::kUnrecognized) + 1;

// O(1), and O(page bytes) when upper is 0.
PageType Classify(Bytes bytes);

// What Page::Adopt should take a page of this type for. Unrecognized ones are opaque.
PageKind KindOf(PageType type);

// "b-tree meta"
const char* NameOf(PageType type);

}  // namespace tuplestone::page

#endif  // TUPLESTONE_ENGINE_PAGE_CLASSIFY_H_
