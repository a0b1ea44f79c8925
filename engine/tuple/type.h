// The types a column may have, and how much place a value of each takes.
//
//   bool 1   int2 2   int4 4   int8 8   float4 4   float8 8      aligned to their size
//   text, bytea                                                  a header, then the bytes
#ifndef TUPLESTONE_ENGINE_TUPLE_TYPE_H_
#define TUPLESTONE_ENGINE_TUPLE_TYPE_H_

#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"

namespace tuplestone::tuple {

enum class Type : uint8_t { kBool, kInt2, kInt4, kInt8, kFloat4, kFloat8, kText, kBytea };

inline constexpr int kTypes = 8;

// "int8": as PostgreSQL spells it.
absl::string_view TypeName(Type type);

constexpr bool IsVariable(Type type) { return type >= Type::kText; }

// Of the value's data; 0 for text and bytea.
constexpr size_t FixedBytes(Type type) {
  constexpr uint8_t kBytes[kTypes] = {1, 2, 4, 8, 4, 8, 0, 0};
  return kBytes[static_cast<int>(type)];
}

// Of the value's data; of the long header for text and bytea.
constexpr size_t Alignment(Type type) { return IsVariable(type) ? 4 : FixedBytes(type); }

}  // namespace tuplestone::tuple

#endif  // TUPLESTONE_ENGINE_TUPLE_TYPE_H_
