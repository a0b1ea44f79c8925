// Programs against an aggregation: what comes out is what the model computes from all rows, for
// every limit, layout, fault and hash.
//
// Checked: each group comes once, with the key as its first row spelt it and its results (H9); rows
// and groups are as many as should be (H10); nothing spills while there is place, and the estimate
// of an entry is near what was measured (H8); the limit (H7, H12, by Verify). An error appears only
// where something went wrong, says what, is given again by every call until reset, and leaves
// nothing behind; a wrong answer of a store never passes for data.
#ifndef TUPLESTONE_PROPERTIES_HASH_AGGREGATE_SUITE_H_
#define TUPLESTONE_PROPERTIES_HASH_AGGREGATE_SUITE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "engine/hash/aggregation.h"
#include "properties/hash/aggregate_model.h"
#include "properties/hash/aggregate_ops.h"
#include "properties/hash/aggregate_rows.h"
#include "properties/kit/faulty_source.h"
#include "properties/kit/faulty_store.h"
#include "properties/kit/run.h"
#include "properties/kit/target.h"

namespace tuplestone::properties {

hash::AggregationOptions AggregationOptionsOf(const AggregateHead& head);

class AggregateSuite {
 public:
  using Program = AggregateProgram;

  AggregateSuite(const AggregateHead& head, kit::Runner& run);

  void Step(const AggregateAdd& op);
  void Step(const AggregateAddMany& op);
  void Step(const AggregateFinish&);
  void Step(const AggregateNext& op);
  void Step(const AggregateReset&);
  void Step(const AggregateFailMemory& op) { source_.FailAfter(op.after); }
  void Step(const AggregateFailStore& op);
  void Step(const AggregateDamage& op);
  void Compare();
  void Verify();
  void Finish();

  hash::Aggregation& aggregation() { return *aggregation_; }

 private:
  enum class Phase : uint8_t { kBuilding, kEmitting, kDone, kFailed };

  void Ask();
  // Judges the answer of a call; true if it was OK.
  bool Judge(const absl::Status& status);
  void JudgeOverflow(const absl::Status& status);
  void AddRow(uint64_t key, uint64_t value, std::vector<tuple::Tuple>* rows);
  // A row goes in as a tuple, in this memory.
  tuple::Tuple TupleOf(const AggregateRow& row);
  void Drain(uint64_t count);
  void ExpectGroup(absl::Span<const tuple::Value> group);
  void ExpectComplete();
  void ExpectPlaceUsed();

  kit::Runner& run_;
  hash::AggregationOptions options_;
  uint64_t functions_;
  kit::FaultySource source_;
  kit::FaultyStore partitions_;
  kit::FaultyStore sort_;
  AggregateRowMaker rows_;
  hash::AggregatePlan plan_;
  std::optional<hash::Aggregation> aggregation_;
  AggregateModel model_;
  Phase phase_ = Phase::kBuilding;
  absl::Status error_;
  std::set<std::string> emitted_;
  std::vector<std::vector<uint64_t>> tuples_;  // words, for their alignment
  uint64_t failures_before_ = 0;
  size_t group_bytes_largest_ = 0;
};

}  // namespace tuplestone::properties

namespace tuplestone::kit {
extern template class ProgramTarget<properties::AggregateSuite>;
}

#endif  // TUPLESTONE_PROPERTIES_HASH_AGGREGATE_SUITE_H_
