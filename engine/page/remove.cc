// Index-style deletion: the numbers of later line pointers close up.
#include <cstring>

#include "absl/strings/str_format.h"
#include "engine/base/probe.h"
#include "engine/page/page.h"

namespace tuplestone::page {

// Moves the data in [upper, from_offset) by `by` bytes, with upper and the line pointers to it.
void Page::ShiftData(size_t from_offset, ptrdiff_t by) {
  if (by == 0) return;
  const size_t old_upper = upper();
  const size_t new_upper = old_upper + static_cast<size_t>(by);
  std::memmove(bytes_ + new_upper, bytes_ + old_upper, from_offset - old_upper);
  const size_t count = line_count();
  for (size_t line = 1; line <= count; ++line) {
    const LinePointer pointer = Raw(line);
    if (pointer.has_storage() && pointer.offset() < from_offset) {
      SetLine(line, pointer.MovedTo(pointer.offset() + static_cast<size_t>(by)));
    }
  }
  SetUpper(new_upper);
}

absl::Status Page::DeleteOne(LineNumber line) {
  TUPLESTONE_CHECK(kP12, kind_ == PageKind::kIndex || kind_ == PageKind::kNew);
  absl::Status found = FindLine(line);
  if (!found.ok()) return found;
  const LinePointer victim = Raw(line);
  const size_t count = line_count();
  std::memmove(line_bytes(line), line_bytes(line + 1u), (count - line) * kLinePointerBytes);
  SetLower(lower() - kLinePointerBytes);
  if (victim.has_storage()) {
    ShiftData(victim.offset(), static_cast<ptrdiff_t>(victim.stored_bytes()));
  } else {
    TUPLESTONE_PROBE("page.delete_without_storage");
  }
  return absl::OkStatus();
}

absl::Status Page::DeleteMany(absl::Span<const LineNumber> lines) {
  TUPLESTONE_CHECK(kP12, kind_ == PageKind::kIndex || kind_ == PageKind::kNew);
  size_t previous = 0;
  for (LineNumber line : lines) {
    absl::Status found = FindLine(line);
    if (!found.ok()) return found;
    if (line <= previous) {
      TUPLESTONE_PROBE("page.delete_many_unordered");
      return absl::InvalidArgumentError(
          absl::StrFormat("line pointer %d does not come after %d", line, previous));
    }
    previous = line;
  }
  if (kind_ == PageKind::kNew) return absl::OkStatus();
  const size_t count = line_count();
  if (lines.size() == count && count != 0) TUPLESTONE_PROBE("page.delete_all");
  size_t kept = 0;
  size_t next_deleted = 0;
  for (size_t line = 1; line <= count; ++line) {
    if (next_deleted < lines.size() && lines[next_deleted] == line) {
      ++next_deleted;
    } else {
      SetLine(++kept, Raw(line));
    }
  }
  SetLower(LineAt(kept + 1));
  LineScan scan;
  ScanLines(bytes_ + kHeaderBytes, kept, &scan);
  Compact(scan);
  return absl::OkStatus();
}

}  // namespace tuplestone::page
