#include "engine/page/page.h"

#include <algorithm>

#include "absl/strings/str_format.h"

namespace tuplestone::page {

absl::StatusOr<Page> Page::Adopt(MutableBytes bytes, PageKind kind, const Limits& limits) {
  std::optional<PageFault> fault = FindFault(bytes, kind, limits);
  if (fault.has_value()) return absl::DataLossError(fault->Message());
  // No sound page but a new one has upper 0.
  const bool is_new = Load<uint16_t>(bytes.data() + kUpperAt) == 0;
  return Page(bytes.data(), is_new ? PageKind::kNew : kind, limits);
}

Page Page::Initialize(MutableBytes bytes, PageKind kind, size_t special_bytes,
                      const Limits& limits) {
  TUPLESTONE_CHECK_EQ(kP12, kPageBytes, bytes.size());
  TUPLESTONE_CHECK(kP12, kind == PageKind::kHeap || kind == PageKind::kIndex);
  TUPLESTONE_CHECK(kP12, special_bytes <= kPageBytes - kHeaderBytes);
  std::fill(bytes.begin(), bytes.end(), std::byte{0});
  const auto special = static_cast<uint16_t>(kPageBytes - MaxAlign(special_bytes));
  Store(bytes.data() + kLowerAt, static_cast<uint16_t>(kHeaderBytes));
  Store(bytes.data() + kUpperAt, special);
  Store(bytes.data() + kSpecialAt, special);
  Store(bytes.data() + kSizeAndVersionAt, kSizeAndVersion);
  return Page(bytes.data(), kind, limits);
}

Bytes Page::SpecialArea() const {
  if (kind_ == PageKind::kNew) return Bytes();
  return bytes().subspan(special());
}

LinePointer Page::Line(LineNumber line) const {
  TUPLESTONE_CHECK(kP12, line >= 1);
  TUPLESTONE_CHECK(kP12, line <= line_count());
  return Raw(line);
}

Bytes Page::Tuple(LineNumber line) const {
  const LinePointer pointer = Line(line);
  if (!pointer.has_storage()) return Bytes();
  return bytes().subspan(pointer.offset(), pointer.length());
}

size_t Page::lines_max() const {
  return kind_ == PageKind::kHeap ? limits_.heap_lines_max : limits_.index_lines_max;
}

absl::Status Page::FindLine(LineNumber line) const {
  TUPLESTONE_CHECK(kP12, kind_ != PageKind::kOpaque);
  if (line >= 1 && line <= line_count()) return absl::OkStatus();
  return absl::OutOfRangeError(
      absl::StrFormat("line pointer %d does not exist; the page has %d", line, line_count()));
}

void Page::Verify() const {
  std::optional<PageFault> fault = FindFault(bytes(), kind_, limits_);
  if (!fault.has_value()) return;
  const CheckSite site{fault->invariant, "no fault in the page", __FILE__, __LINE__};
  FailCheck(site, "  fault     " + fault->Message());
}

PageStats Page::Stats() const {
  PageStats stats;
  if (kind_ == PageKind::kNew) return stats;
  stats.special_bytes = kPageBytes - special();
  stats.hole_bytes = upper() - lower();
  stats.line_pointer_bytes = lower() - kHeaderBytes;
  size_t previous_offset = special();
  for (size_t line = 1; line <= line_count(); ++line) {
    const LinePointer pointer = Raw(line);
    switch (pointer.state()) {
      case LineState::kUnused:
        ++stats.unused;
        break;
      case LineState::kNormal:
        ++stats.normal;
        break;
      case LineState::kRedirect:
        ++stats.redirect;
        break;
      case LineState::kDead:
        ++(pointer.has_storage() ? stats.dead_with_storage : stats.dead_without_storage);
        break;
    }
    if (!pointer.has_storage()) continue;
    stats.tuple_bytes += pointer.length();
    stats.stored_bytes += pointer.stored_bytes();
    if (pointer.offset() > previous_offset) stats.in_line_order = false;
    previous_offset = pointer.offset();
  }
  stats.gap_bytes = special() - upper() - stats.stored_bytes;
  return stats;
}

}  // namespace tuplestone::page
