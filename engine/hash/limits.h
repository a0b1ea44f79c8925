// The constants that decide when tables and aggregations change state, and the entry layouts. Plain
// numbers: models may include this file.
#ifndef TUPLESTONE_ENGINE_HASH_LIMITS_H_
#define TUPLESTONE_ENGINE_HASH_LIMITS_H_

#include <cstddef>
#include <cstdint>

namespace tuplestone::hash {

// What a bucket holds.
//
//   compact    | ref 4 | hash 4 |                                        8 bytes
//   in front   | tuple 8 | in use 4 | hash 4 |                          16 bytes (PostgreSQL 18)
//   separate   | tuple 8 | additional 8 | in use 4 | hash 4 |           24 bytes (PostgreSQL 10-17)
enum class Layout : uint8_t { kCompact, kInFront, kSeparate };

constexpr size_t EntryBytes(Layout layout) {
  return layout == Layout::kCompact ? 8 : layout == Layout::kInFront ? 16 : 24;
}

inline constexpr size_t kBatchMax = 16;  // lookups of a batch

struct TableLimits {
  uint64_t buckets_min = 16;                 // of the first array; a power of two, at least 2
  uint64_t buckets_max = uint64_t{1} << 32;  // a power of two; a full table refuses insertions
  uint32_t load_percent = 70;                // members to buckets, 10 to 95; beyond, buckets double
  uint32_t probe_max = 512;                  // a member further than this from home is reported
};

// Bytes unless named otherwise.
struct AggregationLimits {
  size_t tuple_block_min = 8 << 10;  // of the groups' context; the rule of memory/block_size_rule.h
  size_t tuple_block_max = 8 << 20;
  size_t read_buffer = 8 << 10;     // for the rows of a partition, at first
  uint32_t partitions_min = 2;      // of a level; a power of two
  uint32_t partitions_max = 64;     // a power of two
  uint32_t partition_percent = 25;  // of the limit at most for the partitions' buffers
  uint32_t unsplit_max = 2;         // levels in a row that may leave a partition whole
  uint32_t levels_max = 10;         // partitions deeper than this go to the sorter
};

}  // namespace tuplestone::hash

#endif  // TUPLESTONE_ENGINE_HASH_LIMITS_H_
