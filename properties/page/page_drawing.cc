#include "properties/page/page_drawing.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/base/bytes.h"
#include "engine/page/page_types.h"

namespace tuplestone::properties {
namespace {

constexpr size_t kCellBytes = 64;
constexpr size_t kCellsALine = 64;
constexpr size_t kLinesShown = 48;
constexpr const char* kStates[] = {"unused", "normal", "redirect", "dead"};

struct RawLine {
  size_t offset;
  size_t state;
  size_t length;
};

size_t Field(Bytes page, size_t at) { return Load<uint16_t>(page.data() + at); }

// The line pointers between the header and lower, as far as the page goes.
size_t LineCount(Bytes page) {
  const size_t lower = std::min(Field(page, page::kLowerAt), page.size());
  return lower <= page::kHeaderBytes ? 0 : (lower - page::kHeaderBytes) / 4;
}

RawLine LineAt(Bytes page, size_t line) {
  const auto raw = Load<uint32_t>(page.data() + page::kHeaderBytes + 4 * (line - 1));
  return {raw & 0x7fff, raw >> 15 & 3, raw >> 17};
}

class Map {
 public:
  explicit Map(size_t bytes) : owners_(bytes, '~') {}

  void Paint(size_t from, size_t to, char owner) {
    for (size_t i = from; i < std::min(to, owners_.size()); ++i) owners_[i] = owner;
  }
  void PaintTuple(size_t from, size_t to, char owner) {
    for (size_t i = from; i < std::min(to, owners_.size()); ++i) {
      owners_[i] = owners_[i] == '~' ? owner : '!';
    }
  }

  std::string ToString() const {
    std::string text;
    for (size_t at = 0; at < owners_.size(); at += kCellBytes * kCellsALine) {
      absl::StrAppendFormat(&text, "%6d |", at);
      for (size_t cell = 0; cell < kCellsALine; ++cell) text += Cell(at + cell * kCellBytes);
      text += "|\n";
    }
    return text;
  }

 private:
  char Cell(size_t from) const {
    if (from >= owners_.size()) return ' ';
    const auto first = owners_.begin() + static_cast<ptrdiff_t>(from);
    const auto last = first + static_cast<ptrdiff_t>(std::min(kCellBytes, owners_.size() - from));
    if (std::find(first, last, '!') != last) return '!';
    char seen = 0;
    for (auto owner = first; owner != last; ++owner) {
      if (*owner == '~' || *owner == '.' || *owner == seen) continue;
      if (seen != 0) return '*';
      seen = *owner;
    }
    return seen != 0 ? seen : *first;
  }

  std::string owners_;  // one character a byte
};

}  // namespace

std::string DrawPage(Bytes page) {
  if (page.size() < page::kHeaderBytes) return absl::StrCat(page.size(), " bytes\n");
  const size_t lower = Field(page, page::kLowerAt);
  const size_t upper = Field(page, page::kUpperAt);
  const size_t special = Field(page, page::kSpecialAt);
  const size_t count = LineCount(page);
  std::string text =
      absl::StrFormat("lower %d, upper %d, special %d, flags 0x%x, %d line pointers\n", lower,
                      upper, special, Field(page, page::kFlagsAt), count);
  Map map(page.size());
  map.Paint(0, page::kHeaderBytes, 'H');
  map.Paint(page::kHeaderBytes, lower, 'L');
  map.Paint(lower, std::min(upper, page.size()), '.');
  map.Paint(special, page.size(), 'S');
  for (size_t line = 1; line <= count; ++line) {
    const RawLine raw = LineAt(page, line);
    if (raw.length > 0) {
      map.PaintTuple(raw.offset, raw.offset + raw.length,
                     static_cast<char>('a' + static_cast<char>((line - 1) % 26)));
    }
    if (line > kLinesShown) continue;
    absl::StrAppendFormat(&text, "%6d  %-8s  offset %4d  length %4d\n", line, kStates[raw.state],
                          raw.offset, raw.length);
  }
  if (count > kLinesShown) absl::StrAppend(&text, "  ... and ", count - kLinesShown, " more\n");
  return text + map.ToString();
}

std::string DrawModel(const PageModel& model) {
  const size_t count = model.lines().size();
  std::string text =
      absl::StrFormat("lower %d, upper %d, special %d, flags 0x%x, %d line pointers\n",
                      model.lower(), model.upper(), model.special(), model.flags(), count);
  for (size_t line = 1; line <= std::min(count, kLinesShown); ++line) {
    absl::StrAppendFormat(&text, "%6d  %s\n", line, model.lines()[line - 1].ToString());
  }
  if (count > kLinesShown) absl::StrAppend(&text, "  ... and ", count - kLinesShown, " more\n");
  return text;
}

}  // namespace tuplestone::properties
