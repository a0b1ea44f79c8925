// Compaction in line-pointer order, without sorting and without an array of items.
//
//   before   special <- | 5 |gap| 1 |  3  |gap| 2 |        upper
//   after    special <- | 1 | 2 |  3  | 5 |                upper
//
// The first scan only reads (line_scan.h). If the data already descend in line-pointer order, each
// tuple moves up in place, highest first, so that no target covers a source still to be read. Else
// tuples go to a workspace at the place of their target, and one copy brings it back.
//
// Narrow tuples are copied 64 bytes at a time, ending at the tuple's end: what that writes below
// the tuple is the place of the next one, which comes later. Where it could reach data still to be
// read, or the hole, the copy is exact.
#include <bit>
#include <cstdint>
#include <cstring>

#include "engine/base/probe.h"
#include "engine/page/line_scan.h"
#include "engine/page/page.h"

namespace tuplestone::page {
namespace {

constexpr size_t kPiece = 64;
// The workspace begins where the page does modulo so many bytes: copies between places that differ
// a little modulo that are slow on some processors.
constexpr size_t kSamePlace = 4096;
constexpr size_t kFewBytes = 1024;
// Longer tuples are worth a call of the library.
constexpr size_t kPiecesMax = 8 * kPiece;
// Tuples of that mean length and less are copied piece by piece, others as runs of neighbours.
constexpr size_t kNarrowBytesMax = 2 * kPiece;

// Copies `bytes` ending at the two ends, and up to kPiece - 1 bytes below. The areas may overlap if
// `to_end` is above `from_end`. Requires: bytes > 0, and those exist at both.
inline void CopyPieces(std::byte* to_end, const std::byte* from_end, size_t bytes) {
  size_t done = 0;
  do {
    std::byte piece[kPiece];
    std::memcpy(piece, from_end - done - kPiece, kPiece);
    std::memcpy(to_end - done - kPiece, piece, kPiece);
    done += kPiece;
  } while (done < bytes);
}

// Calls f(line) for each line pointer that stores a tuple, ascending. Where few of many do, the
// step to the next word of bits comes too irregularly for the processor to predict, and is made
// without a branch.
template <class F>
inline void ForEachStored(const LineScan& scan, F&& f) {
  const uint64_t* word = scan.stored.data();
  const bool sparse = scan.count > LineScan::kWordBits && scan.stored_count < scan.count / 4;
  if (!sparse) {
    for (size_t first = 1; first <= scan.count; first += LineScan::kWordBits, ++word) {
      for (uint64_t bits = *word; bits != 0; bits &= bits - 1) {
        f(first + static_cast<size_t>(std::countr_zero(bits)));
      }
    }
    return;
  }
  uint64_t bits = *word;
  size_t first = 1;
  for (size_t left = scan.stored_count; left > 0; --left) {
    do {
      const size_t step = bits == 0 ? 1 : 0;
      word += step;
      first += step * LineScan::kWordBits;
      bits = step != 0 ? *word : bits;
    } while (bits == 0);
    f(first + static_cast<size_t>(std::countr_zero(bits)));
    bits &= bits - 1;
  }
}

}  // namespace

void Page::SlideNarrow(const LineScan& scan, size_t new_upper) {
  size_t target = special();
  ForEachStored(scan, [&](size_t line) {
    const LinePointer pointer = Raw(line);
    const size_t bytes = pointer.stored_bytes();
    const size_t source_end = pointer.offset() + bytes;
    const size_t end = target;
    target -= bytes;
    // Data still to be read end at the source's start, that far below the target's start.
    const bool room = end - source_end >= kPiece;
    if (room && target >= new_upper + kPiece) {
      CopyPieces(bytes_ + end, bytes_ + source_end, bytes);
    } else {
      std::memmove(bytes_ + target, bytes_ + pointer.offset(), bytes);
    }
    SetLine(line, pointer.MovedTo(target));
  });
}

void Page::SlideWide(const LineScan& scan) {
  // Neighbours move in one go: the run's source is [run_start, run_start + run_bytes), its target
  // begins at `target`.
  size_t run_start = 0;
  size_t run_bytes = 0;
  size_t target = special();
  const auto move_run = [&] {
    std::memmove(bytes_ + target, bytes_ + run_start, run_bytes);
    run_bytes = 0;
  };
  ForEachStored(scan, [&](size_t line) {
    const LinePointer pointer = Raw(line);
    const size_t bytes = pointer.stored_bytes();
    if (pointer.offset() + bytes != run_start && run_bytes != 0) move_run();
    run_start = pointer.offset();
    run_bytes += bytes;
    target -= bytes;
    SetLine(line, pointer.MovedTo(target));
  });
  move_run();
}

void Page::CopyThroughWorkspace(const LineScan& scan, size_t new_upper) {
  // Below `upper` there may be less than a piece; such a page holds at most a few bytes that are
  // not tuples.
  const bool piecewise = upper() >= kPiece;
  alignas(kSamePlace) std::byte room[kPageBytes + kSamePlace];
  std::byte* const workspace = room + reinterpret_cast<uintptr_t>(bytes_) % kSamePlace;
  size_t target = special();
  ForEachStored(scan, [&](size_t line) {
    const LinePointer pointer = Raw(line);
    const size_t bytes = pointer.stored_bytes();
    std::byte* const to_end = workspace + target;
    target -= bytes;
    if (piecewise && bytes <= kPiecesMax) {
      CopyPieces(to_end, bytes_ + pointer.offset() + bytes, bytes);
    } else {
      std::memcpy(workspace + target, bytes_ + pointer.offset(), bytes);
    }
    SetLine(line, pointer.MovedTo(target));
  });
  std::memcpy(bytes_ + new_upper, workspace + new_upper, special() - new_upper);
}

void Page::Compact(const LineScan& scan) {
  const size_t new_upper = special() - scan.stored_bytes;
  if (scan.stored_bytes == 0) {
    TUPLESTONE_PROBE("page.no_tuple_left");
    SetUpper(new_upper);
    return;
  }
  // A few bytes are brought to the workspace and back sooner than it is known whether they are in
  // order.
  const bool narrow = scan.stored_bytes <= scan.stored_count * kNarrowBytesMax;
  const bool few = narrow && scan.stored_bytes <= kFewBytes;
  const bool in_order = scan.order == DataOrder::kUnknown
                            ? !few && Descend(bytes_ + kHeaderBytes, scan.count)
                            : scan.order == DataOrder::kDescending;
  if (in_order && new_upper == upper()) {
    TUPLESTONE_PROBE("page.nothing_to_move");
    return;
  }
  if (in_order) {
    if (narrow) {
      TUPLESTONE_PROBE("page.slide_narrow");
      SlideNarrow(scan, new_upper);
    } else {
      TUPLESTONE_PROBE("page.slide_wide");
      SlideWide(scan);
    }
  } else {
    TUPLESTONE_PROBE("page.copy_through_workspace");
    CopyThroughWorkspace(scan, new_upper);
  }
  SetUpper(new_upper);
}

void Page::RepairFragmentation() {
  TUPLESTONE_CHECK(kP12, kind_ == PageKind::kHeap || kind_ == PageKind::kNew);
  if (kind_ == PageKind::kNew) return;
  const size_t count_before = line_count();
  LineScan scan;
  ScanLines(bytes_ + kHeaderBytes, count_before, &scan);
  size_t count = count_before;
  while (count > 0 && Raw(count).state() == LineState::kUnused) --count;
  if (count != count_before) TUPLESTONE_PROBE("page.truncate");
  if (count == 0 && count_before != 0) TUPLESTONE_PROBE("page.truncate_all");
  SetLower(LineAt(count + 1));
  SetHasFreeLines(scan.unused != count_before - count);
  Compact(scan);
}

}  // namespace tuplestone::page
