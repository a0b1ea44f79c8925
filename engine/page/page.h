// A PostgreSQL page: tuples of any length, addressed by line pointers whose numbers outlive every
// move of the data. Taking tuples out leaves gaps; compaction closes them without sorting: the data
// is laid out anew in line-pointer order, from the special area downwards, by one scan that reads
// and one that copies. A later scan in line-pointer order then walks memory in one direction.
//
//   0       24             lower          upper            special    8192
//   | header | lp 1, lp 2.. | the hole ... | ..tuple 2, 1   | special  |      (page_types.h has the
//   bits)
//
// Invariants (P1, P2 and P11 in verify.h; P8 is the suite's, over several implementations):
//   P3   compaction keeps every surviving line pointer's number, state, length and bytes
//   P4   after it data descend in line-pointer order without gaps,
//        upper = special - sum of MaxAlign(length)
//   P5   trailing unused line pointers go (heap, down to none); numbers close up in order (index)
//   P6   nothing to move, nothing changed. No operation writes to the hole
//        but the tuple it adds and what it moves, so the hole is a function
//        of the page and the operations alone
//   P7   free-space figures as defined below; Fits() says whether Add() succeeds
//   P9   a refused operation changes no byte
//   P10  the special area never changes
//   P12  callers keep to what an operation requires
//   P13  Adopt takes exactly the sound pages
//   P14  the checksum is of every word of the page but itself, and of the whole block number
//
// States of a line pointer:            Add, AddAt
//                       unused ---------------------> normal ---> dead with storage
//                         ^  ^-------------------------'| '------------. |
//                         |       MarkUnused            | Redirect     v v   MarkDead
//                         '---- redirect <--------------'----> dead without storage
// A line pointer that a redirect names stays normal until no redirect names it.
//
// Refusals that depend on the page's contents are a Status, since the page may come from outside:
//   OutOfRange          no such line pointer
//   FailedPrecondition  the line pointer is in a state that the operation does not take
//   AlreadyExists       AddAt: the line pointer is in use
//   ResourceExhausted   no room, or no line pointer left under the limit
//   InvalidArgument     DeleteMany: the line numbers do not ascend
//
// Not thread-safe. Never allocates, but for a refusal's message. The bytes are the caller's, and
// untrusted until Adopt() has returned a page; nobody else writes to them while a Page views them.
// What it does not do: know what is inside tuples, the special area, or the opaque kinds; write a
// log; keep the checksum right by itself (Seal does, when the page is complete).
#ifndef TUPLESTONE_ENGINE_PAGE_PAGE_H_
#define TUPLESTONE_ENGINE_PAGE_PAGE_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/page/line_scan.h"
#include "engine/page/page_types.h"
#include "engine/page/verify.h"

namespace tuplestone::page {

inline constexpr Invariant kP3{
    "P3", "compaction keeps every surviving line pointer's number, state, length and bytes"};
inline constexpr Invariant kP4{
    "P4", "compacted data descend in line-pointer order without gaps, up to special"};
inline constexpr Invariant kP5{
    "P5", "trailing unused line pointers go (heap); numbers close up in order (index)"};
inline constexpr Invariant kP6{
    "P6", "nothing to move, nothing changed; the hole is a function of the page alone"};
inline constexpr Invariant kP7{
    "P7", "free space as defined; a tuple that fits is added, one that does not is refused"};
inline constexpr Invariant kP8{
    "P8", "all compactions agree on line pointers, tuple bytes, lower and upper"};
inline constexpr Invariant kP9{"P9", "refused input is untouched"};
inline constexpr Invariant kP10{"P10", "the special area never changes"};
inline constexpr Invariant kP13{
    "P13", "Adopt takes exactly the sound pages and refuses the others, naming the fault"};
inline constexpr Invariant kP14{
    "P14", "the checksum is of every word of the page but itself, and of the whole block number"};
inline constexpr Invariant kP12{"P12", "callers keep to what an operation requires"};

// Where AddAt puts a tuple.
enum class Placement : uint8_t {
  kOverwrite,  // under an unused line pointer, or one past the last
  kShift,      // before the line pointer, which moves up by one with all after it (index)
};

// What MarkDead does with the tuple.
enum class DeadStorage : uint8_t { kKeep, kDrop };

// kPageBytes = kHeaderBytes + line_pointer_bytes + hole_bytes + stored_bytes + gap_bytes +
// special_bytes, and all zero on new pages.
struct PageStats {
  size_t unused = 0;
  size_t normal = 0;
  size_t redirect = 0;
  size_t dead_with_storage = 0;
  size_t dead_without_storage = 0;
  size_t line_pointer_bytes = 0;
  size_t hole_bytes = 0;
  size_t tuple_bytes = 0;   // without padding
  size_t stored_bytes = 0;  // with padding
  size_t gap_bytes = 0;     // between upper and special, belonging to no tuple
  size_t special_bytes = 0;
  bool in_line_order = true;  // data strictly descend in line-pointer order
};

class Page {
 public:
  // Views untrusted bytes as a page of `kind`. All-zero bytes become a page of kind kNew whatever
  // `kind` says; kOpaque looks at the header only. On DataLoss nothing was touched, and the message
  // names fault, line pointer and offset. O(lines), and O(page bytes) for a new page.
  static absl::StatusOr<Page> Adopt(MutableBytes bytes, PageKind kind, const Limits& limits = {});

  // Makes the bytes an empty page whose special area, of `special_bytes` rounded up to kMaxAlign,
  // is zero. Requires: kPageBytes bytes, kind heap or index, the special area leaves room for a
  // header.
  static Page Initialize(MutableBytes bytes, PageKind kind, size_t special_bytes,
                         const Limits& limits = {});

  // Readers. O(1). A new page has neither line pointers nor room; an opaque one no line pointers.
  PageKind kind() const { return kind_; }
  const Limits& limits() const { return limits_; }
  Bytes bytes() const { return Bytes(bytes_, kPageBytes); }
  size_t lower() const { return Load<uint16_t>(bytes_ + kLowerAt); }
  size_t upper() const { return Load<uint16_t>(bytes_ + kUpperAt); }
  size_t special() const { return Load<uint16_t>(bytes_ + kSpecialAt); }
  uint16_t flags() const { return Load<uint16_t>(bytes_ + kFlagsAt); }
  Bytes SpecialArea() const;
  size_t line_count() const {
    if (kind_ == PageKind::kNew || kind_ == PageKind::kOpaque) return 0;
    return (lower() - kHeaderBytes) / kLinePointerBytes;
  }
  // Requires: 1 <= line <= line_count().
  LinePointer Line(LineNumber line) const;
  LineState State(LineNumber line) const { return Line(line).state(); }
  // The tuple without padding, valid until the next change; empty without storage.
  // Requires: 1 <= line <= line_count().
  Bytes Tuple(LineNumber line) const;

  // Free space in bytes. On new and opaque pages 0.
  size_t FreeSpaceExact() const;                        // the hole
  size_t FreeSpace() const;                             // the hole less one line pointer, or 0
  size_t FreeSpaceForTuples(size_t tuple_count) const;  // less that many, or 0
  // As FreeSpace(), but 0 when the limit of line pointers is reached and none is unused. O(lines).
  // Requires: kind heap or new.
  size_t FreeSpaceHeap() const;
  // True if Add() of `tuple_bytes` succeeds. O(lines). Requires: 0 < tuple_bytes <= kTupleBytesMax.
  bool Fits(size_t tuple_bytes) const;

  // Stores a copy of `tuple`, padded with zeroes, under the lowest unused line pointer, else under
  // a new one. O(lines + tuple bytes). Requires, as all that follow: kind not opaque; 0 <
  // tuple.size() <= kTupleBytesMax, and the tuple is not part of this page.
  absl::StatusOr<LineNumber> Add(Bytes tuple);
  // The same under a given line pointer, line_count() + 1 at most. kShift requires: kind not heap.
  absl::Status AddAt(LineNumber line, Bytes tuple, Placement placement);
  // Replaces the tuple by one of any length; state and number stay. Data below move as needed.
  absl::Status Overwrite(LineNumber line, Bytes tuple);

  // Takes line pointers and their data out; later ones move down in number. DeleteOne closes only
  // its own gap; DeleteMany compacts, also when the list is empty. Lines ascend strictly.
  // Requires: kind not heap.
  absl::Status DeleteOne(LineNumber line);
  absl::Status DeleteMany(absl::Span<const LineNumber> lines);

  // State changes. Dropped data leave a gap until the next compaction. Dead takes any used line
  // pointer, kKeep one with storage; redirect takes a used one and another, normal one, on a heap
  // page. None takes a line pointer that a redirect names. O(lines).
  absl::Status MarkDead(LineNumber line, DeadStorage storage);
  absl::Status MarkUnused(LineNumber line);
  absl::Status Redirect(LineNumber line, LineNumber target);

  // Cuts trailing unused line pointers and compacts. The hint kHasFreeLines then says whether an
  // unused one remains. Requires: kind heap or new.
  void RepairFragmentation();

  // Writes the checksum of the page as block `block` of its relation. New pages have none.
  void Seal(uint32_t block);
  bool ChecksumMatches(uint32_t block) const;

  // Aborts on the first broken invariant, naming it. O(lines).
  void Verify() const;
  // O(lines).
  PageStats Stats() const;

 private:
  Page(std::byte* bytes, PageKind kind, const Limits& limits)
      : bytes_(bytes), kind_(kind), limits_(limits) {}

  size_t lines_max() const;
  std::byte* line_bytes(size_t line) { return bytes_ + LineAt(line); }
  static constexpr size_t LineAt(size_t line) {
    return kHeaderBytes + (line - 1) * kLinePointerBytes;
  }
  // The line pointer without the check of its number.
  LinePointer Raw(size_t line) const { return LinePointer(Load<uint32_t>(bytes_ + LineAt(line))); }
  void SetLine(size_t line, LinePointer pointer) { Store(bytes_ + LineAt(line), pointer.bits()); }
  void SetLower(size_t lower) { Store(bytes_ + kLowerAt, static_cast<uint16_t>(lower)); }
  void SetUpper(size_t upper) { Store(bytes_ + kUpperAt, static_cast<uint16_t>(upper)); }
  void SetHasFreeLines(bool has) {
    const unsigned others = flags() & ~unsigned{kHasFreeLines};
    Store(bytes_ + kFlagsAt, static_cast<uint16_t>(others | (has ? kHasFreeLines : 0u)));
  }

  void RequireTuple(Bytes tuple) const;
  absl::Status FindLine(LineNumber line) const;     // OutOfRange unless it exists
  absl::Status FindUnnamed(LineNumber line) const;  // FailedPrecondition if a redirect names it
  size_t LowestUnused() const;                      // 0 if none
  // Room for `tuple_bytes` and `new_lines` more line pointers, under the limit.
  absl::Status FindRoom(size_t tuple_bytes, size_t new_lines) const;
  void StoreTuple(size_t line, Bytes tuple);  // into the hole, under an existing number
  void ShiftData(size_t from_offset, ptrdiff_t by);
  // Closes all gaps; the scan is of all line pointers. Upper stays right throughout only at the
  // end.
  void Compact(const LineScan& scan);
  void SlideNarrow(const LineScan& scan, size_t new_upper);
  void SlideWide(const LineScan& scan);
  void CopyThroughWorkspace(const LineScan& scan, size_t new_upper);

  std::byte* bytes_;
  PageKind kind_;
  Limits limits_;
};

}  // namespace tuplestone::page

#endif  // TUPLESTONE_ENGINE_PAGE_PAGE_H_
