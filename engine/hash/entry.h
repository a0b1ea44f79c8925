// The entries of the three layouts (limits.h), behind one interface, so that a table's code is
// written once. A zeroed entry is empty in each.
#ifndef TUPLESTONE_ENGINE_HASH_ENTRY_H_
#define TUPLESTONE_ENGINE_HASH_ENTRY_H_

#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "engine/hash/limits.h"
#include "engine/memory/bump.h"

namespace tuplestone::hash {

// Where a member's two parts lie.
struct MemberParts {
  std::byte* tuple = nullptr;
  std::byte* additional = nullptr;
};

// Four entries side by side: bit i speaks of the i-th.
struct EntryWindow {
  uint32_t same;  // in use, and of the hash
  uint32_t empty;
};
inline constexpr uint64_t kWindowEntries = 4;

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

// One look in place of four, and of four branches that nobody can foretell.
inline EntryWindow LookAtWindow(const CompactEntry* entries, uint32_t hash) {
#if defined(__SSE2__)
  const __m128 low = _mm_loadu_ps(reinterpret_cast<const float*>(entries));
  const __m128 high = _mm_loadu_ps(reinterpret_cast<const float*>(entries + 2));
  const __m128i refs = _mm_castps_si128(_mm_shuffle_ps(low, high, _MM_SHUFFLE(2, 0, 2, 0)));
  const __m128i hashes = _mm_castps_si128(_mm_shuffle_ps(low, high, _MM_SHUFFLE(3, 1, 3, 1)));
  const __m128i same = _mm_cmpeq_epi32(hashes, _mm_set1_epi32(static_cast<int>(hash)));
  const __m128i empty = _mm_cmpeq_epi32(refs, _mm_setzero_si128());
  const auto empty_bits = static_cast<uint32_t>(_mm_movemask_ps(_mm_castsi128_ps(empty)));
  return {static_cast<uint32_t>(_mm_movemask_ps(_mm_castsi128_ps(same))) & ~empty_bits, empty_bits};
#else
  EntryWindow window{};
  for (uint32_t i = 0; i < kWindowEntries; ++i) {
    const bool is_empty = entries[i].IsEmpty();
    window.empty |= uint32_t{is_empty} << i;
    window.same |= uint32_t{!is_empty && entries[i].hash == hash} << i;
  }
  return window;
#endif
}

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
