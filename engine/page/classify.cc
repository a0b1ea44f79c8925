#include "engine/page/classify.h"

#include "engine/page/verify.h"

namespace tuplestone::page {
namespace {

PageType ClassifyEightBytes(const std::byte* special) {
  if (Load<uint32_t>(special) == 0x1717) return PageType::kSequence;
  const unsigned last = Load<uint16_t>(special + 6);
  switch (last) {
    case 0xF091:
      return PageType::kBrinMeta;
    case 0xF092:
      return PageType::kBrinRevmap;
    case 0xF093:
      return PageType::kBrin;
    case 0xFF82:
      return (Load<uint16_t>(special) & 1) != 0 ? PageType::kSpgistMeta : PageType::kSpgist;
    default:
      break;
  }
  if (last >= 0xF000) return PageType::kUnrecognized;  // GIN has no such flags
  if ((last & 8) != 0) return PageType::kGinMeta;
  if ((last & 1) != 0) return PageType::kGinData;
  return PageType::kGin;
}

PageType ClassifySixteenBytes(const std::byte* special) {
  const unsigned flags = Load<uint16_t>(special + 12);
  const unsigned last = Load<uint16_t>(special + 14);
  if (last == 0xFF80) {
    if ((flags & 8) != 0) return PageType::kHashMeta;
    if ((flags & 4) != 0) return PageType::kHashBitmap;
    return PageType::kHash;
  }
  if (last == 0xFF81) return (flags & 2) != 0 ? PageType::kGistDeleted : PageType::kGist;
  if (last > 0xFF81) return PageType::kUnrecognized;
  if ((flags & 8) != 0) return PageType::kBtreeMeta;
  if ((flags & 4) != 0) return PageType::kBtreeDeleted;
  return PageType::kBtree;
}

}  // namespace

PageType Classify(Bytes bytes) {
  if (bytes.size() != kPageBytes) return PageType::kUnrecognized;
  if (Load<uint16_t>(bytes.data() + kUpperAt) == 0 && AllZero(bytes)) return PageType::kNew;
  const size_t special = Load<uint16_t>(bytes.data() + kSpecialAt);
  switch (kPageBytes - special) {
    case 0:
      return PageType::kHeap;
    case 8:
      return ClassifyEightBytes(bytes.data() + special);
    case 16:
      return ClassifySixteenBytes(bytes.data() + special);
    default:
      return PageType::kUnrecognized;
  }
}

PageKind KindOf(PageType type) {
  switch (type) {
    case PageType::kNew:
      return PageKind::kNew;
    case PageType::kHeap:
    case PageType::kSequence:
      return PageKind::kHeap;
    case PageType::kBtree:
    case PageType::kHash:
    case PageType::kGist:
    case PageType::kBrin:
    case PageType::kSpgist:
    case PageType::kGin:
      return PageKind::kIndex;
    default:
      return PageKind::kOpaque;
  }
}

const char* NameOf(PageType type) {
  static constexpr const char* kNames[kPageTypeCount] = {
      "new",       "heap",        "sequence",    "b-tree",       "b-tree meta",  "b-tree deleted",
      "hash",      "hash meta",   "hash bitmap", "GiST",         "GiST deleted", "BRIN",
      "BRIN meta", "BRIN revmap", "SP-GiST",     "SP-GiST meta", "GIN",          "GIN meta",
      "GIN data",  "unrecognized"};
  return kNames[static_cast<int>(type)];
}

}  // namespace tuplestone::page
