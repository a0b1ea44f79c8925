// The constants that decide when a sort changes state, PostgreSQL's by default, and what a tuple
// and its entry cost by layout. Plain figures, which models may know.
//
//                tuple in memory               entry   array's header
//   compact      rounded to 8 (Bump)              16        0
//   alloc_set    rounded to a power of 2, + 16    24       16     PostgreSQL 14
//   generation   rounded to 8, + 24               24       16     PostgreSQL 15
#ifndef TUPLESTONE_ENGINE_SORT_LIMITS_H_
#define TUPLESTONE_ENGINE_SORT_LIMITS_H_

#include <cstddef>
#include <cstdint>

namespace tuplestone::sort {

// How tuples lie in memory while runs are built. A bounded sort frees tuples one by one, so there
// compact is an AllocSet with 24-byte entries, and generation an AllocSet as alloc_set.
enum class Layout : uint8_t { kCompact, kAllocSet, kGeneration };

constexpr const char* LayoutName(Layout layout) {
  constexpr const char* kNames[] = {"compact", "alloc_set", "generation"};
  return kNames[static_cast<size_t>(layout)];
}

inline constexpr size_t kCompactEntryBytes = 16;
inline constexpr size_t kWideEntryBytes = 24;
// The 32-bit offsets of compact entries reach twice as far.
inline constexpr size_t kCompactBudgetMax = size_t{16} << 30;
// The words before and behind a tuple on a tape, and the six bytes of padding it leaves behind.
inline constexpr size_t kRecordWordBytes = 4;
inline constexpr size_t kTuplePadBytes = 6;

struct Limits {
  size_t block_bytes = 8192;             // of a tape; the store's
  size_t array_entries = 1024;           // of the first array; at least 2
  size_t array_entries_max = INT32_MAX;  // of any
  // Merge order: budget / (overhead + buffer blocks), clamped.
  size_t tape_overhead_blocks = 2;
  size_t merge_buffer_blocks = 32;
  size_t order_min = 6;  // at least 2
  size_t order_max = 500;
  size_t tuple_block_initial_bytes = 8 << 10;  // of the tuples' context
  size_t tuple_block_max_bytes = 0;            // 0: by memory/block_size_rule.h
  uint64_t bound_max = INT32_MAX / 2;          // larger bounds make no heap
  int quicksort_depth = 2;                     // times log2 of the entries; then it is a heap sort
  uint64_t poll_stride = 65'536;               // tuples or comparisons between two polls
};

// What an array of that many entries is charged.
struct ArrayCost {
  size_t entry_bytes;
  size_t header_bytes;
  constexpr size_t Space(size_t entries) const {
    return (entries * entry_bytes + 7) / 8 * 8 + header_bytes;
  }
};

constexpr bool HasCompactEntries(Layout layout, bool bounded, size_t budget_bytes) {
  return layout == Layout::kCompact && !bounded && budget_bytes <= kCompactBudgetMax;
}

constexpr ArrayCost ArrayCostOf(Layout layout, bool bounded, size_t budget_bytes) {
  if (HasCompactEntries(layout, bounded, budget_bytes)) return {kCompactEntryBytes, 0};
  return {kWideEntryBytes, layout == Layout::kCompact ? size_t{0} : size_t{16}};
}

}  // namespace tuplestone::sort

#endif  // TUPLESTONE_ENGINE_SORT_LIMITS_H_
