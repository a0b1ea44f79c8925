#include "engine/page/line_scan.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

#include "engine/base/bytes.h"

namespace tuplestone::page {
namespace {

// A page's line pointer array, with random bits in all that lies behind it.
class Lines {
 public:
  explicit Lines(uint64_t seed) : random_(seed) {
    for (std::byte& b : page_) b = static_cast<std::byte>(random_());
  }

  // Writes `count` line pointers, of which `percent_stored` in a hundred store a tuple; their
  // offsets descend, but for each one time in `disorder` (0: never).
  const std::byte* Draw(size_t count, size_t percent_stored, size_t disorder) {
    size_t offset = kPageBytes;
    for (size_t i = 0; i < count; ++i) {
      LinePointer pointer;
      const bool stores = random_() % 100 < percent_stored;
      const bool disordered = disorder != 0 && random_() % disorder == 0;
      if (stores) {
        offset -= 2;
        const LineState state = random_() % 4 == 0 ? LineState::kDead : LineState::kNormal;
        pointer = LinePointer(state, disordered ? kPageBytes + i : offset, 1 + random_() % 8160);
      } else if (random_() % 2 == 0) {
        pointer = LinePointer(LineState::kRedirect, 1 + random_() % 300, 0);
      }
      Store(at(i), pointer.bits());
    }
    return at(0);
  }

 private:
  std::byte* at(size_t i) { return page_.data() + kHeaderBytes + i * kLinePointerBytes; }

  std::mt19937_64 random_;
  std::array<std::byte, kPageBytes> page_;
};

std::vector<uint64_t> Words(const LineScan& scan, size_t count) {
  return {scan.stored.begin(), scan.stored.begin() + static_cast<long>(LineScan::WordsOf(count))};
}

// Every count that a page can have, so that each remainder of a group and a word is met, and the
// end of the page.
TEST(LineScan, IsTheSameWithAndWithoutVectorInstructions) {
  Lines lines(0x5ca9);
  for (size_t count = 0; count <= kLinesThatFit; ++count) {
    const std::byte* array = lines.Draw(count, count % 101, count % 3 == 0 ? 0 : 50);
    LineScan expected;
    LineScan actual;
    ScanLinesPlainly(array, count, &expected);
    ScanLines(array, count, &actual);
    ASSERT_EQ(Words(expected, count), Words(actual, count)) << count;
    ASSERT_EQ(expected.stored_count, actual.stored_count) << count;
    ASSERT_EQ(expected.stored_bytes, actual.stored_bytes) << count;
    ASSERT_EQ(expected.unused, actual.unused) << count;
    ASSERT_EQ(DescendPlainly(array, count), Descend(array, count)) << count;
    ASSERT_EQ(FirstUnusedPlainly(array, count), FirstUnused(array, count)) << count;
  }
}

TEST(LineScan, FindsTheOrderOfFewLinesOnItsWay) {
  Lines lines(0xfe3);
  size_t descending = 0;
  for (size_t draw = 0; draw < 20000; ++draw) {
    const size_t count = draw % 18;
    const std::byte* array = lines.Draw(count, 10 + draw % 91, draw % 2 == 0 ? 0 : 8);
    LineScan expected;
    LineScan actual;
    ScanLinesPlainly(array, count, &expected);
    ScanLines(array, count, &actual);
    ASSERT_EQ(Words(expected, count), Words(actual, count)) << count;
    ASSERT_EQ(expected.stored_count, actual.stored_count) << count;
    ASSERT_EQ(expected.stored_bytes, actual.stored_bytes) << count;
    ASSERT_EQ(expected.unused, actual.unused) << count;
    const bool descends = DescendPlainly(array, count);
    descending += descends ? 1 : 0;
    if (actual.order == DataOrder::kUnknown) continue;
    ASSERT_EQ(descends, actual.order == DataOrder::kDescending) << count;
  }
  EXPECT_GT(descending, 5000u);
  EXPECT_LT(descending, 18000u);
}

TEST(LineScan, CountsByHand) {
  std::array<std::byte, kPageBytes> page = {};
  std::byte* lines = page.data() + kHeaderBytes;
  Store(lines, LinePointer(LineState::kNormal, 8000, 9).bits());
  Store(lines + 8, LinePointer(LineState::kRedirect, 1, 0).bits());
  Store(lines + 12, LinePointer(LineState::kDead, 7000, 8).bits());
  Store(lines + 16, LinePointer(LineState::kDead, 0, 0).bits());
  LineScan scan;
  ScanLines(lines, 5, &scan);
  EXPECT_EQ(scan.stored[0], 0b01001u);
  EXPECT_EQ(scan.stored_count, 2u);
  EXPECT_EQ(scan.stored_bytes, 24u);
  EXPECT_EQ(scan.unused, 1u);
  EXPECT_TRUE(Descend(lines, 5));
}

// One unused line pointer, at every place and behind the last.
TEST(LineScan, FindsTheFirstUnusedWhereverItIs) {
  std::array<std::byte, kPageBytes> page = {};
  std::byte* lines = page.data() + kHeaderBytes;
  for (size_t count = 0; count <= 200; ++count) {
    EXPECT_EQ(FirstUnused(lines, count), 0u) << count;
    for (size_t i = 0; i < count; ++i) {
      const uint32_t before = Load<uint32_t>(lines + i * 4);
      Store(lines + i * 4, uint32_t{0});
      ASSERT_EQ(FirstUnused(lines, count), i + 1) << count;
      Store(lines + i * 4, before);
    }
    Store(lines + count * 4, LinePointer(LineState::kRedirect, 1, 0).bits());
  }
}

// One line pointer out of order, at every place of a full array.
TEST(LineScan, SeesASingleTupleOutOfOrderWhereverItIs) {
  std::array<std::byte, kPageBytes> page = {};
  std::byte* lines = page.data() + kHeaderBytes;
  constexpr size_t kCount = 150;
  for (size_t i = 0; i < kCount; ++i) {
    const bool stores = i % 3 != 1;
    if (stores) Store(lines + i * 4, LinePointer(LineState::kNormal, 8184 - i * 8, 8).bits());
  }
  ASSERT_TRUE(Descend(lines, kCount));
  for (size_t i = 1; i < kCount; ++i) {
    const uint32_t before = Load<uint32_t>(lines + i * 4);
    if (before == 0) continue;
    Store(lines + i * 4, LinePointer(LineState::kNormal, 8188, 8).bits());
    EXPECT_FALSE(Descend(lines, kCount)) << i;
    Store(lines + i * 4, before);
  }
}

}  // namespace
}  // namespace tuplestone::page
