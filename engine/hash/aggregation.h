// Grouping and aggregation in no more memory than a limit allows.
//
//            Add ... Add      Finish             Next ... Next
//   rows --> [building] -------------> [emitting] -----------> [done]
//               |  a new group and no place          ^  |
//               |                                    |  |  no group left, a partition is
//               '--> partition 0 .. n on tapes ------'  |
//                       |  read: its groups into an empty table, what has no place to the
//                       |  partitions of the next level
//                       '--> twice not split, or too deep: through the sorter, group by group
//
//   any state -- memory, store, overflow --> [failed] -- Reset --> [building]
//
// A level admits groups while they fit. Once one does not, it admits no more: rows of groups that
// are there are taken in, all others are written to partitions, by a hash that is mixed anew for
// each level. When its rows are through, its groups are complete and are emitted; then the table is
// emptied and the latest partition is read. Each level admits one group at least, so there is an
// end. A partition that two levels in a row left whole, or that lies too deep, is sorted by its key
// and needs the state of one group; so are the rows behind a table that is crowded by colliding
// hashes. The order in which rows of one group come is the order of the input in every case, so the
// result does not depend on the limit, not even that of sums of floats.
//
// The limit covers groups (buckets, tuples with their states), one block for each tape that is
// written or read, and buffers for rows. Before a group is admitted the context is asked what it
// holds, by one load, and the table what doubling its buckets would take; a doubling that does not
// fit makes the level spill.
//
// Invariants (invariants.h):
//   H7   A block of groups is the largest power of two of a sixteenth of the limit, within bounds.
//   H8   EntryEstimate is within a factor of two of what a group takes.
//   H9   The aggregate does not depend on the limit.
//   H10  Partitions of a level are disjoint, and rows are conserved.
//   H11  Callers keep to what an operation requires.
//   H12  held <= limit + a block of each context + twice the largest row with its state: the group,
//        and the row on its way from or to a tape. The directory of the tuple context comes on top,
//        8 bytes a block; limits below what the contexts themselves take count as that much.
//
// Errors: OutOfRange for a sum that overflows, naming it and the group; ResourceExhausted, DataLoss
// and Internal as memory and tapes give them. After one the aggregation is failed: it has given
// everything back, and every call returns that error until Reset.
//
// Not thread-safe. What it does not do: an aggregation without a key; min and max of text and
// bytea; count groups before it reads them. While a partition is sorted, the sorter's own
// invariants (S1 to S3) stand for H12.
#ifndef TUPLESTONE_ENGINE_HASH_AGGREGATION_H_
#define TUPLESTONE_ENGINE_HASH_AGGREGATION_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "engine/base/block_source.h"
#include "engine/base/block_store.h"
#include "engine/hash/aggregate_plan.h"
#include "engine/hash/invariants.h"
#include "engine/hash/key_former.h"
#include "engine/hash/limits.h"
#include "engine/hash/partitions.h"
#include "engine/hash/row_buffer.h"
#include "engine/hash/sizing.h"
#include "engine/hash/tuple_table.h"
#include "engine/memory/alloc_set.h"
#include "engine/memory/bump.h"
#include "engine/sort/sorter.h"
#include "engine/tape/tape.h"

namespace tuplestone::hash {

struct AggregationOptions {
  size_t limit_bytes = 4 << 20;
  uint64_t groups_expected = 0;  // 0: unknown
  uint64_t seed = 0x7475706c65;
  AggregationLimits limits{};
  TableOptions table{};  // additional bytes and members expected are the aggregation's own
  tape::Limits tape{};   // blocks are those of both stores
  sort::Limits sort{};
  // What history did: look rows up one by one; ask every context below what it holds.
  bool one_by_one = false;
  bool walks_contexts = false;
};

enum class AggregationState : uint8_t { kBuilding, kEmitting, kSorting, kDone, kFailed };

// Since the last Reset. Bytes unless named otherwise.
struct AggregationStats {
  AggregationState state = AggregationState::kBuilding;
  uint64_t rows = 0;          // added
  uint64_t groups = 0;        // emitted
  uint64_t rows_spilled = 0;  // written to partitions, again at each level
  uint64_t partitions = 0;    // that had rows
  uint64_t sorted = 0;        // partitions that went through the sorter
  uint64_t levels = 0;        // deepest that was written
  uint64_t doublings_refused = 0;
  uint64_t levels_crowded = 0;
  size_t limit = 0;  // that counts: the one given, or what the contexts take
  size_t held = 0;
  size_t held_peak = 0;
  size_t row_largest = 0;     // that was admitted, with its state
  double group_bytes = 0;     // measured: buckets and tuples a group, when the first level ended
  double group_estimate = 0;  // what EntryEstimate said of the same
  sort::SortStats sort;       // of the last partition that was sorted
};

class Aggregation {
 public:
  using Tuple = tuple::Tuple;

  // Obtains nothing before the first Add. Requires (H11): stores and source outlive it, nobody else
  // uses the stores, and they are two.
  Aggregation(const AggregatePlan& plan, const AggregationOptions& options, BlockStore& partitions,
              BlockStore& sort, BlockSource& source = SystemBlockSource());
  ~Aggregation();
  Aggregation(const Aggregation&) = delete;
  Aggregation& operator=(const Aggregation&) = delete;

  // Takes rows of the plan's input. Requires (H11): not finished yet.
  absl::Status Add(absl::Span<const Tuple> rows);
  absl::Status Add(Tuple row) { return Add(absl::MakeConstSpan(&row, 1)); }
  // Ends the input. Requires: as Add.
  absl::Status Finish();
  // The next group, one value a column of the plan's result; empty at the end. Valid until the next
  // call. Groups come in an order that the hashes and the limit decide. Requires (H11): finished.
  absl::StatusOr<absl::Span<const tuple::Value>> Next();
  // Back to an empty aggregation that takes rows, in any state.
  void Reset();

  AggregationState state() const { return state_; }
  const absl::Status& error() const { return error_; }
  const AggregatePlan& plan() const { return plan_; }
  AggregationStats Stats() const;  // O(tapes)
  // Aborts on the first broken invariant, naming it.
  void Verify() const;

 private:
  // Rows on their way through the table: as tuples of the row schema, as values, or both. Keys are
  // tuples of their own where each could be made, else they are the first values.
  struct Batch {
    size_t rows = 0;
    bool has_keys = false;
    std::array<Tuple, kBatchMax> keys;
    std::array<Tuple, kBatchMax> tuples;  // none: the row is in values only
    std::array<uint32_t, kBatchMax> hashes;
    std::array<Member, kBatchMax> members;
  };

  absl::Status Start();
  absl::Status Fail(const absl::Status& status);
  absl::Status FailForMemory(const char* what);
  absl::Status FailForOverflow(int aggregate, const tuple::Schema& schema, Tuple group);
  void ReleaseAll();

  // aggregation_batch.cc
  void MakeKeys(const KeyFormer& former, absl::Span<const Tuple> rows, bool rows_are_keys);
  absl::Span<tuple::Value> RowValues(size_t i) const;
  TupleTable::Row KeyValues(size_t i) const;
  void LookUp();
  absl::Status TakeBatch();
  absl::Status TakeRow(size_t i, bool* inserted);
  bool Admits();
  Member Insert(size_t i);
  absl::Status Spill(size_t i);
  void NotePeak(size_t more = 0);

  // aggregation_levels.cc
  void BeginLevel(uint32_t level, uint64_t rows);
  absl::Status EndLevel();
  absl::Status NextPartition();
  absl::Status Refill(const Partition& partition);
  void MakeTable(uint64_t members_expected);
  absl::Span<const tuple::Value> Emit(Tuple group, const tuple::Schema& schema,
                                      const std::byte* state);

  // aggregation_sort.cc
  absl::Status SortPartition(const Partition& partition);
  void EndSorting();
  absl::Status NextSorted();
  absl::Status AdvanceSorted(Tuple row);

  size_t held() const;
  size_t HeldForLimit() const;

  AggregatePlan plan_;
  AggregationOptions options_;
  BlockStore& partition_store_;
  BlockStore& sort_store_;
  BlockSource& source_;
  tuple::Hasher key_hasher_;  // of groups
  tuple::Hasher row_hasher_;  // of rows, by their key
  tuple::Order row_order_;
  KeyFormer input_keys_;
  KeyFormer row_keys_;

  memory::OwnedContext<memory::AllocSet> root_;  // rows' buffers; null before the first row
  memory::AllocSet* buckets_ = nullptr;
  memory::Bump* tuples_ = nullptr;
  std::optional<TupleSpace> space_;
  std::optional<TupleTable> table_;
  std::optional<TupleTable::Iterator> iterator_;
  std::optional<tape::TapeSet> tapes_;
  std::optional<PartitionWriter> writer_;
  std::optional<PartitionReader> reader_;
  std::optional<sort::Sorter> sorter_;
  std::vector<Partition> pending_;  // the next at the back
  Partition current_;               // what the level reads; no tape: the input
  LevelPlan level_plan_{};
  bool spilling_ = false;
  bool crowded_ = false;
  bool reading_ = false;  // a partition's tape has its buffer

  Batch batch_;
  tuple::Value* values_ = nullptr;   // of the batch's rows, one row after the other
  std::byte* key_bytes_ = nullptr;   // of the batch's keys
  tuple::Value* scratch_ = nullptr;  // of an input tuple
  tuple::Value* result_ = nullptr;
  std::byte* sorted_state_ = nullptr;
  std::optional<RowBuffer> spill_row_;     // a row formed of values on its way to a tape
  std::optional<RowBuffer> sorted_group_;  // the first row of the group that is being sorted out...
  std::optional<RowBuffer> sorted_next_;   // ...and of the next
  bool has_sorted_next_ = false;

  AggregationState state_ = AggregationState::kBuilding;
  absl::Status error_;
  size_t limit_ = 0;
  size_t block_max_ = 0;  // of the tuple context
  AggregationStats stats_;
};

}  // namespace tuplestone::hash

#endif  // TUPLESTONE_ENGINE_HASH_AGGREGATION_H_
