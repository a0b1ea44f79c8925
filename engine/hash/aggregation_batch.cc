// A batch of rows on its way through the table: looked up together, then each taken into its group,
// admitted as a new one, or spilled.
#include <algorithm>

#include "engine/base/check.h"
#include "engine/base/probe.h"
#include "engine/hash/aggregation.h"

namespace tuplestone::hash {

void Aggregation::MakeKeys(const KeyFormer& former, absl::Span<const Tuple> rows,
                           bool rows_are_keys) {
  batch_.has_keys =
      rows_are_keys || std::ranges::all_of(rows, [&](Tuple row) { return former.Forms(row); });
  if (!batch_.has_keys) return;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows_are_keys) {
      batch_.keys[i] = rows[i];
    } else {
      std::byte* key = key_bytes_ + i * former.key_bytes();
      former.Form(rows[i], key);
      batch_.keys[i] = Tuple(key);
    }
  }
}

absl::Span<tuple::Value> Aggregation::RowValues(size_t i) const {
  return {values_ + i * plan_.row_columns(), plan_.row_columns()};
}

TupleTable::Row Aggregation::KeyValues(size_t i) const {
  return RowValues(i).subspan(0, plan_.key_columns());
}

void Aggregation::LookUp() {
  const absl::Span<const uint32_t> hashes(batch_.hashes.data(), batch_.rows);
  const absl::Span<Member> members(batch_.members.data(), batch_.rows);
  if (batch_.has_keys) {
    table_->FindBatch(absl::MakeConstSpan(batch_.keys.data(), batch_.rows), hashes, members);
    return;
  }
  const size_t stride = plan_.row_columns();
  table_->FindBatch(absl::MakeConstSpan(values_, batch_.rows * stride), stride, hashes, members);
}

absl::Status Aggregation::TakeBatch() {
  LookUp();
  bool inserted = false;
  for (size_t i = 0; i < batch_.rows; ++i) {
    if (const absl::Status taken = TakeRow(i, &inserted); !taken.ok()) return taken;
  }
  return absl::OkStatus();
}

absl::Status Aggregation::TakeRow(size_t i, bool* inserted) {
  Member member = batch_.members[i];
  // A group that this batch has made may be this row's, too.
  if (!member && (*inserted || !spilling_)) {
    if (*inserted) {
      member = batch_.has_keys ? table_->Find(batch_.keys[i], batch_.hashes[i])
                               : table_->Find(KeyValues(i), batch_.hashes[i]);
    }
    if (!member && !spilling_ && Admits()) {
      member = Insert(i);
      if (!member) return FailForMemory("a group");
      *inserted = true;
    }
  }
  if (!member) return Spill(i);
  if (plan_.state_bytes() == 0) return absl::OkStatus();
  const absl::Span<const tuple::Value> row =
      plan_.has_arguments() ? RowValues(i) : absl::Span<const tuple::Value>();
  const int overflow = plan_.Advance(table_->Additional(member), row);
  if (overflow == AggregatePlan::kNoOverflow) return absl::OkStatus();
  return FailForOverflow(overflow, plan_.key_schema(), member.tuple);
}

// Whether the level takes one more group. If not, it takes none from then on. The first is taken
// in any case: that is what makes progress.
bool Aggregation::Admits() {
  if (table_->members() == 0) return true;
  const size_t now = HeldForLimit();
  const size_t growth = table_->GrowthBytes();
  if (table_->IsCrowded()) {
    TUPLESTONE_PROBE("hash.aggregation.crowded");
    crowded_ = true;
    ++stats_.levels_crowded;
  } else if (now <= level_plan_.groups_bytes && growth > level_plan_.groups_bytes - now) {
    TUPLESTONE_PROBE("hash.aggregation.doubling_refused");
    ++stats_.doublings_refused;
  } else if (now <= level_plan_.groups_bytes) {
    if (growth > 0) NotePeak(growth);
    return true;
  }
  TUPLESTONE_PROBE("hash.aggregation.spilled");
  spilling_ = true;
  return false;
}

Member Aggregation::Insert(size_t i) {
  const Member member = batch_.has_keys ? table_->InsertNew(batch_.keys[i], batch_.hashes[i])
                                        : table_->InsertNew(KeyValues(i), batch_.hashes[i]);
  if (!member) return member;
  stats_.row_largest = std::max(stats_.row_largest, member.tuple.bytes() + plan_.state_bytes());
  NotePeak();
  return member;
}

absl::Status Aggregation::Spill(size_t i) {
  Tuple row = batch_.tuples[i];
  if (!row) {
    const absl::Span<const tuple::Value> values = RowValues(i);
    const size_t bytes = tuple::FormedBytesOrDie(plan_.row_schema(), values);
    std::byte* to = spill_row_->Reserve(bytes);
    if (to == nullptr) return FailForMemory("a row to spill");
    tuple::FormInto(plan_.row_schema(), values, to, bytes);
    row = Tuple(to);
  }
  stats_.row_largest = std::max(stats_.row_largest, row.bytes() + plan_.state_bytes());
  const absl::Status written = writer_->Write(batch_.hashes[i], row);
  if (!written.ok()) return Fail(written);
  ++stats_.rows_spilled;
  NotePeak();
  return absl::OkStatus();
}

size_t Aggregation::HeldForLimit() const {
  return options_.walks_contexts ? root_->SubtreeAccount().held() : root_->held_bytes();
}

// `more` is held for a moment on top.
void Aggregation::NotePeak(size_t more) {
  stats_.held_peak = std::max(stats_.held_peak, held() + more);
}

}  // namespace tuplestone::hash
