#include "properties/hash/table_model.h"

#include <gtest/gtest.h>

#include "properties/hash/table_rows.h"

namespace tuplestone::properties {
namespace {

TEST(TableModel, BucketsDoubleWhenTheLoadIsReached) {
  TableModel model({.buckets_min = 2, .buckets_max = 8, .load_percent = 50});
  EXPECT_EQ(model.buckets(), 0u);
  model.Insert("a", {});
  EXPECT_EQ(model.buckets(), 2u);
  model.Insert("b", {});
  model.Insert("c", {});
  EXPECT_EQ(model.buckets(), 8u);
  model.Insert("d", {});
  EXPECT_FALSE(model.HasRoom());
  model.Erase("a");
  EXPECT_TRUE(model.HasRoom());
  EXPECT_EQ(model.most(), 4u);
}

TEST(TableRowMaker, KeysAreEqualWhereGroupingSaysSo) {
  TableRowMaker floats(TableRows::kFloat8);
  EXPECT_EQ(floats.Row(0).key, floats.Row(1).key);
  EXPECT_EQ(floats.Row(2).key, floats.Row(3).key);
  EXPECT_NE(floats.Row(0).key, floats.Row(4).key);
  TableRowMaker middle(TableRows::kKeyInTheMiddle);
  EXPECT_EQ(middle.Row(10).key, middle.Row(11).key);
  EXPECT_NE(middle.Row(10).text, middle.Row(11).text);
  TableRowMaker ints(TableRows::kInt8);
  EXPECT_EQ(ints.Row(7).text, "(null)");
}

}  // namespace
}  // namespace tuplestone::properties
