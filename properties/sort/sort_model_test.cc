// The model alone, against figures from elsewhere: those of the thread.
#include "properties/sort/sort_model.h"

#include <gtest/gtest.h>

#include <limits>

namespace tuplestone::properties {
namespace {

constexpr uint64_t kThreadRows = 140'247'142;

SortSettings Megabytes(uint64_t megabytes, sort::Layout layout) {
  SortSettings settings;
  settings.budget_bytes = megabytes << 20;
  settings.layout = layout;
  return settings;
}

void ExpectForecast(sort::Layout layout, uint64_t tuple_bytes, uint64_t first, uint64_t later,
                    uint64_t runs, uint64_t passes) {
  const SortForecast forecast = ForecastSort(Megabytes(64, layout), kThreadRows, tuple_bytes);
  EXPECT_EQ(forecast.first_run, first);
  EXPECT_EQ(forecast.later_run, later);
  EXPECT_EQ(forecast.runs, runs);
  EXPECT_EQ(forecast.order, 240u);
  EXPECT_EQ(forecast.merges.passes, passes);
}

// S8: the four cases of the thread.
TEST(SortModel, ForecastsWhatTheThreadMeasured) {
  ExpectForecast(sort::Layout::kAllocSet, 64, 645'277, 620'702, 226, 0);
  ExpectForecast(sort::Layout::kGeneration, 64, 599'186, 576'845, 244, 1);
  ExpectForecast(sort::Layout::kAllocSet, 72, 399'457, 385'805, 364, 1);
  ExpectForecast(sort::Layout::kGeneration, 72, 559'240, 538'761, 261, 1);
}

TEST(SortModel, CompactMakesAtMost174Runs) {
  ExpectForecast(sort::Layout::kCompact, 64, 838'860, 808'142, 174, 0);
}

TEST(SortModel, CompactNeverHoldsFewerTuplesARun) {
  for (uint64_t megabytes : {4, 64, 512}) {
    for (uint64_t bytes = 24; bytes <= 1100; bytes += 8) {
      const auto forecast = [&](sort::Layout layout) {
        return ForecastSort(Megabytes(megabytes, layout), 20'000'000, bytes);
      };
      const SortForecast compact = forecast(sort::Layout::kCompact);
      if (bytes % 40 != 24 && megabytes > 4) continue;
      for (sort::Layout layout : {sort::Layout::kAllocSet, sort::Layout::kGeneration}) {
        const SortForecast historical = forecast(layout);
        EXPECT_GE(compact.first_run, historical.first_run) << bytes;
        if (compact.runs > 2) {
          EXPECT_GE(compact.later_run, historical.later_run) << bytes;
        }
      }
    }
  }
}

TEST(SortModel, AMergePlaysThroughItsTapes) {
  SortSettings settings;
  settings.limits.block_bytes = 116;  // payload 100
  const std::vector<SortModelRun> runs(7, SortModelRun{1, 104});
  const MergeForecast on_the_fly = ForecastMerges(settings, 3, runs);
  // Tapes of 3, 2 and 2 runs; then 3 runs of 3, 3 and 1 old ones on a tape each.
  EXPECT_EQ(on_the_fly.passes, 1u);
  EXPECT_EQ(on_the_fly.bytes, 7u * 104 + 7 * 100 + 3 * 4);
  EXPECT_EQ(on_the_fly.blocks, 4u + 3 + 3 + 4 + 4 + 2);
  settings.random_access = true;
  EXPECT_EQ(ForecastMerges(settings, 3, runs).passes, 2u);
}

TEST(SortModel, ComparesAsTheTypesDo) {
  SortValue nan{SortValue::Kind::kFloat, 0, std::numeric_limits<double>::quiet_NaN(), ""};
  SortValue zero{SortValue::Kind::kFloat, 0, 0.0, ""};
  SortValue minus_zero{SortValue::Kind::kFloat, 0, -0.0, ""};
  SortValue null;
  EXPECT_GT(CompareSortValues(nan, zero, {}), 0);
  EXPECT_EQ(CompareSortValues(nan, nan, {}), 0);
  EXPECT_EQ(CompareSortValues(zero, minus_zero, {}), 0);
  EXPECT_GT(CompareSortValues(null, nan, {}), 0);
  EXPECT_LT(CompareSortValues(null, nan, {0, true, true}), 0);
  EXPECT_LT(CompareSortValues(nan, zero, {0, true, false}), 0);
}

}  // namespace
}  // namespace tuplestone::properties
