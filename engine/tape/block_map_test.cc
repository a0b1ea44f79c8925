#include "engine/tape/block_map.h"

#include <gtest/gtest.h>

#include <vector>

#include "engine/tape/invariants.h"

namespace tuplestone::tape {
namespace {

std::vector<uint32_t> TakeMany(BlockMap& map, size_t count) {
  std::vector<uint32_t> taken;
  for (size_t i = 0; i < count; ++i) {
    const auto block = map.Take();
    EXPECT_TRUE(block.ok()) << block.status();
    taken.push_back(*block);
  }
  return taken;
}

TEST(BlockMap, TakesTheLowestFreeBlockFirst) {  // T4
  BlockMap map(SystemBlockSource(), {.map_blocks = 1});
  EXPECT_EQ(TakeMany(map, 4), (std::vector<uint32_t>{0, 1, 2, 3}));
  for (uint32_t block : {2u, 0u, 3u}) map.Release(block);
  map.Verify();
  EXPECT_EQ(TakeMany(map, 4), (std::vector<uint32_t>{0, 2, 3, 4}));
  map.Verify();
  EXPECT_EQ(map.high_water(), 5u);
  EXPECT_EQ(map.free_count(), 0u);
}

// Over the edges of a word of bits (64) and of a word of words (4096).
TEST(BlockMap, FindsTheLowestAcrossWords) {  // T4
  BlockMap map(SystemBlockSource(), {});
  TakeMany(map, 10000);
  for (uint32_t block : {9999u, 4096u, 4095u, 64u, 63u}) map.Release(block);
  map.Verify();
  EXPECT_EQ(TakeMany(map, 3), (std::vector<uint32_t>{63, 64, 4095}));
  map.Release(8191);
  map.Release(5);
  map.Verify();
  EXPECT_EQ(TakeMany(map, 5), (std::vector<uint32_t>{5, 4096, 8191, 9999, 10000}));
  map.Verify();
}

TEST(BlockMap, LinksOutliveGrowth) {  // T1
  BlockMap map(SystemBlockSource(), {.map_blocks = 2});
  TakeMany(map, 2);
  map.SetNext(0, 1);
  map.Release(1);
  TakeMany(map, 500);
  EXPECT_EQ(map.Next(0), 1u);
  EXPECT_EQ(map.Next(1), kNoBlock);
  map.Verify();
}

TEST(BlockMap, RefusesMoreThanItsLimitAndThenGoesOn) {  // T1
  BlockMap map(SystemBlockSource(), {.blocks_max = 3, .map_blocks = 2});
  TakeMany(map, 3);
  EXPECT_EQ(map.Take().status().code(), absl::StatusCode::kResourceExhausted);
  map.Release(1);
  EXPECT_EQ(TakeMany(map, 1), (std::vector<uint32_t>{1}));
  EXPECT_FALSE(map.Take().ok());
  map.Verify();
}

TEST(BlockMapDeathTest, ABlockIsReleasedOnce) {  // T1
  BlockMap map(SystemBlockSource(), {});
  TakeMany(map, 2);
  map.Release(1);
  EXPECT_DEATH(map.Release(1), "T1 broken");
  EXPECT_DEATH(map.Release(2), "T1 broken");
  EXPECT_DEATH((void)map.Next(1), "T1 broken");
}

}  // namespace
}  // namespace tuplestone::tape
