#include "properties/page/page_suite.h"

#include <algorithm>
#include <cstring>

namespace tuplestone::properties {

page::Limits LimitsOf(const PageHead& head) {
  page::Limits limits;
  if (head.lines == 0) return limits;
  limits.heap_lines_max = head.lines;
  limits.index_lines_max = head.lines;
  return limits;
}

std::vector<std::byte> TupleBytes(size_t bytes, uint8_t fill) {
  std::vector<std::byte> tuple(bytes);
  for (size_t at = 0; at < bytes; at += 8) {
    // Multiplying by an odd number maps different words to different words.
    const uint64_t word = (at / 8 + 1) * 0x9E3779B97F4A7C15 ^ fill * uint64_t{0x0101010101010101};
    std::memcpy(tuple.data() + at, &word, std::min<size_t>(8, bytes - at));
  }
  return tuple;
}

std::vector<size_t> LinesOf(uint64_t mask, size_t from, size_t count) {
  std::vector<size_t> lines;
  for (size_t line = from; line <= count; ++line) {
    if ((mask >> line % 64 & 1) != 0) lines.push_back(line);
  }
  return lines;
}

std::vector<size_t> WithFault(std::vector<size_t> lines, ListFault fault, size_t count) {
  switch (fault) {
    case ListFault::kNone:
      break;
    case ListFault::kRepeated:
      if (!lines.empty()) lines.push_back(lines.back());
      break;
    case ListFault::kDescending:
      std::reverse(lines.begin(), lines.end());
      break;
    case ListFault::kZero:
      lines.insert(lines.begin(), 0);
      break;
    case ListFault::kPastEnd:
      lines.push_back(count + 1);
      break;
  }
  return lines;
}

void Damage(const PageAdoptDamaged& damage, size_t line_count, std::vector<std::byte>* bytes) {
  const size_t offset = damage.offset;
  const std::byte value{static_cast<uint8_t>(damage.value)};
  size_t at = offset;
  switch (damage.area) {
    case DamagedArea::kPage:
      break;
    case DamagedArea::kLines:
      if (line_count != 0) at = page::kHeaderBytes + offset % (line_count * 4);
      break;
    case DamagedArea::kHeader:
      at = offset % page::kHeaderBytes;
      break;
    case DamagedArea::kEnd:
      bytes->resize(offset);
      return;
  }
  (*bytes)[at] = damage.set ? value : (*bytes)[at] ^ value;
}

page::PageKind KindFor(AdoptedAs as, page::PageKind same) {
  switch (as) {
    case AdoptedAs::kSame:
      return same;
    case AdoptedAs::kHeap:
      return page::PageKind::kHeap;
    case AdoptedAs::kIndex:
      return page::PageKind::kIndex;
    case AdoptedAs::kNew:
      return page::PageKind::kNew;
    case AdoptedAs::kOpaque:
      return page::PageKind::kOpaque;
  }
  return same;
}

template class PageSuiteOf<EnginePage>;
template class PageSuiteOf<SortingPage>;
template class PageSuiteOf<OrderAwarePage>;

}  // namespace tuplestone::properties

namespace tuplestone::kit {
template class ProgramTarget<properties::PageSuite>;
}
