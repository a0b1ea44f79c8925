// Everything that can be wrong with the bytes of a page, found before anything moves.
//
// One read-only walk over header and line pointers. Overlap is found without sorting, by a map of
// one bit for each kMaxAlign bytes of the page. Page::Adopt turns what is found into a Status,
// Page::Verify into an abort.
//
// What it does not look at: checksum, tuple contents, the hole, the special area's contents.
#ifndef TUPLESTONE_ENGINE_PAGE_VERIFY_H_
#define TUPLESTONE_ENGINE_PAGE_VERIFY_H_

#include <optional>
#include <string>

#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/page/page_types.h"

namespace tuplestone::page {

inline constexpr Invariant kP1{
    "P1", "24 <= lower <= upper <= special <= 8192, all aligned; no unknown flag or version"};
inline constexpr Invariant kP2{"P2", "stored tuples lie in [upper, special), aligned and disjoint"};
inline constexpr Invariant kP11{
    "P11",
    "line pointers are at most as many as the limit, and each has the shape of its state: unused "
    "is zero, normal has storage, a redirect has none and names a normal one (heap only)"};

// The first fault of a page.
struct PageFault {
  const Invariant* invariant;  // the one it breaks
  const char* sentence;        // what is wrong, without figures
  LineNumber line;             // 0 when the fault is the header's
  size_t offset;               // where: of the tuple, or of the header's field
  std::string figures;         // the values that part

  // "line pointer 3: tuple runs past the special area at offset 8176 (length 4000, special 8192)"
  std::string Message() const;
};

// The first fault in reading order, or nothing. `bytes` may be of any size. O(lines + page bytes).
std::optional<PageFault> FindFault(Bytes bytes, PageKind kind, const Limits& limits);

// True if every byte is zero, whatever the size.
bool AllZero(Bytes bytes);

}  // namespace tuplestone::page

#endif  // TUPLESTONE_ENGINE_PAGE_VERIFY_H_
