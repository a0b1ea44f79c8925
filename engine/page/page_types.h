// How a PostgreSQL page lies in memory. Types and constants only, so that models may share them.
//
//   0       24             lower          upper            special    8192
//   | header | lp 1, lp 2.. | the hole ... | ..tuple 2, 1   | special  |
//
//   header   0 lsn 8 | 8 checksum 2 | 10 flags 2 | 12 lower 2 | 14 upper 2 | 16 special 2
//            | 18 page size + layout version 2 | 20 prune xid 4
//   line pointer (32 bits, little-endian)   0 offset 15 | 15 state 2 | 17 length 15
//
//   state      offset                    length
//   unused     0                         0
//   normal     of its tuple              of its tuple, not 0
//   redirect   a line number             0
//   dead       of its tuple, or 0        of its tuple, or 0 without storage
//
// A tuple takes its length rounded up to kMaxAlign; the rounding is padding and belongs to it.
#ifndef TUPLESTONE_ENGINE_PAGE_PAGE_TYPES_H_
#define TUPLESTONE_ENGINE_PAGE_PAGE_TYPES_H_

#include <cstddef>
#include <cstdint>

#include "engine/base/align.h"

namespace tuplestone::page {

inline constexpr size_t kPageBytes = 8192;
inline constexpr size_t kHeaderBytes = 24;
inline constexpr size_t kLinePointerBytes = 4;

// Where the header's fields stand.
inline constexpr size_t kChecksumAt = 8;
inline constexpr size_t kFlagsAt = 10;
inline constexpr size_t kLowerAt = 12;
inline constexpr size_t kUpperAt = 14;
inline constexpr size_t kSpecialAt = 16;
inline constexpr size_t kSizeAndVersionAt = 18;

// The page size, a multiple of 256, with the layout version in its low byte.
inline constexpr uint16_t kSizeAndVersion = kPageBytes | 4;

// Page flags. The first two are hints: no decision of the engine depends on them.
inline constexpr uint16_t kHasFreeLines = 1;
inline constexpr uint16_t kPageFull = 2;
inline constexpr uint16_t kAllVisible = 4;
inline constexpr uint16_t kKnownFlags = kHasFreeLines | kPageFull | kAllVisible;

// The longest tuple of a page without special area: one line pointer, then the rest, aligned.
inline constexpr size_t kTupleBytesMax = kPageBytes - MaxAlign(kHeaderBytes + kLinePointerBytes);
// The line pointers that fit if there is nothing else.
inline constexpr size_t kLinesThatFit = (kPageBytes - kHeaderBytes) / kLinePointerBytes;

static_assert(kTupleBytesMax == 8160);
static_assert(kLinesThatFit == 2042);

// Line pointers are numbered from 1.
using LineNumber = uint16_t;

enum class LineState : uint8_t { kUnused = 0, kNormal = 1, kRedirect = 2, kDead = 3 };

// One line pointer, as stored.
class LinePointer {
 public:
  constexpr LinePointer() = default;  // unused
  constexpr explicit LinePointer(uint32_t bits) : bits_(bits) {}
  // Requires: offset and length below 2^15.
  constexpr LinePointer(LineState state, size_t offset, size_t length)
      : bits_(static_cast<uint32_t>(offset) | static_cast<uint32_t>(state) << 15 |
              static_cast<uint32_t>(length) << 17) {}

  constexpr uint32_t bits() const { return bits_; }
  constexpr LineState state() const { return static_cast<LineState>(bits_ >> 15 & 3); }
  constexpr size_t offset() const { return bits_ & 0x7FFF; }
  constexpr size_t length() const { return bits_ >> 17; }
  constexpr bool has_storage() const { return bits_ >> 17 != 0; }
  // What the tuple takes of the page: length and padding.
  constexpr size_t stored_bytes() const { return MaxAlign(length()); }
  // The same with another offset. Requires: offset below 2^15.
  constexpr LinePointer MovedTo(size_t offset) const {
    return LinePointer((bits_ & ~uint32_t{0x7FFF}) | static_cast<uint32_t>(offset));
  }

  friend constexpr bool operator==(LinePointer, LinePointer) = default;

 private:
  uint32_t bits_ = 0;
};

// What an operation may rely on.
enum class PageKind : uint8_t {
  kHeap,    // line pointers keep their numbers; unused and redirect ones happen
  kIndex,   // deleting closes the numbers up; no redirects
  kNew,     // all bytes zero: no line pointers, no room, nothing to verify
  kOpaque,  // something else lies between header and special area: no line pointers
};

// What decides a change of state. PostgreSQL's values; tests draw them small.
struct Limits {
  size_t heap_lines_max = (kPageBytes - kHeaderBytes) / 28;   // 291, line pointers of a heap page
  size_t index_lines_max = (kPageBytes - kHeaderBytes) / 20;  // 408, of an index page
};

static_assert(Limits().heap_lines_max == 291);
static_assert(Limits().index_lines_max == 408);

}  // namespace tuplestone::page

#endif  // TUPLESTONE_ENGINE_PAGE_PAGE_TYPES_H_
