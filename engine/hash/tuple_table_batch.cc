// Many lookups at once. A lookup alone waits for its bucket and then for its tuple; here the waits
// of a batch lie over one another: all hashes are computed and all buckets asked for, then all
// candidates found and their tuples asked for, then all compared.
#include <array>

#include "engine/base/check.h"
#include "engine/base/probe.h"
#include "engine/hash/tuple_table.h"

namespace tuplestone::hash {

// Members for `hashes`, of which `is_equal(i, tuple)` says whether the tuple is what the i-th looks
// for. The first entry with the right hash is the candidate; only where that is another tuple is
// the search taken up behind it.
template <class Entry, class Equality>
void TupleTable::LocateMany(absl::Span<const uint32_t> hashes, const Equality& is_equal,
                            absl::Span<Member> members) const {
  std::array<uint64_t, kBatchMax> probes;
  for (size_t i = 0; i < hashes.size(); ++i) {
    probes[i] = 0;
    const Entry* entry = NextWithHash<Entry>(hashes[i], &probes[i]);
    members[i] = entry == nullptr ? Member() : MemberOf(*entry);
    if (entry == nullptr) continue;
    __builtin_prefetch(members[i].tuple.data());
    if (additional_bytes_ > 0) __builtin_prefetch(members[i].additional, 1);
  }
  for (size_t i = 0; i < hashes.size(); ++i) {
    while (members[i] && !is_equal(i, members[i].tuple)) [[unlikely]] {
      TUPLESTONE_PROBE("hash.table.batch_collision");
      ++probes[i];
      const Entry* entry = NextWithHash<Entry>(hashes[i], &probes[i]);
      members[i] = entry == nullptr ? Member() : MemberOf(*entry);
    }
  }
}

void TupleTable::FindBatch(absl::Span<const Tuple> rows, absl::Span<Member> members) const {
  TUPLESTONE_CHECK(kH11, rows.size() <= kBatchMax);
  std::array<uint32_t, kBatchMax> hashes;
  for (size_t i = 0; i < rows.size(); ++i) {
    hashes[i] = Hash(rows[i]);
    Prefetch(hashes[i]);
  }
  FindBatch(rows, absl::MakeConstSpan(hashes.data(), rows.size()), members);
}

void TupleTable::FindBatch(absl::Span<const Tuple> rows, absl::Span<const uint32_t> hashes,
                           absl::Span<Member> members) const {
  TUPLESTONE_CHECK(kH11, hashes.size() <= kBatchMax);
  TUPLESTONE_CHECK_EQ(kH11, rows.size(), hashes.size());
  TUPLESTONE_CHECK_EQ(kH11, rows.size(), members.size());
  const auto is_equal = [&](size_t i, Tuple member) { return hasher_.Equal(member, rows[i]); };
  InLayout([&]<class Entry>() { LocateMany<Entry>(hashes, is_equal, members); });
}

void TupleTable::FindBatch(absl::Span<const tuple::Value> values, size_t stride,
                           absl::Span<const uint32_t> hashes, absl::Span<Member> members) const {
  TUPLESTONE_CHECK(kH11, hashes.size() <= kBatchMax);
  TUPLESTONE_CHECK_EQ(kH11, hashes.size(), members.size());
  const auto columns = static_cast<size_t>(hasher_.schema().columns());
  TUPLESTONE_CHECK(kH11, stride >= columns);
  TUPLESTONE_CHECK(kH11, values.size() >= hashes.size() * stride);
  const auto is_equal = [&](size_t i, Tuple member) {
    return hasher_.EqualValues(member, values.subspan(i * stride, columns));
  };
  InLayout([&]<class Entry>() { LocateMany<Entry>(hashes, is_equal, members); });
}

// A row that was not there may have come with an earlier one of the batch, so what is missing is
// looked up once more, which costs little: its bucket has just been touched.
void TupleTable::FindOrInsertBatch(absl::Span<const Tuple> rows, absl::Span<Member> members) {
  FindBatch(rows, members);
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!members[i]) members[i] = FindOrInsert(rows[i]);
  }
}

}  // namespace tuplestone::hash
