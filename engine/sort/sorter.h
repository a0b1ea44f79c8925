// Tuples in, sorted tuples out, in no more memory than a budget allows.
//
//   Put ... Put            Sort                Next, Previous, Mark, Restore, Rewind
//
//   [building] ------------------------------> [sorted in memory]
//     |    |  count > 2 x bound                   ^
//     |    '--------> [bounded: heap of N] -------'
//     |  budget spent, or array full   | budget spent
//     v                                |
//   [runs] <---------------------------'
//     |    sort the array, write it as a run, go on with an empty one
//     '--> passes, each merging k runs to one, until the last merge ---> [merging]: as it is read
//                                                 random access -------> [sorted on tape]: one run
//
//   any state -- memory, store, or the caller's wish --> [failed] -- Reset --> [building]
//
// Stable: ties come out in the order in which they went in. No keys: the output is the input. With
// a bound only the first so many come out.
//
// Invariants (invariants.h):
//   S1  While tuples come in, charged <= budget + one tuple; the tapes' charge comes on top until
//       the first run is written.
//   S2  In a merge, charged <= max(budget, a block a tape + (k + 2) largest tuples). Tapes: k, and
//       in a pass that writes those of its output.
//   S3  held <= charged + free + tails + headers of the tuples' context + what tapes and merger
//       need beside buffers and tuples (+ the old array while it moves). Where the budget is too
//       small for the tapes to be charged, their buffers come on top.
//   S4  The output is ordered.
//   S5  It is what std::stable_sort makes of the input.
//   S6  Top N is the first N of the full sort.
//   S7  Runs per tape differ by at most one; each pass leaves fewer runs.
//   S8  Runs, passes and blocks are a function of budget, options and the lengths of tuples.
//   S9  Backward is forward reversed; Restore returns to the mark.
//   S10 A tuple returned stays valid until the next call that is not const.
//   S11 After an error or Reset, all memory and blocks are back, but for the tapes' map (4 bytes a
//       block), which knows which blocks were used already.
//   S12 Callers keep to what an operation requires.
//
// A failed Put of a row that is not of the schema changes nothing (InvalidArgument). Without
// memory (ResourceExhausted), with a store that fails or damages (as tape/tape.h says), or once the
// caller has cancelled (Cancelled), the sort is failed: it has given everything back, and every
// call returns that first error until Reset.
//
// Not thread-safe. What it does not do: abbreviated keys beyond the first eight bytes; joining runs
// that happen to follow one another; reading ahead of the merge.
#ifndef TUPLESTONE_ENGINE_SORT_SORTER_H_
#define TUPLESTONE_ENGINE_SORT_SORTER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "engine/base/block_source.h"
#include "engine/base/block_store.h"
#include "engine/sort/budget.h"
#include "engine/sort/invariants.h"
#include "engine/sort/limits.h"
#include "engine/sort/merger.h"
#include "engine/sort/poll.h"
#include "engine/sort/run_buffer.h"
#include "engine/sort/run_tape.h"
#include "engine/tape/tape.h"
#include "engine/tuple/minimal_tuple.h"
#include "engine/tuple/order.h"
#include "engine/tuple/value.h"

namespace tuplestone::sort {

struct Options {
  size_t budget_bytes = 4 << 20;  // below 2^41; at least what the first array takes
  Layout layout = Layout::kCompact;
  uint64_t bound = 0;          // how many tuples are wanted; 0: all
  bool random_access = false;  // Previous, Mark, Restore and Rewind are wanted
  Limits limits;
  ProgressFunction progress;  // may be null
};

enum class State : uint8_t {
  kBuilding,  // all tuples in memory so far
  kBounded,   // the first N of them, in a heap
  kRuns,      // some are on tapes
  kSortedInMemory,
  kMerging,
  kSortedOnTape,
  kFailed
};

// Since the last Reset. Bytes unless named otherwise.
struct SortStats {
  State state = State::kBuilding;
  uint64_t tuples = 0;   // put
  uint64_t rows = 0;     // that come out, once sorted
  size_t in_memory = 0;  // tuples
  size_t array_entries = 0;
  uint64_t runs = 0;  // written from memory
  size_t order = 0;   // of merges; 0 before the first run
  size_t passes = 0;  // written before the last merge
  uint64_t blocks_written = 0;
  uint64_t blocks_read = 0;
  uint64_t polls = 0;  // ever
  size_t charged = 0;
  size_t charged_peak = 0;
  size_t held = 0;
  size_t guards = 0;     // of a guarded build, held besides
  size_t held_peak = 0;  // where a run or a merge ends, and while the array moves
  tape::TapeStats tapes;
};

class Sorter {
 public:
  // Requires: `store` and `source` outlive it, nobody else uses the store, its blocks are those of
  // the limits.
  Sorter(const tuple::Order& order, BlockStore& store, const Options& options,
         BlockSource& source = SystemBlockSource());
  ~Sorter();
  Sorter(const Sorter&) = delete;
  Sorter& operator=(const Sorter&) = delete;

  // A copy of the row goes into the sort. Requires: not sorted yet; Copy: a tuple of the schema.
  absl::Status Put(absl::Span<const tuple::Value> row);
  absl::Status Put(tuple::Tuple tuple);

  // Ends the input. Requires: not sorted yet.
  absl::Status Sort();

  // The tuple after the place between two tuples where the sort stands, which moves behind it; none
  // at the end. Requires, as all that follow: sorted.
  absl::StatusOr<tuple::Tuple> Next();
  // The one before, and in front of it; none at the beginning. Requires: random access, as below.
  absl::StatusOr<tuple::Tuple> Previous();
  absl::Status Rewind();  // to the beginning
  absl::Status Mark();    // Restore returns here; without a mark, to the beginning
  absl::Status Restore();

  // Back to an empty sort that takes tuples, in any state.
  void Reset();

  State state() const { return state_; }
  const absl::Status& error() const { return error_; }
  const Options& options() const { return options_; }
  const tuple::Order& order() const { return order_; }
  uint64_t row() const { return row_; }    // tuples before the place where it stands
  uint64_t runs() const { return runs_; }  // written from memory
  SortStats Stats() const;                 // O(tapes)
  // Aborts on the first broken invariant, naming it. O(tuples in memory + blocks).
  void Verify() const;

 private:
  struct RunTape {
    tape::Tape* tape;
    uint64_t runs;
  };

  bool TakesTuples() const { return state_ <= State::kRuns; }
  bool IsSorted() const { return state_ >= State::kSortedInMemory && state_ < State::kFailed; }
  absl::Status Fail(const absl::Status& status);
  absl::Status FailForMemory(const char* what);
  void ReleaseAll();
  void NotePeaks(size_t moving = 0);
  size_t held() const;

  absl::Status TakeTuple(size_t bytes);
  absl::Status GrowArray();
  bool WantsHeap() const;
  absl::Status EndRun();
  absl::Status WriteRun();
  absl::Status WriteTuples(tape::Tape& tape);
  // The tape of run `run` of `tapes`, made if it is the first.
  absl::StatusOr<tape::Tape*> TapeForRun(std::vector<RunTape>* tapes, uint64_t run);

  absl::Status MergeRuns();
  absl::Status MergePass();
  absl::Status MergeOneRun(std::vector<RunTape>* outputs, uint64_t run);
  absl::Status BeginLastMerge();
  absl::Status OpenSortedTape();
  absl::Status ReserveMerge();
  void CheckMergeCharge(size_t tapes) const;
  ReadOptions Reading();
  absl::StatusOr<tuple::Tuple> NextOf();

  tuple::Order order_;
  Options options_;
  BlockStore& store_;
  BlockSource& source_;
  Poll poll_;
  Budget budget_;
  std::unique_ptr<RunBuffer> buffer_;
  std::optional<tape::TapeSet> tapes_;
  std::vector<RunTape> run_tapes_;
  std::optional<Merger> merger_;
  TupleSlot slot_;  // of the sorted tape

  State state_ = State::kBuilding;
  absl::Status error_;
  size_t merge_order_ = 0;
  bool tapes_charged_ = false;
  uint64_t tuples_ = 0;
  size_t tuple_bytes_max_ = 0;
  uint64_t runs_ = 0;          // written from memory
  uint64_t runs_on_tape_ = 0;  // now
  size_t passes_ = 0;
  uint64_t rows_on_tape_ = 0;
  uint64_t rows_ = 0;
  uint64_t row_ = 0;
  uint64_t mark_row_ = 0;
  tape::TapePosition mark_;
  uint64_t blocks_written_before_ = 0;  // the last Reset
  uint64_t blocks_read_before_ = 0;
  size_t charged_peak_ = 0;
  size_t held_peak_ = 0;
};

}  // namespace tuplestone::sort

#endif  // TUPLESTONE_ENGINE_SORT_SORTER_H_
