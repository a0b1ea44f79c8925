// Merging: passes from tapes to tapes until the last merge can begin.
#include <algorithm>
#include <utility>

#include "engine/base/align.h"
#include "engine/base/probe.h"
#include "engine/sort/merge_plan.h"
#include "engine/sort/sorter.h"

namespace tuplestone::sort {

ReadOptions Sorter::Reading() {
  return {source_, budget_, tuple_bytes_max_, options_.random_access};
}

absl::Status Sorter::MergeRuns() {
  poll_.progress().phase = Phase::kMerge;
  while (!IsLastMerge(runs_on_tape_, merge_order_, options_.random_access)) {
    absl::Status merged = MergePass();
    if (!merged.ok()) return merged;
  }
  return options_.random_access ? OpenSortedTape() : BeginLastMerge();
}

absl::Status Sorter::ReserveMerge() {
  merger_.emplace(order_, Reading(), poll_);
  absl::Status reserved = merger_->Reserve(run_tapes_.size(), options_.limits.block_bytes);
  if (!reserved.ok()) return reserved;
  for (size_t i = 0; i < run_tapes_.size(); ++i) {
    absl::Status rewound = run_tapes_[i].tape->Rewind();
    if (!rewound.ok()) return rewound;
    merger_->SetInput(i, run_tapes_[i].tape);
  }
  return absl::OkStatus();
}

absl::Status Sorter::MergePass() {
  absl::Status reserved = ReserveMerge();
  if (!reserved.ok()) return reserved;
  const size_t inputs = run_tapes_.size();
  const uint64_t runs = RunsAfterPass(runs_on_tape_, merge_order_);
  TUPLESTONE_CHECK(kS7, runs < runs_on_tape_);
  const size_t output_bytes = TapesFor(runs, merge_order_) * options_.limits.block_bytes;
  budget_.ChargeMerge(output_bytes);
  std::vector<RunTape> outputs;
  absl::Status merged;
  for (uint64_t run = 0; run < runs && merged.ok(); ++run) merged = MergeOneRun(&outputs, run);
  NotePeaks();
  CheckMergeCharge(inputs + TapesFor(runs, merge_order_));
  budget_.RefundMerge(output_bytes);
  merger_.reset();
  // What is left of the inputs after an error goes with the outputs.
  for (const RunTape& input : run_tapes_) {
    if (input.tape != nullptr) outputs.push_back(input);
  }
  run_tapes_ = std::move(outputs);
  if (!merged.ok()) return merged;
  TUPLESTONE_CHECK_EQ(kS7, TapesFor(runs, merge_order_), run_tapes_.size());
  runs_on_tape_ = runs;
  ++passes_;
  poll_.progress().passes = passes_;
  if (passes_ == 2) TUPLESTONE_PROBE("sort.second_pass");
  if (passes_ == 3) TUPLESTONE_PROBE("sort.third_pass");
  return absl::OkStatus();
}

// One run of each input that has one becomes run `run` of the outputs.
absl::Status Sorter::MergeOneRun(std::vector<RunTape>* outputs, uint64_t run) {
  size_t active = 0;
  while (active < run_tapes_.size() && run_tapes_[active].runs > 0) ++active;
  if (active < run_tapes_.size()) TUPLESTONE_PROBE("sort.merge_of_fewer");
  absl::StatusOr<tape::Tape*> output = TapeForRun(outputs, run);
  if (!output.ok()) return output.status();
  absl::Status begun = merger_->Begin(active);
  if (!begun.ok()) return begun;
  for (;;) {
    const absl::StatusOr<tuple::Tuple> tuple = merger_->Next();
    if (!tuple.ok()) return tuple.status();
    if (!*tuple) break;
    absl::Status written = WriteTuple(**output, *tuple, options_.random_access);
    if (!written.ok()) return written;
  }
  NotePeaks();
  for (size_t i = 0; i < active; ++i) {
    if (--run_tapes_[i].runs > 0) continue;
    tapes_->Close(run_tapes_[i].tape);
    run_tapes_[i].tape = nullptr;
  }
  return WriteRunEnd(**output);
}

absl::Status Sorter::BeginLastMerge() {
  absl::Status reserved = ReserveMerge();
  if (!reserved.ok()) return reserved;
  absl::Status begun = merger_->Begin(run_tapes_.size());
  if (!begun.ok()) return begun;
  CheckMergeCharge(run_tapes_.size());
  NotePeaks();
  state_ = State::kMerging;
  return absl::OkStatus();
}

absl::Status Sorter::OpenSortedTape() {
  tape::Tape& tape = *run_tapes_[0].tape;
  absl::Status frozen = tape.Freeze();
  if (!frozen.ok()) return frozen;
  budget_.ChargeMerge(options_.limits.block_bytes);
  mark_ = tape.Tell();
  state_ = State::kSortedOnTape;
  return absl::OkStatus();
}

// S2, with `tapes` in use.
void Sorter::CheckMergeCharge(size_t tapes) const {
  const size_t least =
      tapes * options_.limits.block_bytes + (run_tapes_.size() + 2) * MaxAlign(tuple_bytes_max_);
  TUPLESTONE_CHECK(kS2, budget_.charged() <= std::max(budget_.bytes(), least));
}

}  // namespace tuplestone::sort
