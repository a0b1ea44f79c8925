// PostgreSQL's minimal tuple: a row in one piece of memory, no longer than it must be.
//
//   0        4         10          12        14     15         hoff - 8            length
//   | length | 6 pads  | infomask2 | infomask | hoff | bitmap.. | column, column .. |
//
//   infomask2  the number of columns
//   infomask   1: there is a bitmap; 2: a column of variable length is not null
//   hoff       where the data start, and 8 more: what it would be in a tuple of a page
//   bitmap     only if a column is null; a bit a column, lowest first, 1: not null
//   column     nothing if null, else padding to its alignment, then its data
//
// A value of variable length up to 126 bytes is an odd byte (1 + length) * 2 + 1, unaligned, and
// the bytes; a longer one is (4 + length) * 4 in 32 bits, aligned to 4, and the bytes. The first
// byte is 0 where it is padding, so a reader knows which it has. Numbers are little-endian;
// alignment counts from the tuple's start, which is itself a multiple of 8. PostgreSQL also knows
// compressed values and values stored elsewhere; here they are damage.
//
// Invariants (invariants.h):
//   U1  A tuple reads back as the values it was formed of, NaN bits included.
//   U2  Its bytes are a function of the values: padding is zero, the length is exact.
//   U3  Validate accepts what forming writes and nothing else.
//   U7  Callers keep to what an operation requires.
#ifndef TUPLESTONE_ENGINE_TUPLE_MINIMAL_TUPLE_H_
#define TUPLESTONE_ENGINE_TUPLE_MINIMAL_TUPLE_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "engine/base/align.h"
#include "engine/base/bytes.h"
#include "engine/memory/context.h"
#include "engine/tuple/schema.h"
#include "engine/tuple/value.h"

namespace tuplestone::tuple {

inline constexpr size_t kTupleBytesMax = (size_t{1} << 30) - 1;

// Where the header's fields stand.
inline constexpr size_t kPadsAt = 4;
inline constexpr size_t kInfomask2At = 10;
inline constexpr size_t kInfomaskAt = 12;
inline constexpr size_t kHoffAt = 14;
inline constexpr size_t kBitmapAt = 15;
inline constexpr size_t kDataAtWithoutNulls = MaxAlign(kBitmapAt);
inline constexpr size_t kHoffExcess = 8;  // hoff counts a page tuple's longer header

inline constexpr uint16_t kHasNulls = 1;
inline constexpr uint16_t kHasVariable = 2;

inline constexpr size_t kShortPayloadMax = 126;  // bytes behind a short header
inline constexpr size_t kLongHeaderBytes = 4;

constexpr size_t BitmapBytes(int columns) { return (static_cast<size_t>(columns) + 7) / 8; }
constexpr size_t DataAt(int columns, bool has_nulls) {
  return has_nulls ? MaxAlign(kBitmapAt + BitmapBytes(columns)) : kDataAtWithoutNulls;
}

// A tuple somebody else owns, or none. Requires of all that read it: formed here or accepted by
// Validate, for the schema it is read with.
class Tuple {
 public:
  Tuple() = default;  // none
  explicit Tuple(const std::byte* data) : data_(data) {}

  explicit operator bool() const { return data_ != nullptr; }
  const std::byte* data() const { return data_; }
  size_t bytes() const { return Load<uint32_t>(data_); }
  Bytes span() const { return {data_, bytes()}; }
  bool HasNulls() const { return (Load<uint16_t>(data_ + kInfomaskAt) & kHasNulls) != 0; }
  bool IsNull(int column) const { return HasNulls() && !BitOf(column); }
  // Where the data of columns start.
  size_t data_at() const { return static_cast<size_t>(data_[kHoffAt]) - kHoffExcess; }

 private:
  bool BitOf(int column) const {
    const auto byte = static_cast<uint8_t>(data_[kBitmapAt + static_cast<size_t>(column) / 8]);
    return (byte >> (column % 8) & 1) != 0;
  }

  const std::byte* data_ = nullptr;
};

// The exact size of the tuple of `values`, one a column. InvalidArgument names the column that has
// another type, and what is missing, too much or too long. O(columns), as all below but Column.
absl::StatusOr<size_t> FormedBytes(const Schema& schema, absl::Span<const Value> values);
// The same. Requires (U7): FormedBytes would be OK.
size_t FormedBytesOrDie(const Schema& schema, absl::Span<const Value> values);

// Writes the tuple of `values`, every byte of it. Requires (U7): `to` at a multiple of 8, `bytes`
// from FormedBytes of these values, which do not lie in [to, to + bytes).
void FormInto(const Schema& schema, absl::Span<const Value> values, std::byte* to, size_t bytes);

// The tuple of `values` behind `extra` zeroed bytes, in one chunk of `context`; none, and nothing
// changed, if there is no memory. The chunk starts at data() - extra. Requires (U7): values as
// FormedBytesOrDie, `extra` a multiple of 8.
Tuple Form(const Schema& schema, absl::Span<const Value> values, memory::Context& context,
           size_t extra = 0);
// The same with a copy of `tuple`.
Tuple Copy(Tuple tuple, memory::Context& context, size_t extra = 0);

// One column's value; text and bytea are views of the tuple. O(1) where the schema has a fixed
// offset and no earlier column is null, else O(column). Requires (U7): `column` of the schema.
Value Column(const Schema& schema, Tuple tuple, int column);
// The first values.size() columns, in one pass. Requires (U7): not more than there are.
void Deform(const Schema& schema, Tuple tuple, absl::Span<Value> values);

// Checks bytes from outside. OK: Tuple(bytes.data()) is valid, and forming its values gives these
// bytes. DataLoss says what is wrong at which offset or column.
absl::Status Validate(const Schema& schema, Bytes bytes);

// (1, 'a', null)
std::string ToString(const Schema& schema, Tuple tuple);

}  // namespace tuplestone::tuple

#endif  // TUPLESTONE_ENGINE_TUPLE_MINIMAL_TUPLE_H_
