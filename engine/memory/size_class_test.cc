#include "engine/memory/size_class.h"

#include <gtest/gtest.h>

#include "engine/memory/block.h"
#include "engine/memory/options.h"

namespace tuplestone::memory {
namespace {

constexpr ClassRule kRules[] = {ClassRule::kSteps, ClassRule::kPowersOfTwo};

// Every size there is.
TEST(SizeClass, EachSizeGetsTheSmallestClassThatHoldsIt) {
  for (const ClassRule rule : kRules) {
    for (size_t bytes = 1; bytes <= kClassBytesMax; ++bytes) {
      const size_t index = ClassIndex(rule, bytes);
      ASSERT_LT(index, kClassCount);
      ASSERT_GE(ClassBytes(rule, index), bytes);
      const size_t first = rule == ClassRule::kSteps ? 1 : 0;
      if (index > first) {
        ASSERT_LT(ClassBytes(rule, index - 1), bytes);
      }
      ASSERT_EQ(ClassIndex(rule, ClassBytes(rule, index)), index);
      ASSERT_EQ(ClassBytes(rule, index) % 8, 0u);
    }
  }
}

TEST(SizeClass, StepsWasteAtMostSevenBytesToAKilobyteAndAnEighthAbove) {
  for (size_t bytes = 1; bytes <= kClassBytesMax; ++bytes) {
    const size_t waste = RoundToClass(ClassRule::kSteps, bytes) - bytes;
    ASSERT_LE(waste, bytes <= kStepBytesMax ? 7 : bytes / 8 + 1) << bytes;
  }
}

TEST(SizeClass, TheHistoricalRuleIsPowersOfTwo) {
  EXPECT_EQ(RoundToClass(ClassRule::kPowersOfTwo, 1), 8u);
  EXPECT_EQ(RoundToClass(ClassRule::kPowersOfTwo, 64), 64u);
  EXPECT_EQ(RoundToClass(ClassRule::kPowersOfTwo, 65), 128u);
  EXPECT_EQ(RoundToClass(ClassRule::kPowersOfTwo, 72), 128u);
  EXPECT_EQ(RoundToClass(ClassRule::kPowersOfTwo, 8192), 8192u);
}

TEST(SizeClass, FloorIsTheLargestClassNotAboveTheSize) {
  for (const ClassRule rule : kRules) {
    for (size_t bytes = 8; bytes <= kClassBytesMax + 100; ++bytes) {
      const size_t floor = FloorToClass(rule, bytes);
      ASSERT_LE(floor, bytes);
      ASSERT_EQ(RoundToClass(rule, floor), floor);
      if (bytes <= kClassBytesMax) {
        ASSERT_GE(RoundToClass(rule, floor + 1), bytes - bytes % 8);
      }
    }
  }
}

// The historical figures: facts A2 and A3 of PostgreSQL's own rule.
TEST(SizeClass, ChunkLimitHalvesUntilAShareOfTheLargestBlock) {
  Options aset = Options::HistoricalAllocSet();
  const auto limit = [](Options& options, size_t block_max) {
    options.limits.block_max_bytes = block_max;
    return ChunkLimit(options.limits, options.layout.header_bytes, kBlockHeaderBytes);
  };
  EXPECT_EQ(limit(aset, 8 << 10), 1024u);
  EXPECT_EQ(limit(aset, 16 << 10), 2048u);
  EXPECT_EQ(limit(aset, 32 << 10), 4096u);
  EXPECT_EQ(limit(aset, 64 << 10), 8192u);
  EXPECT_EQ(limit(aset, 8 << 20), 8192u);
  Options generation = Options::HistoricalGeneration();
  EXPECT_EQ(limit(generation, 8 << 10), 512u);
  EXPECT_EQ(limit(generation, 8 << 20), 524288u);
  Options smallest;
  EXPECT_EQ(limit(smallest, kBlockBytesFloor), 8u);
}

}  // namespace
}  // namespace tuplestone::memory
