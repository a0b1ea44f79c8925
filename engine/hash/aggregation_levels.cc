// Levels of an aggregation: from the input, or a partition, to groups that are complete and to the
// partitions of the next level.
#include <algorithm>
#include <cstring>

#include "engine/base/check.h"
#include "engine/base/probe.h"
#include "engine/hash/aggregation.h"

namespace tuplestone::hash {

// The array of a table that was made for far more groups than are to come costs more to empty and
// to walk than a new one.
void Aggregation::MakeTable(uint64_t members_expected) {
  const TableLimits& limits = options_.table.limits;
  if (table_.has_value()) {
    if (table_->Stats().buckets <= 4 * BucketsFor(members_expected, limits)) return;
    TUPLESTONE_PROBE("hash.aggregation.smaller_table");
  }
  TableOptions options = options_.table;
  options.additional_bytes = plan_.state_bytes();
  options.members_expected = members_expected;
  table_.emplace(key_hasher_, *space_, *buckets_, options);
}

// Requires: the table is empty, or there is none.
void Aggregation::BeginLevel(uint32_t level, uint64_t rows) {
  const size_t entry = EntryEstimate(options_.table.layout, plan_.state_bytes(),
                                     tuple::kDataAtWithoutNulls + 8 * plan_.key_columns(), 0);
  level_plan_ = PlanLevel(limit_, entry, rows, options_.tape.block_bytes, options_.limits);
  // An estimate that is too high must not take the limit at once.
  MakeTable(std::min<uint64_t>(rows, level_plan_.groups_bytes / entry / 4));
  writer_->Begin(level, level_plan_.partitions);
  spilling_ = false;
  crowded_ = false;
}

// The rows of the level are through: its groups are complete, its partitions wait.
absl::Status Aggregation::EndLevel() {
  const size_t before = pending_.size();
  const absl::Status ended = writer_->End(current_.unsplit, &pending_);
  if (!ended.ok()) return Fail(ended);
  // The next level's rows come with buffers of their own.
  spill_row_->Release();
  reader_->Release();
  for (size_t i = before; i < pending_.size(); ++i) {
    ++stats_.partitions;
    stats_.levels = std::max<uint64_t>(stats_.levels, pending_[i].level + 1);
    if (crowded_) pending_[i].unsplit = options_.limits.unsplit_max;
  }
  if (stats_.levels > 1) TUPLESTONE_PROBE("hash.aggregation.second_level");
  iterator_.emplace(*table_);
  state_ = AggregationState::kEmitting;
  return absl::OkStatus();
}

absl::StatusOr<absl::Span<const tuple::Value>> Aggregation::Next() {
  if (state_ == AggregationState::kFailed) return error_;
  TUPLESTONE_CHECK(kH11, state_ != AggregationState::kBuilding);
  while (state_ != AggregationState::kDone) {
    if (state_ == AggregationState::kSorting) {
      if (has_sorted_next_) {
        const absl::Status next = NextSorted();
        if (!next.ok()) return next;
        return Emit(sorted_group_->tuple(), plan_.row_schema(), sorted_state_);
      }
      EndSorting();
    } else if (const Member group = iterator_->Next()) {
      const std::byte* state = plan_.state_bytes() > 0 ? table_->Additional(group) : nullptr;
      return Emit(group.tuple, plan_.key_schema(), state);
    }
    const absl::Status next = NextPartition();
    if (!next.ok()) return next;
  }
  return absl::Span<const tuple::Value>();
}

// `group` begins with the columns of the key.
absl::Span<const tuple::Value> Aggregation::Emit(Tuple group, const tuple::Schema& schema,
                                                 const std::byte* state) {
  const absl::Span<tuple::Value> values(result_, plan_.result_columns());
  tuple::Deform(schema, group, values.subspan(0, plan_.key_columns()));
  if (state != nullptr) plan_.Results(state, values.subspan(plan_.key_columns()));
  ++stats_.groups;
  return values;
}

absl::Status Aggregation::NextPartition() {
  iterator_.reset();
  space_->Reset();
  if (pending_.empty()) {
    state_ = AggregationState::kDone;
    return absl::OkStatus();
  }
  const Partition partition = pending_.back();
  pending_.pop_back();
  const bool unsplit = partition.unsplit >= options_.limits.unsplit_max;
  const bool deep = partition.level + 1 >= options_.limits.levels_max;
  if (deep) TUPLESTONE_PROBE("hash.aggregation.too_deep");
  const absl::Status read = unsplit || deep ? SortPartition(partition) : Refill(partition);
  reading_ = false;
  return read;
}

absl::Status Aggregation::Refill(const Partition& partition) {
  TUPLESTONE_PROBE("hash.aggregation.refilled");
  current_ = partition;
  BeginLevel(partition.level + 1, partition.rows);
  reader_->Begin(*partition.tape);
  reading_ = true;
  uint64_t rows = 0;
  std::array<SpilledRow, kBatchMax> spilled;
  const size_t batch_max = options_.one_by_one ? 1 : kBatchMax;
  while (true) {
    const absl::StatusOr<size_t> count =
        reader_->ReadBatch(absl::MakeSpan(spilled.data(), batch_max));
    if (!count.ok()) return Fail(count.status());
    if (*count == 0) break;
    batch_.rows = *count;
    for (size_t i = 0; i < batch_.rows; ++i) {
      TUPLESTONE_CHECK_EQ(
          kH10, partition.index,
          PartitionOf(spilled[i].hash, partition.level, partition.partitions, options_.seed));
      batch_.tuples[i] = spilled[i].tuple;
      batch_.hashes[i] = spilled[i].hash;
      table_->Prefetch(spilled[i].hash);
    }
    MakeKeys(row_keys_, absl::MakeConstSpan(batch_.tuples.data(), batch_.rows),
             plan_.rows_are_keys());
    for (size_t i = 0; i < batch_.rows; ++i) {
      if (batch_.has_keys && !plan_.has_arguments()) break;
      tuple::Deform(plan_.row_schema(), batch_.tuples[i], RowValues(i));
    }
    rows += batch_.rows;
    NotePeak();
    if (const absl::Status taken = TakeBatch(); !taken.ok()) return taken;
  }
  TUPLESTONE_CHECK_EQ(kH10, partition.rows, rows);
  tapes_->Close(partition.tape);
  return EndLevel();
}

}  // namespace tuplestone::hash
