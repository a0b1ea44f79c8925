// Untrusted bytes. Everything a reader relies on is checked here, and nothing is left open that
// forming decides: a tuple that passes has the bytes that forming its values would write.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "engine/base/probe.h"
#include "engine/tuple/column.h"
#include "engine/tuple/minimal_tuple.h"

namespace tuplestone::tuple {
namespace {

template <typename... Parts>
absl::Status Damage(const Parts&... parts) {
  return absl::DataLossError(absl::StrCat("tuple: ", parts...));
}

bool IsZero(Bytes bytes) {
  return std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{0}; });
}

absl::Status ValidateHeader(const Schema& schema, Bytes bytes) {
  if (bytes.size() < kDataAtWithoutNulls) {
    return Damage(bytes.size(), " bytes are no header");
  }
  if (bytes.size() > kTupleBytesMax) {
    return Damage(bytes.size(), " bytes are more than ", kTupleBytesMax);
  }
  const auto length = Load<uint32_t>(bytes.data());
  if (length != bytes.size()) {
    return Damage("its length says ", length, ", there are ", bytes.size(), " bytes");
  }
  if (!IsZero(bytes.subspan(kPadsAt, kInfomask2At - kPadsAt))) {
    return Damage("a pad byte at ", kPadsAt, " to ", kInfomask2At - 1, " is not 0");
  }
  const auto columns = Load<uint16_t>(bytes.data() + kInfomask2At);
  if (columns != schema.columns()) {
    return Damage("infomask2 says ", columns, ", the schema has ", schema.columns(), " columns");
  }
  const auto infomask = Load<uint16_t>(bytes.data() + kInfomaskAt);
  if ((infomask & ~(kHasNulls | kHasVariable)) != 0) {
    return Damage("infomask ", infomask, " has unknown bits");
  }
  const size_t data_at = DataAt(columns, (infomask & kHasNulls) != 0);
  if (static_cast<size_t>(bytes[kHoffAt]) != data_at + kHoffExcess) {
    return Damage("hoff is ", static_cast<int>(bytes[kHoffAt]), ", not ", data_at + kHoffExcess);
  }
  if (bytes.size() < data_at) {
    return Damage("data at ", data_at, " of ", bytes.size(), " bytes");
  }
  return absl::OkStatus();
}

// The header is good, so the bitmap lies within the bytes.
absl::Status ValidateBitmap(const Schema& schema, Bytes bytes) {
  const Tuple tuple(bytes.data());
  const size_t data_at = tuple.data_at();
  if (!tuple.HasNulls()) {
    return bytes[kBitmapAt] == std::byte{0} ? absl::OkStatus()
                                            : Damage("the byte at ", kBitmapAt, " is not 0");
  }
  bool any_null = false;
  for (int column = 0; column < schema.columns(); ++column) any_null |= tuple.IsNull(column);
  if (!any_null) {
    TUPLESTONE_PROBE("tuple.bitmap_without_null");
    return Damage("a bitmap, but no column is null");
  }
  const size_t bitmap_bits = BitmapBytes(schema.columns()) * 8;
  for (auto bit = static_cast<size_t>(schema.columns()); bit < bitmap_bits; ++bit) {
    if (!tuple.IsNull(static_cast<int>(bit))) return Damage("bit ", bit, " is of no column");
  }
  const size_t end = kBitmapAt + BitmapBytes(schema.columns());
  if (!IsZero(bytes.subspan(end, data_at - end))) {
    return Damage("padding from ", end, " to ", data_at, " is not 0");
  }
  return absl::OkStatus();
}

// Moves `offset` over padding.
absl::Status SkipPadding(Bytes bytes, size_t alignment, int column, size_t& offset) {
  const size_t end = AlignUp(offset, alignment);
  if (end > bytes.size()) {
    return Damage("column ", column, " would start at ", end, " of ", bytes.size(), " bytes");
  }
  if (!IsZero(bytes.subspan(offset, end - offset))) {
    return Damage("column ", column, ": padding from ", offset, " to ", end, " is not 0");
  }
  offset = end;
  return absl::OkStatus();
}

absl::Status SkipFixed(Type type, Bytes bytes, int column, size_t& offset) {
  if (absl::Status padded = SkipPadding(bytes, Alignment(type), column, offset); !padded.ok()) {
    return padded;
  }
  if (bytes.size() - offset < FixedBytes(type)) {
    return Damage("column ", column, ": ", TypeName(type), " at ", offset, " of ", bytes.size(),
                  " bytes");
  }
  if (type == Type::kBool && static_cast<uint8_t>(bytes[offset]) > 1) {
    return Damage("column ", column, ": a bool of ", static_cast<int>(bytes[offset]), " at ",
                  offset);
  }
  offset += FixedBytes(type);
  return absl::OkStatus();
}

absl::Status SkipLong(Bytes bytes, int column, size_t& offset) {
  if (absl::Status padded = SkipPadding(bytes, kLongHeaderBytes, column, offset); !padded.ok()) {
    return padded;
  }
  if (bytes.size() - offset < kLongHeaderBytes) {
    return Damage("column ", column, ": no room for a length at ", offset);
  }
  const auto word = Load<uint32_t>(bytes.data() + offset);
  if ((word & 3) != 0) {
    TUPLESTONE_PROBE("tuple.compressed");
    return Damage("column ", column, ": compressed or without alignment at ", offset);
  }
  const size_t total = word >> 2;
  if (total <= kLongHeaderBytes + kShortPayloadMax) {
    TUPLESTONE_PROBE("tuple.long_header_of_short_value");
    return Damage("column ", column, ": a long header at ", offset, " for ", total, " bytes");
  }
  if (bytes.size() - offset < total) {
    return Damage("column ", column, ": ", total, " bytes at ", offset, " of ", bytes.size());
  }
  offset += total;
  return absl::OkStatus();
}

absl::Status SkipVariable(Bytes bytes, int column, size_t& offset) {
  if (offset == bytes.size()) {
    return Damage("column ", column, " would start at ", offset, ", the end");
  }
  const auto first = static_cast<uint8_t>(bytes[offset]);
  if ((first & 1) == 0) return SkipLong(bytes, column, offset);
  const size_t total = first >> 1;
  if (total == 0) {
    TUPLESTONE_PROBE("tuple.stored_elsewhere");
    return Damage("column ", column, ": stored elsewhere, at ", offset);
  }
  if (bytes.size() - offset < total) {
    return Damage("column ", column, ": ", total, " bytes at ", offset, " of ", bytes.size());
  }
  offset += total;
  return absl::OkStatus();
}

absl::Status ValidateColumns(const Schema& schema, Bytes bytes) {
  const Tuple tuple(bytes.data());
  size_t offset = tuple.data_at();
  bool any_variable = false;
  for (int column = 0; column < schema.columns(); ++column) {
    if (tuple.IsNull(column)) continue;
    const Type type = schema.type(column);
    any_variable |= IsVariable(type);
    absl::Status skipped = IsVariable(type) ? SkipVariable(bytes, column, offset)
                                            : SkipFixed(type, bytes, column, offset);
    if (!skipped.ok()) return skipped;
  }
  if (offset != bytes.size()) {
    return Damage("the columns end at ", offset, " of ", bytes.size(), " bytes");
  }
  const auto infomask = Load<uint16_t>(bytes.data() + kInfomaskAt);
  if (((infomask & kHasVariable) != 0) != any_variable) {
    return Damage("infomask ", infomask, " is wrong about columns of variable length");
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status Validate(const Schema& schema, Bytes bytes) {
  if (absl::Status header = ValidateHeader(schema, bytes); !header.ok()) return header;
  if (absl::Status bitmap = ValidateBitmap(schema, bytes); !bitmap.ok()) return bitmap;
  return ValidateColumns(schema, bytes);
}

}  // namespace tuplestone::tuple
