#include "engine/hash/tuple_table.h"

#include <algorithm>
#include <cstring>

#include "engine/base/align.h"
#include "engine/base/check.h"
#include "engine/base/probe.h"
#include "engine/hash/sizing.h"

namespace tuplestone::hash {
namespace {

// What lookups find before there is an array: an empty entry of any layout. Never written.
alignas(16) constexpr std::byte kNoEntries[EntryBytes(Layout::kSeparate)] = {};

void* NoEntries() { return const_cast<std::byte*>(kNoEntries); }

}  // namespace

TupleTable::TupleTable(const tuple::Hasher& hasher, TupleSpace& space, memory::Context& buckets,
                       const TableOptions& options)
    : hasher_(hasher),
      space_(space),
      tuples_(space.tuples()),
      bucket_context_(buckets),
      options_(options),
      additional_bytes_(SaturatingMaxAlign(options.additional_bytes)),
      entries_(NoEntries()) {
  const TableLimits& limits = options_.limits;
  TUPLESTONE_CHECK(kH11, IsPowerOfTwo(limits.buckets_min));
  TUPLESTONE_CHECK(kH11, limits.buckets_min >= 2);
  TUPLESTONE_CHECK(kH11, IsPowerOfTwo(limits.buckets_max));
  TUPLESTONE_CHECK(kH11, limits.buckets_max >= limits.buckets_min);
  TUPLESTONE_CHECK(kH11, limits.buckets_max <= uint64_t{1} << 32);
  TUPLESTONE_CHECK(kH11, limits.load_percent >= 10);  // or H6 could not hold
  TUPLESTONE_CHECK(kH11, limits.load_percent <= 95);
  TUPLESTONE_CHECK(kH11, additional_bytes_ <= tuple::kTupleBytesMax);
  TUPLESTONE_CHECK(kH11, buckets.kind() != memory::Kind::kBump);
  space_.Attach(this);
}

TupleTable::~TupleTable() {
  Clear();
  if (has_array_) bucket_context_.Free(entries_);
  space_.Detach(this);
}

Member TupleTable::Find(Row row, uint32_t hash) const {
  return InLayout([&]<class Entry>() { return Locate<Entry>(row, hash); });
}

Member TupleTable::FindOrInsert(Row row, uint32_t hash) {
  const Member found = Find(row, hash);
  return found ? found : Insert(row, hash);
}

size_t TupleTable::GrowthBytes() const {
  if (members_ < members_max_) return 0;
  const TableLimits& limits = options_.limits;
  uint64_t wanted = BucketsFor(options_.members_expected, limits);
  if (has_array_) {
    wanted = 2 * (mask_ + 1);
    while (wanted <= limits.buckets_max && MembersMax(wanted, limits) <= members_) wanted *= 2;
  }
  if (wanted > limits.buckets_max) return SIZE_MAX;
  return wanted * EntryBytes(options_.layout);
}

// Zeroed memory for that many buckets, or null.
void* TupleTable::ObtainArray(uint64_t buckets) const {
  return bucket_context_.AllocateZeroed(buckets * EntryBytes(options_.layout));
}

// Memory for the new member comes before anything changes: first the array, if one is due, then the
// tuple. The array goes back if there is none for the tuple, which cannot go back.
template <class Key>
Member TupleTable::Insert(const Key& row, uint32_t hash) {
  const size_t growth = GrowthBytes();
  if (growth == SIZE_MAX) {
    TUPLESTONE_PROBE("hash.table.full");
    return {};
  }
  const uint64_t buckets_now = growth / EntryBytes(options_.layout);
  void* array = nullptr;
  if (growth > 0) {
    array = ObtainArray(buckets_now);
    if (array == nullptr) {
      TUPLESTONE_PROBE("hash.table.growth_refused");
      return {};
    }
  }
  MemberParts parts;
  const memory::Ref ref = NewParts(row, &parts);
  if (parts.tuple == nullptr) {
    TUPLESTONE_PROBE("hash.table.insertion_refused");
    if (array != nullptr) bucket_context_.Free(array);
    return {};
  }
  if (array != nullptr) MoveTo(array, buckets_now);
  InLayout([&]<class Entry>() { return Place(Entry::Of(ref, parts, hash)); });
  ++members_;
  ++changes_;
  members_most_ = std::max(members_most_, members_);
  return {Tuple(parts.tuple), parts.additional, true};
}

template Member TupleTable::Insert(const Tuple& row, uint32_t hash);
template Member TupleTable::Insert(const Row& row, uint32_t hash);

// Puts an entry into the first empty bucket from its home on; which one.
template <class Entry>
uint64_t TupleTable::Place(const Entry& entry) {
  uint64_t at = entry.hash & mask_;
  uint64_t probe = 0;
  while (!entries<Entry>()[at].IsEmpty()) {
    at = (at + 1) & mask_;
    ++probe;
  }
  if (probe > probe_longest_) {
    if (probe_longest_ <= options_.limits.probe_max && probe > options_.limits.probe_max) {
      TUPLESTONE_PROBE("hash.table.crowded");
    }
    probe_longest_ = probe;
  }
  entries<Entry>()[at] = entry;
  return at;
}

// Moves every member to `array`, in the order of the old buckets from an empty one on: so members
// of one home keep their order, and the new array is written from two places onwards.
void TupleTable::MoveTo(void* array, uint64_t buckets) {
  const bool had_array = has_array_;
  void* const old = entries_;
  const uint64_t old_mask = mask_;
  entries_ = array;
  mask_ = buckets - 1;
  members_max_ = MembersMax(buckets, options_.limits);
  has_array_ = true;
  probe_longest_ = 0;
  if (!had_array) {
    buckets_first_ = buckets;
    return;
  }
  TUPLESTONE_PROBE("hash.table.doubled");
  ++growths_;
  InLayout([&]<class Entry>() {
    const auto* from = static_cast<const Entry*>(old);
    uint64_t start = 0;
    while (!from[start].IsEmpty()) ++start;
    for (uint64_t i = 1; i <= old_mask; ++i) {
      const Entry& entry = from[(start + i) & old_mask];
      if (!entry.IsEmpty()) Place(entry);
    }
  });
  bucket_context_.Free(old);
}

// Room for a tuple behind zeroed additional bytes; parts without a tuple where there is none.
memory::Ref TupleTable::Allocate(size_t tuple_bytes, MemberParts* parts) {
  const bool separate = options_.layout == Layout::kSeparate && additional_bytes_ > 0;
  const size_t in_front = separate ? 0 : additional_bytes_;
  void* additional = nullptr;
  if (separate) {
    additional = bucket_context_.AllocateZeroed(additional_bytes_);
    if (additional == nullptr) return {};
  }
  const memory::Piece piece = tuples_.AllocateWithRef(in_front + tuple_bytes);
  if (piece.p == nullptr) {
    if (separate) bucket_context_.Free(additional);
    return {};
  }
  auto* bytes = static_cast<std::byte*>(piece.p);
  std::memset(bytes, 0, in_front);
  *parts = {bytes + in_front, separate ? static_cast<std::byte*>(additional) : bytes};
  return piece.ref;
}

memory::Ref TupleTable::NewParts(Tuple row, MemberParts* parts) {
  void* scratch = nullptr;
  const size_t bytes = row.bytes();
  if (options_.copies_minimal) {
    scratch = bucket_context_.Allocate(bytes);
    if (scratch == nullptr) return {};
    std::memcpy(scratch, row.data(), bytes);
    row = Tuple(static_cast<std::byte*>(scratch));
  }
  const memory::Ref ref = Allocate(bytes, parts);
  if (parts->tuple != nullptr) std::memcpy(parts->tuple, row.data(), bytes);
  if (scratch != nullptr) bucket_context_.Free(scratch);
  return ref;
}

memory::Ref TupleTable::NewParts(Row row, MemberParts* parts) {
  const tuple::Schema& schema = hasher_.schema();
  const size_t bytes = tuple::FormedBytesOrDie(schema, row);
  if (options_.forms_elsewhere) {
    auto* scratch = static_cast<std::byte*>(bucket_context_.Allocate(bytes));
    if (scratch == nullptr) return {};
    tuple::FormInto(schema, row, scratch, bytes);
    const memory::Ref ref = NewParts(Tuple(scratch), parts);
    bucket_context_.Free(scratch);
    return ref;
  }
  const memory::Ref ref = Allocate(bytes, parts);
  if (parts->tuple != nullptr) tuple::FormInto(schema, row, parts->tuple, bytes);
  return ref;
}

void TupleTable::FreeParts(const MemberParts& parts) {
  if (options_.layout != Layout::kSeparate || additional_bytes_ == 0) return;
  bucket_context_.Free(parts.additional);
}

void TupleTable::DieOfNoAdditional() {
  FailCheck(TUPLESTONE_CHECK_SITE_(kH11, "the table has additional bytes"), "");
}

}  // namespace tuplestone::hash
