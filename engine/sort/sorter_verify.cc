// What a sort says of itself, and the walk that checks it.
#include <algorithm>

#include "engine/base/align.h"
#include "engine/sort/merge_plan.h"
#include "engine/sort/sorter.h"

namespace tuplestone::sort {

size_t Sorter::held() const {
  size_t bytes = buffer_->array_bytes() + buffer_->context_bytes() + slot_.capacity();
  if (tapes_.has_value()) bytes += tapes_->Stats().obtained_bytes;
  if (merger_.has_value()) bytes += merger_->slot_bytes() + merger_->overhead_bytes();
  return bytes;
}

void Sorter::NotePeaks(size_t moving) {
  charged_peak_ = std::max(charged_peak_, budget_.charged());
  held_peak_ = std::max(held_peak_, held() + moving);
}

SortStats Sorter::Stats() const {
  SortStats stats;
  stats.state = state_;
  stats.tuples = tuples_;
  stats.rows = rows_;
  stats.in_memory = buffer_->count();
  stats.array_entries = buffer_->capacity();
  stats.runs = runs_;
  stats.order = merge_order_;
  stats.passes = passes_;
  if (tapes_.has_value()) {
    stats.tapes = tapes_->Stats();
    stats.blocks_written = stats.tapes.blocks_written - blocks_written_before_;
    stats.blocks_read = stats.tapes.blocks_read - blocks_read_before_;
  }
  stats.polls = poll_.polls();
  stats.charged = budget_.charged();
  stats.charged_peak = std::max(charged_peak_, stats.charged);
  stats.held = held();
  stats.guards = buffer_->account().guards;
  stats.held_peak = std::max(held_peak_, stats.held);
  return stats;
}

void Sorter::Verify() const {
  if (tapes_.has_value()) tapes_->Verify();
  const tape::TapeStats tapes = tapes_.has_value() ? tapes_->Stats() : tape::TapeStats();
  if (state_ == State::kFailed) {
    TUPLESTONE_CHECK_EQ(kS11, tapes.map_bytes, held());
    TUPLESTONE_CHECK_EQ(kS11, tapes.high_water_blocks, tapes.free_blocks);
    return;
  }
  const bool building = TakesTuples() || state_ == State::kSortedInMemory;
  buffer_->Verify(state_ == State::kSortedInMemory, budget_.tuple_bytes());
  budget_.Verify(building, runs_ > 0);
  if (merger_.has_value()) merger_->Verify();
  if (state_ == State::kMerging) CheckMergeCharge(run_tapes_.size());
  TUPLESTONE_CHECK(kS9, row_ <= rows_);

  uint64_t runs = 0;
  for (const RunTape& tape : run_tapes_) {
    TUPLESTONE_CHECK(kS7, tape.runs <= run_tapes_[0].runs);
    TUPLESTONE_CHECK(kS7, tape.runs + 1 >= run_tapes_[0].runs);
    runs += tape.runs;
  }
  TUPLESTONE_CHECK_EQ(kS7, runs_on_tape_, runs);

  const memory::Account account = buffer_->account();
  const size_t beside_tapes = tapes.obtained_bytes - tapes.buffer_bytes;
  const size_t beside_merge = merger_.has_value() ? merger_->overhead_bytes() : 0;
  const size_t uncharged_buffers = building && !tapes_charged_ ? tapes.buffer_bytes : 0;
  TUPLESTONE_CHECK(kS3, held() <= budget_.charged() + account.free + account.tail +
                                      account.overhead + beside_tapes + beside_merge +
                                      uncharged_buffers);
}

}  // namespace tuplestone::sort
