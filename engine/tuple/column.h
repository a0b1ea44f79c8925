// Finding and reading one column inside a tuple: what reading, comparing and hashing share.
#ifndef TUPLESTONE_ENGINE_TUPLE_COLUMN_H_
#define TUPLESTONE_ENGINE_TUPLE_COLUMN_H_

#include <cstddef>
#include <cstdint>

#include "engine/base/align.h"
#include "engine/base/bytes.h"
#include "engine/tuple/minimal_tuple.h"
#include "engine/tuple/schema.h"
#include "engine/tuple/value.h"

namespace tuplestone::tuple {

// A value of variable length and the offset behind it.
struct Variable {
  Bytes payload;
  size_t end;
};

// `offset`: of the short header, or of the padding before a long one.
inline Variable ReadVariable(const std::byte* tuple, size_t offset) {
  const auto first = static_cast<uint8_t>(tuple[offset]);
  if ((first & 1) != 0) {
    const size_t total = first >> 1;
    return {{tuple + offset + 1, total - 1}, offset + total};
  }
  offset = AlignUp(offset, kLongHeaderBytes);
  const size_t total = Load<uint32_t>(tuple + offset) >> 2;
  return {{tuple + offset + kLongHeaderBytes, total - kLongHeaderBytes}, offset + total};
}

// The offset behind a column that is not null and for which the data so far end at `offset`.
inline size_t Skip(Type type, const std::byte* tuple, size_t offset) {
  if (IsVariable(type)) return ReadVariable(tuple, offset).end;
  return AlignUp(offset, Alignment(type)) + FixedBytes(type);
}

// O(column): where a column that is not null starts, aligned.
size_t LocateByWalk(const Schema& schema, Tuple tuple, int column);

// The same, at once if the schema knows. Requires: the column is not null.
inline size_t Locate(const Schema& schema, Tuple tuple, int column) {
  const int32_t fixed = schema.fixed_offset(column);
  if (fixed >= 0 && !tuple.HasNulls()) [[likely]] {
    return static_cast<size_t>(fixed);
  }
  return LocateByWalk(schema, tuple, column);
}

inline Bytes PayloadAt(const std::byte* tuple, size_t offset) {
  return ReadVariable(tuple, offset).payload;
}

// The value at an offset that Locate gave.
Value ReadAt(Type type, const std::byte* tuple, size_t offset);

// The order of two values at offsets that Locate gave.
int CompareAt(Type type, const std::byte* a, size_t a_at, const std::byte* b, size_t b_at);

}  // namespace tuplestone::tuple

#endif  // TUPLESTONE_ENGINE_TUPLE_COLUMN_H_
