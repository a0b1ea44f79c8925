// A partition that hashing does not make smaller: its rows are sorted by their key, stably, and
// the groups come out one after the other, each with its rows in the order of the input.
#include <cstring>

#include "engine/base/check.h"
#include "engine/base/probe.h"
#include "engine/hash/aggregation.h"

namespace tuplestone::hash {

// The sorter gets the limit: the table, which is empty, gives its buckets back.
absl::Status Aggregation::SortPartition(const Partition& partition) {
  TUPLESTONE_PROBE("hash.aggregation.sorted");
  ++stats_.sorted;
  table_.reset();
  sort::Options options;
  options.budget_bytes = level_plan_.groups_bytes;
  options.limits = options_.sort;
  sorter_.emplace(row_order_, sort_store_, options, source_);
  reader_->Begin(*partition.tape);
  reading_ = true;
  uint64_t rows = 0;
  std::array<SpilledRow, kBatchMax> spilled;
  while (true) {
    const absl::StatusOr<size_t> count = reader_->ReadBatch(absl::MakeSpan(spilled));
    if (!count.ok()) return Fail(count.status());
    if (*count == 0) break;
    rows += *count;
    for (size_t i = 0; i < *count; ++i) {
      const absl::Status put = sorter_->Put(spilled[i].tuple);
      if (!put.ok()) return Fail(put);
    }
  }
  TUPLESTONE_CHECK_EQ(kH10, partition.rows, rows);
  tapes_->Close(partition.tape);
  reader_->Release();
  const absl::Status sorted = sorter_->Sort();
  if (!sorted.ok()) return Fail(sorted);
  stats_.sort = sorter_->Stats();
  if (stats_.sort.runs > 0) TUPLESTONE_PROBE("hash.aggregation.sorted_on_tapes");
  const absl::StatusOr<Tuple> first = sorter_->Next();
  if (!first.ok()) return Fail(first.status());
  if (!sorted_next_->Assign(*first)) return FailForMemory("a row");
  has_sorted_next_ = true;
  state_ = AggregationState::kSorting;
  return absl::OkStatus();
}

void Aggregation::EndSorting() {
  sorter_.reset();
  sorted_group_->Release();
  sorted_next_->Release();
}

absl::Status Aggregation::AdvanceSorted(Tuple row) {
  const absl::Span<tuple::Value> values = RowValues(0);
  if (plan_.has_arguments()) tuple::Deform(plan_.row_schema(), row, values);
  const int overflow = plan_.Advance(sorted_state_, values);
  if (overflow == AggregatePlan::kNoOverflow) return absl::OkStatus();
  return FailForOverflow(overflow, plan_.row_schema(), sorted_group_->tuple());
}

// Collects the rows of the next group. Requires: its first row is in sorted_next_.
absl::Status Aggregation::NextSorted() {
  sorted_group_->Swap(*sorted_next_);
  has_sorted_next_ = false;
  std::memset(sorted_state_, 0, plan_.state_bytes());
  absl::Status advanced = AdvanceSorted(sorted_group_->tuple());
  while (advanced.ok()) {
    const absl::StatusOr<Tuple> row = sorter_->Next();
    if (!row.ok()) return Fail(row.status());
    if (!*row) return absl::OkStatus();
    if (!row_hasher_.Equal(sorted_group_->tuple(), *row)) {
      if (!sorted_next_->Assign(*row)) return FailForMemory("a row");
      has_sorted_next_ = true;
      return absl::OkStatus();
    }
    advanced = AdvanceSorted(*row);
  }
  return advanced;
}

}  // namespace tuplestone::hash
