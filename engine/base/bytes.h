// Little-endian integers at any byte address, without alignment or aliasing assumptions.
#ifndef TUPLESTONE_ENGINE_BASE_BYTES_H_
#define TUPLESTONE_ENGINE_BASE_BYTES_H_

#include <cstddef>
#include <cstring>
#include <type_traits>

#include "absl/types/span.h"

namespace tuplestone {

using Bytes = absl::Span<const std::byte>;
using MutableBytes = absl::Span<std::byte>;

// Requires: sizeof(T) readable bytes at `from`.
template <typename T>
  requires std::is_trivially_copyable_v<T>
T Load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

// Requires: sizeof(T) writable bytes at `to`.
template <typename T>
  requires std::is_trivially_copyable_v<T>
void Store(std::byte* to, T value) {
  std::memcpy(to, &value, sizeof(T));
}

}  // namespace tuplestone

#endif  // TUPLESTONE_ENGINE_BASE_BYTES_H_
