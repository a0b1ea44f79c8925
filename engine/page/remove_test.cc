// DeleteOne, DeleteMany and the changes of state on small pages built by hand: results, refusals,
// and what must stay untouched.
#include <gtest/gtest.h>

#include <vector>

#include "engine/page/page.h"
#include "engine/page/page_for_test.h"

namespace tuplestone::page {
namespace {

TEST(DeleteOne, ClosesNumbersAndDataAndLeavesTheOthersAlone) {  // P5, C20
  for (size_t victim : {1, 2, 3, 4}) {
    TestPage test(kIndex, 16);
    test.Fill({9, 24, 100, 3});
    ASSERT_TRUE(test.page.DeleteOne(static_cast<LineNumber>(victim)).ok());
    ASSERT_EQ(test.page.line_count(), 3u);
    const size_t sizes[] = {9, 24, 100, 3};
    size_t line = 0;
    for (size_t i = 1; i <= 4; ++i) {
      if (i == victim) continue;
      test.ExpectTuple(++line, Filled(sizes[i - 1], static_cast<int>(i)));
    }
    EXPECT_EQ(test.page.Stats().gap_bytes, 0u);
    test.page.Verify();
  }
}

TEST(DeleteOne, KeepsGapsThatAreNotItsOwn) {
  TestPage test(kIndex);
  test.Fill({8, 16, 24, 32});
  ASSERT_TRUE(test.page.MarkDead(2, DeadStorage::kDrop).ok());
  ASSERT_TRUE(test.page.DeleteOne(3).ok());
  EXPECT_EQ(test.page.Stats().gap_bytes, 16u);
  ASSERT_TRUE(test.page.DeleteOne(2).ok()) << "no storage: only the number goes";
  EXPECT_EQ(test.page.Stats().gap_bytes, 16u);
  ASSERT_EQ(test.page.line_count(), 2u);
  test.ExpectTuple(1, Filled(8, 1));
  test.ExpectTuple(2, Filled(32, 4));
  test.page.Verify();
}

TEST(DeleteOne, DownToNothing) {
  TestPage test(kIndex);
  test.Fill({8});
  ASSERT_TRUE(test.page.DeleteOne(1).ok());
  EXPECT_EQ(test.page.lower(), 24u);
  EXPECT_EQ(test.page.upper(), 8192u);
  for (LineNumber line : Lines{0, 1}) {
    ExpectRefused(test, Code::kOutOfRange, [line](Page& page) { return page.DeleteOne(line); });
  }
}

TEST(DeleteMany, TakesAnySubsetInOrder) {  // P3, P4, P5
  for (unsigned subset = 0; subset < 32; ++subset) {
    TestPage test(kIndex, 16);
    test.Fill({9, 24, 100, 3, 16});
    ASSERT_TRUE(test.page.MarkDead(4, DeadStorage::kKeep).ok());
    const size_t sizes[] = {9, 24, 100, 3, 16};
    std::vector<LineNumber> victims;
    size_t stored = 0;
    for (size_t i = 1; i <= 5; ++i) {
      if ((subset >> (i - 1) & 1) != 0) {
        victims.push_back(static_cast<LineNumber>(i));
      } else {
        stored += MaxAlign(sizes[i - 1]);
      }
    }
    ASSERT_TRUE(test.page.DeleteMany(victims).ok());
    test.page.Verify();
    ASSERT_EQ(test.page.line_count(), 5 - victims.size());
    EXPECT_EQ(test.page.upper(), test.page.special() - stored);
    size_t line = 0;
    for (size_t i = 1; i <= 5; ++i) {
      if ((subset >> (i - 1) & 1) != 0) continue;
      test.ExpectTuple(++line, Filled(sizes[i - 1], static_cast<int>(i)));
      EXPECT_EQ(test.page.State(static_cast<LineNumber>(line)),
                i == 4 ? LineState::kDead : LineState::kNormal);
    }
  }
}

TEST(DeleteMany, KeepsUnusedOnesAlsoAtTheEndAndClosesOldGaps) {
  TestPage test(kIndex);
  test.Fill({8, 16, 24, 32});
  ASSERT_TRUE(test.page.MarkUnused(2).ok());
  ASSERT_TRUE(test.page.MarkUnused(4).ok());
  ASSERT_TRUE(test.page.DeleteMany({1}).ok());
  ASSERT_EQ(test.page.line_count(), 3u);
  EXPECT_EQ(test.page.State(1), LineState::kUnused);
  test.ExpectTuple(2, Filled(24, 3));
  EXPECT_EQ(test.page.State(3), LineState::kUnused);
  EXPECT_EQ(test.page.upper(), 8192u - 24);
}

TEST(DeleteMany, RefusesListsThatDoNotAscendOrNameNothing) {
  TestPage test(kIndex);
  test.Fill({8, 8, 8});
  const auto lines = [](std::vector<LineNumber> list) {
    return [list](Page& page) { return page.DeleteMany(list); };
  };
  ExpectRefused(test, Code::kInvalidArgument, lines({2, 1}));
  ExpectRefused(test, Code::kInvalidArgument, lines({2, 2}));
  ExpectRefused(test, Code::kOutOfRange, lines({0}));
  ExpectRefused(test, Code::kOutOfRange, lines({1, 4}));
  ExpectRefused(test, Code::kOutOfRange, lines({65535}));
}

TEST(DeleteDeathTest, IsNoHeapOperation) {  // P12
  TestPage test(kHeap);
  test.Fill({8});
  EXPECT_DEATH(test.page.DeleteOne(1).IgnoreError(), "P12");
  EXPECT_DEATH(test.page.DeleteMany({1}).IgnoreError(), "P12");
}

TEST(MarkDead, KeepsOrDropsTheTuple) {
  TestPage test(kHeap);
  test.Fill({9, 9});
  const size_t upper = test.page.upper();
  ASSERT_TRUE(test.page.MarkDead(1, DeadStorage::kKeep).ok());
  EXPECT_EQ(test.page.State(1), LineState::kDead);
  test.ExpectTuple(1, Filled(9, 1));
  ASSERT_TRUE(test.page.MarkDead(1, DeadStorage::kKeep).ok());
  ASSERT_TRUE(test.page.MarkDead(1, DeadStorage::kDrop).ok());
  EXPECT_EQ(test.page.Line(1), LinePointer(LineState::kDead, 0, 0));
  EXPECT_TRUE(test.page.Tuple(1).empty());
  ASSERT_TRUE(test.page.MarkDead(1, DeadStorage::kDrop).ok());
  EXPECT_EQ(test.page.upper(), upper) << "a gap until the next compaction";
  EXPECT_EQ(test.page.Stats().gap_bytes, 16u);
  test.page.Verify();
}

TEST(MarkDead, RefusesWhatHasNothingToKeepAndWhatIsUnused) {
  TestPage test(kHeap);
  test.Fill({8, 8, 8, 8});
  ASSERT_TRUE(test.page.MarkDead(1, DeadStorage::kDrop).ok());
  ASSERT_TRUE(test.page.MarkUnused(2).ok());
  ASSERT_TRUE(test.page.Redirect(3, 4).ok());
  const auto mark = [](LineNumber line, DeadStorage storage) {
    return [=](Page& page) { return page.MarkDead(line, storage); };
  };
  for (LineNumber line : Lines{1, 2, 3}) {
    ExpectRefused(test, Code::kFailedPrecondition, mark(line, DeadStorage::kKeep));
  }
  ExpectRefused(test, Code::kFailedPrecondition, mark(2, DeadStorage::kDrop));
  ExpectRefused(test, Code::kOutOfRange, mark(0, DeadStorage::kDrop));
  ExpectRefused(test, Code::kOutOfRange, mark(5, DeadStorage::kKeep));
  EXPECT_TRUE(test.page.MarkDead(3, DeadStorage::kDrop).ok()) << "a redirect may die";
}

TEST(MarkUnused, TakesAnyStateAndSetsTheHint) {
  TestPage test(kHeap);
  test.Fill({8, 8, 8, 8});
  ASSERT_TRUE(test.page.MarkDead(1, DeadStorage::kKeep).ok());
  ASSERT_TRUE(test.page.MarkDead(2, DeadStorage::kDrop).ok());
  ASSERT_TRUE(test.page.Redirect(3, 4).ok());
  for (LineNumber line : Lines{1, 2, 3, 4}) {
    ASSERT_TRUE(test.page.MarkUnused(line).ok());
    ASSERT_TRUE(test.page.MarkUnused(line).ok()) << "again";
    EXPECT_EQ(test.page.Line(line).bits(), 0u);
  }
  EXPECT_EQ(test.page.flags(), kHasFreeLines);
  EXPECT_EQ(test.page.line_count(), 4u) << "only repair cuts";
  for (LineNumber line : Lines{0, 5}) {
    ExpectRefused(test, Code::kOutOfRange, [line](Page& page) { return page.MarkUnused(line); });
  }
}

TEST(Redirect, DropsTheTupleAndNamesTheTarget) {
  TestPage test(kHeap);
  test.Fill({8, 8, 8});
  ASSERT_TRUE(test.page.Redirect(1, 3).ok());
  EXPECT_EQ(test.page.Line(1), LinePointer(LineState::kRedirect, 3, 0));
  ASSERT_TRUE(test.page.Redirect(1, 2).ok()) << "to another";
  ASSERT_TRUE(test.page.Redirect(1, 2).ok()) << "to the same";
  ASSERT_TRUE(test.page.Redirect(3, 2).ok()) << "two may name one";
  test.page.Verify();
}

TEST(Redirect, ALinePointerThatIsNamedStaysNormal) {
  TestPage test(kHeap);
  test.Fill({8, 8, 8});
  ASSERT_TRUE(test.page.Redirect(1, 2).ok());
  const auto refused = [&](auto operation) {
    ExpectRefused(test, Code::kFailedPrecondition, operation);
  };
  refused([](Page& page) { return page.MarkUnused(2); });
  refused([](Page& page) { return page.MarkDead(2, DeadStorage::kKeep); });
  refused([](Page& page) { return page.MarkDead(2, DeadStorage::kDrop); });
  refused([](Page& page) { return page.Redirect(2, 3); });
  EXPECT_TRUE(test.page.Overwrite(2, Filled(16, 9)).ok());
  ASSERT_TRUE(test.page.MarkDead(1, DeadStorage::kDrop).ok());
  EXPECT_TRUE(test.page.MarkUnused(2).ok()) << "named no more";
}

TEST(Redirect, RefusesSourcesAndTargetsInTheWrongState) {
  TestPage test(kHeap);
  test.Fill({8, 8, 8, 8, 8});
  ASSERT_TRUE(test.page.MarkUnused(1).ok());
  ASSERT_TRUE(test.page.MarkDead(2, DeadStorage::kKeep).ok());
  ASSERT_TRUE(test.page.Redirect(3, 4).ok());
  const auto redirect = [](LineNumber line, LineNumber target) {
    return [=](Page& page) { return page.Redirect(line, target); };
  };
  ExpectRefused(test, Code::kFailedPrecondition, redirect(1, 4));
  ExpectRefused(test, Code::kFailedPrecondition, redirect(5, 1));
  ExpectRefused(test, Code::kFailedPrecondition, redirect(5, 2));
  ExpectRefused(test, Code::kFailedPrecondition, redirect(5, 3));
  ExpectRefused(test, Code::kFailedPrecondition, redirect(5, 5));
  ExpectRefused(test, Code::kOutOfRange, redirect(0, 4));
  ExpectRefused(test, Code::kOutOfRange, redirect(6, 4));
  ExpectRefused(test, Code::kOutOfRange, redirect(5, 0));
  ExpectRefused(test, Code::kOutOfRange, redirect(5, 6));
  EXPECT_TRUE(test.page.Redirect(2, 5).ok()) << "a dead one may be redirected";
}

TEST(RedirectDeathTest, IsNoIndexOperation) {  // P12
  TestPage test(kIndex);
  test.Fill({8, 8});
  EXPECT_DEATH(test.page.Redirect(1, 2).IgnoreError(), "P12");
}

}  // namespace
}  // namespace tuplestone::page
