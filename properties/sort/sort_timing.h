// One timed sort of tuples of int8 columns, phase by phase: what `tuplestone lab sort` prints and
// sort_bench compares.
#ifndef TUPLESTONE_PROPERTIES_SORT_SORT_TIMING_H_
#define TUPLESTONE_PROPERTIES_SORT_SORT_TIMING_H_

#include <cstdint>
#include <functional>

#include "absl/status/statusor.h"
#include "engine/base/block_source.h"
#include "engine/sort/sorter.h"

namespace tuplestone::properties {

enum class InputOrder { kRandom, kAscending, kDescending };
const char* NameOf(InputOrder order);

// The key of row `i` of `rows`: 0 to rows - 1, each once. Random is a fixed permutation.
int64_t KeyOfRow(InputOrder order, uint64_t i, uint64_t rows);

struct TimedSort {
  uint64_t rows = 1'000'000;
  int columns = 6;  // int8, all with the key's value
  InputOrder order = InputOrder::kRandom;
  size_t budget_bytes = size_t{1} << 30;
  sort::Layout layout = sort::Layout::kCompact;
  bool on_files = false;  // else tapes lie in memory
  sort::ProgressFunction progress;
};

struct SortTimes {
  double put_seconds = 0;    // runs that were written meanwhile included
  double sort_seconds = 0;   // of the rest, and passes
  double fetch_seconds = 0;  // the last merge included
  size_t tuple_bytes = 0;
  sort::SortStats stats;
  double total() const { return put_seconds + sort_seconds + fetch_seconds; }
};

// Puts, sorts, fetches, checks that the keys come out as 0, 1, 2...
absl::StatusOr<SortTimes> RunTimedSort(const TimedSort& options,
                                       BlockSource& source = SystemBlockSource());

}  // namespace tuplestone::properties

#endif  // TUPLESTONE_PROPERTIES_SORT_SORT_TIMING_H_
