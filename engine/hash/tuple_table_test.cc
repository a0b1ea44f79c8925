#include "engine/hash/tuple_table.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <limits>
#include <set>

#include "engine/hash/sizing.h"
#include "engine/hash/table_for_test.h"

namespace tuplestone::hash {
namespace {

using tuple::Tuple;
using tuple::Type;
using tuple::Value;

class TupleTableTest : public testing::TestWithParam<Layout> {
 protected:
  static TableOptions Options() { return {.layout = GetParam(), .additional_bytes = 12}; }
};

std::set<int64_t> Visit(TupleTable& table, const std::set<int64_t>& erased = {}) {
  std::set<int64_t> seen;
  TupleTable::Iterator it(table);
  while (const Member member = it.Next()) {
    const int64_t value = tuple::Column(table.hasher().schema(), member.tuple, 0).AsInt();
    EXPECT_TRUE(seen.insert(value).second) << value << " twice";
    if (erased.contains(value)) it.EraseCurrent();
  }
  return seen;
}

// H1, H3
TEST_P(TupleTableTest, MembersAndTheirAdditionalBytesSurviveGrowth) {
  TableForTest t(Options());
  for (int64_t i = 0; i < 1000; ++i) {
    const Member member = t.Insert(i);
    ASSERT_TRUE(member.is_new);
    std::byte* additional = t.table->Additional(member);
    EXPECT_TRUE(IsAligned(additional, kMaxAlign));
    for (size_t b = 0; b < 16; ++b) ASSERT_EQ(additional[b], std::byte{0});
    std::memcpy(additional, &i, sizeof(i));
  }
  t.table->Verify();
  EXPECT_GT(t.table->Stats().growths, 3u);
  for (int64_t i = 0; i < 1000; ++i) {
    const Member member = t.Find(i);
    ASSERT_TRUE(member);
    EXPECT_EQ(std::memcmp(t.table->Additional(member), &i, sizeof(i)), 0);
    EXPECT_FALSE(t.Insert(i).is_new);
  }
  EXPECT_FALSE(t.Find(1000));
  EXPECT_EQ(t.table->members(), 1000u);
}

// H3
TEST_P(TupleTableTest, TheTupleFollowsItsAdditionalBytesInTheSamePiece) {
  TableForTest t(Options());
  const Member member = t.Insert(1);
  if (GetParam() == Layout::kSeparate) return;
  EXPECT_EQ(member.tuple.data() - t.table->Additional(member), 16);
  EXPECT_EQ(t.tuples().account().live_chunks, 1u);
}

// H4
TEST_P(TupleTableTest, IterationVisitsEachOnceWhileDeletingEveryOther) {
  TableOptions options = Options();
  for (uint32_t mask : {0u, 1u, 3u, 0xfu, ~0u}) {
    options.hash_mask = mask;
    TableForTest t(options);
    std::set<int64_t> all;
    std::set<int64_t> even;
    for (int64_t i = 0; i < 10; ++i) {
      t.Insert(i);
      all.insert(i);
      if (i % 2 == 0) even.insert(i);
    }
    EXPECT_EQ(Visit(*t.table, even), all);
    t.table->Verify();
    EXPECT_EQ(t.table->members(), 5u);
    EXPECT_EQ(Visit(*t.table).size(), 5u);
    EXPECT_EQ(Visit(*t.table, all).size(), 5u);
    EXPECT_EQ(t.table->members(), 0u);
  }
}

// H5: every request of a run of insertions fails once; the table is as it was, and goes on.
TEST_P(TupleTableTest, AFailedRequestLeavesTheTableAsItWas) {
  for (size_t fail = 0; fail < 40; ++fail) {
    TableForTest t(Options());
    t.source.FailAt(fail + 1);
    for (int64_t i = 0; i < 2000; ++i) {
      const Tuple row = t.Row(i);
      if (!row) continue;
      const TableStats before = t.table->Stats();
      const memory::Account buckets = t.buckets().account();
      if (t.table->FindOrInsert(row)) continue;
      EXPECT_EQ(t.table->Stats().members, before.members);
      EXPECT_EQ(t.table->Stats().buckets, before.buckets);
      EXPECT_EQ(t.buckets().account().live, buckets.live);
      EXPECT_FALSE(t.table->Find(row));
      t.table->Verify();
      EXPECT_TRUE(t.table->FindOrInsert(row));
    }
    t.table->Verify();
    t.source.FailAt(0);
  }
}

TEST_P(TupleTableTest, ResetKeepsTheBuckets) {
  TableForTest t(Options());
  for (int64_t i = 0; i < 100; ++i) t.Insert(i);
  const TableStats before = t.table->Stats();
  const size_t held = t.buckets().held_bytes();
  ASSERT_TRUE(t.table->Reset().ok());
  EXPECT_EQ(t.table->members(), 0u);
  EXPECT_EQ(t.table->Stats().buckets, before.buckets);
  EXPECT_EQ(t.buckets().held_bytes(), held);
  EXPECT_TRUE(t.tuples().IsEmpty());
  EXPECT_FALSE(t.Find(1));
  for (int round = 0; round < 3; ++round) {
    for (int64_t i = 0; i < 100; ++i) t.Insert(i);
    t.table->Verify();
    ASSERT_TRUE(t.table->Reset().ok());
    EXPECT_EQ(t.buckets().held_bytes(), held);
  }
}

// H6
TEST_P(TupleTableTest, EqualHashesDoNotMakeItGrow) {
  TableOptions options = Options();
  options.hash_mask = 0;
  options.limits.probe_max = 8;
  TableForTest t(options);
  for (int64_t i = 0; i < 9; ++i) t.Insert(i);
  EXPECT_FALSE(t.table->IsCrowded());
  t.Insert(9);
  EXPECT_TRUE(t.table->IsCrowded());
  for (int64_t i = 10; i < 200; ++i) t.Insert(i);
  EXPECT_EQ(t.table->Stats().buckets, BucketsFor(200, options.limits));
  t.table->Verify();
}

INSTANTIATE_TEST_SUITE_P(Layouts, TupleTableTest,
                         testing::Values(Layout::kCompact, Layout::kInFront, Layout::kSeparate));

// H2
TEST(TupleTable, EqualFloatsAndNullsAreOneMember) {
  TableForTest t({}, MakeSchema({Type::kFloat8}));
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(t.table->FindOrInsert(t.Row({Value::Float8(0.0)})).is_new);
  EXPECT_FALSE(t.table->FindOrInsert(t.Row({Value::Float8(-0.0)})).is_new);
  EXPECT_TRUE(t.table->FindOrInsert(t.Row({Value::Float8(kNaN)})).is_new);
  EXPECT_FALSE(t.table->FindOrInsert(t.Row({Value::Float8(-kNaN)})).is_new);
  EXPECT_TRUE(t.table->FindOrInsert(t.Row(std::vector<Value>{Value::Null()})).is_new);
  EXPECT_FALSE(t.table->FindOrInsert(t.Row(std::vector<Value>{Value::Null()})).is_new);
}

TEST(TupleTable, OnlyTheKeyColumnsDecide) {
  TableForTest t({}, MakeSchema({Type::kText, Type::kInt4}), {1});
  EXPECT_TRUE(t.table->FindOrInsert(t.Row({Value::Text("a"), Value::Int4(1)})).is_new);
  const Member found = t.table->FindOrInsert(t.Row({Value::Text("b"), Value::Int4(1)}));
  EXPECT_FALSE(found.is_new);
  EXPECT_EQ(tuple::ToString(t.table->hasher().schema(), found.tuple), "('a', 1)");
}

// A row that is minimal already is looked up without a byte being obtained; a new one takes one
// piece of its own size.
TEST(TupleTable, LookupCopiesNothingAndInsertionOnce) {
  TableForTest t({.additional_bytes = 8});
  t.Insert(1);
  const Tuple row = t.Row(1);
  const memory::Account tuples = t.tuples().account();
  const memory::Account buckets = t.buckets().account();
  EXPECT_TRUE(t.table->Find(row));
  EXPECT_TRUE(t.table->FindOrInsert(row));
  EXPECT_EQ(t.tuples().account(), tuples);
  EXPECT_EQ(t.buckets().account(), buckets);
  const std::vector<Value> values = {Value::Int8(2)};
  EXPECT_TRUE(t.table->FindOrInsert(absl::MakeConstSpan(values)).is_new);
  EXPECT_EQ(t.tuples().account().live, tuples.live + 8 + 24);
  EXPECT_EQ(t.buckets().account(), buckets);
}

// What history did makes no other table.
TEST(TupleTable, CopiesInBetweenChangeNothing) {
  TableForTest t({.additional_bytes = 8, .copies_minimal = true, .forms_elsewhere = true});
  const std::vector<Value> values = {Value::Int8(2)};
  t.Insert(1);
  EXPECT_TRUE(t.table->FindOrInsert(absl::MakeConstSpan(values)).is_new);
  EXPECT_TRUE(t.Find(1));
  EXPECT_TRUE(t.Find(2));
  t.table->Verify();
  EXPECT_EQ(t.buckets().account().live_chunks, 1u);
}

TEST(TupleTable, ABatchIsItsLookupsOneAfterTheOther) {
  TableForTest t({.additional_bytes = 8, .hash_mask = 3});
  for (int64_t i = 0; i < 20; i += 2) t.Insert(i);
  std::array<Tuple, kBatchMax> rows;
  std::array<Member, kBatchMax> members;
  for (size_t i = 0; i < kBatchMax; ++i) rows[i] = t.Row(static_cast<int64_t>(i));
  t.table->FindBatch(rows, absl::MakeSpan(members));
  for (size_t i = 0; i < kBatchMax; ++i) EXPECT_EQ(static_cast<bool>(members[i]), i % 2 == 0);
  rows[2] = rows[1];  // twice in a batch, and new
  t.table->FindOrInsertBatch(rows, absl::MakeSpan(members));
  EXPECT_TRUE(members[1].is_new);
  EXPECT_FALSE(members[2].is_new);
  EXPECT_EQ(members[1].tuple.data(), members[2].tuple.data());
  t.table->Verify();
}

TEST(TupleTable, AFullTableRefusesInsertions) {
  TableForTest t({.limits = {.buckets_min = 2, .buckets_max = 4, .load_percent = 95}});
  for (int64_t i = 0; i < 3; ++i) EXPECT_TRUE(t.Insert(i));
  EXPECT_EQ(t.table->GrowthBytes(), SIZE_MAX);
  EXPECT_FALSE(t.Insert(3));
  EXPECT_TRUE(t.Insert(2));
  t.table->Verify();
}

// H11: emptying one table of a shared space would leave the others without their tuples.
TEST(TupleTable, TablesOfOneSpaceAreResetTogetherOrNotAtAll) {
  TableForTest t;
  t.Insert(1);
  {
    TupleTable other(MakeHasher(MakeSchema({Type::kInt8}), {0}), t.space, t.buckets());
    other.FindOrInsert(t.Row(2));
    EXPECT_EQ(t.table->Reset().code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_TRUE(t.Find(1));
    EXPECT_TRUE(other.Find(t.Row(2)));
    t.space.Reset();
    EXPECT_EQ(t.table->members(), 0u);
    EXPECT_EQ(other.members(), 0u);
  }
  EXPECT_TRUE(t.table->Reset().ok());
}

using TupleTableDeathTest = testing::Test;

TEST(TupleTableDeathTest, AdditionalBytesThatAreNotThereAreNotReached) {
  TableForTest t;
  const Member member = t.Insert(1);
  EXPECT_DEATH(t.table->Additional(member), "H11");
}

TEST(TupleTableDeathTest, AnIterationDoesNotOutliveAnInsertion) {
  TableForTest t;
  t.Insert(1);
  TupleTable::Iterator it(*t.table);
  t.Insert(2);
  EXPECT_DEATH(it.Next(), "H11");
}

TEST(TupleTableDeathTest, BucketsNeedAContextThatFrees) {
  TableForTest t;
  EXPECT_DEATH(TupleTable(t.table->hasher(), t.space, t.tuples()), "H11");
}

}  // namespace
}  // namespace tuplestone::hash
