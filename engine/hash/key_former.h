// Makes keys of rows whose key columns have fixed lengths and fixed places, without looking at
// values: the key's tuple is always the same but for the columns, which are copied.
//
//   row     | header | a | key 2 | b | key 1 |
//   key     | header | key 1 | key 2 |           the header is that of every key
#ifndef TUPLESTONE_ENGINE_HASH_KEY_FORMER_H_
#define TUPLESTONE_ENGINE_HASH_KEY_FORMER_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "absl/types/span.h"
#include "engine/tuple/minimal_tuple.h"
#include "engine/tuple/schema.h"

namespace tuplestone::hash {

class KeyFormer {
 public:
  // `key` is the schema of the columns `columns` of `row`.
  KeyFormer(const tuple::Schema& row, absl::Span<const uint16_t> columns, const tuple::Schema& key);

  // Whether keys of this row can be made. Not where a column before or in the key may vary in
  // length, nor where any column is null.
  bool Forms(tuple::Tuple row) const { return works_ && !row.HasNulls(); }
  bool works() const { return works_; }
  // What a key takes, a multiple of 8.
  size_t key_bytes() const { return blank_.size() * sizeof(uint64_t); }

  // Requires: Forms(row), key_bytes() at `to`, aligned to 8.
  void Form(tuple::Tuple row, std::byte* to) const {
    std::memcpy(to, blank_.data(), key_bytes());
    for (const Copy& copy : copies_) {
      const std::byte* from = row.data() + copy.from;
      switch (copy.bytes) {
        case 8:
          std::memcpy(to + copy.to, from, 8);
          break;
        case 4:
          std::memcpy(to + copy.to, from, 4);
          break;
        case 2:
          std::memcpy(to + copy.to, from, 2);
          break;
        default:
          to[copy.to] = *from;
      }
    }
  }

 private:
  struct Copy {
    uint32_t from;
    uint32_t to;
    uint32_t bytes;
  };

  bool works_ = true;
  std::vector<uint64_t> blank_;  // words, for their alignment
  std::vector<Copy> copies_;
};

}  // namespace tuplestone::hash

#endif  // TUPLESTONE_ENGINE_HASH_KEY_FORMER_H_
