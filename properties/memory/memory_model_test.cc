// The model alone, against figures worked out by hand.
#include "properties/memory/memory_model.h"

#include <gtest/gtest.h>

#include <vector>

namespace tuplestone::properties {
namespace {

using memory::Kind;

TEST(MemoryModel, SpaceIsHeaderAndRoundedSizeOfEachKind) {
  ModelOptions compact;
  EXPECT_EQ(ModelSpace(Kind::kAllocSet, compact, 64, 8), 72u);
  EXPECT_EQ(ModelSpace(Kind::kAllocSet, compact, 0, 8), 16u);
  EXPECT_EQ(ModelSpace(Kind::kAllocSet, compact, 1025, 8), 1152u + 8);
  EXPECT_EQ(ModelSpace(Kind::kAllocSet, compact, 8193, 8), 8200u + 8);
  EXPECT_EQ(ModelSpace(Kind::kGeneration, compact, 1025, 8), 1032u + 8);
  EXPECT_EQ(ModelSpace(Kind::kBump, compact, 65, 8), 72u);
  EXPECT_EQ(ModelSpace(Kind::kBump, compact, 64, 64), 120u);
  EXPECT_EQ(ModelSpace(Kind::kSlab, compact, 1, 8), 72u);
  ModelOptions historical{memory::Options::HistoricalAllocSet(), {}};
  EXPECT_EQ(ModelSpace(Kind::kAllocSet, historical, 72, 8), 144u);
  EXPECT_EQ(ModelSpace(Kind::kAllocSet, historical, 8193, 8), 8200u + 16);
}

TEST(MemoryModel, SmallBlocksLowerTheSizeThatSharesThem) {
  ModelOptions options;
  options.shared.limits.block_max_bytes = 512;  // an eighth of 456 is 57: 32 and a header fit
  EXPECT_EQ(ModelSpace(Kind::kAllocSet, options, 33, 8), 48u);
  options.shared.layout.classes = memory::ClassRule::kPowersOfTwo;
  EXPECT_EQ(ModelSpace(Kind::kAllocSet, options, 17, 8), 40u);
  EXPECT_EQ(ModelSpace(Kind::kAllocSet, options, 33, 8), 48u);  // a block of its own: no class
}

TEST(MemoryModel, RefusesWhatNoMemoryWouldHelp) {
  ModelOptions options;
  EXPECT_TRUE(ModelRefuses(Kind::kBump, options, SIZE_MAX, 8));
  EXPECT_TRUE(ModelRefuses(Kind::kSlab, options, 65, 8));
  EXPECT_TRUE(ModelRefuses(Kind::kSlab, options, 1, 16));
  EXPECT_FALSE(ModelRefuses(Kind::kSlab, options, 64, 8));
  EXPECT_FALSE(ModelRefuses(Kind::kAllocSet, options, (1 << 30) - 1, 8));
}

TEST(MemoryModel, DeletionGoesChildrenFirstNewestFirst) {
  MemoryModel model({});
  model.Create(0, Kind::kAllocSet, MemoryModel::kNoContext);
  model.Create(1, Kind::kBump, 0);
  model.Create(2, Kind::kSlab, 0);
  model.Create(3, Kind::kSlab, 1);
  EXPECT_EQ(model.DeletionOrder(0), (std::vector<size_t>{2, 3, 1, 0}));
  EXPECT_TRUE(model.IsBelow(3, 0));
  EXPECT_FALSE(model.IsBelow(2, 1));
  model.Allocate(0, 3, 8, 3, 1);
  model.Allocate(1, 2, 8, 1, 4);
  EXPECT_EQ(model.Delete(1), std::vector<size_t>{0});
  EXPECT_EQ(model.Children(0), std::vector<size_t>{2});
}

TEST(MemoryModel, ContentsAreStretchesThatResizingCutsAndAdds) {
  ModelContents contents(3, 1);
  contents.Resize(5, 2);
  contents.Resize(4, 9);
  contents.Resize(6, 3);
  contents.Resize(6, 9);
  const std::vector<uint8_t> expected = {1, 1, 1, 2, 3, 3};
  EXPECT_EQ(contents.bytes(), 6u);
  EXPECT_TRUE(contents.Hold(expected.data(), 6));
  for (size_t i = 0; i < 6; ++i) {
    std::vector<uint8_t> wrong = expected;
    ++wrong[i];
    for (size_t bytes = 0; bytes <= 6; ++bytes) {
      EXPECT_EQ(contents.Hold(wrong.data(), bytes), bytes <= i) << i << " of " << bytes;
    }
  }
  contents.Resize(0, 9);
  EXPECT_EQ(contents.bytes(), 0u);
  contents.Resize(2, 4);
  EXPECT_TRUE(contents.Hold(std::vector<uint8_t>{4, 4}.data(), 2));
}

TEST(MemoryModel, FiguresAreThoseOfLiveChunks) {
  MemoryModel model({});
  model.Create(0, Kind::kAllocSet, MemoryModel::kNoContext);
  model.Allocate(0, 0, 8, 10, 9);
  model.Allocate(1, 0, 8, 0, 0);
  model.Reallocate(0, 20, 7);
  EXPECT_EQ(model.Figures(0).live, 32u + 16u);
  EXPECT_EQ(model.Figures(0).requested, 20u);
  model.Free(0);
  EXPECT_EQ(model.Figures(0).chunks, 1u);
  EXPECT_EQ(model.ResetKeepingChildren(0), std::vector<size_t>{1});
  EXPECT_EQ(model.Figures(0).live, 0u);
}

}  // namespace
}  // namespace tuplestone::properties
