// Deletion, iteration, reset and verification of tuple tables.
#include <algorithm>
#include <cstring>

#include "absl/status/status.h"
#include "engine/base/align.h"
#include "engine/base/check.h"
#include "engine/base/probe.h"
#include "engine/hash/sizing.h"
#include "engine/hash/tuple_table.h"

namespace tuplestone::hash {

// Closes the hole at `hole`: of the members behind it up to the next empty bucket, each that would
// not come before its home moves into the hole, and leaves one where it was.
template <class Entry>
void TupleTable::EraseAt(uint64_t hole) {
  Entry* all = entries<Entry>();
  FreeParts(all[hole].Parts(tuples_, additional_bytes_));
  for (uint64_t at = (hole + 1) & mask_; !all[at].IsEmpty(); at = (at + 1) & mask_) {
    const uint64_t home = all[at].hash & mask_;
    const uint64_t from_home = (at - home) & mask_;
    const uint64_t from_hole = (at - hole) & mask_;
    if (from_home < from_hole) continue;
    if (at < hole) TUPLESTONE_PROBE("hash.table.moved_over_the_wrap");
    all[hole] = all[at];
    hole = at;
  }
  all[hole] = Entry{};
  --members_;
}

template <class Entry>
void TupleTable::EraseMember(const Member& member) {
  const Entry* all = entries<Entry>();
  uint64_t at = Hash(member.tuple) & mask_;
  while (true) {
    TUPLESTONE_CHECK(kH11, !all[at].IsEmpty());
    if (MemberOf(all[at]).tuple.data() == member.tuple.data()) break;
    at = (at + 1) & mask_;
  }
  EraseAt<Entry>(at);
}

void TupleTable::Erase(const Member& member) {
  TUPLESTONE_CHECK(kH11, static_cast<bool>(member));
  InLayout([&]<class Entry>() { EraseMember<Entry>(member); });
  ++changes_;
}

TupleTable::Iterator::Iterator(TupleTable& table)
    : table_(&table), changes_(table.changes_), at_(0), left_(table.buckets()) {
  if (left_ == 0) return;
  table.InLayout([&]<class Entry>() {
    while (!table.entries<Entry>()[at_].IsEmpty()) ++at_;
  });
  if (at_ != 0) TUPLESTONE_PROBE("hash.table.iterated_over_the_wrap");
}

Member TupleTable::Iterator::Next() {
  TUPLESTONE_CHECK_EQ(kH11, changes_, table_->changes_);
  has_current_ = false;
  return table_->InLayout([&]<class Entry>() {
    while (left_ > 0) {
      at_ = (at_ - 1) & table_->mask_;
      --left_;
      const Entry& entry = table_->entries<Entry>()[at_];
      if (entry.IsEmpty()) continue;
      has_current_ = true;
      return table_->MemberOf(entry);
    }
    return Member();
  });
}

void TupleTable::Iterator::EraseCurrent() {
  TUPLESTONE_CHECK(kH11, has_current_);
  TUPLESTONE_CHECK_EQ(kH11, changes_, table_->changes_);
  has_current_ = false;
  table_->InLayout([&]<class Entry>() { table_->EraseAt<Entry>(at_); });
}

void TupleTable::Clear() {
  if (!has_array_) return;
  InLayout([&]<class Entry>() {
    Entry* all = entries<Entry>();
    for (uint64_t i = 0; options_.layout == Layout::kSeparate && i <= mask_; ++i) {
      if (!all[i].IsEmpty()) FreeParts(all[i].Parts(tuples_, additional_bytes_));
    }
    std::memset(entries_, 0, (mask_ + 1) * sizeof(Entry));
  });
  members_ = 0;
  probe_longest_ = 0;
  ++changes_;
}

absl::Status TupleTable::Reset() {
  if (space_.IsShared()) {
    TUPLESTONE_PROBE("hash.table.reset_refused");
    return absl::FailedPreconditionError(
        "a table that shares the space of its tuples is not reset alone");
  }
  space_.Reset();
  return absl::OkStatus();
}

TableStats TupleTable::Stats() const {
  return {.members = members_,
          .members_most = members_most_,
          .buckets = buckets(),
          .buckets_first = buckets_first_,
          .growths = growths_,
          .probe_longest = probe_longest_,
          .bucket_bytes = buckets() * EntryBytes(options_.layout)};
}

template <class Entry>
void TupleTable::VerifyEntries() const {
  const Entry* all = entries<Entry>();
  uint64_t members = 0;
  for (uint64_t at = 0; at <= mask_; ++at) {
    if (all[at].IsEmpty()) continue;
    ++members;
    const Member member = MemberOf(all[at]);
    TUPLESTONE_CHECK(kH3, IsAligned(member.tuple.data(), kMaxAlign));
    TUPLESTONE_CHECK(kH3, IsAligned(member.additional, kMaxAlign));
    TUPLESTONE_CHECK_EQ(kH2, Hash(member.tuple), all[at].hash);
    // From its home on, every bucket up to its own is in use, and no member before is equal.
    uint64_t probe = 0;
    for (uint64_t b = all[at].hash & mask_; b != at; b = (b + 1) & mask_, ++probe) {
      TUPLESTONE_CHECK(kH1, !all[b].IsEmpty());
      if (all[b].hash != all[at].hash) continue;
      TUPLESTONE_CHECK(kH1, !hasher_.Equal(MemberOf(all[b]).tuple, member.tuple));
    }
    TUPLESTONE_CHECK(kH1, probe <= probe_longest_);
  }
  TUPLESTONE_CHECK_EQ(kH1, members_, members);
}

void TupleTable::Verify() const {
  TUPLESTONE_CHECK(kH6, members_ <= members_most_);
  if (!has_array_) {
    TUPLESTONE_CHECK_EQ(kH1, uint64_t{0}, members_);
    return;
  }
  TUPLESTONE_CHECK(kH6, IsPowerOfTwo(mask_ + 1));
  TUPLESTONE_CHECK(kH6, mask_ + 1 <= options_.limits.buckets_max);
  TUPLESTONE_CHECK(kH6, mask_ + 1 <= std::max(buckets_first_, 20 * members_most_));
  TUPLESTONE_CHECK_EQ(kH6, MembersMax(mask_ + 1, options_.limits), members_max_);
  TUPLESTONE_CHECK(kH1, members_ <= members_max_);
  TUPLESTONE_CHECK_EQ(kH3, SaturatingMaxAlign(options_.additional_bytes), additional_bytes_);
  InLayout([&]<class Entry>() { VerifyEntries<Entry>(); });
}

TupleSpace::~TupleSpace() { TUPLESTONE_CHECK(kH11, first_ == nullptr); }

bool TupleSpace::IsShared() const { return first_ != nullptr && first_->next_in_space_ != nullptr; }

void TupleSpace::Attach(TupleTable* table) {
  table->next_in_space_ = first_;
  first_ = table;
}

void TupleSpace::Detach(TupleTable* table) {
  TupleTable** link = &first_;
  while (*link != table) link = &(*link)->next_in_space_;
  *link = table->next_in_space_;
}

void TupleSpace::Reset() {
  for (TupleTable* table = first_; table != nullptr; table = table->next_in_space_) table->Clear();
  tuples_.Reset();
}

}  // namespace tuplestone::hash
