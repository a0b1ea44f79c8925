#include "properties/hash/aggregate_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "properties/hash/aggregate_rows.h"

namespace tuplestone::properties {
namespace {

ModelResult ResultOf(const std::vector<MaybeNumber>& arguments) {
  AggregateModel model;
  for (const MaybeNumber& argument : arguments) model.Add("k", "k", argument);
  return AggregateModel::ResultOf(model.groups().at("k"));
}

TEST(AggregateModel, NullsCountAsRowsOnly) {
  const ModelResult result = ResultOf({std::nullopt, int64_t{5}, std::nullopt, int64_t{-7}});
  EXPECT_EQ(result.rows, 4);
  EXPECT_EQ(result.count, 2);
  EXPECT_EQ(ShowNumber(result.sum), "-2");
  EXPECT_EQ(ShowNumber(result.min), "-7");
  EXPECT_EQ(ShowNumber(result.max), "5");
  EXPECT_EQ(ShowNumber(ResultOf({std::nullopt}).sum), "null");
}

TEST(AggregateModel, SumsOverflowOnTheWay) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  EXPECT_TRUE(ResultOf({kMax, int64_t{1}, int64_t{-1}}).overflows);
  EXPECT_FALSE(ResultOf({kMax, int64_t{-1}, int64_t{1}}).overflows);
  constexpr double kLargest = std::numeric_limits<double>::max();
  EXPECT_TRUE(ResultOf({kLargest, kLargest}).overflows);
  EXPECT_FALSE(ResultOf({std::numeric_limits<double>::infinity(), 1.0}).overflows);
}

TEST(AggregateModel, NanIsTheLargest) {
  const ModelResult result = ResultOf({1.0, std::nan(""), -2.0});
  EXPECT_TRUE(SameNumber(result.max, std::nan("")));
  EXPECT_TRUE(SameNumber(result.min, -2.0));
  EXPECT_FALSE(SameNumber(0.0, -0.0));
}

TEST(AggregateRowMaker, KeysAreEqualWhereGroupingSaysSo) {
  AggregateRowMaker mixed(AggregateRows::kMixed);
  EXPECT_EQ(mixed.Row(4, 1).key, mixed.Row(5, 2).key);
  EXPECT_NE(mixed.Row(4, 1).spelt, mixed.Row(5, 1).spelt);
  EXPECT_NE(mixed.Row(4, 1).key, mixed.Row(6, 1).key);
}

}  // namespace
}  // namespace tuplestone::properties
