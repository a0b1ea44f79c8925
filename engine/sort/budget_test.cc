#include "engine/sort/budget.h"

#include <gtest/gtest.h>

#include "engine/sort/invariants.h"

namespace tuplestone::sort {
namespace {

constexpr ArrayCost kWide{24, 16};
constexpr Limits kLimits;

// S1.
TEST(Budget, BeginsWithTheFirstArrayCharged) {
  Budget budget(64 << 20, kWide, kLimits);
  EXPECT_EQ(budget.charged(), 24'592u);
  budget.ChargeTuple(80);
  EXPECT_EQ(budget.charged(), 24'672u);
  budget.Begin();
  EXPECT_EQ(budget.charged(), 24'592u);
}

TEST(Budget, DoublesTheArrayWhileNoMoreIsUsedThanAvailable) {
  Budget budget(100'000, kWide, kLimits);
  budget.ChargeTuple(50'000 - 24'592);
  EXPECT_EQ(budget.NextArray(), 2048u);
}

// B06: the product of entries and budget passes 32 bits.
TEST(Budget, GrowsALastTimeInProportion) {
  Limits limits;
  limits.array_entries = 1 << 20;
  Budget budget(size_t{1} << 40, kWide, limits);
  budget.ChargeTuple(size_t{700'000'000'000});
  const size_t used = budget.charged();
  const size_t next = budget.NextArray();
  EXPECT_EQ(next, static_cast<size_t>((1 << 20) * (1099511627776.0 / static_cast<double>(used))));
  EXPECT_EQ(budget.NextArray(), 0u);
}

TEST(Budget, RefusesAnArrayThatDoesNotFit) {
  Budget budget(30'000, kWide, kLimits);
  budget.ChargeTuple(10'000);
  EXPECT_EQ(budget.NextArray(), 0u);
  EXPECT_EQ(budget.charged(), 34'592u);
}

// At PostgreSQL's smallest work_mem the tapes and the array would be more than all.
TEST(Budget, ChargesTapesOnlyWhereSomethingIsLeft) {
  Budget small(64 << 10, kWide, kLimits);
  EXPECT_FALSE(small.ChargeTapes(6));
  EXPECT_EQ(small.charged(), 24'592u);
  Budget large(64 << 20, kWide, kLimits);
  EXPECT_TRUE(large.ChargeTapes(240));
  EXPECT_EQ(large.charged(), 24'592u + 240 * 8192);
}

// S2.
TEST(Budget, OwesNothingOfTheRunsInAMerge) {
  Budget budget(64 << 20, kWide, kLimits);
  budget.ChargeTuple(1000);
  budget.ChargeTapes(240);
  budget.BeginMerge();
  EXPECT_EQ(budget.charged(), 0u);
  budget.ChargeMerge(70);
  EXPECT_EQ(budget.charged(), 70u);
}

// S12.
TEST(BudgetDeathTest, HasRoomForTheFirstArray) {
  EXPECT_DEATH(Budget(24'591, kWide, kLimits), "S12");
}

}  // namespace
}  // namespace tuplestone::sort
