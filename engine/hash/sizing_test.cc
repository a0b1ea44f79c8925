#include "engine/hash/sizing.h"

#include <gtest/gtest.h>

#include "engine/memory/block_size_rule.h"

namespace tuplestone::hash {
namespace {

TEST(SizingTest, AnEntryIsItsFourParts) {
  EXPECT_EQ(EntryEstimate(Layout::kCompact, 0, 24, 0), 32u);
  EXPECT_EQ(EntryEstimate(Layout::kCompact, 1, 17, 33), 8u + 8 + 24 + 64);
  EXPECT_EQ(EntryEstimate(Layout::kInFront, 16, 24, 64), 16u + 16 + 24 + 64);
  EXPECT_EQ(EntryEstimate(Layout::kSeparate, 12, 24, 65), 24u + 16 + 24 + 128);
}

// Transition bytes are counted in size_t: 2^40 is more than a 32-bit logarithm would keep.
TEST(SizingTest, EstimatesDoNotWrap) {
  constexpr size_t kLarge = size_t{1} << 40;
  EXPECT_EQ(EntryEstimate(Layout::kCompact, 0, 0, kLarge + 1), 8 + 2 * kLarge);
  EXPECT_EQ(EntryEstimate(Layout::kCompact, SIZE_MAX, 0, 0), SIZE_MAX);
  EXPECT_EQ(EntryEstimate(Layout::kCompact, 0, SIZE_MAX - 3, 0), SIZE_MAX);
  EXPECT_EQ(EntryEstimate(Layout::kCompact, SIZE_MAX / 2, SIZE_MAX / 2, SIZE_MAX), SIZE_MAX);
  EXPECT_EQ(NextPowerOfTwo((SIZE_MAX >> 1) + 2), SIZE_MAX);
  EXPECT_EQ(NextPowerOfTwo((SIZE_MAX >> 1) + 1), (SIZE_MAX >> 1) + 1);
  EXPECT_EQ(NextPowerOfTwo(0), 0u);
}

TEST(SizingTest, OneBucketStaysEmpty) {
  for (uint32_t load : {10u, 50u, 70u, 95u}) {
    const TableLimits limits{.load_percent = load};
    for (uint64_t buckets = 2; buckets <= uint64_t{1} << 32; buckets *= 2) {
      EXPECT_LT(MembersMax(buckets, limits), buckets);
      EXPECT_GE(MembersMax(buckets, limits), 1u);
    }
  }
  EXPECT_EQ(MembersMax(uint64_t{1} << 32, {.load_percent = 50}), uint64_t{1} << 31);
}

TEST(SizingTest, TheFirstArrayHoldsWhatIsExpected) {
  const TableLimits limits{.buckets_min = 16, .buckets_max = 1024, .load_percent = 70};
  EXPECT_EQ(BucketsFor(0, limits), 16u);
  EXPECT_EQ(BucketsFor(11, limits), 16u);
  EXPECT_EQ(BucketsFor(12, limits), 32u);
  EXPECT_EQ(BucketsFor(uint64_t{1} << 40, limits), 1024u);
}

// The limit is shared between groups and the buffers of partitions, one of which is read from.
TEST(SizingTest, PartitionsLeaveMostOfTheLimitToGroups) {
  constexpr size_t kBlock = 8192;
  const AggregationLimits limits{.partitions_min = 2, .partitions_max = 1024};
  for (size_t limit = 0; limit < size_t{1} << 30; limit = limit * 2 + 4096) {
    const LevelPlan plan = PlanLevel(limit, 48, 0, kBlock, limits);
    EXPECT_TRUE(std::has_single_bit(plan.partitions));
    EXPECT_GE(plan.partitions, 2u);
    EXPECT_LE(plan.partitions, 1024u);
    EXPECT_LE(plan.groups_bytes, limit);
    if (limit >= 12 * kBlock) {
      EXPECT_GE(plan.groups_bytes, limit / 100 * 75);
    }
  }
}

TEST(SizingTest, KnownGroupsNeedNoMorePartitionsThanHoldThem) {
  const AggregationLimits limits{.partitions_min = 2, .partitions_max = 1024};
  constexpr size_t kLimit = size_t{64} << 20;
  EXPECT_EQ(PlanLevel(kLimit, 64, 1, 8192, limits).partitions, 2u);
  EXPECT_EQ(PlanLevel(kLimit, 64, 10 * (kLimit / 64), 8192, limits).partitions, 16u);
  EXPECT_EQ(PlanLevel(kLimit, 64, UINT64_MAX, 8192, limits).partitions, 1024u);
}

// H7. The exhaustive comparison with the loop is in engine/memory.
TEST(SizingTest, BlocksAreASixteenthOfTheLimitWithinBounds) {
  EXPECT_EQ(memory::BlockBytesMax(64), 8u << 10);
  EXPECT_EQ(memory::BlockBytesMax(4 << 10), 256u << 10);
  EXPECT_EQ(memory::BlockBytesMax(128 << 10), 8u << 20);
  EXPECT_EQ(memory::BlockBytesMax((size_t{1} << 31) - 1), 8u << 20);
}

}  // namespace
}  // namespace tuplestone::hash
