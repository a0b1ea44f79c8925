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

// One tuple to move. Small, as PostgreSQL's is: the array of them is read again and again.
struct Item {
  uint16_t line;
  uint16_t offset;
  uint16_t bytes;  // with padding
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

// The stored tuples of a page in line-pointer order, in an array on the stack as PostgreSQL does,
// and what repair asks of the line pointers, by one pass.
class Items {
 public:
  explicit Items(Bytes page) : line_count_(LineCount(page)) {
    size_t lowest = page::kPageBytes;
    for (size_t line = 1; line <= line_count_; ++line) {
      const LinePointer pointer = LineOf(page, line);
      if (pointer.bits() == 0) {
        ++unused_;
        continue;
      }
      last_used_ = line;
      if (!pointer.has_storage()) continue;
      descending_ &= pointer.offset() < lowest;
      lowest = pointer.offset();
      items_[count_++] = Item{static_cast<uint16_t>(line), static_cast<uint16_t>(pointer.offset()),
                              static_cast<uint16_t>(pointer.stored_bytes())};
    }
  }
  absl::Span<Item> all() { return absl::MakeSpan(items_.data(), count_); }
  size_t line_count() const { return line_count_; }
  size_t last_used() const { return last_used_; }  // 0 if none
  size_t unused_inside() const { return unused_ - (line_count_ - last_used_); }
  bool descending() const { return descending_; }

 private:
  std::array<Item, page::kLinesThatFit> items_;
  size_t line_count_;
  size_t count_ = 0;
  size_t unused_ = 0;
  size_t last_used_ = 0;
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
  // Aligned as pages are: copies between places that differ a little modulo 4,096 are slow.
  alignas(4096) std::array<std::byte, page::kPageBytes> workspace;
  if (sparse) {
    for (const Item& item : items) {
      std::memcpy(workspace.data() + item.offset, page.data() + item.offset, item.bytes);
    }
  } else {
    std::memcpy(workspace.data() + Upper(page), page.data() + Upper(page), end - Upper(page));
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

void SortAndSlide(MutableBytes page, Items& items) {
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

void CompactOrderAware(MutableBytes page, Items& items) {
  const absl::Span<const Item> all = items.all();
  size_t end = Special(page);
  const bool sparse = !items.descending() && all.size() < items.line_count() / 4;
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

void CompactBy(MutableBytes page, Items& items, Compaction compaction) {
  if (compaction == Compaction::kSortAndSlide) {
    SortAndSlide(page, items);
  } else {
    CompactOrderAware(page, items);
  }
}

}  // namespace

template <Compaction kCompaction>
void PageCompactedBy<kCompaction>::RepairFragmentation() {
  if (kind() == page::PageKind::kNew) return;
  Items items(mutable_bytes_);
  Store(mutable_bytes_.data() + page::kLowerAt,
        static_cast<uint16_t>(kHeaderBytes + items.last_used() * kLinePointerBytes));
  const unsigned others = flags() & ~unsigned{page::kHasFreeLines};
  Store(mutable_bytes_.data() + page::kFlagsAt,
        static_cast<uint16_t>(others | (items.unused_inside() != 0 ? page::kHasFreeLines : 0u)));
  CompactBy(mutable_bytes_, items, kCompaction);
}

template <Compaction kCompaction>
absl::Status PageCompactedBy<kCompaction>::DeleteMany(absl::Span<const page::LineNumber> lines) {
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i] == 0 || lines[i] > line_count()) return absl::OutOfRangeError("no such line");
    if (i > 0 && lines[i] <= lines[i - 1]) return absl::InvalidArgumentError("not ascending");
  }
  if (kind() == page::PageKind::kNew) return absl::OkStatus();
  KeepOnly(mutable_bytes_, lines);
  Items items(mutable_bytes_);
  CompactBy(mutable_bytes_, items, kCompaction);
  return absl::OkStatus();
}

template class PageCompactedBy<Compaction::kSortAndSlide>;
template class PageCompactedBy<Compaction::kOrderAware>;

}  // namespace tuplestone::properties
