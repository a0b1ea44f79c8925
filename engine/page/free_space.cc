// How much room a page has, and whether one more tuple fits.
#include "absl/strings/str_format.h"
#include "engine/base/probe.h"
#include "engine/page/page.h"

namespace tuplestone::page {

size_t Page::FreeSpaceExact() const {
  if (kind_ == PageKind::kNew || kind_ == PageKind::kOpaque) return 0;
  return upper() - lower();
}

size_t Page::FreeSpaceForTuples(size_t tuple_count) const {
  const size_t exact = FreeSpaceExact();
  // Dividing keeps any count from wrapping.
  if (tuple_count > exact / kLinePointerBytes) return 0;
  return exact - tuple_count * kLinePointerBytes;
}

size_t Page::FreeSpace() const { return FreeSpaceForTuples(1); }

size_t Page::FreeSpaceHeap() const {
  TUPLESTONE_CHECK(kP12, kind_ == PageKind::kHeap || kind_ == PageKind::kNew);
  if (line_count() >= limits_.heap_lines_max && LowestUnused() == 0) {
    TUPLESTONE_PROBE("page.no_line_left");
    return 0;
  }
  return FreeSpace();
}

bool Page::Fits(size_t tuple_bytes) const {
  TUPLESTONE_CHECK(kP12, tuple_bytes > 0);
  TUPLESTONE_CHECK(kP12, tuple_bytes <= kTupleBytesMax);
  return FindRoom(tuple_bytes, LowestUnused() == 0 ? 1 : 0).ok();
}

size_t Page::LowestUnused() const { return FirstUnused(bytes_ + kHeaderBytes, line_count()); }

absl::Status Page::FindRoom(size_t tuple_bytes, size_t new_lines) const {
  if (line_count() + new_lines > lines_max()) {
    TUPLESTONE_PROBE("page.add_refused_lines");
    return absl::ResourceExhaustedError(absl::StrFormat(
        "no unused line pointer, and %d is the limit of line pointers", lines_max()));
  }
  const size_t wanted = MaxAlign(tuple_bytes) + new_lines * kLinePointerBytes;
  if (wanted > FreeSpaceExact()) {
    TUPLESTONE_PROBE("page.add_refused_room");
    return absl::ResourceExhaustedError(
        absl::StrFormat("%d bytes wanted, %d free", wanted, FreeSpaceExact()));
  }
  return absl::OkStatus();
}

}  // namespace tuplestone::page
