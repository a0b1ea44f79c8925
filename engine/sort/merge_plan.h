// How runs lie on tapes, and how many merges it takes: a balanced k-way merge. Pure functions.
//
//   runs      0 1 2 3 4 5 6 7        k = 3: run r lies on tape r mod 3
//   tapes     0 3 6 | 1 4 7 | 2 5
//   a pass    0 1 2 -> 0   3 4 5 -> 1   6 7 -> 2       one run of each tape is a merge
//
// The inputs of a merge are neighbours and tape t holds the earlier of them, so ties in the order
// of tapes are ties in the order of input.
//
// Invariant: S7.
#ifndef TUPLESTONE_ENGINE_SORT_MERGE_PLAN_H_
#define TUPLESTONE_ENGINE_SORT_MERGE_PLAN_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/sort/limits.h"

namespace tuplestone::sort {

// How many runs are merged at once.
constexpr size_t MergeOrder(size_t budget_bytes, const Limits& limits) {
  const size_t blocks = limits.tape_overhead_blocks + limits.merge_buffer_blocks;
  return std::clamp(budget_bytes / (blocks * limits.block_bytes), limits.order_min,
                    limits.order_max);
}

constexpr size_t TapeOfRun(uint64_t run, size_t order) { return run % order; }

constexpr size_t TapesFor(uint64_t runs, size_t order) {
  return static_cast<size_t>(std::min<uint64_t>(runs, order));
}

// How many runs a pass over `runs` leaves. Requires: runs > 1.
constexpr uint64_t RunsAfterPass(uint64_t runs, size_t order) {
  const uint64_t merged = TapesFor(runs, order);
  return (runs + merged - 1) / merged;
}

// Whether the last merge can begin: its output is read as it is made, or, for random access, is
// there already.
constexpr bool IsLastMerge(uint64_t runs, size_t order, bool random_access) {
  return random_access ? runs <= 1 : runs <= order;
}

// Passes that write before the last merge.
constexpr size_t PassesFor(uint64_t runs, size_t order, bool random_access) {
  size_t passes = 0;
  for (; !IsLastMerge(runs, order, random_access); ++passes) runs = RunsAfterPass(runs, order);
  return passes;
}

}  // namespace tuplestone::sort

#endif  // TUPLESTONE_ENGINE_SORT_MERGE_PLAN_H_
