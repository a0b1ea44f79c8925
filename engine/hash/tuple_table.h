// A hash table of tuples, keyed by some or all of their columns.
//
//   buckets   | ref hash |   -   | ref hash | ref hash |   -   | ...        8 bytes each, 2^n
//                  |                  |
//   space     | additional | tuple | additional | tuple | ...               a Bump context
//
// Open addressing: a member lies in the bucket that the low bits of its hash name, its home, or in
// the next free one behind; the last bucket's next is the first. Deletion moves members back so
// that none lies behind a bucket that is empty, and nothing marks where one was. The entry's hash
// is compared before the tuple is touched, so a lookup costs one access to the buckets and, where
// the hash is there, one to the space; a batch of lookups makes each for all before the next.
//
// In front of each tuple, in the same piece of memory, lie as many bytes as the table's owner asked
// for: the states of an aggregation. A tuple is inserted by copying it once, or is formed of values
// where it will lie.
//
// Buckets double when members reach load_percent of them, and for no other reason: not for long
// probes, which more buckets do not shorten when hashes are equal. Instead a table that has a
// member further than probe_max from its home says so (IsCrowded), and it is for the owner to go
// another way.
//
// Invariants (invariants.h):
//   H1  Lookup finds exactly what was inserted.
//   H2  Equal values hash equal: the entry's hash is that of its tuple.
//   H3  Additional bytes are aligned, zero at birth, before the tuple, and kept over growth.
//   H4  Iteration visits each member once, with deletion of the current one and over the wrap.
//   H5  A failed growth or insertion leaves the table as it was.
//   H6  buckets <= max(initial, 20 x the most members since creation), for any input.
//   H11 Callers keep to what an operation requires.
//
// Not thread-safe. What it does not do: shrink; give back a deleted member's memory before reset;
// hold more than 2^32 buckets or 32 GB of tuples.
#ifndef TUPLESTONE_ENGINE_HASH_TUPLE_TABLE_H_
#define TUPLESTONE_ENGINE_HASH_TUPLE_TABLE_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "engine/hash/entry.h"
#include "engine/hash/invariants.h"
#include "engine/hash/limits.h"
#include "engine/hash/tuple_space.h"
#include "engine/memory/context.h"
#include "engine/tuple/hash.h"
#include "engine/tuple/minimal_tuple.h"
#include "engine/tuple/value.h"

namespace tuplestone::hash {

struct TableOptions {
  TableLimits limits{};
  Layout layout = Layout::kCompact;
  size_t additional_bytes = 0;        // before each tuple; rounded up to a multiple of 8
  uint64_t members_expected = 0;      // sizes the first array
  uint32_t hash_mask = ~uint32_t{0};  // bits of the hash that count; fewer make members collide

  // What history did at each insertion: a copy of a tuple that is minimal already before the one
  // that stays; a tuple formed of values elsewhere first.
  bool copies_minimal = false;
  bool forms_elsewhere = false;
};

// What a lookup found, or nothing. Valid until the member is deleted or the space reset.
struct Member {
  tuple::Tuple tuple;
  std::byte* additional = nullptr;  // see TupleTable::Additional
  bool is_new = false;

  explicit operator bool() const { return static_cast<bool>(tuple); }
};

struct TableStats {
  uint64_t members = 0;
  uint64_t members_most = 0;   // since creation
  uint64_t buckets = 0;        // 0 until the first insertion
  uint64_t buckets_first = 0;  // of the first array
  uint64_t growths = 0;
  uint64_t probe_longest = 0;  // furthest that a member was put from its home, in these buckets
  size_t bucket_bytes = 0;
};

class TupleTable {
 public:
  using Tuple = tuple::Tuple;
  using Row = absl::Span<const tuple::Value>;  // of the hasher's schema

  // Obtains nothing: the first array comes with the first insertion. Requires (H11): `space` and
  // `buckets` outlive the table; limits within their bounds; `buckets` is not the space's context
  // and can free, and is not reset while the table lives.
  TupleTable(const tuple::Hasher& hasher, TupleSpace& space, memory::Context& buckets,
             const TableOptions& options = {});
  ~TupleTable();
  TupleTable(const TupleTable&) = delete;
  TupleTable& operator=(const TupleTable&) = delete;

  // The hash by which the table knows a row.
  uint32_t Hash(Tuple row) const { return hasher_.Hash(row) & options_.hash_mask; }
  uint32_t Hash(Row row) const { return hasher_.HashValues(row) & options_.hash_mask; }

  // The member equal to `row`, or none.
  Member Find(Tuple row) const { return Find(row, Hash(row)); }
  Member Find(Row row) const { return Find(row, Hash(row)); }
  // The same, and a new member with all of the row where there is none; none, and the table is as
  // it was, without memory or above the limits. Requires: the values do not lie in the table's
  // buckets.
  Member FindOrInsert(Tuple row) { return FindOrInsert(row, Hash(row)); }
  Member FindOrInsert(Row row) { return FindOrInsert(row, Hash(row)); }

  // For who knows the hash already. Requires (H11): hash == Hash(row).
  Member Find(Tuple row, uint32_t hash) const;
  Member Find(Row row, uint32_t hash) const;
  Member FindOrInsert(Tuple row, uint32_t hash);
  Member FindOrInsert(Row row, uint32_t hash);
  // For who also knows that it is not there. Requires (H11): Find would give none.
  Member InsertNew(Tuple row, uint32_t hash) { return Insert(row, hash); }
  Member InsertNew(Row row, uint32_t hash) { return Insert(row, hash); }

  // Up to kBatchMax lookups at once: the same results as one after the other, and the memory they
  // touch is fetched for all of them together. Requires (H11): rows.size() == members.size().
  void FindBatch(absl::Span<const Tuple> rows, absl::Span<Member> members) const;
  void FindOrInsertBatch(absl::Span<const Tuple> rows, absl::Span<Member> members);
  // Row i's values begin at values[i * stride]; `hashes` are the rows'.
  void FindBatch(absl::Span<const tuple::Value> values, size_t stride,
                 absl::Span<const uint32_t> hashes, absl::Span<Member> members) const;
  // The same of tuples whose hashes are known.
  void FindBatch(absl::Span<const Tuple> rows, absl::Span<const uint32_t> hashes,
                 absl::Span<Member> members) const;
  // Fetches what a lookup of this hash touches first.
  void Prefetch(uint32_t hash) const;

  // The member's additional bytes. Requires (H11): the table has some.
  std::byte* Additional(const Member& member) const {
    if (additional_bytes_ == 0) [[unlikely]]
      DieOfNoAdditional();
    return member.additional;
  }
  // Removes it; its memory is back at the next reset. Iterations end, but see Iterator.
  // Requires (H11): a member of this table.
  void Erase(const Member& member);

  // Empties the table, which keeps its buckets, and the space. FailedPrecondition, and nothing
  // changed, where another table shares the space: TupleSpace::Reset empties all.
  absl::Status Reset();

  // Bytes that the buckets would take on top, for as long as the move lasts, should one more member
  // come. 0: there is room. SIZE_MAX: the table is at its limit.
  size_t GrowthBytes() const;
  // True when a member lies further from its home than probe_max.
  bool IsCrowded() const { return probe_longest_ > options_.limits.probe_max; }
  uint64_t members() const { return members_; }
  size_t additional_bytes() const { return additional_bytes_; }
  const tuple::Hasher& hasher() const { return hasher_; }
  const TableOptions& options() const { return options_; }
  TableStats Stats() const;
  // Aborts on the first broken invariant, naming it. O(buckets x the longest probe).
  void Verify() const;

  // Each member once, in an order that the hashes alone decide. Backwards from an empty bucket:
  // what deletion moves has then been visited already, over the wrap, too.
  //
  //   for (TupleTable::Iterator it(table); Member member = it.Next();) if (...) it.EraseCurrent();
  //
  // Requires (H11): between calls of Next the table changes by EraseCurrent alone.
  class Iterator {
   public:
    explicit Iterator(TupleTable& table);
    Member Next();        // none at the end
    void EraseCurrent();  // what Next returned last. Requires (H11): it did, and not twice

   private:
    TupleTable* table_;
    uint64_t changes_;
    uint64_t at_;    // the bucket that Next looked at last
    uint64_t left_;  // buckets not looked at
    bool has_current_ = false;
  };

 private:
  friend class TupleSpace;
  friend class Iterator;

  template <class Function>
  auto InLayout(Function&& function) const;
  template <class Entry>
  Entry* entries() const {
    return static_cast<Entry*>(entries_);
  }
  template <class Entry>
  Member MemberOf(const Entry& entry) const;
  template <class Entry>
  const Entry* NextWithHash(uint32_t hash, uint64_t* probe) const;
  template <class Entry, class Key>
  Member Locate(const Key& row, uint32_t hash) const;
  template <class Entry, class Equality>
  void LocateMany(absl::Span<const uint32_t> hashes, const Equality& is_equal,
                  absl::Span<Member> members) const;
  bool IsEqual(Tuple member, Tuple row) const { return hasher_.Equal(member, row); }
  bool IsEqual(Tuple member, Row row) const { return hasher_.EqualValues(member, row); }

  template <class Key>
  Member Insert(const Key& row, uint32_t hash);
  memory::Ref NewParts(Tuple row, MemberParts* parts);
  memory::Ref NewParts(Row row, MemberParts* parts);
  memory::Ref Allocate(size_t tuple_bytes, MemberParts* parts);
  void FreeParts(const MemberParts& parts);

  void* ObtainArray(uint64_t buckets) const;
  void MoveTo(void* array, uint64_t buckets);
  template <class Entry>
  uint64_t Place(const Entry& entry);
  template <class Entry>
  void EraseAt(uint64_t at);
  template <class Entry>
  void EraseMember(const Member& member);
  template <class Entry>
  void VerifyEntries() const;
  void Clear();  // the buckets, not the space
  [[noreturn]] static void DieOfNoAdditional();
  uint64_t buckets() const { return has_array_ ? mask_ + 1 : 0; }

  tuple::Hasher hasher_;
  TupleSpace& space_;
  memory::Bump& tuples_;  // the space's
  memory::Context& bucket_context_;
  TableOptions options_;
  size_t additional_bytes_;
  void* entries_;  // one empty entry until the first insertion
  uint64_t mask_ = 0;
  uint64_t members_ = 0;
  uint64_t members_max_ = 0;  // beyond, buckets double
  uint64_t members_most_ = 0;
  uint64_t buckets_first_ = 0;
  uint64_t growths_ = 0;
  uint64_t probe_longest_ = 0;
  uint64_t changes_ = 0;
  bool has_array_ = false;
  TupleTable* next_in_space_ = nullptr;
};

template <class Function>
auto TupleTable::InLayout(Function&& function) const {
  if (options_.layout == Layout::kCompact) [[likely]] {
    return function.template operator()<CompactEntry>();
  }
  if (options_.layout == Layout::kInFront) return function.template operator()<InFrontEntry>();
  return function.template operator()<SeparateEntry>();
}

template <class Entry>
Member TupleTable::MemberOf(const Entry& entry) const {
  const MemberParts parts = entry.Parts(tuples_, additional_bytes_);
  return {Tuple(parts.tuple), parts.additional, false};
}

// The next entry that has this hash, from *probe buckets behind its home on, or null; how far it
// is. No search goes further than a member was ever put, so none is longer because many homes in a
// row are taken.
template <class Entry>
const Entry* TupleTable::NextWithHash(uint32_t hash, uint64_t* probe) const {
  const Entry* all = entries<Entry>();
  if constexpr (std::is_same_v<Entry, CompactEntry>) {
    const uint64_t home = hash & mask_;
    if (*probe == 0 && home + kWindowEntries <= mask_ + 1) [[likely]] {
      const EntryWindow window = LookAtWindow(all + home, hash);
      const uint32_t before_empty = (window.empty - 1) & ~window.empty;
      if (const uint32_t same = window.same & before_empty; same != 0) {
        *probe = static_cast<uint64_t>(std::countr_zero(same));
        return all + home + *probe;
      }
      if (window.empty != 0) return nullptr;
      *probe = kWindowEntries;
    }
  }
  for (; *probe <= probe_longest_; ++*probe) {
    const Entry& entry = all[(hash + *probe) & mask_];
    if (entry.IsEmpty()) return nullptr;
    if (entry.hash == hash) return &entry;
  }
  return nullptr;
}

template <class Entry, class Key>
Member TupleTable::Locate(const Key& row, uint32_t hash) const {
  uint64_t probe = 0;
  while (const Entry* entry = NextWithHash<Entry>(hash, &probe)) {
    const Member member = MemberOf(*entry);
    if (IsEqual(member.tuple, row)) [[likely]] {
      return member;
    }
    ++probe;
  }
  return {};
}

inline Member TupleTable::Find(Tuple row, uint32_t hash) const {
  return InLayout([&]<class Entry>() { return Locate<Entry>(row, hash); });
}

inline Member TupleTable::FindOrInsert(Tuple row, uint32_t hash) {
  const Member found = Find(row, hash);
  return found ? found : Insert(row, hash);
}

inline void TupleTable::Prefetch(uint32_t hash) const {
  const size_t bytes = EntryBytes(options_.layout);
  __builtin_prefetch(static_cast<const std::byte*>(entries_) + (hash & mask_) * bytes);
}

}  // namespace tuplestone::hash

#endif  // TUPLESTONE_ENGINE_HASH_TUPLE_TABLE_H_
