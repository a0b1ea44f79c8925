// One read-only pass over a page's line pointers, sixteen at a time: which store a tuple, what the
// tuples take together, and whether their data already descend in line-pointer order. Compaction
// decides by it and then walks set bits only, so that line pointers without storage cost no
// mispredicted branch. Of up to sixteen, as pages of wide tuples have, one step finds all.
//
// What it does not do: check anything. Requires a page that Adopt took.
#ifndef TUPLESTONE_ENGINE_PAGE_LINE_SCAN_H_
#define TUPLESTONE_ENGINE_PAGE_LINE_SCAN_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/page/page_types.h"

namespace tuplestone::page {

enum class DataOrder : uint8_t { kUnknown, kDescending, kOther };

struct LineScan {
  static constexpr size_t kWordBits = 64;
  static constexpr size_t kWords = (kLinesThatFit + kWordBits - 1) / kWordBits;

  // Bit n - 1: line pointer n stores a tuple. The first WordsOf(count) words are set.
  std::array<uint64_t, kWords> stored;
  size_t count = 0;         // line pointers that were scanned
  size_t stored_count = 0;  // how many store a tuple
  size_t stored_bytes = 0;  // of all tuples, with padding
  size_t unused = 0;        // line pointers that are unused
  // Whether each stored tuple lies below all of lower number, where the pass found it on its way;
  // else Descend() finds it.
  DataOrder order = DataOrder::kUnknown;

  static constexpr size_t WordsOf(size_t count) { return (count + kWordBits - 1) / kWordBits; }
};

// Scans `count` line pointers from `lines`, which lie at their place in a page: up to 60 bytes
// behind them are read too. O(count).
void ScanLines(const std::byte* lines, size_t count, LineScan* scan);

// True if each stored tuple lies below all of lower number. Reads as ScanLines does. Requires: no
// two tuples at one offset. O(count).
bool Descend(const std::byte* lines, size_t count);

// The first of `count` line pointers that is unused, counted from 1; 0 if none is. Reads as
// ScanLines does. O(count).
size_t FirstUnused(const std::byte* lines, size_t count);

// The same without vector instructions: for processors that have others, and to test by.
void ScanLinesPlainly(const std::byte* lines, size_t count, LineScan* scan);
bool DescendPlainly(const std::byte* lines, size_t count);
size_t FirstUnusedPlainly(const std::byte* lines, size_t count);

}  // namespace tuplestone::page

#endif  // TUPLESTONE_ENGINE_PAGE_LINE_SCAN_H_
