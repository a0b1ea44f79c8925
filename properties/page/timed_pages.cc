#include "properties/page/timed_pages.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "engine/base/align.h"
#include "engine/base/bytes.h"
#include "properties/kit/random.h"

namespace tuplestone::properties {
namespace {

using page::kHeaderBytes;
using page::kPageBytes;
using page::LinePointer;
using page::LineState;

LinePointer LineOf(const PageBytes& page, size_t line) {
  return LinePointer(Load<uint32_t>(page.data() + kHeaderBytes + 4 * (line - 1)));
}

size_t LineCount(const PageBytes& page) {
  return (Load<uint16_t>(page.data() + page::kLowerAt) - kHeaderBytes) / 4;
}

void SetLine(PageBytes& page, size_t line, LinePointer pointer) {
  Store(page.data() + kHeaderBytes + 4 * (line - 1), pointer.bits());
}

void Shuffle(std::vector<size_t>& numbers, kit::Random& random) {
  for (size_t i = numbers.size(); i > 1; --i) std::swap(numbers[i - 1], numbers[random.Below(i)]);
}

PageBytes FullPage(size_t tuple_bytes, PhysicalOrder order, kit::Random& random) {
  PageBytes page = {};
  const size_t stored = MaxAlign(tuple_bytes);
  const size_t count =
      std::min<size_t>((kPageBytes - kHeaderBytes) / (stored + 4), page::Limits().heap_lines_max);
  std::vector<size_t> lines(count);
  std::iota(lines.begin(), lines.end(), size_t{1});
  if (order == PhysicalOrder::kReversed) std::reverse(lines.begin(), lines.end());
  if (order == PhysicalOrder::kShuffled) Shuffle(lines, random);
  size_t upper = kPageBytes;
  for (size_t line : lines) {
    upper -= stored;
    SetLine(page, line, LinePointer(LineState::kNormal, upper, tuple_bytes));
    std::memset(page.data() + upper, static_cast<int>(line), tuple_bytes);
  }
  const auto set = [&](size_t at, size_t value) {
    Store(page.data() + at, static_cast<uint16_t>(value));
  };
  set(page::kLowerAt, kHeaderBytes + 4 * count);
  set(page::kUpperAt, upper);
  set(page::kSpecialAt, kPageBytes);
  set(page::kSizeAndVersionAt, page::kSizeAndVersion);
  return page;
}

// The line pointer of `after`, or an unused one where the vacuum cut it.
LinePointer GoalOf(const PageBytes& after, size_t line) {
  return line <= LineCount(after) ? LineOf(after, line) : LinePointer();
}

}  // namespace

const char* NameOf(PhysicalOrder order) {
  switch (order) {
    case PhysicalOrder::kOrdered:
      return "ordered";
    case PhysicalOrder::kReversed:
      return "reversed";
    case PhysicalOrder::kShuffled:
      return "shuffled";
  }
  return "";
}

std::vector<PageBytes> SyntheticPages(size_t count, size_t tuple_bytes, PhysicalOrder order,
                                      int dead_percent) {
  kit::Random random(1);
  std::vector<PageBytes> pages;
  while (pages.size() < count) {
    pages.push_back(FullPage(tuple_bytes, order, random));
    PageBytes& page = pages.back();
    std::vector<size_t> lines(LineCount(page));
    std::iota(lines.begin(), lines.end(), size_t{1});
    Shuffle(lines, random);
    const size_t dead = (lines.size() * static_cast<size_t>(dead_percent) + 50) / 100;
    lines.resize(std::clamp<size_t>(dead, 1, lines.size() - 1));
    for (size_t line : lines) SetLine(page, line, LinePointer(LineState::kDead, 0, 0));
  }
  return pages;
}

PageBytes WhenMarked(const PageBytes& before, const PageBytes& after) {
  PageBytes page = before;
  for (size_t line = 1; line <= LineCount(page); ++line) {
    const LinePointer goal = GoalOf(after, line);
    if (!goal.has_storage()) SetLine(page, line, goal);
  }
  return page;
}

PageBytes WhenOthersAreMarked(const PageBytes& before, const PageBytes& after, uint64_t seed) {
  kit::Random random(seed);
  PageBytes page = before;
  std::vector<size_t> storing;
  std::vector<LinePointer> lost;  // what becomes of those that lose their tuples
  for (size_t line = 1; line <= LineCount(page); ++line) {
    const LinePointer goal = GoalOf(after, line);
    if (LineOf(page, line).has_storage()) {
      storing.push_back(line);
      if (!goal.has_storage()) lost.push_back(goal);
    } else {
      SetLine(page, line, goal);
    }
  }
  Shuffle(storing, random);
  for (size_t i = 0; i < lost.size(); ++i) SetLine(page, storing[i], lost[i]);
  for (size_t line = 1; line <= LineCount(page); ++line) {  // to one that stays
    if (LineOf(page, line).state() == LineState::kRedirect) {
      SetLine(page, line, LinePointer(LineState::kRedirect, storing.back(), 0));
    }
  }
  return page;
}

}  // namespace tuplestone::properties
