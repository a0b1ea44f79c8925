#include "properties/page/page_model.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace tuplestone::properties {
namespace {

using page::LineState;
using page::PageKind;

size_t RoundedUp(size_t bytes) { return (bytes + 7) / 8 * 8; }

size_t HalfWord(absl::Span<const std::byte> bytes, size_t at) {
  return std::to_integer<size_t>(bytes[at]) | std::to_integer<size_t>(bytes[at + 1]) << 8;
}

// A line pointer's fields, from its four bytes.
struct RawLine {
  size_t offset;
  size_t state;
  size_t length;
};

RawLine ReadLine(absl::Span<const std::byte> bytes, size_t line) {
  const size_t at = 24 + 4 * (line - 1);
  const size_t bits = HalfWord(bytes, at) | HalfWord(bytes, at + 2) << 16;
  return {bits % 32768, bits / 32768 % 4, bits / 131072};
}

bool IsZero(absl::Span<const std::byte> bytes) {
  for (std::byte b : bytes) {
    if (b != std::byte{0}) return false;
  }
  return true;
}

std::string WhyLineUnsound(absl::Span<const std::byte> bytes, size_t line, PageKind kind,
                           std::vector<bool>* taken) {
  const size_t upper = HalfWord(bytes, 14);
  const size_t special = HalfWord(bytes, 16);
  const size_t count = (HalfWord(bytes, 12) - 24) / 4;
  const RawLine raw = ReadLine(bytes, line);
  if (raw.state == 0) return raw.offset == 0 && raw.length == 0 ? "" : "unused and not zero";
  if (raw.state == 1 && raw.length == 0) return "normal without tuple";
  if (raw.state == 2) {
    if (kind != PageKind::kHeap) return "redirect outside a heap";
    if (raw.length != 0) return "redirect with tuple";
    if (raw.offset < 1 || raw.offset > count) return "redirect to nothing";
    return ReadLine(bytes, raw.offset).state == 1 ? "" : "redirect to no normal one";
  }
  if (raw.length == 0) return raw.offset == 0 ? "" : "dead without tuple, with offset";
  if (raw.offset % 8 != 0) return "misaligned tuple";
  if (raw.offset < upper) return "tuple below upper";
  if (raw.offset + raw.length > special) return "tuple past special";
  for (size_t unit = raw.offset / 8; unit < (raw.offset + raw.length + 7) / 8; ++unit) {
    if ((*taken)[unit]) return "overlapping tuples";
    (*taken)[unit] = true;
  }
  return "";
}

}  // namespace

std::string WhyUnsound(absl::Span<const std::byte> bytes, PageKind kind,
                       const page::Limits& limits) {
  if (bytes.size() != 8192) return "size";
  if (IsZero(bytes)) return "";
  if (kind == PageKind::kNew) return "not new";
  const size_t lower = HalfWord(bytes, 12);
  const size_t upper = HalfWord(bytes, 14);
  const size_t special = HalfWord(bytes, 16);
  if (HalfWord(bytes, 18) != 8192 + 4) return "version";
  if (HalfWord(bytes, 10) > 7) return "flags";
  if (lower < 24 || upper < lower || special < upper || special > 8192) return "bounds";
  if (special % 8 != 0) return "special misaligned";
  if (kind == PageKind::kOpaque) return "";
  if (lower % 4 != 0) return "lower misaligned";
  if (upper % 8 != 0) return "upper misaligned";
  const size_t count = (lower - 24) / 4;
  const size_t most = kind == PageKind::kHeap ? limits.heap_lines_max : limits.index_lines_max;
  if (count > most) return "too many lines";
  std::vector<bool> taken(8192 / 8);  // each eight bytes
  for (size_t line = 1; line <= count; ++line) {
    const std::string why = WhyLineUnsound(bytes, line, kind, &taken);
    if (!why.empty()) return absl::StrCat("line ", line, ": ", why);
  }
  return "";
}

std::string ModelLine::ToString() const {
  switch (state) {
    case LineState::kUnused:
      return "unused";
    case LineState::kRedirect:
      return absl::StrCat("redirect to ", target);
    default:
      break;
  }
  std::string text =
      absl::StrCat(state == LineState::kDead ? "dead" : "normal", ", ", tuple.size(), " bytes");
  for (size_t i = 0; i < std::min<size_t>(tuple.size(), 8); ++i) {
    absl::StrAppend(&text, " ", absl::Hex(std::to_integer<int>(tuple[i]), absl::kZeroPad2));
  }
  return text;
}

PageModel::PageModel(PageKind kind, size_t special_bytes, const page::Limits& limits)
    : kind_(kind),
      limits_(limits),
      upper_(kind == PageKind::kNew ? 0 : 8192 - RoundedUp(special_bytes)),
      special_(upper_) {}

PageModel PageModel::Read(absl::Span<const std::byte> bytes, PageKind kind,
                          const page::Limits& limits) {
  if (IsZero(bytes)) return PageModel(PageKind::kNew, 0, limits);
  PageModel model(kind, 0, limits);
  model.flags_ = static_cast<uint16_t>(HalfWord(bytes, 10));
  model.upper_ = HalfWord(bytes, 14);
  model.special_ = HalfWord(bytes, 16);
  const size_t count = (HalfWord(bytes, 12) - 24) / 4;
  for (size_t line = 1; line <= count; ++line) {
    const RawLine raw = ReadLine(bytes, line);
    ModelLine read;
    read.state = static_cast<LineState>(raw.state);
    if (read.state == LineState::kRedirect) read.target = raw.offset;
    read.tuple.assign(bytes.begin() + raw.offset, bytes.begin() + raw.offset + raw.length);
    model.lines_.push_back(read);
  }
  return model;
}

size_t PageModel::lower() const { return kind_ == PageKind::kNew ? 0 : 24 + 4 * lines_.size(); }

size_t PageModel::FreeSpaceExact() const { return upper_ - lower(); }

size_t PageModel::FreeSpaceForTuples(size_t tuple_count) const {
  size_t left = FreeSpaceExact();
  for (size_t i = 0; i < tuple_count; ++i) {
    if (left < 4) return 0;
    left -= 4;
  }
  return left;
}

size_t PageModel::FreeSpaceHeap() const {
  if (lines_.size() >= limits_.heap_lines_max && LowestUnused() == 0) return 0;
  return FreeSpace();
}

bool PageModel::Fits(size_t tuple_bytes) const {
  return FindRoom(tuple_bytes, LowestUnused() == 0) == Refusal::kNone;
}

bool PageModel::IsNamedByRedirect(size_t line) const {
  for (const ModelLine& other : lines_) {
    if (other.state == LineState::kRedirect && other.target == line) return true;
  }
  return false;
}

size_t PageModel::LowestUnused() const {
  for (size_t i = 0; i < lines_.size(); ++i) {
    if (lines_[i].state == LineState::kUnused) return i + 1;
  }
  return 0;
}

size_t PageModel::LinesMax() const {
  return kind_ == PageKind::kHeap ? limits_.heap_lines_max : limits_.index_lines_max;
}

Refusal PageModel::FindRoom(size_t tuple_bytes, bool new_line) const {
  if (new_line && lines_.size() + 1 > LinesMax()) return Refusal::kResourceExhausted;
  const size_t wanted = RoundedUp(tuple_bytes) + (new_line ? 4 : 0);
  return wanted > FreeSpaceExact() ? Refusal::kResourceExhausted : Refusal::kNone;
}

// Puts the tuple under `line`, before which a new line is made if asked.
Refusal PageModel::Store(size_t line, const std::vector<std::byte>& tuple, bool new_line) {
  const Refusal refusal = FindRoom(tuple.size(), new_line);
  if (refusal != Refusal::kNone) return refusal;
  if (new_line) lines_.insert(lines_.begin() + static_cast<ptrdiff_t>(line - 1), ModelLine());
  lines_[line - 1] = ModelLine{LineState::kNormal, 0, tuple};
  upper_ -= RoundedUp(tuple.size());
  return Refusal::kNone;
}

Refusal PageModel::Add(const std::vector<std::byte>& tuple, size_t* line) {
  const size_t unused = LowestUnused();
  *line = unused != 0 ? unused : lines_.size() + 1;
  const Refusal refusal = Store(*line, tuple, unused == 0);
  if (refusal == Refusal::kNone && unused == 0) flags_ &= 0xFFFE;
  return refusal;
}

Refusal PageModel::AddAt(size_t line, const std::vector<std::byte>& tuple, bool shift) {
  if (line < 1 || line > lines_.size() + 1) return Refusal::kOutOfRange;
  const bool next = line == lines_.size() + 1;
  if (!next && !shift && lines_[line - 1].state != LineState::kUnused) {
    return Refusal::kAlreadyExists;
  }
  return Store(line, tuple, next || shift);
}

Refusal PageModel::Overwrite(size_t line, const std::vector<std::byte>& tuple) {
  if (!Exists(line)) return Refusal::kOutOfRange;
  ModelLine& old = lines_[line - 1];
  if (old.tuple.empty()) return Refusal::kFailedPrecondition;
  const size_t room = FreeSpaceExact() + RoundedUp(old.tuple.size());
  if (RoundedUp(tuple.size()) > room) return Refusal::kResourceExhausted;
  upper_ = upper_ + RoundedUp(old.tuple.size()) - RoundedUp(tuple.size());
  old.tuple = tuple;
  return Refusal::kNone;
}

Refusal PageModel::DeleteOne(size_t line) {
  if (!Exists(line)) return Refusal::kOutOfRange;
  upper_ += RoundedUp(lines_[line - 1].tuple.size());
  lines_.erase(lines_.begin() + static_cast<ptrdiff_t>(line - 1));
  return Refusal::kNone;
}

Refusal PageModel::DeleteMany(const std::vector<size_t>& lines) {
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!Exists(lines[i])) return Refusal::kOutOfRange;
    if (i > 0 && lines[i] <= lines[i - 1]) return Refusal::kInvalidArgument;
  }
  for (size_t i = lines.size(); i > 0; --i) {
    lines_.erase(lines_.begin() + static_cast<ptrdiff_t>(lines[i - 1] - 1));
  }
  Compact();
  return Refusal::kNone;
}

Refusal PageModel::MarkDead(size_t line, bool keep_storage) {
  if (!Exists(line)) return Refusal::kOutOfRange;
  if (IsNamedByRedirect(line)) return Refusal::kFailedPrecondition;
  ModelLine& old = lines_[line - 1];
  if (old.state == LineState::kUnused) return Refusal::kFailedPrecondition;
  if (keep_storage && old.tuple.empty()) return Refusal::kFailedPrecondition;
  old.state = LineState::kDead;
  old.target = 0;
  if (!keep_storage) old.tuple.clear();
  return Refusal::kNone;
}

Refusal PageModel::MarkUnused(size_t line) {
  if (!Exists(line)) return Refusal::kOutOfRange;
  if (IsNamedByRedirect(line)) return Refusal::kFailedPrecondition;
  lines_[line - 1] = ModelLine();
  flags_ |= 1;
  return Refusal::kNone;
}

Refusal PageModel::Redirect(size_t line, size_t target) {
  if (!Exists(line) || !Exists(target)) return Refusal::kOutOfRange;
  if (IsNamedByRedirect(line)) return Refusal::kFailedPrecondition;
  if (lines_[line - 1].state == LineState::kUnused) return Refusal::kFailedPrecondition;
  if (line == target) return Refusal::kFailedPrecondition;
  if (lines_[target - 1].state != LineState::kNormal) return Refusal::kFailedPrecondition;
  lines_[line - 1] = ModelLine{LineState::kRedirect, target, {}};
  return Refusal::kNone;
}

void PageModel::Repair() {
  if (kind_ == PageKind::kNew) return;
  while (!lines_.empty() && lines_.back().state == LineState::kUnused) lines_.pop_back();
  flags_ = static_cast<uint16_t>((flags_ & 0xFFFE) | (LowestUnused() != 0 ? 1 : 0));
  Compact();
}

void PageModel::Compact() {
  upper_ = special_;
  for (const ModelLine& line : lines_) upper_ -= RoundedUp(line.tuple.size());
}

}  // namespace tuplestone::properties
