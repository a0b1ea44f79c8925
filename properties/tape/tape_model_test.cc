// The model alone, on cases small enough to be checked by eye. T1, T2, T4, T6.
#include "properties/tape/tape_model.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace tuplestone::properties {
namespace {

using BlockList = std::vector<uint32_t>;

TapeModel Small() { return TapeModel({.block_bytes = tape::kTrailerBytes + 4, .blocks_max = 5}); }

TEST(TapeModel, TakesABlockWhenTheNextByteDoesNotFit) {
  TapeModel model = Small();
  model.Create(0);
  EXPECT_EQ(model.tape(0).blocks, BlockList{});
  model.Write(0, "abcd");
  EXPECT_EQ(model.tape(0).blocks, BlockList{0});
  EXPECT_EQ(model.blocks_written(), 0u);
  model.Write(0, "e");
  EXPECT_EQ(model.tape(0).blocks, (BlockList{0, 1}));
  EXPECT_EQ(model.blocks_written(), 1u);
  model.Rewind(0);
  EXPECT_EQ(model.blocks_written(), 2u);
}

TEST(TapeModel, FreesABlockWithItsFirstByteAndTakesTheLowest) {
  TapeModel model = Small();
  model.Create(0);
  model.Create(1);
  model.Write(0, "abcdefgh");
  model.Rewind(0);
  EXPECT_EQ(model.Read(0, 1), "a");
  EXPECT_EQ(model.free(), std::set<uint32_t>{0});
  model.Write(1, "xyz");
  EXPECT_EQ(model.tape(1).blocks, BlockList{0});
  EXPECT_EQ(model.Read(0, 100), "bcdefgh");
  EXPECT_EQ(model.Read(0, 100), "");
  EXPECT_EQ(model.free(), std::set<uint32_t>{1});
  model.Close(1);
  EXPECT_EQ(model.free(), (std::set<uint32_t>{0, 1}));
  EXPECT_EQ(model.high_water(), 2u);
}

TEST(TapeModel, FrozenTapesKeepTheirBlocksAndGoBack) {
  TapeModel model = Small();
  model.Create(0);
  model.Write(0, "abcdefgh");
  model.Freeze(0);
  EXPECT_EQ(model.Read(0, 6), "abcdef");
  EXPECT_EQ(model.Backspace(0, 4), 4u);
  EXPECT_EQ(model.Read(0, 3), "cde");
  EXPECT_EQ(model.Backspace(0, 100), 5u);
  EXPECT_EQ(model.tape(0).blocks, (BlockList{0, 1}));
}

TEST(TapeModel, KnowsHowMuchFits) {
  TapeModel model = Small();
  model.Create(0);
  EXPECT_TRUE(model.HasRoom(0, 20));
  EXPECT_FALSE(model.HasRoom(0, 21));
  model.Write(0, "ab");
  EXPECT_TRUE(model.HasRoom(0, 18));
  EXPECT_FALSE(model.HasRoom(0, 19));
}

TEST(TapeModel, AFailureMayNotLoseOrMakeBlocks) {
  TapeModel model = Small();
  model.Create(0);
  model.Write(0, "abcdefgh");
  EXPECT_TRUE(TapeModel(model).Fail(0, {0, 1, 2}, {}, 3, 2));
  EXPECT_FALSE(TapeModel(model).Fail(0, {0, 2}, {}, 3, 2));   // 1 is lost
  EXPECT_FALSE(TapeModel(model).Fail(0, {0, 1}, {1}, 2, 1));  // 1 has two owners
  EXPECT_FALSE(TapeModel(model).Fail(0, {0, 1}, {}, 2, 3));   // written from nowhere
  EXPECT_TRUE(TapeModel(model).Fail(0, {1}, {0}, 2, 1));
}

}  // namespace
}  // namespace tuplestone::properties
