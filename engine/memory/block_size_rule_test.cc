#include "engine/memory/block_size_rule.h"

#include <gtest/gtest.h>

#include "engine/memory/historical_block_size.h"

namespace tuplestone::memory {
namespace {

TEST(BlockSizeRule, FollowsTheLimitBetweenItsBounds) {
  EXPECT_EQ(BlockBytesMax(0), 8u << 10);
  EXPECT_EQ(BlockBytesMax(64), 8u << 10);
  EXPECT_EQ(BlockBytesMax(255), 8u << 10);
  EXPECT_EQ(BlockBytesMax(256), 16u << 10);
  EXPECT_EQ(BlockBytesMax(4096), 256u << 10);
  EXPECT_EQ(BlockBytesMax((128 << 10) - 1), 4u << 20);
  EXPECT_EQ(BlockBytesMax(128 << 10), 8u << 20);
  EXPECT_EQ(BlockBytesMax((size_t{1} << 31) - 1), 8u << 20);
}

// Every limit at which either side may change, and its neighbours. The exhaustive test has the
// rest.
TEST(BlockSizeRule, EqualsTheHistoricalLoopAroundEveryPowerOfTwo) {
  for (int bit = 0; bit < 31; ++bit) {
    for (const int64_t kb : {(int64_t{1} << bit) - 1, int64_t{1} << bit, (int64_t{1} << bit) + 1}) {
      ASSERT_EQ(BlockBytesMax(static_cast<size_t>(kb)), HistoricalBlockBytesMax(kb)) << kb;
    }
  }
}

}  // namespace
}  // namespace tuplestone::memory
