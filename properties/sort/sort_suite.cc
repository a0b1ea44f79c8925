#include "properties/sort/sort_suite.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "properties/kit/expect.h"
#include "properties/kit/random.h"

namespace tuplestone::properties {
namespace {

using kit::Expect;
using kit::ExpectEqual;

sort::Options OptionsOf(const SortSettings& settings) {
  sort::Options options;
  options.budget_bytes = settings.budget_bytes;
  options.layout = settings.layout;
  options.bound = settings.bound;
  options.random_access = settings.random_access;
  options.limits = settings.limits;
  return options;
}

Bytes AsBytes(const std::string& text) {
  return Bytes(reinterpret_cast<const std::byte*>(text.data()), text.size());
}

std::string BytesOf(tuple::Tuple tuple) {
  return std::string(reinterpret_cast<const char*>(tuple.data()), tuple.bytes());
}

// The number of the value in row `i` of `count`.
uint64_t PatternNumber(SortPattern pattern, uint64_t i, uint64_t count, uint64_t keys,
                       kit::Random& random) {
  switch (pattern) {
    case SortPattern::kRandom:
      return random.Below(keys);
    case SortPattern::kAscending:
      return i * keys / count;
    case SortPattern::kDescending:
      return (count - 1 - i) * keys / count;
    case SortPattern::kEqual:
      return keys - 1;
    case SortPattern::kPipe:
      return std::min(i, count - 1 - i) * keys / count;
    case SortPattern::kAlternating:
      return i % 2 == 0 ? 0 : keys - 1;
  }
  return 0;
}

}  // namespace

SortSettings SettingsOf(const SortHead& head) {
  SortSettings settings;
  settings.budget_bytes = head.budget * 1024;
  settings.layout = head.layout;
  settings.bound = head.bound;
  settings.random_access = head.random_access;
  sort::Limits& limits = settings.limits;
  limits.block_bytes = 8 * head.words;
  limits.array_entries = head.array;
  limits.tape_overhead_blocks = 1;
  limits.merge_buffer_blocks = 3;
  limits.order_min = head.order;
  limits.order_max = head.order + 4;
  limits.tuple_block_initial_bytes = 256;
  limits.tuple_block_max_bytes = size_t{512} << head.blocks;
  limits.bound_max = 200;
  limits.quicksort_depth = static_cast<int>(head.ways >> 4 & 3);
  limits.poll_stride = 32;
  return settings;
}

SortSuite::SortSuite(const SortHead& head, kit::Runner& run)
    : run_(run),
      settings_(SettingsOf(head)),
      maker_(head),
      store_(settings_.limits.block_bytes),
      model_(std::in_place, settings_, maker_.model_keys()) {
  sort::Options options = OptionsOf(settings_);
  options.progress = [this](const sort::Progress& progress) { return MayBeCancelled(progress); };
  sorter_.emplace(maker_.MakeOrder(), store_, options, source_);
}

bool SortSuite::MayBeCancelled(const sort::Progress&) {
  run_.SpendSteps(1);
  Expect(sort::kS11, !cancelled_, "a cancelled sort asks no more");
  if (!cancel_after_.has_value()) return true;
  if (*cancel_after_ > 0) {
    --*cancel_after_;
    return true;
  }
  cancel_after_.reset();
  cancelled_ = true;
  return false;
}

void SortSuite::Ask() {
  failures_before_ = source_.failures();
  Expect(tape::kT5, !store_.TakeWrongAnswer(), "nobody reads unasked");
  if (!returned_) return;
  ExpectEqual(sort::kS10, AsBytes(returned_bytes_), returned_.span(),
              "a tuple stays valid until the next call");
  returned_ = tuple::Tuple();
}

bool SortSuite::Judge(const absl::Status& status) {
  if (failed_) {
    ExpectEqual(sort::kS11, error_.ToString(), status.ToString(),
                "a failed sort gives its first error");
    return false;
  }
  const auto wrong = store_.TakeWrongAnswer();
  const bool no_memory = source_.failures() > failures_before_;
  if (status.ok()) {
    Expect(tape::kT5, !wrong.has_value(), "every wrong answer of the store is reported");
    Expect(sort::kS11, !no_memory, "missing memory is reported");
    Expect(sort::kS11, !cancelled_, "a cancelled call says so");
    return true;
  }
  if (wrong.has_value()) {
    ExpectEqual(tape::kT5,
                wrong->code == absl::StatusCode::kOk ? absl::StatusCode::kDataLoss : wrong->code,
                status.code(), "an error says what kind it is");
    Expect(tape::kT5, absl::StartsWith(status.message(), "tape "), "an error names its tape");
  } else if (no_memory) {
    ExpectEqual(sort::kS11, absl::StatusCode::kResourceExhausted, status.code());
  } else {
    Expect(sort::kS11, cancelled_, "an error has a cause");
    ExpectEqual(sort::kS11, absl::StatusCode::kCancelled, status.code());
  }
  failed_ = true;
  error_ = status;
  return false;
}

void SortSuite::Put(SortRow row) {
  run_.SpendSteps(1);
  run_.SpendBytes(row.tuple.size());
  Ask();
  // Every other row comes as a tuple.
  absl::Status status;
  if (number_ % 2 == 0) {
    status = sorter_->Put(maker_.Values(row));
  } else {
    std::vector<uint64_t> words((row.tuple.size() + 7) / 8);
    std::copy(row.tuple.begin(), row.tuple.end(), reinterpret_cast<char*>(words.data()));
    status = sorter_->Put(tuple::Tuple(reinterpret_cast<const std::byte*>(words.data())));
  }
  ++number_;
  if (Judge(status)) model_->Put(std::move(row));
}

void SortSuite::Step(const SortPut& put) {
  if (sorted_) return;
  Put(maker_.Make(put.first, put.second, number_, put.pad));
}

void SortSuite::Step(const SortPutMany& put) {
  if (sorted_) return;
  kit::Random random(put.seed);
  for (uint64_t i = 0; i < put.count && !failed_; ++i) {
    const uint64_t first = PatternNumber(put.pattern, i, put.count, put.keys, random);
    const uint64_t second = random.Below(8);
    const uint64_t pad = put.pad == 0 || random.OneIn(2) ? 0 : random.Below(put.pad + 1);
    Put(maker_.Make(first, second, number_, pad));
  }
}

void SortSuite::Step(const SortPutWrong& put) {
  if (sorted_) return;
  const SortRow row = maker_.Make(1, 1, 1, 1);
  std::vector<tuple::Value> values = maker_.Values(row);
  if (put.fault == SortRowFault::kTooFew) values.pop_back();
  if (put.fault == SortRowFault::kTooMany) values.push_back(tuple::Value::Null());
  if (put.fault == SortRowFault::kWrongType) values.back() = tuple::Value::Int8(1);
  Ask();
  const absl::Status status = sorter_->Put(values);
  if (failed_) {
    Judge(status);
    return;
  }
  ExpectEqual(sort::kS12, absl::StatusCode::kInvalidArgument, status.code(),
              "a row of another schema is refused");
}

bool SortSuite::Sort() {
  if (sorted_ || failed_) return !failed_;
  Ask();
  if (!Judge(sorter_->Sort())) return false;
  model_->Sort();
  sorted_ = true;
  row_ = 0;
  mark_ = 0;
  const sort::SortStats stats = sorter_->Stats();
  ExpectEqual(sort::kS5, model_->output_count(), stats.rows, "as many rows as should come out");
  ExpectEqual(sort::kS8, model_->runs().size(), stats.runs, "runs");
  ExpectEqual(sort::kS8, model_->merges().passes, stats.passes, "passes");
  ExpectEqual(sort::kS8, model_->merges().blocks, stats.blocks_written, "blocks written");
  return true;
}

void SortSuite::Step(const SortSort&) {
  if (failed_) {
    Ask();
    Judge(sorter_->Sort());
    return;
  }
  Sort();
}

// `row` of the output, or none behind the last; remembers the tuple.
void SortSuite::CheckRow(const absl::StatusOr<tuple::Tuple>& tuple, size_t row) {
  if (row == SIZE_MAX || row == model_->output_count()) {
    Expect(sort::kS5, !*tuple, "no more tuples than there are");
    return;
  }
  Expect(sort::kS5, static_cast<bool>(*tuple), "as many tuples as there are");
  const std::string& expected = model_->output(row);
  ExpectEqual(settings_.bound != 0 ? sort::kS6 : sort::kS5, AsBytes(expected), tuple->span(),
              "the tuple that stable_sort puts there");
  returned_ = *tuple;
  returned_bytes_ = BytesOf(*tuple);
}

void SortSuite::Step(const SortNext& next) {
  if (!sorted_ && !failed_) return;
  for (uint64_t i = 0; i < next.count; ++i) {
    run_.SpendSteps(1);
    Ask();
    const absl::StatusOr<tuple::Tuple> tuple = sorter_->Next();
    if (!Judge(tuple.status())) return;
    CheckRow(tuple, row_);
    if (row_ == model_->output_count()) return;
    ++row_;
  }
}

void SortSuite::Step(const SortPrevious& previous) {
  if ((!sorted_ && !failed_) || !settings_.random_access) return;
  for (uint64_t i = 0; i < previous.count; ++i) {
    run_.SpendSteps(1);
    Ask();
    const absl::StatusOr<tuple::Tuple> tuple = sorter_->Previous();
    if (!Judge(tuple.status())) return;
    if (row_ == 0) {
      Expect(sort::kS9, !*tuple, "nothing before the first");
      return;
    }
    Expect(sort::kS9, static_cast<bool>(*tuple), "backward is forward reversed");
    --row_;
    ExpectEqual(sort::kS9, AsBytes(model_->output(row_)), tuple->span(),
                "backward is forward reversed");
    returned_ = *tuple;
    returned_bytes_ = BytesOf(*tuple);
  }
}

void SortSuite::Step(const SortMark&) {
  if ((!sorted_ && !failed_) || !settings_.random_access) return;
  Ask();
  if (Judge(sorter_->Mark())) mark_ = row_;
}

void SortSuite::Step(const SortRestore&) {
  if ((!sorted_ && !failed_) || !settings_.random_access) return;
  Ask();
  if (!Judge(sorter_->Restore())) return;
  row_ = mark_;
  ExpectEqual(sort::kS9, row_, sorter_->row(), "restore returns to the mark");
}

void SortSuite::Step(const SortRewind&) {
  if ((!sorted_ && !failed_) || !settings_.random_access) return;
  Ask();
  if (Judge(sorter_->Rewind())) row_ = 0;
}

void SortSuite::Step(const SortReset&) {
  Ask();
  sorter_->Reset();
  model_.emplace(settings_, maker_.model_keys());
  sorted_ = false;
  failed_ = false;
  cancelled_ = false;
  row_ = 0;
  mark_ = 0;
  ExpectNothingLeft();
}

void SortSuite::Step(const SortFailStore& fail) {
  store_.FailAfter(fail.after, static_cast<kit::StoreFault>(fail.fault.ToRaw()));
}

void SortSuite::Step(const SortFailMemory& fail) { source_.FailAfter(fail.after); }

void SortSuite::Step(const SortCancel& cancel) {
  if (!failed_) cancel_after_ = cancel.after;
}

void SortSuite::Step(const SortDamageBlock& damage) {
  const std::vector<uint32_t> numbers = store_.Numbers();
  if (numbers.empty()) return;
  const uint32_t block = numbers[damage.block % numbers.size()];
  switch (damage.damage) {
    case SortDamage::kFlip:
      store_.Flip(block, damage.at % (8 * store_.block_bytes()),
                  static_cast<uint32_t>(damage.flips));
      break;
    case SortDamage::kTorn:
      store_.Tear(block, damage.at % store_.block_bytes());
      break;
    case SortDamage::kStale:
      store_.MakeStale(block);
      break;
  }
}

void SortSuite::ExpectNothingLeft() {
  const sort::SortStats stats = sorter_->Stats();
  ExpectEqual(sort::kS11, stats.tapes.map_bytes, source_.lent_bytes(), "all memory is back");
  ExpectEqual(sort::kS11, stats.tapes.high_water_blocks, stats.tapes.free_blocks,
              "all blocks are back");
}

void SortSuite::CompareWhileBuilding(const sort::SortStats& stats) {
  ExpectEqual(sort::kS8, model_->put(), stats.tuples, "tuples put");
  ExpectEqual(sort::kS8, model_->in_memory(), stats.in_memory, "tuples in memory");
  ExpectEqual(sort::kS8, model_->runs().size(), stats.runs, "runs");
  ExpectEqual(sort::kS1, model_->budget().charged(), stats.charged, "what is charged");
  if (model_->put() > 0) {
    ExpectEqual(sort::kS8, model_->budget().array(), stats.array_entries, "the array");
  }
  if (!model_->runs().empty()) {
    ExpectEqual(sort::kS8, model_->budget().order(), stats.order, "the merge order");
  }
}

void SortSuite::Compare() {
  const sort::SortStats stats = sorter_->Stats();
  ExpectEqual(sort::kS3, stats.held + stats.guards, source_.lent_bytes(),
              "memory is counted to the byte");
  Expect(sort::kS3, stats.held_peak >= stats.held, "a peak is no less than what is");
  if (failed_) {
    ExpectEqual(sort::kS11, sort::State::kFailed, stats.state);
    ExpectNothingLeft();
    return;
  }
  if (!sorted_) CompareWhileBuilding(stats);
  if (sorted_) ExpectEqual(sort::kS9, row_, sorter_->row(), "where the sort stands");
}

void SortSuite::Verify() { sorter_->Verify(); }

std::vector<std::string> SortSuite::FetchAll() {
  std::vector<std::string> rows;
  for (;;) {
    run_.SpendSteps(1);
    Ask();
    const absl::StatusOr<tuple::Tuple> tuple = sorter_->Next();
    if (!Judge(tuple.status())) break;
    CheckRow(tuple, row_);
    if (!*tuple) break;
    rows.push_back(BytesOf(*tuple));
    ++row_;
  }
  return rows;
}

void SortSuite::Finish() {
  store_.FailNever();
  source_.FailNever();
  cancel_after_.reset();
  if (Sort()) {
    Verify();
    FetchAll();
  }
  Compare();
  Verify();
  Step(SortReset{});
  Verify();
  Compare();
  sorter_.reset();
  ExpectEqual(sort::kS11, 0U, source_.lent_bytes(), "a sorter gives all its memory back");
}

}  // namespace tuplestone::properties

namespace tuplestone::kit {
template class ProgramTarget<properties::SortSuite>;
}
