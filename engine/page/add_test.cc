// Add, AddAt and Overwrite on small pages built by hand: results, refusals, and what must stay
// untouched.
#include <gtest/gtest.h>

#include <vector>

#include "engine/page/page.h"
#include "engine/page/page_for_test.h"

namespace tuplestone::page {
namespace {

TEST(Add, StoresDownwardsPaddedWithZeroes) {
  TestPage test(kHeap);
  test.Fill({1, 8, 9});
  EXPECT_EQ(test.page.Line(1), LinePointer(LineState::kNormal, 8184, 1));
  EXPECT_EQ(test.page.Line(2), LinePointer(LineState::kNormal, 8176, 8));
  EXPECT_EQ(test.page.Line(3), LinePointer(LineState::kNormal, 8160, 9));
  EXPECT_EQ(test.page.lower(), 36u);
  EXPECT_EQ(test.page.upper(), 8160u);
  for (size_t line : {1, 2, 3}) {
    test.ExpectTuple(line, Filled(line == 1 ? 1 : line == 2 ? 8 : 9, static_cast<int>(line)));
  }
  EXPECT_TRUE(AllZero(test.page.bytes().subspan(8185, 7)));
  EXPECT_TRUE(AllZero(test.page.bytes().subspan(8169, 7)));
}

TEST(Add, TakesTheLowestUnusedLinePointer) {
  TestPage test(kHeap);
  test.Fill({8, 8, 8, 8});
  ASSERT_TRUE(test.page.MarkUnused(3).ok());
  ASSERT_TRUE(test.page.MarkUnused(2).ok());
  EXPECT_EQ(*test.page.Add(Filled(16, 9)), 2u);
  EXPECT_EQ(*test.page.Add(Filled(16, 9)), 3u);
  EXPECT_EQ(*test.page.Add(Filled(16, 9)), 5u);
  test.ExpectTuple(2, Filled(16, 9));
  test.page.Verify();
}

TEST(Add, LooksForUnusedLinePointersWhateverTheHintSays) {
  TestPage test(kHeap);
  test.Fill({8, 8});
  ASSERT_TRUE(test.page.MarkUnused(1).ok());
  EXPECT_EQ(test.page.flags(), kHasFreeLines);
  Store(test.bytes.data() + kFlagsAt, uint16_t{0});
  EXPECT_EQ(*test.page.Add(Filled(8, 9)), 1u);
  Store(test.bytes.data() + kFlagsAt, uint16_t{kHasFreeLines | kPageFull | kAllVisible});
  EXPECT_EQ(*test.page.Add(Filled(8, 9)), 3u);
  EXPECT_EQ(test.page.flags(), kPageFull | kAllVisible) << "found none: the hint goes";
}

TEST(Add, TakesTheLargestTupleAndNothingThen) {
  TestPage test(kHeap);
  EXPECT_TRUE(test.page.Fits(kTupleBytesMax));
  ASSERT_TRUE(test.page.Add(Filled(kTupleBytesMax, 1)).ok());
  EXPECT_EQ(test.page.FreeSpaceExact(), 4u);
  EXPECT_EQ(test.page.FreeSpace(), 0u);
  EXPECT_FALSE(test.page.Fits(1));
  ExpectRefused(test, Code::kResourceExhausted,
                [](Page& p) { return p.Add(Filled(1, 1)).status(); });
}

TEST(Add, FitsToTheByteWithAndWithoutANewLinePointer) {  // P7
  for (size_t hole = 0; hole <= 40; hole += 4) {
    for (bool reuse : {false, true}) {
      for (size_t bytes = 1; bytes <= 40; ++bytes) {
        TestPage test(kHeap);
        test.Fill({8});
        if (reuse) {
          ASSERT_TRUE(test.page.MarkUnused(1).ok());
        }
        // A hole of the size wanted: all above it is gap.
        const size_t upper = AlignUp(test.page.lower() + hole, 8);
        Store(test.bytes.data() + kUpperAt, static_cast<uint16_t>(upper));
        const size_t real_hole = upper - test.page.lower();
        ASSERT_EQ(test.page.FreeSpaceExact(), real_hole);
        const bool fits = MaxAlign(bytes) + (reuse ? 0 : 4) <= real_hole;
        EXPECT_EQ(test.page.Fits(bytes), fits);
        EXPECT_EQ(test.page.Add(Filled(bytes, 1)).ok(), fits);
        test.page.Verify();
      }
    }
  }
}

TEST(Add, StopsAtTheLimitOfLinePointers) {  // P11
  for (PageKind kind : {kHeap, kIndex}) {
    TestPage test(kind);
    const size_t limit = kind == kHeap ? 291 : 408;
    for (size_t i = 0; i < limit; ++i) ASSERT_TRUE(test.page.Add(Filled(1, 1)).ok());
    test.page.Verify();
    EXPECT_GT(test.page.FreeSpace(), 8u);
    EXPECT_FALSE(test.page.Fits(1));
    const auto add = [](Page& page) { return page.Add(Filled(1, 1)).status(); };
    ExpectRefused(test, Code::kResourceExhausted, add);
    ASSERT_TRUE(test.page.MarkUnused(17).ok());
    EXPECT_TRUE(test.page.Fits(1));
    EXPECT_EQ(*test.page.Add(Filled(1, 2)), 17u);
    ExpectRefused(test, Code::kResourceExhausted, add);
  }
}

TEST(Add, HonoursSmallLimits) {
  Limits limits;
  limits.heap_lines_max = 2;
  limits.index_lines_max = 3;
  TestPage heap(kHeap, 0, limits);
  heap.Fill({8, 8});
  EXPECT_FALSE(heap.page.Add(Filled(8, 1)).ok());
  TestPage index(kIndex, 0, limits);
  index.Fill({8, 8, 8});
  EXPECT_FALSE(index.page.AddAt(1, Filled(8, 1), Placement::kShift).ok());
}

TEST(AddDeathTest, RefusesSizesNoPageTakesAndPartsOfThePage) {  // P12
  TestPage test(kHeap);
  test.Fill({8});
  EXPECT_DEATH(test.page.Add(Bytes()).IgnoreError(), "P12");
  EXPECT_DEATH(test.page.Add(Filled(kTupleBytesMax + 1, 1)).IgnoreError(), "P12");
  EXPECT_DEATH(test.page.Fits(0), "P12");
  EXPECT_DEATH(test.page.Fits(kTupleBytesMax + 1), "P12");
  EXPECT_DEATH(test.page.Add(test.page.Tuple(1)).IgnoreError(), "P12");
  EXPECT_DEATH(test.page.Overwrite(1, test.page.bytes().subspan(0, 1)).IgnoreError(), "P12");
  EXPECT_DEATH(
      test.page.AddAt(2, test.page.bytes().subspan(8191), Placement::kOverwrite).IgnoreError(),
      "P12");
}

TEST(AddAt, FillsAnUnusedLinePointerOrTheNextOne) {  // C01
  TestPage test(kHeap);
  test.Fill({8, 8, 8});
  ASSERT_TRUE(test.page.MarkUnused(2).ok());
  EXPECT_TRUE(test.page.AddAt(4, Filled(8, 4), Placement::kOverwrite).ok());
  EXPECT_TRUE(test.page.AddAt(2, Filled(16, 2), Placement::kOverwrite).ok());
  test.ExpectTuple(2, Filled(16, 2));
  test.ExpectTuple(4, Filled(8, 4));
  EXPECT_EQ(test.page.line_count(), 4u);
  test.page.Verify();
}

TEST(AddAt, RefusesUsedLinePointersAndGapsInTheNumbers) {
  TestPage test(kHeap);
  test.Fill({8, 8, 8, 8});
  ASSERT_TRUE(test.page.Redirect(1, 4).ok());
  ASSERT_TRUE(test.page.MarkDead(2, DeadStorage::kDrop).ok());
  ASSERT_TRUE(test.page.MarkDead(3, DeadStorage::kKeep).ok());
  const auto at = [](LineNumber line) {
    return [line](Page& page) { return page.AddAt(line, Filled(8, 9), Placement::kOverwrite); };
  };
  for (LineNumber line : Lines{1, 2, 3, 4}) ExpectRefused(test, Code::kAlreadyExists, at(line));
  for (LineNumber line : Lines{0, 6, 292, 65535}) ExpectRefused(test, Code::kOutOfRange, at(line));
}

TEST(AddAt, ShiftsLaterLinePointersUp) {
  TestPage test(kIndex, 16);
  test.Fill({8, 16, 24});
  ASSERT_TRUE(test.page.AddAt(2, Filled(32, 9), Placement::kShift).ok());
  ASSERT_TRUE(test.page.AddAt(5, Filled(40, 10), Placement::kShift).ok());
  ASSERT_TRUE(test.page.AddAt(1, Filled(48, 11), Placement::kShift).ok());
  const std::vector<std::pair<size_t, int>> expected = {{48, 11}, {8, 1},  {32, 9},
                                                        {16, 2},  {24, 3}, {40, 10}};
  ASSERT_EQ(test.page.line_count(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    test.ExpectTuple(i + 1, Filled(expected[i].first, expected[i].second));
  }
  test.page.Verify();
  ExpectRefused(test, Code::kOutOfRange,
                [](Page& page) { return page.AddAt(8, Filled(8, 1), Placement::kShift); });
}

TEST(AddAt, RefusesWhatDoesNotFit) {
  TestPage test(kIndex);
  test.Fill({8000});
  const size_t free = test.page.FreeSpace();
  EXPECT_EQ(free, 8192u - 24 - 4 - 8000 - 4);
  for (Placement placement : {Placement::kOverwrite, Placement::kShift}) {
    ExpectRefused(test, Code::kResourceExhausted,
                  [&](Page& page) { return page.AddAt(2, Filled(free + 1, 1), placement); });
  }
  EXPECT_TRUE(test.page.AddAt(1, Filled(AlignDown(free, 8), 1), Placement::kShift).ok());
}

TEST(AddAtDeathTest, ShiftIsNoHeapOperation) {  // P12
  TestPage test(kHeap);
  EXPECT_DEATH(test.page.AddAt(1, Filled(8, 1), Placement::kShift).IgnoreError(), "P12");
}

TEST(Overwrite, KeepsNumberStateAndAllOthersForEveryPairOfSizes) {  // P3, C21
  for (size_t old_bytes : {1, 8, 9, 16, 100, 1000}) {
    for (size_t new_bytes : {1, 7, 8, 9, 15, 16, 17, 100, 1000, 2000}) {
      for (size_t victim : {1, 2, 3}) {
        TestPage test(kIndex, 16);
        test.Fill({old_bytes, old_bytes, old_bytes});
        const auto line = static_cast<LineNumber>(victim);
        ASSERT_TRUE(test.page.MarkDead(line, DeadStorage::kKeep).ok());
        const size_t upper = test.page.upper();
        ASSERT_TRUE(test.page.Overwrite(line, Filled(new_bytes, 9)).ok());
        test.page.Verify();
        EXPECT_EQ(test.page.State(line), LineState::kDead);
        EXPECT_EQ(test.page.upper(), upper + MaxAlign(old_bytes) - MaxAlign(new_bytes));
        for (size_t i = 1; i <= 3; ++i) {
          test.ExpectTuple(
              i, i == victim ? Filled(new_bytes, 9) : Filled(old_bytes, static_cast<int>(i)));
        }
        EXPECT_EQ(test.page.Stats().gap_bytes, 0u);
      }
    }
  }
}

TEST(Overwrite, GrowsIntoTheHoleToTheByte) {
  TestPage test(kHeap);
  test.Fill({16, 8});
  const size_t room = 16 + test.page.FreeSpaceExact();
  ExpectRefused(test, Code::kResourceExhausted,
                [&](Page& page) { return page.Overwrite(1, Filled(room + 1, 9)); });
  ASSERT_TRUE(test.page.Overwrite(1, Filled(AlignDown(room, 8), 9)).ok());
  test.ExpectTuple(2, Filled(8, 2));
  test.page.Verify();
}

TEST(Overwrite, RefusesLinePointersWithoutATuple) {  // C08
  TestPage test(kHeap);
  test.Fill({8, 8, 8, 8});
  ASSERT_TRUE(test.page.Redirect(1, 4).ok());
  ASSERT_TRUE(test.page.MarkDead(2, DeadStorage::kDrop).ok());
  ASSERT_TRUE(test.page.MarkUnused(3).ok());
  const auto overwrite = [](LineNumber line) {
    return [line](Page& page) { return page.Overwrite(line, Filled(8, 9)); };
  };
  for (LineNumber line : Lines{1, 2, 3})
    ExpectRefused(test, Code::kFailedPrecondition, overwrite(line));
  for (LineNumber line : Lines{0, 5}) ExpectRefused(test, Code::kOutOfRange, overwrite(line));
}

TEST(Overwrite, DoesNotTouchRedirectsWhoseTargetNumberLooksLikeALowOffset) {
  TestPage test(kHeap);
  test.Fill({8, 8, 16});
  ASSERT_TRUE(test.page.Redirect(1, 2).ok());
  ASSERT_TRUE(test.page.Overwrite(3, Filled(8, 9)).ok());
  EXPECT_EQ(test.page.Line(1), LinePointer(LineState::kRedirect, 2, 0));
  test.page.Verify();
}

}  // namespace
}  // namespace tuplestone::page
