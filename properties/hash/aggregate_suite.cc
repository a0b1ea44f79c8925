#include "properties/hash/aggregate_suite.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "engine/hash/invariants.h"
#include "properties/kit/expect.h"

namespace tuplestone::properties {
namespace {

using kit::Expect;
using kit::ExpectEqual;

constexpr size_t kRowsAtOnce = 40;  // more than a batch

bool NamesStore(const absl::Status& status) {
  return absl::StrContains(status.message(), "tape") ||
         absl::StrContains(status.message(), "block");
}

}  // namespace

hash::AggregationOptions AggregationOptionsOf(const AggregateHead& head) {
  hash::AggregationOptions options;
  options.limit_bytes = head.limit;
  options.limits.tuple_block_min = size_t{128} << head.group_block;
  options.limits.tuple_block_max = size_t{512} << head.group_block;
  options.limits.read_buffer = 256;
  options.limits.partitions_max = uint32_t{1} << head.partitions;
  options.limits.levels_max = static_cast<uint32_t>(head.levels);
  options.limits.unsplit_max = static_cast<uint32_t>(head.unsplit);
  options.table.hash_mask = static_cast<uint32_t>(uint64_t{0xffffffff} >> head.collide);
  options.table.limits.probe_max = static_cast<uint32_t>(head.probe_max);
  options.table.layout = static_cast<hash::Layout>(head.layout.ToRaw());
  options.tape.block_bytes = size_t{64} << head.tape_block;
  options.tape.map_blocks = 4;
  options.sort.block_bytes = options.tape.block_bytes;
  options.sort.array_entries = 16;
  options.sort.order_min = 2;
  options.sort.tuple_block_initial_bytes = 256;
  options.sort.tuple_block_max_bytes = 1024;
  options.one_by_one = head.history;
  options.walks_contexts = head.history;
  return options;
}

AggregateSuite::AggregateSuite(const AggregateHead& head, kit::Runner& run)
    : run_(run),
      options_(AggregationOptionsOf(head)),
      functions_(head.functions),
      partitions_(options_.tape.block_bytes),
      sort_(options_.tape.block_bytes),
      rows_(head.rows),
      plan_(*hash::AggregatePlan::Make(rows_.schema(), rows_.keys(),
                                       rows_.Functions(head.functions))) {
  aggregation_.emplace(plan_, options_, partitions_, sort_, source_);
}

void AggregateSuite::Ask() {
  failures_before_ = source_.failures();
  partitions_.TakeWrongAnswer();
  sort_.TakeWrongAnswer();
}

bool AggregateSuite::Judge(const absl::Status& status) {
  if (phase_ == Phase::kFailed) {
    ExpectEqual(hash::kH11, error_.ToString(), status.ToString(),
                "a failed aggregation gives its first error");
    return false;
  }
  const bool memory_failed = source_.failures() > failures_before_;
  auto wrong = partitions_.TakeWrongAnswer();
  if (!wrong.has_value()) wrong = sort_.TakeWrongAnswer();
  if (status.ok()) {
    Expect(hash::kH10, !wrong.has_value(), "a wrong answer of a store never passes for data");
    Expect(hash::kH5, !memory_failed, "memory that was refused is missed");
    return true;
  }
  error_ = status;
  phase_ = Phase::kFailed;
  ExpectEqual(hash::kH5, size_t{0}, source_.lent_bytes(), "a failed aggregation holds nothing");
  if (status.code() == absl::StatusCode::kOutOfRange) {
    JudgeOverflow(status);
  } else {
    Expect(hash::kH9, memory_failed || wrong.has_value(), "an error has a cause");
    if (wrong.has_value()) Expect(hash::kH9, NamesStore(status), "a store's error names it");
  }
  return false;
}

void AggregateSuite::JudgeOverflow(const absl::Status& status) {
  bool named = false;
  for (const auto& [key, group] : model_.groups()) {
    if (!AggregateModel::ResultOf(group).overflows) continue;
    named |= absl::EndsWith(status.message(),
                            absl::StrCat("overflows in group (", group.first_key, ")"));
  }
  Expect(hash::kH9, (functions_ & 4) != 0, "only sums overflow");
  Expect(hash::kH9, named, "an overflow names a group whose sum does");
}

tuple::Tuple AggregateSuite::TupleOf(const AggregateRow& row) {
  const size_t bytes = tuple::FormedBytesOrDie(rows_.schema(), row.values);
  tuples_.emplace_back(bytes / sizeof(uint64_t) + 1);
  auto* to = reinterpret_cast<std::byte*>(tuples_.back().data());
  tuple::FormInto(rows_.schema(), row.values, to, bytes);
  run_.SpendBytes(bytes);
  return tuple::Tuple(to);
}

void AggregateSuite::AddRow(uint64_t key, uint64_t value, std::vector<tuple::Tuple>* rows) {
  const AggregateRow row = rows_.Row(key, value % 256);
  rows->push_back(TupleOf(row));
  model_.Add(row.key, row.spelt, row.argument);
  group_bytes_largest_ = std::max(group_bytes_largest_, rows->back().bytes());
}

void AggregateSuite::Step(const AggregateAdd& op) {
  if (phase_ != Phase::kBuilding) return;
  std::vector<tuple::Tuple> rows;
  tuples_.clear();
  AddRow(op.key, op.value, &rows);
  Ask();
  Judge(aggregation_->Add(rows));
}

void AggregateSuite::Step(const AggregateAddMany& op) {
  if (phase_ != Phase::kBuilding) return;
  run_.SpendSteps(op.count);
  for (uint64_t at = 0; at < op.count && phase_ == Phase::kBuilding; at += kRowsAtOnce) {
    std::vector<tuple::Tuple> rows;
    tuples_.clear();
    for (uint64_t i = at; i < std::min<uint64_t>(op.count, at + kRowsAtOnce); ++i) {
      AddRow((op.from + i * op.step) % op.keys, op.value + i, &rows);
    }
    Ask();
    Judge(aggregation_->Add(rows));
  }
}

void AggregateSuite::Step(const AggregateFinish&) {
  if (phase_ != Phase::kBuilding && phase_ != Phase::kFailed) return;
  Ask();
  if (!Judge(aggregation_->Finish())) return;
  phase_ = Phase::kEmitting;
  ExpectPlaceUsed();
}

// What only the first level can say: it does not spill while there is place, and the estimate is
// near.
void AggregateSuite::ExpectPlaceUsed() {
  const hash::AggregationStats stats = aggregation_->Stats();
  ExpectEqual(hash::kH10, model_.rows(), stats.rows, "all rows were taken");
  const size_t entry = group_bytes_largest_ + plan_.state_bytes() + 128;
  const bool fits = stats.limit / 4 > 8192 + model_.groups().size() * entry;
  if (fits && stats.levels_crowded == 0) {
    ExpectEqual(hash::kH12, uint64_t{0}, stats.rows_spilled, "nothing spills while there is place");
  }
  if (stats.rows_spilled > 0 || model_.groups().size() < 20) return;
  Expect(hash::kH8, stats.group_bytes <= 2 * stats.group_estimate, "the estimate is not too low");
  Expect(hash::kH8, stats.group_bytes * 2 >= stats.group_estimate, "the estimate is not too high");
}

void AggregateSuite::ExpectGroup(absl::Span<const tuple::Value> group) {
  std::string key;
  std::string spelt;
  const size_t keys = rows_.keys().size();
  for (size_t k = 0; k < keys; ++k) {
    const std::string text = tuple::ToString(group[k]);
    absl::StrAppend(&spelt, k == 0 ? "" : ", ", text);
    absl::StrAppend(&key, text == "-0" ? "0" : text, "|");
  }
  Expect(hash::kH10, emitted_.insert(key).second, "a group comes once");
  const auto found = model_.groups().find(key);
  Expect(hash::kH9, found != model_.groups().end(), "a group has a row");
  ExpectEqual(hash::kH9, found->second.first_key, spelt, "the key is spelt as in its first row");
  const ModelResult result = AggregateModel::ResultOf(found->second);
  const MaybeNumber expected[] = {ModelNumber(result.rows), ModelNumber(result.count), result.sum,
                                  result.min, result.max};
  size_t at = keys;
  for (size_t f = 0; f < std::size(expected); ++f) {
    if ((functions_ >> f & 1) == 0) continue;
    const MaybeNumber actual = NumberOf(group[at++]);
    if (f == 2) Expect(hash::kH9, !result.overflows, "a sum that overflows is an error");
    if (!SameNumber(expected[f], actual)) {
      ExpectEqual(hash::kH9, ShowNumber(expected[f]), ShowNumber(actual), "the group's results");
      Expect(hash::kH9, false, "the group's results, type and sign");
    }
  }
  ExpectEqual(hash::kH9, group.size(), at, "a value for each aggregate");
}

void AggregateSuite::ExpectComplete() {
  ExpectEqual(hash::kH10, model_.groups().size(), emitted_.size(), "every group comes");
  ExpectEqual(hash::kH10, emitted_.size(), aggregation_->Stats().groups, "groups are counted");
}

void AggregateSuite::Drain(uint64_t count) {
  for (uint64_t i = 0; i < count && phase_ == Phase::kEmitting; ++i) {
    run_.SpendSteps(1);
    Ask();
    const auto group = aggregation_->Next();
    if (!Judge(group.status())) return;
    if (group->empty()) {
      ExpectComplete();
      phase_ = Phase::kDone;
      return;
    }
    ExpectGroup(*group);
  }
}

void AggregateSuite::Step(const AggregateNext& op) { Drain(op.count); }

void AggregateSuite::Step(const AggregateReset&) {
  aggregation_->Reset();
  ExpectEqual(hash::kH5, size_t{0}, source_.lent_bytes(), "reset gives everything back");
  model_.Reset();
  emitted_.clear();
  group_bytes_largest_ = 0;
  phase_ = Phase::kBuilding;
}

void AggregateSuite::Step(const AggregateFailStore& op) {
  (op.sort ? sort_ : partitions_)
      .FailAfter(op.after, static_cast<kit::StoreFault>(op.fault.ToRaw()));
}

void AggregateSuite::Step(const AggregateDamage& op) {
  kit::FaultyStore& store = op.sort ? sort_ : partitions_;
  const std::vector<uint32_t> numbers = store.Numbers();
  if (numbers.empty()) return;
  store.Flip(numbers[op.block % numbers.size()], op.at % (8 * options_.tape.block_bytes),
             static_cast<uint32_t>(op.flips));
}

void AggregateSuite::Compare() {
  const hash::AggregationStats stats = aggregation_->Stats();
  Expect(hash::kH11, (stats.state == hash::AggregationState::kFailed) == (phase_ == Phase::kFailed),
         "a failed aggregation says so");
  Expect(hash::kH12, stats.held <= source_.lent_bytes(), "what is held is what was lent");
}

void AggregateSuite::Verify() { aggregation_->Verify(); }

void AggregateSuite::Finish() {
  source_.FailNever();
  partitions_.FailNever();
  sort_.FailNever();
  Step(AggregateFinish{});
  Drain(UINT64_MAX);
  if (phase_ == Phase::kDone) {
    const auto after = aggregation_->Next();
    Expect(hash::kH9, after.ok() && after->empty(), "after the last group comes nothing");
    aggregation_->Verify();
  }
  Step(AggregateReset{});
  aggregation_.reset();
}

}  // namespace tuplestone::properties

namespace tuplestone::kit {
template class ProgramTarget<properties::AggregateSuite>;
}
