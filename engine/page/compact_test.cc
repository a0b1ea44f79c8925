// RepairFragmentation on small pages built by hand. Not covered: pages of PostgreSQL
// (real_pages_test.cc) and all small pages (properties/page/page_exhaustive_test.cc).
#include <gtest/gtest.h>

#include <vector>

#include "engine/page/page.h"
#include "engine/page/page_for_test.h"

namespace tuplestone::page {
namespace {

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

}  // namespace
}  // namespace tuplestone::page
