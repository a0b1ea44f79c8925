// Every operation on small pages built by hand: results, refusals, and what must stay untouched.
#include "engine/page/page.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/page/checksum.h"
#include "engine/page/classify.h"

namespace tuplestone::page {
namespace {

using Code = absl::StatusCode;
using Tuple = std::vector<std::byte>;
using Lines = std::vector<LineNumber>;

constexpr PageKind kHeap = PageKind::kHeap;
constexpr PageKind kIndex = PageKind::kIndex;

Tuple Filled(size_t bytes, int fill) { return Tuple(bytes, static_cast<std::byte>(fill)); }

// A page over bytes of exactly its size, so that a sanitizer sees every step outside.
struct TestPage {
  explicit TestPage(PageKind kind, size_t special_bytes = 0, const Limits& limits = {})
      : bytes(kPageBytes, std::byte{0xEE}),
        page(Page::Initialize(absl::MakeSpan(bytes), kind, special_bytes, limits)) {}
  // Adds tuples of the given sizes, filled with their line numbers.
  void Fill(const std::vector<size_t>& sizes) {
    for (size_t size : sizes) {
      const int fill = static_cast<int>(page.line_count() + 1);
      absl::StatusOr<LineNumber> line = page.Add(Filled(size, fill));
      ASSERT_TRUE(line.ok()) << line.status();
      ASSERT_EQ(*line, fill);
    }
  }
  void ExpectTuple(size_t line, const Tuple& tuple) const {
    EXPECT_EQ(page.Tuple(static_cast<LineNumber>(line)), Bytes(tuple)) << "line pointer " << line;
  }
  std::vector<std::byte> bytes;
  Page page;
};

// Runs `operation`, which must refuse with `code` and touch nothing.
template <typename Operation>
void ExpectRefused(TestPage& test, Code code, Operation operation) {
  const std::vector<std::byte> before = test.bytes;
  const absl::Status status = operation(test.page);
  EXPECT_EQ(status.code(), code) << status;
  EXPECT_EQ(before, test.bytes) << "P9";
}

// --- Initialize and readers

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

// --- Add

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

// --- AddAt

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

// --- Overwrite

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

// --- DeleteOne, DeleteMany

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

// --- MarkDead, MarkUnused, Redirect

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

// --- RepairFragmentation

TEST(Repair, LaysDataOutInLinePointerOrder) {  // P3, P4, C13
  TestPage test(kHeap);
  test.Fill({9, 16, 200, 24});
  ASSERT_TRUE(test.page.MarkUnused(1).ok());
  ASSERT_EQ(*test.page.Add(Filled(1000, 1)), 1u);
  ASSERT_TRUE(test.page.MarkDead(2, DeadStorage::kDrop).ok());
  ASSERT_TRUE(test.page.MarkDead(4, DeadStorage::kKeep).ok());
  EXPECT_FALSE(test.page.Stats().in_line_order);
  test.page.RepairFragmentation();
  test.page.Verify();
  EXPECT_EQ(test.page.Line(1), LinePointer(LineState::kNormal, 7192, 1000));
  EXPECT_EQ(test.page.Line(2), LinePointer(LineState::kDead, 0, 0));
  EXPECT_EQ(test.page.Line(3), LinePointer(LineState::kNormal, 6992, 200));
  EXPECT_EQ(test.page.Line(4), LinePointer(LineState::kDead, 6968, 24));
  EXPECT_EQ(test.page.upper(), 6968u);
  test.ExpectTuple(1, Filled(1000, 1));
  test.ExpectTuple(3, Filled(200, 3));
  test.ExpectTuple(4, Filled(24, 4));
  EXPECT_TRUE(test.page.Stats().in_line_order);
}

TEST(Repair, CutsTrailingUnusedOnesOnlyAndSetsTheHintRight) {  // P5
  for (size_t count : {1, 2, 3, 4, 5}) {
    for (unsigned unused = 0; unused < (1u << count); ++unused) {
      TestPage test(kHeap);
      test.Fill(std::vector<size_t>(count, 8));
      size_t last_used = 0;
      for (size_t i = 1; i <= count; ++i) {
        if ((unused >> (i - 1) & 1) != 0) {
          ASSERT_TRUE(test.page.MarkUnused(static_cast<LineNumber>(i)).ok());
        } else {
          last_used = i;
        }
      }
      test.page.RepairFragmentation();
      test.page.Verify();
      EXPECT_EQ(test.page.line_count(), last_used);
      const bool remains = (unused & ((1u << last_used) - 1)) != 0;
      EXPECT_EQ(test.page.flags(), remains ? kHasFreeLines : 0);
    }
  }
}

TEST(Repair, DeadOnesAndRedirectsAreNotCut) {
  TestPage test(kHeap);
  test.Fill({8, 8, 8});
  ASSERT_TRUE(test.page.Redirect(2, 1).ok());
  ASSERT_TRUE(test.page.MarkDead(3, DeadStorage::kDrop).ok());
  test.page.RepairFragmentation();
  EXPECT_EQ(test.page.line_count(), 3u);
  ASSERT_TRUE(test.page.MarkUnused(3).ok());
  test.page.RepairFragmentation();
  EXPECT_EQ(test.page.line_count(), 2u);
}

TEST(Repair, CutsToNothingAndTheNextTupleIsNumberOne) {  // C23
  TestPage test(kHeap);
  test.Fill({8, 16});
  ASSERT_TRUE(test.page.MarkUnused(1).ok());
  ASSERT_TRUE(test.page.MarkUnused(2).ok());
  test.page.RepairFragmentation();
  EXPECT_EQ(test.page.lower(), 24u);
  EXPECT_EQ(test.page.upper(), 8192u);
  EXPECT_EQ(test.page.flags(), 0u);
  EXPECT_EQ(*test.page.Add(Filled(8, 1)), 1u);
}

TEST(Repair, ChangesNoByteWhenThereIsNothingToDo) {  // P6
  TestPage test(kHeap, 8);
  test.Fill({9, 16, 200, 24});
  ASSERT_TRUE(test.page.MarkDead(4, DeadStorage::kKeep).ok());
  ASSERT_TRUE(test.page.Redirect(2, 1).ok());
  test.page.RepairFragmentation();
  const std::vector<std::byte> before = test.bytes;
  test.page.RepairFragmentation();
  EXPECT_EQ(before, test.bytes);
}

TEST(Repair, MovesAllWhenOnlyTheFirstIsGone) {
  TestPage test(kHeap);
  test.Fill({8, 16, 24});
  ASSERT_TRUE(test.page.MarkUnused(1).ok());
  test.page.RepairFragmentation();
  test.ExpectTuple(2, Filled(16, 2));
  test.ExpectTuple(3, Filled(24, 3));
  EXPECT_EQ(test.page.upper(), 8192u - 40);
}

TEST(Repair, LeavesHeaderSpecialAreaAndHoleAlone) {  // P6, P10
  TestPage test(kHeap, 32);
  test.Fill({100, 200, 300});
  for (size_t i = test.page.special(); i < kPageBytes; ++i) {
    test.bytes[i] = static_cast<std::byte>(i);
  }
  for (size_t i = 0; i < 8; ++i) test.bytes[i] = static_cast<std::byte>(0xA0 + i);  // lsn
  Store(test.bytes.data() + 20, uint32_t{0xDEADBEEF});                              // prune xid
  Store(test.bytes.data() + kFlagsAt, uint16_t{kPageFull | kAllVisible});
  ASSERT_TRUE(test.page.MarkUnused(2).ok());
  const std::vector<std::byte> before = test.bytes;
  test.page.RepairFragmentation();
  const auto same = [&](size_t from, size_t to) {
    return std::equal(before.begin() + from, before.begin() + to, test.bytes.begin() + from);
  };
  EXPECT_TRUE(same(0, kFlagsAt));
  EXPECT_TRUE(same(kSpecialAt, kHeaderBytes));
  EXPECT_TRUE(same(test.page.lower(), test.page.upper()));
  EXPECT_TRUE(same(test.page.special(), kPageBytes));
  EXPECT_EQ(test.page.flags(), kPageFull | kAllVisible | kHasFreeLines);
}

TEST(Repair, TheFullestHeapPageInReverseOrder) {
  Limits limits;
  limits.heap_lines_max = kLinesThatFit;
  TestPage test(kHeap, 0, limits);
  const size_t count = (kPageBytes - kHeaderBytes) / 12;
  test.Fill(std::vector<size_t>(1, 8));
  for (size_t i = 2; i <= count; ++i)
    ASSERT_TRUE(test.page.Add(Filled(8, static_cast<int>(i % 251))).ok());
  // Swapping the offsets of i and count + 1 - i reverses the order of the data.
  for (size_t i = 1; i <= count / 2; ++i) {
    std::byte* a = test.bytes.data() + kHeaderBytes + (i - 1) * 4;
    std::byte* b = test.bytes.data() + kHeaderBytes + (count - i) * 4;
    const auto first = Load<uint32_t>(a);
    Store(a, Load<uint32_t>(b));
    Store(b, first);
  }
  test.page.RepairFragmentation();
  test.page.Verify();
  EXPECT_TRUE(test.page.Stats().in_line_order);
  for (size_t i = 1; i <= count; ++i) {
    const size_t was = count + 1 - i;
    test.ExpectTuple(i, Filled(8, was == 1 ? 1 : static_cast<int>(was % 251)));
  }
}

TEST(RepairDeathTest, IsNoIndexOperation) {  // P12
  TestPage test(kIndex);
  EXPECT_DEATH(test.page.RepairFragmentation(), "P12");
  EXPECT_DEATH(test.page.FreeSpaceHeap(), "P12");
}

// --- free space, statistics

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

// --- checksum, classification (real pages: real_pages_test.cc)

TEST(Checksum, CountsEveryWordTheBlockNumberAndNotItself) {
  std::vector<std::byte> bytes(kPageBytes, std::byte{0x42});
  const uint16_t sum = Checksum(bytes, 0);
  EXPECT_NE(sum, 0);
  bytes[kChecksumAt] = std::byte{1};
  bytes[kChecksumAt + 1] = std::byte{2};
  EXPECT_EQ(Checksum(bytes, 0), sum);
  EXPECT_NE(Checksum(bytes, 1), sum);
  for (size_t word = 0; word < kPageBytes; word += 4) {
    const size_t at = word == kChecksumAt ? word + 2 : word;
    bytes[at] ^= std::byte{0x80};
    EXPECT_NE(Checksum(bytes, 0), sum) << at;
    bytes[at] ^= std::byte{0x80};
  }
}

TEST(Checksum, SealMakesItMatchAndChangesNothingElse) {
  TestPage test(kHeap);
  test.Fill({8});
  EXPECT_FALSE(test.page.ChecksumMatches(7));
  std::vector<std::byte> before = test.bytes;
  test.page.Seal(7);
  EXPECT_TRUE(test.page.ChecksumMatches(7));
  EXPECT_FALSE(test.page.ChecksumMatches(6));
  Store(before.data() + kChecksumAt, Load<uint16_t>(test.bytes.data() + kChecksumAt));
  EXPECT_EQ(before, test.bytes);
}

PageType Special(const std::vector<uint16_t>& half_words) {
  std::vector<std::byte> bytes(kPageBytes);
  const size_t special = kPageBytes - 2 * half_words.size();
  Store(bytes.data() + kUpperAt, static_cast<uint16_t>(special));
  Store(bytes.data() + kSpecialAt, static_cast<uint16_t>(special));
  for (size_t i = 0; i < half_words.size(); ++i) {
    Store(bytes.data() + special + 2 * i, half_words[i]);
  }
  return Classify(bytes);
}

TEST(Classify, TellsTypesByTheSpecialArea) {
  EXPECT_EQ(Special({}), PageType::kHeap);
  EXPECT_EQ(Special({0x1717, 0, 0, 0}), PageType::kSequence);
  EXPECT_EQ(Special({0, 0, 0, 0xF091}), PageType::kBrinMeta);
  EXPECT_EQ(Special({0, 0, 0, 0xF092}), PageType::kBrinRevmap);
  EXPECT_EQ(Special({0, 0, 0, 0xF093}), PageType::kBrin);
  EXPECT_EQ(Special({4, 0, 0, 0xFF82}), PageType::kSpgist);
  EXPECT_EQ(Special({1, 0, 0, 0xFF82}), PageType::kSpgistMeta);
  EXPECT_EQ(Special({0, 0, 0, 2}), PageType::kGin);
  EXPECT_EQ(Special({0, 0, 0, 8}), PageType::kGinMeta);
  EXPECT_EQ(Special({0, 0, 0, 0x83}), PageType::kGinData);
  EXPECT_EQ(Special({0, 0, 0, 0xF094}), PageType::kUnrecognized);
  EXPECT_EQ(Special({0, 0, 0, 0, 0, 0, 2, 0xFF80}), PageType::kHash);
  EXPECT_EQ(Special({0, 0, 0, 0, 0, 0, 1, 0xFF80}), PageType::kHash);
  EXPECT_EQ(Special({0, 0, 0, 0, 0, 0, 8, 0xFF80}), PageType::kHashMeta);
  EXPECT_EQ(Special({0, 0, 0, 0, 0, 0, 4, 0xFF80}), PageType::kHashBitmap);
  EXPECT_EQ(Special({0, 0, 0, 0, 0, 0, 1, 0xFF81}), PageType::kGist);
  EXPECT_EQ(Special({0, 0, 0, 0, 0, 0, 2, 0xFF81}), PageType::kGistDeleted);
  EXPECT_EQ(Special({0, 0, 0, 0, 0, 0, 1, 0xFF7F}), PageType::kBtree);
  EXPECT_EQ(Special({0, 0, 0, 0, 0, 0, 8, 0}), PageType::kBtreeMeta);
  EXPECT_EQ(Special({0, 0, 0, 0, 0, 0, 4, 0}), PageType::kBtreeDeleted);
  EXPECT_EQ(Special({0, 0, 0, 0, 0, 0, 1, 0xFF82}), PageType::kUnrecognized);
  EXPECT_EQ(Special({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}), PageType::kUnrecognized);
}

TEST(Classify, IsTotal) {
  EXPECT_EQ(Classify({}), PageType::kUnrecognized);
  std::vector<std::byte> bytes(kPageBytes);
  EXPECT_EQ(Classify(bytes), PageType::kNew);
  bytes[8191] = std::byte{1};
  for (size_t special = 0; special <= 0xFFFF; ++special) {
    Store(bytes.data() + kSpecialAt, static_cast<uint16_t>(special));
    const PageType type = Classify(bytes);
    EXPECT_EQ(type == PageType::kUnrecognized,
              special != 8192 && special != 8184 && special != 8176)
        << special;
  }
  for (int type = 0; type < kPageTypeCount; ++type) {
    EXPECT_STRNE(NameOf(static_cast<PageType>(type)), "");
  }
}

TEST(Classify, TypesWithoutLinePointersAreOpaque) {
  for (PageType type :
       {PageType::kBtreeMeta, PageType::kHashMeta, PageType::kHashBitmap, PageType::kBrinMeta,
        PageType::kBrinRevmap, PageType::kGinMeta, PageType::kGinData, PageType::kSpgistMeta,
        PageType::kBtreeDeleted, PageType::kGistDeleted, PageType::kUnrecognized}) {
    EXPECT_EQ(KindOf(type), PageKind::kOpaque) << NameOf(type);
  }
  for (PageType type : {PageType::kBtree, PageType::kHash, PageType::kGist, PageType::kBrin,
                        PageType::kSpgist, PageType::kGin}) {
    EXPECT_EQ(KindOf(type), PageKind::kIndex) << NameOf(type);
  }
  EXPECT_EQ(KindOf(PageType::kHeap), PageKind::kHeap);
  EXPECT_EQ(KindOf(PageType::kSequence), PageKind::kHeap);
  EXPECT_EQ(KindOf(PageType::kNew), PageKind::kNew);
}

}  // namespace
}  // namespace tuplestone::page
