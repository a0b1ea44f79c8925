#include "engine/sort/sorter.h"

#include <gtest/gtest.h>

#include <vector>

#include "engine/base/block_store.h"
#include "engine/memory/counting_source.h"

namespace tuplestone::sort {
namespace {

using tuple::Value;

// Rows (key, number): the number says where in the input a row stood.
class SorterTest : public ::testing::Test {
 protected:
  SorterTest()
      : schema_(*tuple::Schema::Make({tuple::Type::kInt4, tuple::Type::kInt8})),
        order_(*tuple::Order::Make(schema_, {tuple::SortKey{}})) {}

  static Options Small(Layout layout) {
    Options options;
    options.layout = layout;
    options.budget_bytes = 8 << 10;
    options.limits.block_bytes = 128;
    options.limits.array_entries = 16;
    options.limits.order_min = 3;
    options.limits.order_max = 3;
    options.limits.tuple_block_initial_bytes = 1024;
    options.limits.tuple_block_max_bytes = 2048;
    return options;
  }

  void Put(Sorter& sorter, int64_t count, int32_t keys) {
    for (int64_t i = 0; i < count; ++i) {
      const auto key = static_cast<int32_t>(i * 7919 % keys);
      ASSERT_TRUE(sorter.Put({Value::Int4(key), Value::Int8(i)}).ok());
    }
  }
  // Keys ascend, and numbers where keys are equal.
  void ExpectSorted(Sorter& sorter, int64_t count) {
    std::pair<int64_t, int64_t> last{-1, -1};
    for (int64_t i = 0; i < count; ++i) {
      const auto tuple = sorter.Next();
      ASSERT_TRUE(tuple.ok()) << tuple.status();
      ASSERT_TRUE(*tuple) << "row " << i;
      const std::pair<int64_t, int64_t> row{Column(schema_, *tuple, 0).AsInt(),
                                            Column(schema_, *tuple, 1).AsInt()};
      ASSERT_LT(last, row);
      last = row;
    }
    EXPECT_FALSE(*sorter.Next());
  }

  tuple::Schema schema_;
  tuple::Order order_;
  MemoryBlockStore store_{128};
  MemoryBlockStore large_store_{8192};
};

constexpr Layout kLayouts[] = {Layout::kCompact, Layout::kAllocSet, Layout::kGeneration};

// S4, S5.
TEST_F(SorterTest, SortsInMemory) {
  for (Layout layout : kLayouts) {
    Options options;
    options.layout = layout;
    Sorter sorter(order_, large_store_, options);
    Put(sorter, 3000, 50);
    ASSERT_TRUE(sorter.Sort().ok());
    EXPECT_EQ(sorter.state(), State::kSortedInMemory);
    ExpectSorted(sorter, 3000);
    sorter.Verify();
  }
}

// S1, S2, S3, S7, by Verify.
TEST_F(SorterTest, SortsOnTapesInSeveralPasses) {
  for (Layout layout : kLayouts) {
    MemoryBlockStore store(128);
    Sorter sorter(order_, store, Small(layout));
    Put(sorter, 4000, 300);
    sorter.Verify();
    ASSERT_TRUE(sorter.Sort().ok());
    EXPECT_EQ(sorter.state(), State::kMerging);
    EXPECT_GE(sorter.Stats().passes, 2u);
    sorter.Verify();
    ExpectSorted(sorter, 4000);
    sorter.Verify();
  }
}

// S6.
TEST_F(SorterTest, ABoundKeepsTheFirst) {
  for (Layout layout : kLayouts) {
    Options options;
    options.layout = layout;
    options.bound = 10;
    Sorter sorter(order_, large_store_, options);
    Put(sorter, 3000, 40);
    EXPECT_EQ(sorter.state(), State::kBounded);
    EXPECT_EQ(sorter.Stats().in_memory, 10u);
    sorter.Verify();
    ASSERT_TRUE(sorter.Sort().ok());
    ExpectSorted(sorter, 10);
  }
}

// S9.
TEST_F(SorterTest, MovesBothWays) {
  for (int64_t count : {100, 4000}) {
    MemoryBlockStore store(128);
    Options options = Small(Layout::kCompact);
    options.random_access = true;
    Sorter sorter(order_, store, options);
    Put(sorter, count, 300);
    ASSERT_TRUE(sorter.Sort().ok());
    EXPECT_EQ(sorter.state(), count == 100 ? State::kSortedInMemory : State::kSortedOnTape);
    const int64_t first = Column(schema_, *sorter.Next(), 1).AsInt();
    ASSERT_TRUE(sorter.Mark().ok());
    const int64_t second = Column(schema_, *sorter.Next(), 1).AsInt();
    EXPECT_EQ(Column(schema_, *sorter.Previous(), 1).AsInt(), second);
    EXPECT_EQ(Column(schema_, *sorter.Previous(), 1).AsInt(), first);
    EXPECT_FALSE(*sorter.Previous());
    ASSERT_TRUE(sorter.Restore().ok());
    EXPECT_EQ(Column(schema_, *sorter.Next(), 1).AsInt(), second);
    ASSERT_TRUE(sorter.Rewind().ok());
    ExpectSorted(sorter, count);
    sorter.Verify();
  }
}

// S11.
TEST_F(SorterTest, ResetBeginsAnew) {
  memory::CountingSource source;
  {
    Sorter sorter(order_, store_, Small(Layout::kCompact), source);
    for (int64_t count : {4000, 100, 4000}) {
      Put(sorter, count, 77);
      ASSERT_TRUE(sorter.Sort().ok());
      ExpectSorted(sorter, count);
      sorter.Reset();
      sorter.Verify();
      EXPECT_EQ(source.lent_bytes(), sorter.Stats().tapes.map_bytes);
    }
  }
  EXPECT_EQ(source.lent_bytes(), 0u);
}

// S11.
TEST_F(SorterTest, WithoutMemoryItFailsAndGivesEverythingBack) {
  memory::CountingSource source;
  Sorter sorter(order_, store_, Small(Layout::kAllocSet), source);
  Put(sorter, 300, 77);
  source.FailAt(1);
  absl::Status status;
  while (status.ok()) status = sorter.Put({Value::Int4(1), Value::Int8(2)});
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  sorter.Verify();
  EXPECT_EQ(sorter.Sort(), status);
  EXPECT_EQ(sorter.Next().status(), status);
  sorter.Reset();
  Put(sorter, 1000, 77);
  ASSERT_TRUE(sorter.Sort().ok());
  ExpectSorted(sorter, 1000);
}

TEST_F(SorterTest, TheCallerCancels) {
  for (uint64_t polls : {1, 5, 30, 50}) {
    Options options = Small(Layout::kCompact);
    options.limits.poll_stride = 500;
    uint64_t left = polls;
    options.progress = [&left](const Progress&) { return --left > 0; };
    MemoryBlockStore store(128);
    Sorter sorter(order_, store, options);
    absl::Status status;
    for (int64_t i = 0; i < 4000 && status.ok(); ++i) {
      status = sorter.Put({Value::Int4(static_cast<int32_t>(i * 7919 % 300)), Value::Int8(i)});
    }
    if (status.ok()) status = sorter.Sort();
    while (status.ok()) status = sorter.Next().status();
    EXPECT_EQ(status.code(), absl::StatusCode::kCancelled);
    sorter.Verify();
  }
}

TEST_F(SorterTest, ARowOfAnotherSchemaChangesNothing) {
  Sorter sorter(order_, large_store_, Options());
  Put(sorter, 10, 7);
  EXPECT_EQ(sorter.Put({Value::Int4(1)}).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(sorter.Put({Value::Int4(1), Value::Int4(1)}).code(),
            absl::StatusCode::kInvalidArgument);
  ASSERT_TRUE(sorter.Sort().ok());
  ExpectSorted(sorter, 10);
}

// S10, as far as one place can show it; the suite checks each tuple.
TEST_F(SorterTest, ATupleStaysUntilTheNextCall) {
  Sorter sorter(order_, store_, Small(Layout::kGeneration));
  Put(sorter, 2000, 50);
  ASSERT_TRUE(sorter.Sort().ok());
  const tuple::Tuple tuple = *sorter.Next();
  sorter.Verify();
  EXPECT_EQ(Column(schema_, tuple, 0).AsInt(), 0);
}

// S12.
TEST_F(SorterTest, CallersKeepToTheOrderOfCalls) {
  Sorter sorter(order_, large_store_, Options());
  EXPECT_DEATH((void)sorter.Next(), "S12");
  ASSERT_TRUE(sorter.Sort().ok());
  EXPECT_DEATH((void)sorter.Sort(), "S12");
  EXPECT_DEATH((void)sorter.Previous(), "S12");
  EXPECT_FALSE(*sorter.Next());
}

// S8: what a sort did is what its figures say.
TEST_F(SorterTest, StatsSayWhatWasDone) {
  Sorter sorter(order_, store_, Small(Layout::kCompact));
  Put(sorter, 4000, 300);
  ASSERT_TRUE(sorter.Sort().ok());
  const SortStats stats = sorter.Stats();
  EXPECT_EQ(stats.tuples, 4000u);
  EXPECT_EQ(stats.rows, 4000u);
  EXPECT_EQ(stats.order, 3u);
  EXPECT_GT(stats.runs, 9u);
  EXPECT_LE(stats.charged_peak, Small(Layout::kCompact).budget_bytes + 32 + 3 * 128);
}

}  // namespace
}  // namespace tuplestone::sort
