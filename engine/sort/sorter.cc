// Life of a sort: tuples in, ends of runs, failure, reset.
#include "engine/sort/sorter.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "engine/base/probe.h"
#include "engine/sort/merge_plan.h"

namespace tuplestone::sort {
namespace {

BufferOptions BufferOptionsOf(const Options& options) {
  return {options.layout, options.bound != 0, options.budget_bytes, options.limits};
}

}  // namespace

Sorter::Sorter(const tuple::Order& order, BlockStore& store, const Options& options,
               BlockSource& source)
    : order_(order),
      options_(options),
      store_(store),
      source_(source),
      poll_(options.progress, options.limits.poll_stride),
      budget_(options.budget_bytes,
              ArrayCostOf(options.layout, options.bound != 0, options.budget_bytes),
              options.limits) {
  TUPLESTONE_CHECK_EQ(kS12, options.limits.block_bytes, store.block_bytes());
  TUPLESTONE_CHECK(kS12, options.limits.order_min >= 2);
  TUPLESTONE_CHECK(kS12, options.limits.order_min <= options.limits.order_max);
  TUPLESTONE_CHECK(kS12, options.limits.poll_stride > 0);
  buffer_ = RunBuffer::Make(BufferOptionsOf(options), order_, source_, poll_);
}

Sorter::~Sorter() { ReleaseAll(); }

void Sorter::ReleaseAll() {
  merger_.reset();
  slot_.Release(source_, budget_);
  buffer_->Release();
  for (const RunTape& run_tape : run_tapes_) {
    if (run_tape.tape != nullptr) tapes_->Close(run_tape.tape);
  }
  run_tapes_.clear();
  budget_.Begin();
}

absl::Status Sorter::Fail(const absl::Status& status) {
  ReleaseAll();
  error_ = status;
  state_ = State::kFailed;
  return error_;
}

absl::Status Sorter::FailForMemory(const char* what) {
  TUPLESTONE_PROBE("sort.no_memory");
  return Fail(absl::ResourceExhaustedError(absl::StrCat("no memory for ", what)));
}

void Sorter::Reset() {
  ReleaseAll();
  if (tapes_.has_value()) {
    const tape::TapeStats stats = tapes_->Stats();
    blocks_written_before_ = stats.blocks_written;
    blocks_read_before_ = stats.blocks_read;
  }
  poll_.Begin();
  error_ = absl::OkStatus();
  state_ = State::kBuilding;
  merge_order_ = 0;
  tapes_charged_ = false;
  tuples_ = 0;
  tuple_bytes_max_ = 0;
  runs_ = 0;
  runs_on_tape_ = 0;
  passes_ = 0;
  rows_on_tape_ = 0;
  rows_ = 0;
  row_ = 0;
  mark_row_ = 0;
  charged_peak_ = 0;
  held_peak_ = 0;
}

absl::Status Sorter::Put(absl::Span<const tuple::Value> row) {
  if (state_ == State::kFailed) return error_;
  TUPLESTONE_CHECK(kS12, TakesTuples());
  const absl::StatusOr<size_t> bytes = tuple::FormedBytes(order_.schema(), row);
  if (!bytes.ok()) return bytes.status();
  if (buffer_->capacity() == 0 && !buffer_->Reserve(budget_.array_entries())) {
    return FailForMemory("the first array");
  }
  if (!buffer_->Form(row, *bytes)) return FailForMemory("a tuple");
  return TakeTuple(*bytes);
}

absl::Status Sorter::Put(tuple::Tuple tuple) {
  if (state_ == State::kFailed) return error_;
  TUPLESTONE_CHECK(kS12, TakesTuples());
  if (buffer_->capacity() == 0 && !buffer_->Reserve(budget_.array_entries())) {
    return FailForMemory("the first array");
  }
  if (!buffer_->Copy(tuple)) return FailForMemory("a tuple");
  return TakeTuple(tuple.bytes());
}

// The buffer has made the tuple.
absl::Status Sorter::TakeTuple(size_t bytes) {
  ++tuples_;
  tuple_bytes_max_ = std::max(tuple_bytes_max_, bytes);
  budget_.ChargeTuple(buffer_->made_space());
  charged_peak_ = std::max(charged_peak_, budget_.charged());
  if (state_ == State::kBounded) {
    if (budget_.IsSpent()) NotePeaks();
    budget_.RefundTuple(buffer_->Offer());
  } else {
    if (state_ == State::kBuilding && buffer_->count() + 1 >= buffer_->capacity()) {
      absl::Status grown = GrowArray();
      if (!grown.ok()) return grown;
    }
    buffer_->Append();
    if (WantsHeap()) {
      NotePeaks();
      budget_.RefundTuple(buffer_->MakeHeap(options_.bound));
      state_ = State::kBounded;
    }
  }
  if (poll_.Step()) return Fail(absl::CancelledError("cancelled while tuples came in"));
  if (buffer_->count() < buffer_->capacity() && !budget_.IsSpent()) return absl::OkStatus();
  return EndRun();
}

absl::Status Sorter::GrowArray() {
  const size_t entries = budget_.NextArray();
  if (entries == 0) return absl::OkStatus();
  const size_t moving = buffer_->array_bytes();
  if (!buffer_->Reserve(entries)) return FailForMemory("a larger array");
  budget_.ChargeArray(entries);
  charged_peak_ = std::max(charged_peak_, budget_.charged());
  NotePeaks(moving);
  return absl::OkStatus();
}

bool Sorter::WantsHeap() const {
  const uint64_t bound = options_.bound;
  if (state_ != State::kBuilding || bound == 0 || bound > options_.limits.bound_max) return false;
  const uint64_t count = buffer_->count();
  if (count > 2 * bound) return true;
  if (count <= bound || !budget_.IsSpent()) return false;
  TUPLESTONE_PROBE("sort.bounded_for_want_of_memory");
  return true;
}

// The budget is spent, or the array full.
absl::Status Sorter::EndRun() {
  if (state_ != State::kRuns) {
    if (state_ == State::kBounded) TUPLESTONE_PROBE("sort.bounded_spills");
    if (!budget_.IsSpent()) TUPLESTONE_PROBE("sort.array_ends_run");
    state_ = State::kRuns;
    merge_order_ = MergeOrder(options_.budget_bytes, options_.limits);
    tapes_charged_ = budget_.ChargeTapes(merge_order_);
    charged_peak_ = std::max(charged_peak_, budget_.charged());
    if (!tapes_.has_value()) {
      tape::Limits limits;
      limits.block_bytes = options_.limits.block_bytes;
      tapes_.emplace(store_, limits, source_);
    }
  }
  return WriteRun();
}

absl::StatusOr<tape::Tape*> Sorter::TapeForRun(std::vector<RunTape>* tapes, uint64_t run) {
  const size_t t = TapeOfRun(run, merge_order_);
  if (t == tapes->size()) {
    absl::StatusOr<tape::Tape*> tape = tapes_->Create();
    if (!tape.ok()) return tape;
    tapes->push_back({*tape, 0});
  }
  ++(*tapes)[t].runs;
  return (*tapes)[t].tape;
}

absl::Status Sorter::WriteTuples(tape::Tape& tape) {
  const size_t count = buffer_->count();
  for (size_t i = 0; i < count; ++i) {
    absl::Status written = WriteTuple(tape, buffer_->At(i), options_.random_access);
    if (!written.ok()) return written;
    if (poll_.Step()) return absl::CancelledError("cancelled while writing a run");
  }
  return WriteRunEnd(tape);
}

absl::Status Sorter::WriteRun() {
  poll_.progress().phase = Phase::kSortRun;
  buffer_->Sort();
  if (poll_.cancelled()) return Fail(absl::CancelledError("cancelled while sorting a run"));
  poll_.progress().phase = Phase::kWriteRun;
  absl::StatusOr<tape::Tape*> tape = TapeForRun(&run_tapes_, runs_);
  if (!tape.ok()) return Fail(tape.status());
  absl::Status written = WriteTuples(**tape);
  if (!written.ok()) return Fail(written);
  if (runs_ > merge_order_) TUPLESTONE_PROBE("sort.second_run_on_a_tape");
  NotePeaks();
  rows_on_tape_ += buffer_->count();
  ++runs_;
  ++runs_on_tape_;
  buffer_->Clear();
  budget_.RefundTuples();
  Progress& progress = poll_.progress();
  progress.phase = Phase::kPut;
  progress.runs = runs_;
  progress.tuples = tuples_;
  return absl::OkStatus();
}

absl::Status Sorter::Sort() {
  if (state_ == State::kFailed) return error_;
  TUPLESTONE_CHECK(kS12, TakesTuples());
  NotePeaks();
  if (state_ != State::kRuns) {
    poll_.progress().phase = Phase::kSortRun;
    buffer_->Sort();
    if (poll_.cancelled()) return Fail(absl::CancelledError("cancelled while sorting"));
    rows_ = buffer_->count();
    state_ = State::kSortedInMemory;
  } else {
    if (buffer_->count() > 0) {
      absl::Status written = WriteRun();
      if (!written.ok()) return written;
    } else {
      TUPLESTONE_PROBE("sort.memory_empty_at_the_end");
    }
    buffer_->Release();
    budget_.BeginMerge();
    rows_ = rows_on_tape_;
    absl::Status merged = MergeRuns();
    if (!merged.ok()) return Fail(merged);
  }
  if (options_.bound != 0) rows_ = std::min(rows_, options_.bound);
  return absl::OkStatus();
}

}  // namespace tuplestone::sort
