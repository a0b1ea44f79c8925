// How large things are going to be. Pure functions, all in size_t, none of which wraps: SIZE_MAX
// stands for "more than there is". The block-size rule of the tuple context (H7) lies with the
// memory room, since sorts use it, too.
#ifndef TUPLESTONE_ENGINE_HASH_SIZING_H_
#define TUPLESTONE_ENGINE_HASH_SIZING_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "engine/base/align.h"
#include "engine/hash/limits.h"

namespace tuplestone::hash {

constexpr size_t SaturatingAdd(size_t a, size_t b) { return b > SIZE_MAX - a ? SIZE_MAX : a + b; }

constexpr size_t SaturatingMaxAlign(size_t n) {
  return n > SIZE_MAX - kMaxAlign ? SIZE_MAX : MaxAlign(n);
}

// The smallest power of two of at least `n`; 0 for nothing.
constexpr size_t NextPowerOfTwo(size_t n) {
  if (n == 0) return 0;
  return n > (SIZE_MAX >> 1) + 1 ? SIZE_MAX : std::bit_ceil(n);
}

// Bytes that one more member takes: its entry, the additional bytes, the tuple, and what its
// transition values take elsewhere, which come from a context that doubles.
constexpr size_t EntryEstimate(Layout layout, size_t additional_bytes, size_t tuple_bytes,
                               size_t transition_bytes) {
  size_t bytes = EntryBytes(layout);
  bytes = SaturatingAdd(bytes, SaturatingMaxAlign(additional_bytes));
  bytes = SaturatingAdd(bytes, SaturatingMaxAlign(tuple_bytes));
  return SaturatingAdd(bytes, NextPowerOfTwo(transition_bytes));
}

// How many members `buckets` hold before they double. Always leaves one bucket empty.
constexpr uint64_t MembersMax(uint64_t buckets, const TableLimits& limits) {
  const uint64_t members =
      buckets / 100 * limits.load_percent + buckets % 100 * limits.load_percent / 100;
  return std::min(std::max<uint64_t>(members, 1), buckets - 1);
}

// The buckets that hold `members` without doubling, within the limits.
constexpr uint64_t BucketsFor(uint64_t members, const TableLimits& limits) {
  uint64_t buckets = limits.buckets_min;
  while (buckets < limits.buckets_max && MembersMax(buckets, limits) < members) buckets *= 2;
  return buckets;
}

// What a level of spilling is given.
struct LevelPlan {
  uint32_t partitions;
  size_t groups_bytes;  // of buckets, tuples and states; beyond, no group is admitted

  friend bool operator==(const LevelPlan&, const LevelPlan&) = default;
};

// PostgreSQL's rule with two changes: the buffers of partitions are always set aside, also where
// nothing is expected to spill, and nothing is guessed where nobody said how many groups there are
// (`groups` 0): then there are as many partitions as can be afforded.
//
//   wanted      1 + 1.5 x groups x entry / limit, at least partitions_min
//   affordable  partition_percent of the limit, in blocks, less the one to read from
constexpr LevelPlan PlanLevel(size_t limit_bytes, size_t entry_bytes, uint64_t groups,
                              size_t block_bytes, const AggregationLimits& limits) {
  const size_t share = limit_bytes / 100 * limits.partition_percent +
                       limit_bytes % 100 * limits.partition_percent / 100;
  const uint64_t affordable = std::max<uint64_t>(share / block_bytes, 2) - 1;
  uint64_t wanted = limits.partitions_max;
  if (groups > 0) {
    const size_t fit = limit_bytes / std::max<size_t>(entry_bytes, 1);
    const uint64_t times = groups / std::max<size_t>(fit, 1);
    wanted = std::min<uint64_t>(1 + times + times / 2, limits.partitions_max);
  }
  uint64_t partitions = std::bit_floor(std::min(affordable, std::bit_ceil(wanted)));
  partitions = std::clamp<uint64_t>(partitions, limits.partitions_min, limits.partitions_max);
  const size_t buffers = (partitions + 1) * block_bytes;
  return {static_cast<uint32_t>(partitions), limit_bytes > buffers ? limit_bytes - buffers : 0};
}

}  // namespace tuplestone::hash

#endif  // TUPLESTONE_ENGINE_HASH_SIZING_H_
