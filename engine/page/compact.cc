// Compaction in line-pointer order, without sorting and without an array of items.
//
//   before   special <- | 5 |gap| 1 |  3  |gap| 2 |        upper
//   after    special <- | 1 | 2 |  3  | 5 |                upper
//
// The first scan only reads: it adds up where each tuple will end up and finds the first that is
// not there yet. Tuples before it stay where they are. The second scan copies all others into a
// workspace at the place of their target, so that no copy overwrites data not yet read, and one
// copy brings the workspace's used part back.
#include <cstring>

#include "engine/base/probe.h"
#include "engine/page/page.h"

namespace tuplestone::page {

void Page::Compact() {
  const size_t count = line_count();
  size_t target = special();
  size_t first_moving = 0;
  size_t moving_end = target;  // where the data that stay in place begin
  for (size_t line = 1; line <= count; ++line) {
    const LinePointer pointer = Raw(line);
    if (!pointer.has_storage()) continue;
    const size_t end = target;
    target -= pointer.stored_bytes();
    if (first_moving == 0 && pointer.offset() != target) {
      first_moving = line;
      moving_end = end;
    }
  }
  const size_t new_upper = target;
  SetUpper(new_upper);
  if (first_moving == 0) {
    TUPLESTONE_PROBE("page.nothing_to_move");
    return;
  }
  if (moving_end != special()) TUPLESTONE_PROBE("page.prefix_in_place");

  alignas(64) std::byte workspace[kPageBytes];
  target = moving_end;
  for (size_t line = first_moving; line <= count; ++line) {
    const LinePointer pointer = Raw(line);
    if (!pointer.has_storage()) continue;
    target -= pointer.stored_bytes();
    std::memcpy(workspace + target, bytes_ + pointer.offset(), pointer.stored_bytes());
    SetLine(line, pointer.MovedTo(target));
  }
  std::memcpy(bytes_ + new_upper, workspace + new_upper, moving_end - new_upper);
}

void Page::RepairFragmentation() {
  TUPLESTONE_CHECK(kP12, kind_ == PageKind::kHeap || kind_ == PageKind::kNew);
  if (kind_ == PageKind::kNew) return;
  size_t count = line_count();
  const size_t count_before = count;
  while (count > 0 && Raw(count).state() == LineState::kUnused) --count;
  if (count != count_before) TUPLESTONE_PROBE("page.truncate");
  if (count == 0 && count_before != 0) TUPLESTONE_PROBE("page.truncate_all");
  SetLower(LineAt(count + 1));
  SetHasFreeLines(LowestUnused() != 0);
  Compact();
}

}  // namespace tuplestone::page
