// The entries of the three layouts (limits.h), behind one interface, so that a table's code is
// written once. A zeroed entry is empty in each.
#ifndef TUPLESTONE_ENGINE_HASH_ENTRY_H_
#define TUPLESTONE_ENGINE_HASH_ENTRY_H_

#include <cstddef>
#include <cstdint>

#include "engine/hash/limits.h"
#include "engine/memory/bump.h"

namespace tuplestone::hash {

// Where a member's two parts lie.
struct MemberParts {
  std::byte* tuple = nullptr;
  std::byte* additional = nullptr;
};

// Ref 0 names nothing, so it marks the empty entry. The additional bytes are what the Ref names,
// and the tuple follows them.
struct CompactEntry {
  memory::Ref ref;
  uint32_t hash;

  static CompactEntry Of(memory::Ref ref, const MemberParts&, uint32_t hash) { return {ref, hash}; }
  bool IsEmpty() const { return ref.units == 0; }
  MemberParts Parts(const memory::Bump& tuples, size_t additional_bytes) const {
    auto* additional = static_cast<std::byte*>(tuples.Resolve(ref));
    return {additional + additional_bytes, additional};
  }
};

struct InFrontEntry {
  std::byte* tuple;
  uint32_t in_use;
  uint32_t hash;

  static InFrontEntry Of(memory::Ref, const MemberParts& parts, uint32_t hash) {
    return {parts.tuple, 1, hash};
  }
  bool IsEmpty() const { return in_use == 0; }
  MemberParts Parts(const memory::Bump&, size_t additional_bytes) const {
    return {tuple, tuple - additional_bytes};
  }
};

struct SeparateEntry {
  std::byte* tuple;
  std::byte* additional;
  uint32_t in_use;
  uint32_t hash;

  static SeparateEntry Of(memory::Ref, const MemberParts& parts, uint32_t hash) {
    return {parts.tuple, parts.additional, 1, hash};
  }
  bool IsEmpty() const { return in_use == 0; }
  MemberParts Parts(const memory::Bump&, size_t) const { return {tuple, additional}; }
};

static_assert(sizeof(CompactEntry) == EntryBytes(Layout::kCompact));
static_assert(sizeof(InFrontEntry) == EntryBytes(Layout::kInFront));
static_assert(sizeof(SeparateEntry) == EntryBytes(Layout::kSeparate));

}  // namespace tuplestone::hash

#endif  // TUPLESTONE_ENGINE_HASH_ENTRY_H_
