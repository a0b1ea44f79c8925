#include "properties/page/page_subjects.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "absl/strings/str_format.h"

namespace tuplestone::properties {
namespace {

using page::kHeaderBytes;
using page::kLinePointerBytes;
using page::LinePointer;

// One tuple to move.
struct Item {
  size_t line;
  size_t offset;
  size_t bytes;  // with padding
};

size_t Lower(Bytes page) { return Load<uint16_t>(page.data() + page::kLowerAt); }
size_t Upper(Bytes page) { return Load<uint16_t>(page.data() + page::kUpperAt); }
size_t Special(Bytes page) { return Load<uint16_t>(page.data() + page::kSpecialAt); }
size_t LineCount(Bytes page) { return (Lower(page) - kHeaderBytes) / kLinePointerBytes; }

LinePointer LineOf(Bytes page, size_t line) {
  return LinePointer(Load<uint32_t>(page.data() + kHeaderBytes + (line - 1) * kLinePointerBytes));
}

void SetLine(MutableBytes page, size_t line, LinePointer pointer) {
  Store(page.data() + kHeaderBytes + (line - 1) * kLinePointerBytes, pointer.bits());
}

void SetOffset(MutableBytes page, size_t line, size_t offset) {
  SetLine(page, line, LineOf(page, line).MovedTo(offset));
}

void SetUpper(MutableBytes page, size_t upper) {
  Store(page.data() + page::kUpperAt, static_cast<uint16_t>(upper));
}

// The stored tuples of a page in line-pointer order, in an array on the stack as PostgreSQL does.
class Items {
 public:
  explicit Items(Bytes page) {
    const size_t count = LineCount(page);
    for (size_t line = 1; line <= count; ++line) {
      const LinePointer pointer = LineOf(page, line);
      if (!pointer.has_storage()) continue;
      if (count_ > 0 && pointer.offset() >= items_[count_ - 1].offset) descending_ = false;
      items_[count_++] = Item{line, pointer.offset(), pointer.stored_bytes()};
    }
  }
  absl::Span<Item> all() { return absl::MakeSpan(items_.data(), count_); }
  bool descending() const { return descending_; }

 private:
  std::array<Item, page::kLinesThatFit> items_;
  size_t count_ = 0;
  bool descending_ = true;
};

// Moves items of descending offsets up against `end`, neighbours in one go. Every target lies at or
// above its source, so nothing unmoved is overwritten. Returns the new upper.
size_t SlideInOrder(MutableBytes page, absl::Span<const Item> items, size_t end) {
  size_t target = end;   // where the next item ends
  size_t batch_end = 0;  // the batch's source is [batch_start, batch_end)
  size_t batch_start = 0;
  size_t batch_target = 0;  // where the batch will end
  for (const Item& item : items) {
    if (item.offset + item.bytes != batch_start || batch_end == 0) {
      std::memmove(page.data() + batch_target - (batch_end - batch_start),
                   page.data() + batch_start, batch_end - batch_start);
      batch_end = item.offset + item.bytes;
      batch_target = target;
    }
    batch_start = item.offset;
    target -= item.bytes;
    SetOffset(page, item.line, target);
  }
  std::memmove(page.data() + batch_target - (batch_end - batch_start), page.data() + batch_start,
               batch_end - batch_start);
  return target;
}

// Lays items out in the given order below `end`, out of a copy of what they occupy.
size_t CopyThroughWorkspace(MutableBytes page, absl::Span<const Item> items, size_t end,
                            bool sparse) {
  std::array<std::byte, page::kPageBytes> workspace;
  if (sparse) {
    for (const Item& item : items) {
      std::memcpy(workspace.data() + item.offset, page.data() + item.offset, item.bytes);
    }
  } else {
    std::memcpy(workspace.data() + Upper(page), page.data() + Upper(page),
                Special(page) - Upper(page));
  }
  size_t target = end;
  size_t i = 0;
  while (i < items.size()) {
    const size_t source_end = items[i].offset + items[i].bytes;
    const size_t batch_target = target;
    size_t source_start = source_end;
    for (; i < items.size() && items[i].offset + items[i].bytes == source_start; ++i) {
      source_start = items[i].offset;
      target -= items[i].bytes;
      SetOffset(page, items[i].line, target);
    }
    std::memcpy(page.data() + target, workspace.data() + source_start, batch_target - target);
  }
  return target;
}

void KeepOnly(MutableBytes page, absl::Span<const page::LineNumber> deleted) {
  const size_t count = LineCount(page);
  size_t kept = 0;
  for (size_t line = 1; line <= count; ++line) {
    if (!std::binary_search(deleted.begin(), deleted.end(), line)) {
      SetLine(page, ++kept, LineOf(page, line));
    }
  }
  Store(page.data() + page::kLowerAt,
        static_cast<uint16_t>(kHeaderBytes + kept * kLinePointerBytes));
}

}  // namespace

void SortAndSlide(MutableBytes page) {
  Items items(page);
  absl::Span<Item> all = items.all();
  std::sort(all.begin(), all.end(),
            [](const Item& a, const Item& b) { return a.offset > b.offset; });
  size_t target = Special(page);
  for (const Item& item : all) {
    target -= item.bytes;
    std::memmove(page.data() + target, page.data() + item.offset, item.bytes);
    SetOffset(page, item.line, target);
  }
  SetUpper(page, target);
}

void CompactOrderAware(MutableBytes page) {
  Items items(page);
  const absl::Span<const Item> all = items.all();
  size_t end = Special(page);
  const bool sparse = !items.descending() && all.size() < LineCount(page) / 4;
  size_t in_place = 0;
  if (!sparse) {
    while (in_place < all.size() && all[in_place].offset + all[in_place].bytes == end) {
      end = all[in_place++].offset;
    }
  }
  const absl::Span<const Item> moving = all.subspan(in_place);
  if (moving.empty()) {
    SetUpper(page, end);
  } else if (items.descending()) {
    SetUpper(page, SlideInOrder(page, moving, end));
  } else {
    SetUpper(page, CopyThroughWorkspace(page, moving, end, sparse));
  }
}

template <void (*kCompact)(MutableBytes), bool kInLineOrder>
void PageCompactedBy<kCompact, kInLineOrder>::RepairFragmentation() {
  if (kind() == page::PageKind::kNew) return;
  size_t count = line_count();
  size_t unused = 0;
  while (count > 0 && LineOf(mutable_bytes_, count).bits() == 0) --count;
  for (size_t line = 1; line <= count; ++line) {
    unused += LineOf(mutable_bytes_, line).bits() == 0 ? 1 : 0;
  }
  Store(mutable_bytes_.data() + page::kLowerAt,
        static_cast<uint16_t>(kHeaderBytes + count * kLinePointerBytes));
  const unsigned others = flags() & ~unsigned{page::kHasFreeLines};
  Store(mutable_bytes_.data() + page::kFlagsAt,
        static_cast<uint16_t>(others | (unused != 0 ? page::kHasFreeLines : 0u)));
  kCompact(mutable_bytes_);
}

template <void (*kCompact)(MutableBytes), bool kInLineOrder>
absl::Status PageCompactedBy<kCompact, kInLineOrder>::DeleteMany(
    absl::Span<const page::LineNumber> lines) {
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i] == 0 || lines[i] > line_count()) return absl::OutOfRangeError("no such line");
    if (i > 0 && lines[i] <= lines[i - 1]) return absl::InvalidArgumentError("not ascending");
  }
  if (kind() == page::PageKind::kNew) return absl::OkStatus();
  KeepOnly(mutable_bytes_, lines);
  kCompact(mutable_bytes_);
  return absl::OkStatus();
}

template class PageCompactedBy<&SortAndSlide, false>;
template class PageCompactedBy<&CompactOrderAware, true>;

}  // namespace tuplestone::properties
