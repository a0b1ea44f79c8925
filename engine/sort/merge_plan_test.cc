#include "engine/sort/merge_plan.h"

#include <gtest/gtest.h>

namespace tuplestone::sort {
namespace {

constexpr Limits kLimits;

TEST(MergePlan, TheOrderIsPostgreSqls) {
  EXPECT_EQ(MergeOrder(64 << 10, kLimits), 6u);
  EXPECT_EQ(MergeOrder(4 << 20, kLimits), 15u);
  EXPECT_EQ(MergeOrder(64 << 20, kLimits), 240u);
  EXPECT_EQ(MergeOrder(256 << 20, kLimits), 500u);
}

// S7: 217 -> 37 -> 7 -> 2, then the last merge.
TEST(MergePlan, EachPassLeavesFewerRuns) {
  EXPECT_EQ(RunsAfterPass(217, 6), 37u);
  EXPECT_EQ(RunsAfterPass(37, 6), 7u);
  EXPECT_EQ(RunsAfterPass(7, 6), 2u);
  EXPECT_EQ(RunsAfterPass(2, 6), 1u);
  EXPECT_EQ(PassesFor(217, 6, false), 3u);
  EXPECT_EQ(PassesFor(217, 6, true), 4u);
  EXPECT_EQ(PassesFor(6, 6, false), 0u);
  EXPECT_EQ(PassesFor(1, 6, true), 0u);
}

TEST(MergePlan, TheThreadsCaseIsOnBothSidesOfTheOrder) {
  EXPECT_EQ(PassesFor(226, 240, false), 0u);
  EXPECT_EQ(PassesFor(244, 240, false), 1u);
}

}  // namespace
}  // namespace tuplestone::sort
