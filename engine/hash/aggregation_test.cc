#include "engine/hash/aggregation.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <string>
#include <vector>

#include "engine/base/block_store.h"
#include "engine/hash/table_for_test.h"
#include "engine/memory/block_size_rule.h"

namespace tuplestone::hash {
namespace {

using tuple::Tuple;
using tuple::Type;
using tuple::Value;

// Blocks and limits so small that a few hundred rows spill.
AggregationOptions SmallOptions(size_t limit_bytes) {
  AggregationOptions options;
  options.limit_bytes = limit_bytes;
  options.limits.tuple_block_min = 256;
  options.limits.tuple_block_max = 1024;
  options.limits.read_buffer = 256;
  options.limits.partitions_max = 4;
  options.tape.block_bytes = 256;
  options.sort.block_bytes = 256;
  options.sort.array_entries = 16;
  options.sort.order_min = 2;
  options.sort.tuple_block_initial_bytes = 256;
  options.sort.tuple_block_max_bytes = 1024;
  return options;
}

class AggregationForTest {
 public:
  AggregationForTest(std::vector<Type> types, std::vector<uint16_t> keys,
                     std::vector<Aggregate> aggregates, const AggregationOptions& options)
      : schema_(MakeSchema(std::move(types))),
        rows_(memory::Bump::Create(rows_source_, "rows")),
        partitions_(options.tape.block_bytes, source),
        sort_(options.tape.block_bytes, source),
        plan_(*AggregatePlan::Make(schema_, keys, aggregates)),
        aggregation(plan_, options, partitions_, sort_, source) {}

  Tuple Row(std::vector<Value> values) { return tuple::Form(schema_, values, *rows_); }
  absl::Status Add(std::vector<Value> values) { return aggregation.Add(Row(std::move(values))); }

  // Every group, as key and aggregates in words.
  absl::StatusOr<std::map<std::string, std::string>> Groups() {
    if (const absl::Status finished = aggregation.Finish(); !finished.ok()) return finished;
    std::map<std::string, std::string> groups;
    while (true) {
      const auto group = aggregation.Next();
      if (!group.ok()) return group.status();
      if (group->empty()) return groups;
      std::string key;
      std::string results;
      for (size_t i = 0; i < group->size(); ++i) {
        (i < plan_.key_columns() ? key : results) += tuple::ToString((*group)[i]) + " ";
      }
      EXPECT_TRUE(groups.emplace(key, results).second) << key << "comes twice";
      aggregation.Verify();
    }
  }

  memory::CountingSource source;

 private:
  memory::CountingSource rows_source_;
  tuple::Schema schema_;
  memory::OwnedContext<memory::Bump> rows_;
  MemoryBlockStore partitions_;
  MemoryBlockStore sort_;
  AggregatePlan plan_;

 public:
  Aggregation aggregation;
};

const std::vector<Aggregate> kAll = {{Function::kCount, kNoColumn},
                                     {Function::kCount, 1},
                                     {Function::kSum, 1},
                                     {Function::kMin, 1},
                                     {Function::kMax, 1}};

TEST(Aggregation, CountsSumsAndBounds) {
  AggregationForTest t({Type::kInt4, Type::kInt2}, {0}, kAll, SmallOptions(1 << 20));
  for (int i = 0; i < 10; ++i) {
    const Value value = i % 4 == 3 ? Value::Null() : Value::Int2(static_cast<int16_t>(i));
    ASSERT_TRUE(t.Add({Value::Int4(i % 2), value}).ok());
  }
  ASSERT_TRUE(t.Add({Value::Null(), Value::Null()}).ok());
  const auto groups = t.Groups();
  ASSERT_TRUE(groups.ok()) << groups.status();
  EXPECT_EQ(*groups,
            (std::map<std::string, std::string>{
                {"0 ", "5 5 20 0 8 "}, {"1 ", "5 3 15 1 9 "}, {"null ", "1 0 null null null "}}));
}

TEST(Aggregation, NothingComesOfNothing) {
  AggregationForTest t({Type::kInt4}, {0}, {}, SmallOptions(0));
  const auto groups = t.Groups();
  ASSERT_TRUE(groups.ok());
  EXPECT_TRUE(groups->empty());
}

absl::StatusOr<std::map<std::string, std::string>> Aggregated(const AggregationOptions& options,
                                                              AggregationStats* stats,
                                                              int rows = 3000, int groups = 500) {
  AggregationForTest t({Type::kText, Type::kFloat8}, {0}, kAll, options);
  std::vector<std::string> texts;
  for (int i = 0; i < groups; ++i)
    texts.push_back(std::string(static_cast<size_t>(i % 40), 'x') + std::to_string(i));
  for (int i = 0; i < rows; ++i) {
    const std::string& text = texts[static_cast<size_t>(i * 7919 % groups)];
    const absl::Status added = t.Add({Value::Text(text), Value::Float8(i / 3.0)});
    if (!added.ok()) return added;
  }
  auto result = t.Groups();
  *stats = t.aggregation.Stats();
  return result;
}

// H9, H10, H12: from no memory at all to more than enough.
TEST(Aggregation, TheResultDoesNotDependOnTheLimit) {
  AggregationStats stats;
  const auto expected = Aggregated(SmallOptions(1 << 20), &stats);
  ASSERT_TRUE(expected.ok()) << expected.status();
  ASSERT_EQ(expected->size(), 500u);
  EXPECT_EQ(stats.rows_spilled, 0u);
  for (size_t limit : {0, 4000, 8000, 10000, 15000, 30000, 60000}) {
    const auto groups = Aggregated(SmallOptions(limit), &stats);
    ASSERT_TRUE(groups.ok()) << groups.status();
    EXPECT_EQ(*groups, *expected) << limit;
    EXPECT_GT(stats.rows_spilled, 0u) << limit;
  }
}

// H9: with one hash for all keys, or two, partitions do not split and rows are sorted.
TEST(Aggregation, CollidingHashesEndInTheSorter) {
  AggregationStats stats;
  const auto expected = Aggregated(SmallOptions(1 << 20), &stats);
  for (const uint32_t mask : {0u, 1u}) {
    AggregationOptions options = SmallOptions(10000);
    options.table.hash_mask = mask;
    const auto groups = Aggregated(options, &stats);
    ASSERT_TRUE(groups.ok()) << groups.status();
    EXPECT_EQ(*groups, *expected);
    EXPECT_GT(stats.sorted, 0u);
    EXPECT_LE(stats.levels, 4u);
  }
}

TEST(Aggregation, ACrowdedTableSendsItsRowsToTheSorter) {
  AggregationStats stats;
  const auto expected = Aggregated(SmallOptions(1 << 20), &stats);
  AggregationOptions options = SmallOptions(1 << 20);
  options.table.hash_mask = 0;
  options.table.limits.probe_max = 20;
  const auto groups = Aggregated(options, &stats);
  ASSERT_TRUE(groups.ok()) << groups.status();
  EXPECT_EQ(*groups, *expected);
  EXPECT_EQ(stats.levels_crowded, 1u);
  EXPECT_EQ(stats.sorted, stats.partitions);
}

TEST(Aggregation, ADeepPartitionIsSorted) {
  AggregationStats stats;
  AggregationOptions options = SmallOptions(0);
  options.limits.levels_max = 1;
  options.limits.partitions_max = 2;
  const auto groups = Aggregated(options, &stats);
  ASSERT_TRUE(groups.ok()) << groups.status();
  EXPECT_EQ(groups->size(), 500u);
  EXPECT_EQ(stats.levels, 1u);
  EXPECT_EQ(stats.sorted, 2u);
  EXPECT_GT(stats.sort.runs, 0u);
}

// H8
TEST(Aggregation, TheEstimateIsWithinAFactorOfTwo) {
  for (const Layout layout : {Layout::kCompact, Layout::kInFront}) {
    for (int groups = 100; groups <= 900; groups += 200) {
      AggregationStats stats;
      AggregationOptions options = SmallOptions(1 << 20);
      options.table.layout = layout;
      ASSERT_TRUE(Aggregated(options, &stats, 3000, groups).ok());
      EXPECT_LE(stats.group_bytes, 2 * stats.group_estimate);
      EXPECT_GE(stats.group_bytes, stats.group_estimate / 2);
    }
  }
}

TEST(Aggregation, AnOverflowNamesSumAndGroup) {
  AggregationForTest t({Type::kText, Type::kInt8}, {0}, {{Function::kSum, 1}},
                       SmallOptions(1 << 20));
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  ASSERT_TRUE(t.Add({Value::Text("a"), Value::Int8(kMax)}).ok());
  const absl::Status status = t.Add({Value::Text("a"), Value::Int8(1)});
  EXPECT_EQ(status.code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(status.message(), "sum of column 1 overflows in group ('a')");
  EXPECT_EQ(t.aggregation.Add(Tuple()), status);
  EXPECT_EQ(t.aggregation.Finish(), status);
  EXPECT_EQ(t.source.lent_blocks(), 0u);
  t.aggregation.Reset();
  ASSERT_TRUE(t.Add({Value::Text("a"), Value::Int8(kMax)}).ok());
  EXPECT_EQ(t.Groups()->size(), 1u);
}

// Every request for memory fails once: a status, nothing is leaked, and after a reset it works.
TEST(Aggregation, AFailedRequestForMemoryIsAStatus) {
  AggregationOptions options = SmallOptions(8000);
  options.table.hash_mask = 0xff;
  uint64_t failures = 0;
  for (uint64_t fail = 1; fail < 1000; fail += 1 + fail / 8) {
    AggregationForTest t({Type::kInt8, Type::kInt4}, {0}, kAll, options);
    t.source.FailAt(fail);
    absl::Status status;
    for (int i = 0; i < 1000 && status.ok(); ++i) {
      status = t.Add({Value::Int8(i % 500), Value::Int4(i)});
    }
    if (status.ok()) status = t.Groups().status();
    if (status.ok()) continue;
    ++failures;
    EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
    EXPECT_EQ(t.aggregation.state(), AggregationState::kFailed);
    t.source.FailAt(0);
    t.aggregation.Reset();
    ASSERT_TRUE(t.Add({Value::Int8(1), Value::Int4(1)}).ok());
    EXPECT_EQ(t.Groups()->size(), 1u);
  }
  EXPECT_GT(failures, 20u);
}

TEST(AggregatePlan, RefusesWhatItCannotDo) {
  const tuple::Schema schema = MakeSchema({Type::kInt4, Type::kText, Type::kBool});
  const auto message = [&](std::vector<uint16_t> keys, std::vector<Aggregate> aggregates) {
    return std::string(AggregatePlan::Make(schema, keys, aggregates).status().message());
  };
  EXPECT_EQ(message({}, {}), "an aggregation without a key");
  EXPECT_EQ(message({3}, {}), "key column 3 of 3");
  EXPECT_EQ(message({0}, {{Function::kSum, 1}}), "sum of column 1, which is text");
  EXPECT_EQ(message({0}, {{Function::kMin, 1}}), "min of column 1, which is text");
  EXPECT_EQ(message({0}, {{Function::kSum, 2}}), "sum of column 2, which is bool");
  EXPECT_EQ(message({0}, {{Function::kSum, kNoColumn}}), "sum of no column");
  EXPECT_EQ(message({0}, {{Function::kMax, 7}}), "max of column 7 of 3");
  EXPECT_EQ(message({0}, {{Function::kCount, 1}}), "");
}

// Only what is needed is spilled, key first.
TEST(AggregatePlan, RowsHoldKeysAndArguments) {
  const tuple::Schema schema = MakeSchema({Type::kInt4, Type::kText, Type::kBool, Type::kInt8});
  const auto plan =
      AggregatePlan::Make(schema, {3, 1}, {{Function::kMax, 0}, {Function::kCount, 3}});
  EXPECT_EQ(plan->row_schema(), MakeSchema({Type::kInt8, Type::kText, Type::kInt4}));
  EXPECT_FALSE(plan->rows_are_input());
  EXPECT_EQ(plan->state_bytes(), 24u);
  const auto same = AggregatePlan::Make(schema, {0, 1, 2, 3}, {{Function::kCount, kNoColumn}});
  EXPECT_TRUE(same->rows_are_input());
  EXPECT_TRUE(same->rows_are_keys());
  EXPECT_EQ(same->state_bytes(), 8u);
}

}  // namespace
}  // namespace tuplestone::hash
