// A small world, all of it: every page of up to four line pointers, each in every state and of two
// sizes, the stored tuples in every physical order and with four patterns of gaps between them.
// Every heap page is repaired, every index page loses every subset of its line pointers, and each
// must come out as the model and the other compactions say. Then single-bit flips of real pages as
// the model judges them. Not covered: more line pointers and other sizes, which are the property's;
// flips of all pages (page_flips_exhaustive_test.cc).
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "properties/page/checked_page.h"
#include "properties/page/page_images.h"
#include "properties/page/page_suite.h"

namespace tuplestone::properties {
namespace {

using page::LinePointer;
using page::LineState;
using page::PageKind;

constexpr size_t kLinesMax = 4;
constexpr size_t kSizes[] = {5, 16};

// A line pointer but for its offset.
struct Line {
  LineState state;
  size_t length;
  size_t target;
};

// Every shape of a line pointer on a page of `count`.
std::vector<Line> Shapes(PageKind kind, size_t count) {
  std::vector<Line> shapes = {{LineState::kUnused, 0, 0}, {LineState::kDead, 0, 0}};
  for (size_t size : kSizes) {
    shapes.push_back({LineState::kNormal, size, 0});
    shapes.push_back({LineState::kDead, size, 0});
  }
  for (size_t target = 1; kind == PageKind::kHeap && target <= count; ++target) {
    shapes.push_back({LineState::kRedirect, 0, target});
  }
  return shapes;
}

// Calls f with every list of `count` shapes in which redirects name normal line pointers.
template <typename F>
void ForEachList(PageKind kind, size_t count, F f) {
  const std::vector<Line> shapes = Shapes(kind, count);
  std::vector<size_t> choice(count, 0);
  while (true) {
    std::vector<Line> lines;
    for (size_t i : choice) lines.push_back(shapes[i]);
    const bool sound = std::all_of(lines.begin(), lines.end(), [&](const Line& line) {
      return line.state != LineState::kRedirect ||
             lines[line.target - 1].state == LineState::kNormal;
    });
    if (sound) f(lines);
    size_t at = 0;
    while (at < count && ++choice[at] == shapes.size()) choice[at++] = 0;
    if (at == count) return;
  }
}

enum class Gaps { kNone, kFirst, kLast, kAll };

// The page with the stored tuples in the physical order `order` (indices of lines, from special
// down).
std::vector<std::byte> Build(const std::vector<Line>& lines, const std::vector<size_t>& order,
                             Gaps gaps, size_t special_bytes) {
  std::vector<std::byte> bytes(page::kPageBytes);
  std::vector<size_t> offsets(lines.size(), 0);
  const size_t special = page::kPageBytes - special_bytes;
  size_t end = special;
  for (size_t i = 0; i < order.size(); ++i) {
    const bool gap = gaps == Gaps::kAll || (gaps == Gaps::kFirst && i == 0) ||
                     (gaps == Gaps::kLast && i + 1 == order.size());
    end -= MaxAlign(lines[order[i]].length) + (gap ? 8 : 0);
    offsets[order[i]] = end;
    const std::vector<std::byte> tuple =
        TupleBytes(lines[order[i]].length, static_cast<uint8_t>(16 * (order[i] + 1)));
    std::copy(tuple.begin(), tuple.end(), bytes.begin() + static_cast<ptrdiff_t>(end));
  }
  Store(bytes.data() + page::kLowerAt,
        static_cast<uint16_t>(page::kHeaderBytes + 4 * lines.size()));
  Store(bytes.data() + page::kUpperAt, static_cast<uint16_t>(end));
  Store(bytes.data() + page::kSpecialAt, static_cast<uint16_t>(special));
  Store(bytes.data() + page::kSizeAndVersionAt, page::kSizeAndVersion);
  for (size_t i = 0; i < lines.size(); ++i) {
    const size_t offset = lines[i].state == LineState::kRedirect ? lines[i].target : offsets[i];
    Store(bytes.data() + page::kHeaderBytes + 4 * i,
          LinePointer(lines[i].state, offset, lines[i].length).bits());
  }
  return bytes;
}

const std::vector<Gaps> kAllPatterns = {Gaps::kNone, Gaps::kFirst, Gaps::kLast, Gaps::kAll};

// Calls f with every page of `count` line pointers.
template <typename F>
void ForEachPage(PageKind kind, size_t count, size_t special_bytes,
                 const std::vector<Gaps>& patterns, F f) {
  ForEachList(kind, count, [&](const std::vector<Line>& lines) {
    std::vector<size_t> order;
    for (size_t i = 0; i < lines.size(); ++i) {
      if (lines[i].length != 0) order.push_back(i);
    }
    do {
      for (Gaps gaps : patterns) {
        f(Build(lines, order, gaps, special_bytes));
      }
    } while (std::next_permutation(order.begin(), order.end()));
  });
}

TEST(PageExhaustive, RepairIsRightOnEveryHeapPage) {  // P1 to P6, P8
  size_t pages = 0;
  CheckedPage<EnginePage> page(PageKind::kHeap, 0, {});
  for (size_t count = 0; count <= kLinesMax; ++count) {
    ForEachPage(PageKind::kHeap, count, 0, kAllPatterns, [&](const std::vector<std::byte>& bytes) {
      ASSERT_TRUE(page.Replace(bytes, PageKind::kHeap));
      page.Repair();
      ++pages;
    });
  }
  EXPECT_GT(pages, 50000u);
}

TEST(PageExhaustive, DeletingIsRightOnEveryIndexPageAndSubset) {  // P1 to P6, P8
  size_t deletions = 0;
  CheckedPage<EnginePage> page(PageKind::kIndex, 0, {});
  for (size_t count = 0; count <= kLinesMax; ++count) {
    const std::vector<Gaps> patterns =
        count == kLinesMax ? std::vector<Gaps>{Gaps::kFirst} : kAllPatterns;
    ForEachPage(PageKind::kIndex, count, 16, patterns, [&](const std::vector<std::byte>& bytes) {
      for (uint64_t subset = 0; subset < uint64_t{1} << count; ++subset) {
        ASSERT_TRUE(page.Replace(bytes, PageKind::kIndex));
        ASSERT_TRUE(page.DeleteMany(LinesOf(subset << 1, 1, count)));
        ++deletions;
      }
      for (size_t line = 1; line <= count; ++line) {
        ASSERT_TRUE(page.Replace(bytes, PageKind::kIndex));
        ASSERT_TRUE(page.DeleteOne(line));
      }
    });
  }
  EXPECT_GT(deletions, 10000u);
}

// P9, P13: flips inside header and line pointers, where they can matter, of pages of each kind.
TEST(PageExhaustive, EverySingleBitFlipGivesAPageOrARefusal) {
  for (size_t image : {9, 11, 22, 30}) {
    const Bytes bytes = PageImageAt(image).bytes;
    const PageKind kind = page::KindOf(page::Classify(bytes));
    CheckedPage<EnginePage> page(PageKind::kHeap, 0, {});
    ASSERT_TRUE(page.Replace(bytes, kind));
    const size_t end = page.model().lower();
    for (size_t bit = 0; bit < end * 8; ++bit) {
      std::vector<std::byte> flipped(bytes.begin(), bytes.end());
      flipped[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
      page.ExpectAdoptedIfSound(std::move(flipped), kind);
    }
  }
}

}  // namespace
}  // namespace tuplestone::properties
