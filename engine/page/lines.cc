// Changing the state of line pointers. The data of those that lose it stay as a gap.
#include "absl/strings/str_format.h"
#include "engine/base/probe.h"
#include "engine/page/page.h"

namespace tuplestone::page {

absl::Status Page::FindUnnamed(LineNumber line) const {
  if (kind_ != PageKind::kHeap) return absl::OkStatus();  // no redirects
  const LinePointer naming(LineState::kRedirect, line, 0);
  const size_t count = line_count();
  for (size_t other = 1; other <= count; ++other) {
    if (Raw(other) == naming) {
      TUPLESTONE_PROBE("page.named_by_redirect");
      return absl::FailedPreconditionError(
          absl::StrFormat("line pointer %d is named by the redirect %d", line, other));
    }
  }
  return absl::OkStatus();
}

absl::Status Page::MarkDead(LineNumber line, DeadStorage storage) {
  absl::Status found = FindLine(line);
  if (found.ok()) found = FindUnnamed(line);
  if (!found.ok()) return found;
  const LinePointer old = Raw(line);
  const bool keeps = storage == DeadStorage::kKeep;
  if (old.state() == LineState::kUnused || (keeps && !old.has_storage())) {
    TUPLESTONE_PROBE("page.mark_dead_refused");
    return absl::FailedPreconditionError(absl::StrFormat(
        "line pointer %d %s", line, keeps ? "stores no tuple to keep" : "is unused"));
  }
  SetLine(line, keeps ? LinePointer(LineState::kDead, old.offset(), old.length())
                      : LinePointer(LineState::kDead, 0, 0));
  return absl::OkStatus();
}

absl::Status Page::MarkUnused(LineNumber line) {
  absl::Status found = FindLine(line);
  if (found.ok()) found = FindUnnamed(line);
  if (!found.ok()) return found;
  SetLine(line, LinePointer());
  SetHasFreeLines(true);
  return absl::OkStatus();
}

absl::Status Page::Redirect(LineNumber line, LineNumber target) {
  TUPLESTONE_CHECK(kP12, kind_ != PageKind::kIndex);
  absl::Status found = FindLine(line);
  if (found.ok()) found = FindLine(target);
  if (found.ok()) found = FindUnnamed(line);
  if (!found.ok()) return found;
  if (Raw(line).state() == LineState::kUnused) {
    TUPLESTONE_PROBE("page.redirect_unused");
    return absl::FailedPreconditionError(absl::StrFormat("line pointer %d is unused", line));
  }
  if (target == line || Raw(target).state() != LineState::kNormal) {
    TUPLESTONE_PROBE("page.redirect_refused");
    return absl::FailedPreconditionError(absl::StrFormat(
        "line pointer %d cannot be redirected to %d, which is not another normal one", line,
        target));
  }
  SetLine(line, LinePointer(LineState::kRedirect, target, 0));
  return absl::OkStatus();
}

}  // namespace tuplestone::page
