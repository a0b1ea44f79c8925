// Room for one tuple, which grows to the longest that it held.
#ifndef TUPLESTONE_ENGINE_HASH_ROW_BUFFER_H_
#define TUPLESTONE_ENGINE_HASH_ROW_BUFFER_H_

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include "engine/memory/context.h"
#include "engine/tuple/minimal_tuple.h"

namespace tuplestone::hash {

// No buffer is smaller: each has a block of its own in the context of an aggregation, and goes back
// to the source when it is released.
inline constexpr size_t kRowBufferBytesMin = 512;

class RowBuffer {
 public:
  // Requires: `context` can free, and is not reset while the buffer lives.
  explicit RowBuffer(memory::Context& context) : context_(context) {}
  ~RowBuffer() { Release(); }
  RowBuffer(const RowBuffer&) = delete;
  RowBuffer& operator=(const RowBuffer&) = delete;

  // Room for `bytes`, or null without memory. What it held is gone.
  std::byte* Reserve(size_t bytes) {
    if (bytes <= capacity_) return data_;
    Release();
    const size_t capacity = std::max(bytes, kRowBufferBytesMin);
    data_ = static_cast<std::byte*>(context_.Allocate(capacity));
    capacity_ = data_ == nullptr ? 0 : capacity;
    return data_;
  }
  // A copy; false without memory.
  bool Assign(tuple::Tuple tuple) {
    std::byte* to = Reserve(tuple.bytes());
    if (to == nullptr) return false;
    std::memcpy(to, tuple.data(), tuple.bytes());
    return true;
  }
  void Release() {
    if (data_ != nullptr) context_.Free(data_);
    data_ = nullptr;
    capacity_ = 0;
  }
  // Requires: it holds one.
  tuple::Tuple tuple() const { return tuple::Tuple(data_); }
  void Swap(RowBuffer& other) {
    std::swap(data_, other.data_);
    std::swap(capacity_, other.capacity_);
  }

 private:
  memory::Context& context_;
  std::byte* data_ = nullptr;
  size_t capacity_ = 0;
};

}  // namespace tuplestone::hash

#endif  // TUPLESTONE_ENGINE_HASH_ROW_BUFFER_H_
