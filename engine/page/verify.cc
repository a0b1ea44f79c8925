#include "engine/page/verify.h"

#include <algorithm>
#include <array>

#include "absl/strings/str_format.h"
#include "engine/base/probe.h"

namespace tuplestone::page {
namespace {

using MaybeFault = std::optional<PageFault>;

PageFault HeaderFault(const char* sentence, size_t offset, std::string figures) {
  return PageFault{&kP1, sentence, 0, offset, std::move(figures)};
}

// One bit for each kMaxAlign bytes of the page.
class OccupiedUnits {
 public:
  // Takes [offset, offset + bytes); false if some of it was taken already.
  // Requires: both aligned, bytes > 0, the end at most kPageBytes.
  bool Take(size_t offset, size_t bytes) {
    const size_t first = offset / kMaxAlign;
    const size_t last = (offset + bytes) / kMaxAlign - 1;
    uint64_t clash = 0;
    for (size_t word = first / 64; word <= last / 64; ++word) {
      uint64_t mask = ~uint64_t{0};
      if (word == first / 64) mask &= ~uint64_t{0} << first % 64;
      if (word == last / 64) mask &= ~uint64_t{0} >> (63 - last % 64);
      clash |= words_[word] & mask;
      words_[word] |= mask;
    }
    return clash == 0;
  }

 private:
  std::array<uint64_t, kPageBytes / kMaxAlign / 64> words_ = {};
};

MaybeFault FindHeaderFault(Bytes bytes) {
  const size_t lower = Load<uint16_t>(bytes.data() + kLowerAt);
  const size_t upper = Load<uint16_t>(bytes.data() + kUpperAt);
  const size_t special = Load<uint16_t>(bytes.data() + kSpecialAt);
  const auto bounds = [&]() {
    return absl::StrFormat("lower %d, upper %d, special %d", lower, upper, special);
  };
  if (upper == 0) {
    TUPLESTONE_PROBE("page.fault_half_new");
    return HeaderFault("upper is 0 as on a new page, but not every byte is zero", kUpperAt,
                       bounds());
  }
  const unsigned version = Load<uint16_t>(bytes.data() + kSizeAndVersionAt);
  if (version != kSizeAndVersion) {
    TUPLESTONE_PROBE("page.fault_version");
    return HeaderFault("unknown page size or layout version", kSizeAndVersionAt,
                       absl::StrFormat("0x%04x, known is 0x%04x", version, kSizeAndVersion));
  }
  const unsigned flags = Load<uint16_t>(bytes.data() + kFlagsAt);
  if ((flags & ~unsigned{kKnownFlags}) != 0) {
    TUPLESTONE_PROBE("page.fault_flags");
    return HeaderFault("unknown page flags", kFlagsAt, absl::StrFormat("flags 0x%04x", flags));
  }
  if (lower < kHeaderBytes) {
    TUPLESTONE_PROBE("page.fault_lower_in_header");
    return HeaderFault("lower lies inside the header", kLowerAt, bounds());
  }
  if (lower > upper) {
    TUPLESTONE_PROBE("page.fault_lower_past_upper");
    return HeaderFault("lower is past upper", kLowerAt, bounds());
  }
  if (upper > special) {
    TUPLESTONE_PROBE("page.fault_upper_past_special");
    return HeaderFault("upper is past special", kUpperAt, bounds());
  }
  if (special > kPageBytes) {
    TUPLESTONE_PROBE("page.fault_special_past_page");
    return HeaderFault("special is past the page", kSpecialAt, bounds());
  }
  if (!IsAligned(special, kMaxAlign)) {
    TUPLESTONE_PROBE("page.fault_special_misaligned");
    return HeaderFault("special is misaligned", kSpecialAt, bounds());
  }
  return std::nullopt;
}

// What only pages with line pointers must satisfy.
MaybeFault FindArrayFault(size_t lower, size_t upper, size_t lines_max) {
  if (!IsAligned(lower - kHeaderBytes, kLinePointerBytes)) {
    TUPLESTONE_PROBE("page.fault_lower_misaligned");
    return HeaderFault("lower cuts a line pointer", kLowerAt, absl::StrFormat("lower %d", lower));
  }
  if (!IsAligned(upper, kMaxAlign)) {
    TUPLESTONE_PROBE("page.fault_upper_misaligned");
    return HeaderFault("upper is misaligned", kUpperAt, absl::StrFormat("upper %d", upper));
  }
  const size_t lines = (lower - kHeaderBytes) / kLinePointerBytes;
  if (lines > lines_max) {
    TUPLESTONE_PROBE("page.fault_too_many_lines");
    return PageFault{&kP11, "too many line pointers", 0, kLowerAt,
                     absl::StrFormat("%d, at most %d", lines, lines_max)};
  }
  return std::nullopt;
}

// The walk over the line pointers of a page whose header is sound.
class LineWalk {
 public:
  LineWalk(const std::byte* page, PageKind kind)
      : page_(page),
        kind_(kind),
        lines_((Load<uint16_t>(page + kLowerAt) - kHeaderBytes) / kLinePointerBytes),
        upper_(Load<uint16_t>(page + kUpperAt)),
        special_(Load<uint16_t>(page + kSpecialAt)) {}

  MaybeFault Find() {
    for (size_t line = 1; line <= lines_; ++line) {
      MaybeFault fault = FindIn(line, At(line));
      if (fault.has_value()) return fault;
    }
    return std::nullopt;
  }

 private:
  LinePointer At(size_t line) const {
    return LinePointer(Load<uint32_t>(page_ + kHeaderBytes + (line - 1) * kLinePointerBytes));
  }

  static PageFault Fault(const Invariant& invariant, const char* sentence, size_t line,
                         LinePointer pointer, std::string figures) {
    return PageFault{&invariant, sentence, static_cast<LineNumber>(line), pointer.offset(),
                     std::move(figures)};
  }

  MaybeFault FindIn(size_t line, LinePointer pointer) {
    switch (pointer.state()) {
      case LineState::kUnused:
        if (pointer.bits() == 0) return std::nullopt;
        TUPLESTONE_PROBE("page.fault_unused_not_zero");
        return Fault(kP11, "unused line pointer is not zero", line, pointer,
                     absl::StrFormat("length %d", pointer.length()));
      case LineState::kNormal:
        if (pointer.has_storage()) return FindInStorage(line, pointer);
        TUPLESTONE_PROBE("page.fault_normal_without_storage");
        return Fault(kP11, "normal line pointer without storage", line, pointer, "length 0");
      case LineState::kRedirect:
        return FindInRedirect(line, pointer);
      case LineState::kDead:
        if (pointer.has_storage()) return FindInStorage(line, pointer);
        if (pointer.offset() == 0) return std::nullopt;
        TUPLESTONE_PROBE("page.fault_dead_with_offset");
        return Fault(kP11, "dead line pointer without storage has an offset", line, pointer,
                     "length 0");
    }
    return std::nullopt;
  }

  MaybeFault FindInRedirect(size_t line, LinePointer pointer) const {
    if (kind_ == PageKind::kIndex) {
      TUPLESTONE_PROBE("page.fault_redirect_on_index");
      return Fault(kP11, "redirect on an index page", line, pointer, "");
    }
    if (pointer.has_storage()) {
      TUPLESTONE_PROBE("page.fault_redirect_with_storage");
      return Fault(kP11, "redirect with storage", line, pointer,
                   absl::StrFormat("length %d", pointer.length()));
    }
    const size_t target = pointer.offset();
    if (target == 0 || target > lines_) {
      TUPLESTONE_PROBE("page.fault_redirect_outside");
      return Fault(kP11, "redirect to a line pointer that does not exist", line, pointer,
                   absl::StrFormat("target %d of %d", target, lines_));
    }
    if (At(target).state() != LineState::kNormal) {
      TUPLESTONE_PROBE("page.fault_redirect_not_to_normal");
      return Fault(kP11, "redirect to a line pointer that is not normal", line, pointer,
                   absl::StrFormat("target %d", target));
    }
    return std::nullopt;
  }

  MaybeFault FindInStorage(size_t line, LinePointer pointer) {
    const auto figures = [&]() {
      return absl::StrFormat("length %d, upper %d, special %d", pointer.length(), upper_, special_);
    };
    if (pointer.offset() < upper_) {
      TUPLESTONE_PROBE("page.fault_tuple_below_upper");
      return Fault(kP2, "tuple starts below upper", line, pointer, figures());
    }
    if (pointer.offset() + pointer.length() > special_) {
      TUPLESTONE_PROBE("page.fault_tuple_past_special");
      return Fault(kP2, "tuple runs past the special area's start", line, pointer, figures());
    }
    if (!IsAligned(pointer.offset(), kMaxAlign)) {
      TUPLESTONE_PROBE("page.fault_tuple_misaligned");
      return Fault(kP2, "tuple is misaligned", line, pointer, figures());
    }
    if (!occupied_.Take(pointer.offset(), pointer.stored_bytes())) {
      TUPLESTONE_PROBE("page.fault_tuple_overlap");
      return Fault(kP2, "tuple overlaps that of an earlier line pointer", line, pointer, figures());
    }
    return std::nullopt;
  }

  const std::byte* page_;
  PageKind kind_;
  size_t lines_;
  size_t upper_;
  size_t special_;
  OccupiedUnits occupied_;
};

}  // namespace

bool AllZero(Bytes bytes) {
  constexpr size_t kStep = 64;  // eight words before a look
  size_t at = 0;
  for (; bytes.size() - at >= kStep; at += kStep) {
    uint64_t bits = 0;
    for (size_t word = 0; word < kStep; word += sizeof(uint64_t)) {
      bits |= Load<uint64_t>(bytes.data() + at + word);
    }
    if (bits != 0) return false;
  }
  const Bytes rest = bytes.subspan(at);
  return std::all_of(rest.begin(), rest.end(), [](std::byte b) { return b == std::byte{0}; });
}

std::string PageFault::Message() const {
  std::string where = line == 0 ? "page header" : absl::StrFormat("line pointer %d", line);
  std::string message = absl::StrFormat("%s: %s at offset %d", where, sentence, offset);
  if (!figures.empty()) absl::StrAppendFormat(&message, " (%s)", figures);
  return message;
}

std::optional<PageFault> FindFault(Bytes bytes, PageKind kind, const Limits& limits) {
  if (bytes.size() != kPageBytes) {
    TUPLESTONE_PROBE("page.fault_size");
    return HeaderFault("not a page of 8192 bytes", 0, absl::StrFormat("%d bytes", bytes.size()));
  }
  if (Load<uint16_t>(bytes.data() + kUpperAt) == 0 && AllZero(bytes)) return std::nullopt;
  if (kind == PageKind::kNew) {
    TUPLESTONE_PROBE("page.fault_not_new");
    return HeaderFault("a new page has no byte but zero", 0, "");
  }
  MaybeFault fault = FindHeaderFault(bytes);
  if (fault.has_value() || kind == PageKind::kOpaque) return fault;
  const size_t lines_max = kind == PageKind::kHeap ? limits.heap_lines_max : limits.index_lines_max;
  fault = FindArrayFault(Load<uint16_t>(bytes.data() + kLowerAt),
                         Load<uint16_t>(bytes.data() + kUpperAt), lines_max);
  if (fault.has_value()) return fault;
  return LineWalk(bytes.data(), kind).Find();
}

}  // namespace tuplestone::page
