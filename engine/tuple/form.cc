#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "engine/base/probe.h"
#include "engine/tuple/minimal_tuple.h"

namespace tuplestone::tuple {
namespace {

bool AnyNull(absl::Span<const Value> values) {
  return std::ranges::any_of(values, [](const Value& value) { return value.is_null(); });
}

// Beyond kTupleBytesMax in one value, some offset beyond it: no sum of columns wraps.
size_t VariableEnd(size_t offset, size_t payload) {
  payload = std::min(payload, kTupleBytesMax + 1);
  if (payload <= kShortPayloadMax) return offset + 1 + payload;
  return AlignUp(offset, kLongHeaderBytes) + kLongHeaderBytes + payload;
}

size_t EndOf(Type type, const Value& value, size_t offset) {
  if (IsVariable(type)) return VariableEnd(offset, value.known_bytes().size());
  return AlignUp(offset, Alignment(type)) + FixedBytes(type);
}

// Zeroes up to the next multiple of `alignment`, and returns it.
size_t Pad(std::byte* to, size_t offset, size_t alignment) {
  for (; !IsAligned(offset, alignment); ++offset) to[offset] = std::byte{0};
  return offset;
}

size_t WriteVariable(Bytes payload, std::byte* to, size_t offset) {
  if (payload.size() <= kShortPayloadMax) {
    to[offset++] = static_cast<std::byte>((1 + payload.size()) << 1 | 1);
  } else {
    TUPLESTONE_PROBE("tuple.long_value");
    offset = Pad(to, offset, kLongHeaderBytes);
    Store(to + offset, static_cast<uint32_t>((kLongHeaderBytes + payload.size()) << 2));
    offset += kLongHeaderBytes;
  }
  // An empty view may have no address, which memcpy does not allow.
  if (!payload.empty()) std::memcpy(to + offset, payload.data(), payload.size());
  return offset + payload.size();
}

size_t Write(Type type, const Value& value, std::byte* to, size_t offset) {
  if (IsVariable(type)) return WriteVariable(value.known_bytes(), to, offset);
  offset = Pad(to, offset, Alignment(type));
  std::byte* at = to + offset;
  const uint64_t bits = value.known_bits();
  switch (FixedBytes(type)) {
    case 1:
      Store(at, static_cast<uint8_t>(bits));
      return offset + 1;
    case 2:
      Store(at, static_cast<uint16_t>(bits));
      return offset + 2;
    case 4:
      Store(at, static_cast<uint32_t>(bits));
      return offset + 4;
    default:
      Store(at, bits);
      return offset + 8;
  }
}

void WriteHeader(std::byte* to, size_t bytes, int columns, uint16_t infomask) {
  const bool has_nulls = (infomask & kHasNulls) != 0;
  const size_t data_at = DataAt(columns, has_nulls);
  std::memset(to, 0, has_nulls ? kBitmapAt : data_at);
  Store(to, static_cast<uint32_t>(bytes));
  Store(to + kInfomask2At, static_cast<uint16_t>(columns));
  Store(to + kInfomaskAt, infomask);
  to[kHoffAt] = static_cast<std::byte>(data_at + kHoffExcess);
}

void WriteBitmap(absl::Span<const Value> values, std::byte* to, size_t data_at) {
  std::memset(to + kBitmapAt, 0, data_at - kBitmapAt);
  for (size_t i = 0; i < values.size(); ++i) {
    if (!values[i].is_null()) to[kBitmapAt + i / 8] |= std::byte{1} << (i % 8);
  }
}

// A chunk of `extra` zeroed bytes and room for a tuple; where the tuple goes, or null.
std::byte* AllocateBehind(size_t extra, size_t bytes, memory::Context& context) {
  TUPLESTONE_CHECK(kU7, IsAligned(extra, kMaxAlign));
  if (extra > SIZE_MAX - bytes) return nullptr;
  auto* chunk = static_cast<std::byte*>(context.Allocate(extra + bytes));
  if (chunk == nullptr) {
    TUPLESTONE_PROBE("tuple.no_memory");
    return nullptr;
  }
  std::memset(chunk, 0, extra);
  return chunk + extra;
}

}  // namespace

absl::StatusOr<size_t> FormedBytes(const Schema& schema, absl::Span<const Value> values) {
  if (values.size() != static_cast<size_t>(schema.columns())) {
    return absl::InvalidArgumentError(
        absl::StrCat(values.size(), " values for ", schema.columns(), " columns"));
  }
  size_t offset = DataAt(schema.columns(), AnyNull(values));
  for (int column = 0; column < schema.columns(); ++column) {
    const Value& value = values[static_cast<size_t>(column)];
    if (value.is_null()) continue;
    const Type type = schema.type(column);
    if (value.type() != type) {
      return absl::InvalidArgumentError(absl::StrCat("column ", column, " is ", TypeName(type),
                                                     ", the value ", TypeName(value.type())));
    }
    if (IsVariable(type) && value.AsBytes().size() > kTupleBytesMax) {
      return absl::InvalidArgumentError(absl::StrCat(
          "column ", column, ": ", value.AsBytes().size(), " bytes in one value are too many"));
    }
    offset = EndOf(type, value, offset);
    if (offset > kTupleBytesMax) {
      TUPLESTONE_PROBE("tuple.too_long");
      return absl::InvalidArgumentError(absl::StrCat("column ", column, " ends at byte ", offset,
                                                     "; a tuple has at most ", kTupleBytesMax));
    }
  }
  return offset;
}

size_t FormedBytesOrDie(const Schema& schema, absl::Span<const Value> values) {
  TUPLESTONE_CHECK_EQ(kU7, schema.columns(), values.size());
  size_t offset = DataAt(schema.columns(), AnyNull(values));
  bool of_the_types = true;
  for (int column = 0; column < schema.columns(); ++column) {
    const Value& value = values[static_cast<size_t>(column)];
    if (value.is_null()) continue;
    of_the_types &= value.Is(schema.type(column));
    offset = EndOf(schema.type(column), value, offset);
  }
  TUPLESTONE_CHECK(kU7, of_the_types);
  TUPLESTONE_CHECK(kU7, offset <= kTupleBytesMax);
  return offset;
}

void FormInto(const Schema& schema, absl::Span<const Value> values, std::byte* to, size_t bytes) {
  TUPLESTONE_CHECK(kU7, IsAligned(to, kMaxAlign));
  TUPLESTONE_CHECK_EQ(kU7, schema.columns(), values.size());
  uint16_t infomask = 0;
  bool of_the_types = true;
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i].is_null()) {
      infomask |= kHasNulls;
      continue;
    }
    const Type type = schema.type(static_cast<int>(i));
    of_the_types &= values[i].Is(type);
    if (IsVariable(type)) infomask |= kHasVariable;
  }
  TUPLESTONE_CHECK(kU7, of_the_types);
  WriteHeader(to, bytes, schema.columns(), infomask);
  size_t offset = DataAt(schema.columns(), (infomask & kHasNulls) != 0);
  if ((infomask & kHasNulls) != 0) WriteBitmap(values, to, offset);
  for (int column = 0; column < schema.columns(); ++column) {
    const Value& value = values[static_cast<size_t>(column)];
    if (!value.is_null()) offset = Write(schema.type(column), value, to, offset);
  }
  TUPLESTONE_CHECK_EQ(kU2, bytes, offset);
}

Tuple Form(const Schema& schema, absl::Span<const Value> values, memory::Context& context,
           size_t extra) {
  const size_t bytes = FormedBytesOrDie(schema, values);
  std::byte* to = AllocateBehind(extra, bytes, context);
  if (to == nullptr) return {};
  FormInto(schema, values, to, bytes);
  return Tuple(to);
}

Tuple Copy(Tuple tuple, memory::Context& context, size_t extra) {
  std::byte* to = AllocateBehind(extra, tuple.bytes(), context);
  if (to == nullptr) return {};
  std::memcpy(to, tuple.data(), tuple.bytes());
  return Tuple(to);
}

}  // namespace tuplestone::tuple
