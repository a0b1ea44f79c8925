// What every page is: empty at first, readable, of a kind, with figures that add up. Not covered:
// the operations, each in a file of its own.
#include "engine/page/page.h"

#include <gtest/gtest.h>

#include <vector>

#include "engine/page/page_for_test.h"

namespace tuplestone::page {
namespace {

TEST(Initialize, MakesAnEmptySoundPageOfAnyBytes) {
  for (PageKind kind : {kHeap, kIndex}) {
    TestPage test(kind, 13);
    EXPECT_EQ(test.page.kind(), kind);
    EXPECT_EQ(test.page.lower(), 24u);
    EXPECT_EQ(test.page.upper(), 8176u);
    EXPECT_EQ(test.page.special(), 8176u);
    EXPECT_EQ(test.page.SpecialArea().size(), 16u);
    EXPECT_EQ(test.page.line_count(), 0u);
    EXPECT_EQ(test.page.flags(), 0u);
    EXPECT_TRUE(AllZero(test.page.SpecialArea()));
    test.page.Verify();
    EXPECT_TRUE(Page::Adopt(absl::MakeSpan(test.bytes), kind).ok());
  }
}

TEST(Initialize, LeavesNoRoomWhenTheSpecialAreaTakesAll) {
  TestPage test(kIndex, kPageBytes - kHeaderBytes);
  EXPECT_EQ(test.page.FreeSpaceExact(), 0u);
  EXPECT_EQ(test.page.special(), kHeaderBytes);
  test.page.Verify();
}

TEST(InitializeDeathTest, RefusesWhatIsNoPage) {  // P12
  std::vector<std::byte> bytes(kPageBytes);
  EXPECT_DEATH(Page::Initialize(absl::MakeSpan(bytes), kHeap, kPageBytes - kHeaderBytes + 1),
               "P12");
  EXPECT_DEATH(Page::Initialize(absl::MakeSpan(bytes), PageKind::kNew, 0), "P12");
  EXPECT_DEATH(Page::Initialize(absl::MakeSpan(bytes.data(), 8191), kHeap, 0), "P12");
}

TEST(ReadersDeathTest, RefuseLineNumbersThatDoNotExist) {  // P12
  TestPage test(kHeap);
  test.Fill({8});
  EXPECT_DEATH(test.page.Line(0), "P12");
  EXPECT_DEATH(test.page.Line(2), "P12");
  EXPECT_DEATH(test.page.Tuple(2), "P12");
  EXPECT_DEATH(test.page.State(65535), "P12");
}

TEST(LinePointer, KeepsEveryFieldAtItsEdges) {
  for (LineState state :
       {LineState::kUnused, LineState::kNormal, LineState::kRedirect, LineState::kDead}) {
    for (size_t offset : {0, 1, 8184, 0x7FFF}) {
      for (size_t length : {0, 1, 8160, 0x7FFF}) {
        const LinePointer pointer(state, offset, length);
        EXPECT_EQ(pointer.state(), state);
        EXPECT_EQ(pointer.offset(), offset);
        EXPECT_EQ(pointer.length(), length);
        EXPECT_EQ(pointer.has_storage(), length != 0);
        EXPECT_EQ(pointer.MovedTo(8), LinePointer(state, 8, length));
      }
    }
  }
  EXPECT_EQ(LinePointer(LineState::kNormal, 0x1234, 0x0567).bits(),
            0x0567u << 17 | 1u << 15 | 0x1234);
}

TEST(FreeSpace, IsTheHoleLessTheLinePointersAsked) {  // P7
  TestPage test(kHeap);
  EXPECT_EQ(test.page.FreeSpaceExact(), 8168u);
  EXPECT_EQ(test.page.FreeSpace(), 8164u);
  EXPECT_EQ(test.page.FreeSpaceHeap(), 8164u);
  EXPECT_EQ(test.page.FreeSpaceForTuples(0), 8168u);
  EXPECT_EQ(test.page.FreeSpaceForTuples(2), 8160u);
  EXPECT_EQ(test.page.FreeSpaceForTuples(2042), 0u);
  EXPECT_EQ(test.page.FreeSpaceForTuples(2041), 4u);
  EXPECT_EQ(test.page.FreeSpaceForTuples(2043), 0u);
  EXPECT_EQ(test.page.FreeSpaceForTuples(SIZE_MAX), 0u);
  EXPECT_EQ(test.page.FreeSpaceForTuples(SIZE_MAX / 4 + 2), 0u);
}

TEST(FreeSpaceHeap, IsNothingOnceNoLinePointerIsLeft) {  // P7, C11
  TestPage test(kHeap);
  for (size_t i = 0; i < 291; ++i) {
    EXPECT_EQ(test.page.FreeSpaceHeap(), test.page.FreeSpace());
    ASSERT_TRUE(test.page.Add(Filled(8, 1)).ok());
  }
  EXPECT_EQ(test.page.FreeSpaceHeap(), 0u);
  EXPECT_EQ(test.page.FreeSpace(), 8192u - 24 - 291 * 12 - 4);
  ASSERT_TRUE(test.page.MarkDead(100, DeadStorage::kDrop).ok());
  EXPECT_EQ(test.page.FreeSpaceHeap(), 0u) << "dead is not free";
  ASSERT_TRUE(test.page.MarkUnused(291).ok());
  EXPECT_EQ(test.page.FreeSpaceHeap(), test.page.FreeSpace());
}

TEST(NewPage, HasNothingAndTakesNothing) {  // C25
  std::vector<std::byte> bytes(kPageBytes);
  Page page = *Page::Adopt(absl::MakeSpan(bytes), kHeap);
  EXPECT_EQ(page.line_count(), 0u);
  EXPECT_EQ(page.FreeSpaceExact(), 0u);
  EXPECT_EQ(page.FreeSpace(), 0u);
  EXPECT_EQ(page.FreeSpaceHeap(), 0u);
  EXPECT_TRUE(page.SpecialArea().empty());
  EXPECT_FALSE(page.Fits(1));
  EXPECT_EQ(page.Add(Filled(8, 1)).status().code(), Code::kResourceExhausted);
  EXPECT_EQ(page.AddAt(1, Filled(8, 1), Placement::kShift).code(), Code::kResourceExhausted);
  EXPECT_EQ(page.DeleteOne(1).code(), Code::kOutOfRange);
  EXPECT_TRUE(page.DeleteMany({}).ok());
  EXPECT_EQ(page.MarkUnused(1).code(), Code::kOutOfRange);
  page.RepairFragmentation();
  page.Seal(5);
  EXPECT_TRUE(page.ChecksumMatches(5));
  EXPECT_TRUE(AllZero(bytes));
  const PageStats stats = page.Stats();
  EXPECT_EQ(stats.hole_bytes + stats.special_bytes + stats.gap_bytes + stats.stored_bytes, 0u);
}

TEST(OpaquePageDeathTest, TakesNoOperationOnLinePointers) {  // P12
  TestPage test(kHeap);
  test.Fill({8});
  Page page = *Page::Adopt(absl::MakeSpan(test.bytes), PageKind::kOpaque);
  EXPECT_DEATH(page.Add(Filled(8, 1)).IgnoreError(), "P12");
  EXPECT_DEATH(page.MarkUnused(1).IgnoreError(), "P12");
  EXPECT_DEATH(page.RepairFragmentation(), "P12");
  EXPECT_DEATH(page.DeleteMany({}).IgnoreError(), "P12");
  EXPECT_DEATH(page.Line(1), "P12");
}

TEST(Stats, CountEveryStateAndEveryByteOfThePage) {
  TestPage test(kHeap, 16);
  test.Fill({9, 16, 200, 24, 1, 8});
  ASSERT_TRUE(test.page.MarkUnused(1).ok());
  ASSERT_TRUE(test.page.MarkDead(2, DeadStorage::kKeep).ok());
  ASSERT_TRUE(test.page.MarkDead(3, DeadStorage::kDrop).ok());
  ASSERT_TRUE(test.page.Redirect(4, 5).ok());
  const PageStats stats = test.page.Stats();
  EXPECT_EQ(stats.unused, 1u);
  EXPECT_EQ(stats.normal, 2u);
  EXPECT_EQ(stats.redirect, 1u);
  EXPECT_EQ(stats.dead_with_storage, 1u);
  EXPECT_EQ(stats.dead_without_storage, 1u);
  EXPECT_EQ(stats.tuple_bytes, 16u + 1 + 8);
  EXPECT_EQ(stats.stored_bytes, 16u + 8 + 8);
  EXPECT_EQ(stats.gap_bytes, 16u + 200 + 24);
  EXPECT_EQ(stats.special_bytes, 16u);
  EXPECT_EQ(stats.line_pointer_bytes, 24u);
  EXPECT_EQ(stats.hole_bytes, test.page.FreeSpaceExact());
  EXPECT_EQ(kHeaderBytes + stats.line_pointer_bytes + stats.hole_bytes + stats.stored_bytes +
                stats.gap_bytes + stats.special_bytes,
            kPageBytes);
}

}  // namespace
}  // namespace tuplestone::page
