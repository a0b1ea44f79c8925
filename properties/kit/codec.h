// Programs as bytes. Decode is total: any bytes are a legal, bounded program.
//
//   | head (head_bytes) | record | record | ...      record = | cell | fields | spare |
//
// The cell maps to a tag through a table of 256 entries: cell modulo 32 is the tag. A cell without
// a tag is spare: its record is no operation, until a later language gives it one. Spare bytes are
// ignored and written as 0; so is what follows the last whole record, and what follows
// operations_max operations. A missing head reads as zeros. Hence overwriting a byte after the head
// changes at most one operation, and inserting or deleting a record one operation.
#ifndef TUPLESTONE_PROPERTIES_KIT_CODEC_H_
#define TUPLESTONE_PROPERTIES_KIT_CODEC_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "engine/base/bytes.h"
#include "properties/kit/program.h"

namespace tuplestone::kit {

namespace codec_internal {

// The tag of each cell of P, 0 for a spare one.
template <class P>
constexpr std::array<uint8_t, 256> TagOfCell() {
  std::array<uint8_t, 256> tags{};
  P::ForEachKind([&]<class T>() {
    for (size_t cell = T::kText.kTag; cell < 256; cell += kTagMax + 1) tags[cell] = T::kText.kTag;
  });
  return tags;
}

template <class T>
T DecodeFields(const std::byte* bytes) {
  T t{};
  ForEachField(t, [&](const char*, auto& field) {
    using Field = std::remove_reference_t<decltype(field)>;
    uint64_t raw = 0;
    std::memcpy(&raw, bytes, Field::kWireBytes);
    field = Field::FromRaw(raw);
    bytes += Field::kWireBytes;
  });
  return t;
}

template <class T>
void EncodeFields(const T& t, std::byte* bytes) {
  ForEachField(t, [&](const char*, const auto& field) {
    const uint64_t raw = field.ToRaw();
    std::memcpy(bytes, &raw, field.kWireBytes);
    bytes += field.kWireBytes;
  });
}

}  // namespace codec_internal

template <class P>
P Decode(Bytes bytes) {
  static constexpr std::array<uint8_t, 256> kTagOfCell = codec_internal::TagOfCell<P>();
  std::array<std::byte, P::kShape.head_bytes> head{};
  std::copy_n(bytes.data(), std::min(bytes.size(), head.size()), head.data());
  P program;
  program.head = codec_internal::DecodeFields<typename P::Head>(head.data());
  size_t at = head.size();
  while (at + P::kShape.record_bytes <= bytes.size() &&
         program.operations.size() < P::kShape.operations_max) {
    const uint8_t tag = kTagOfCell[static_cast<uint8_t>(bytes[at])];
    P::ForEachKind([&]<class T>() {
      if (tag != T::kText.kTag) return;
      program.operations.push_back(codec_internal::DecodeFields<T>(bytes.data() + at + 1));
    });
    at += P::kShape.record_bytes;
  }
  return program;
}

// Decode(Encode(p)) == p. Requires: at most operations_max operations.
template <class P>
std::vector<std::byte> Encode(const P& program) {
  std::vector<std::byte> bytes(P::kShape.head_bytes +
                               program.operations.size() * P::kShape.record_bytes);
  codec_internal::EncodeFields(program.head, bytes.data());
  std::byte* record = bytes.data() + P::kShape.head_bytes;
  for (const auto& operation : program.operations) {
    std::visit(
        [&](const auto& op) {
          record[0] = static_cast<std::byte>(op.kText.kTag);
          codec_internal::EncodeFields(op, record + 1);
        },
        operation);
    record += P::kShape.record_bytes;
  }
  return bytes;
}

}  // namespace tuplestone::kit

#endif  // TUPLESTONE_PROPERTIES_KIT_CODEC_H_
