// Storing tuples: under the lowest free line pointer, under a given one, over an existing one.
#include <algorithm>
#include <cstring>
#include <functional>

#include "absl/strings/str_format.h"
#include "engine/base/probe.h"
#include "engine/page/page.h"

namespace tuplestone::page {

void Page::RequireTuple(Bytes tuple) const {
  TUPLESTONE_CHECK(kP12, kind_ != PageKind::kOpaque);
  TUPLESTONE_CHECK(kP12, !tuple.empty());
  TUPLESTONE_CHECK(kP12, tuple.size() <= kTupleBytesMax);
  const std::less_equal<const std::byte*> at_most;
  const bool apart =
      at_most(tuple.data() + tuple.size(), bytes_) || at_most(bytes_ + kPageBytes, tuple.data());
  TUPLESTONE_CHECK(kP12, apart);
}

void Page::StoreTuple(size_t line, Bytes tuple) {
  const size_t offset = upper() - MaxAlign(tuple.size());
  std::memcpy(bytes_ + offset, tuple.data(), tuple.size());
  std::memset(bytes_ + offset + tuple.size(), 0, MaxAlign(tuple.size()) - tuple.size());
  SetLine(line, LinePointer(LineState::kNormal, offset, tuple.size()));
  SetUpper(offset);
}

absl::StatusOr<LineNumber> Page::Add(Bytes tuple) {
  RequireTuple(tuple);
  size_t line = LowestUnused();
  const bool reuses = line != 0;
  if (!reuses) line = line_count() + 1;
  absl::Status room = FindRoom(tuple.size(), reuses ? 0 : 1);
  if (!room.ok()) return room;
  if (reuses) {
    TUPLESTONE_PROBE("page.add_reuses_line");
  } else {
    SetLower(lower() + kLinePointerBytes);
    SetHasFreeLines(false);  // as just seen
  }
  StoreTuple(line, tuple);
  return static_cast<LineNumber>(line);
}

absl::Status Page::AddAt(LineNumber line, Bytes tuple, Placement placement) {
  RequireTuple(tuple);
  const bool shifts = placement == Placement::kShift;
  TUPLESTONE_CHECK(kP12, !shifts || kind_ != PageKind::kHeap);
  const size_t count = line_count();
  if (line == 0 || line > count + 1) {
    TUPLESTONE_PROBE("page.add_at_too_far");
    return absl::OutOfRangeError(
        absl::StrFormat("line pointer %d is not one of %d nor the next", line, count));
  }
  const bool exists = line <= count;
  if (exists && !shifts && Raw(line).state() != LineState::kUnused) {
    TUPLESTONE_PROBE("page.add_at_used");
    return absl::AlreadyExistsError(absl::StrFormat("line pointer %d is in use", line));
  }
  const size_t new_lines = exists && !shifts ? 0 : 1;
  absl::Status room = FindRoom(tuple.size(), new_lines);
  if (!room.ok()) return room;
  if (new_lines == 1) {
    if (exists) {
      TUPLESTONE_PROBE("page.add_shifts");
      std::memmove(line_bytes(line + 1u), line_bytes(line), (count - line + 1) * kLinePointerBytes);
    }
    SetLower(lower() + kLinePointerBytes);
  }
  StoreTuple(line, tuple);
  return absl::OkStatus();
}

absl::Status Page::Overwrite(LineNumber line, Bytes tuple) {
  RequireTuple(tuple);
  absl::Status found = FindLine(line);
  if (!found.ok()) return found;
  const LinePointer old = Raw(line);
  if (!old.has_storage()) {
    TUPLESTONE_PROBE("page.overwrite_without_storage");
    return absl::FailedPreconditionError(
        absl::StrFormat("line pointer %d stores no tuple to overwrite", line));
  }
  const size_t stored = MaxAlign(tuple.size());
  const size_t room = old.stored_bytes() + FreeSpaceExact();
  if (stored > room) {
    TUPLESTONE_PROBE("page.overwrite_refused");
    return absl::ResourceExhaustedError(
        absl::StrFormat("line pointer %d: %d bytes wanted, %d free", line, stored, room));
  }
  const ptrdiff_t shrinks_by =
      static_cast<ptrdiff_t>(old.stored_bytes()) - static_cast<ptrdiff_t>(stored);
  if (shrinks_by > 0) TUPLESTONE_PROBE("page.overwrite_shrinks");
  if (shrinks_by < 0) TUPLESTONE_PROBE("page.overwrite_grows");
  // The tuple's end stays: what lies between upper and its start moves.
  ShiftData(old.offset(), shrinks_by);
  const size_t offset = old.offset() + static_cast<size_t>(shrinks_by);
  SetLine(line, LinePointer(old.state(), offset, tuple.size()));
  std::memcpy(bytes_ + offset, tuple.data(), tuple.size());
  std::memset(bytes_ + offset + tuple.size(), 0, stored - tuple.size());
  return absl::OkStatus();
}

}  // namespace tuplestone::page
