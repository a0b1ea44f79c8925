#include "engine/tuple/value.h"

#include <charconv>
#include <cmath>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace tuplestone::tuple {
namespace {

// The shortest digits that read back as the same number.
template <typename Float>
std::string FloatToString(Float value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value);
  return {digits, end.ptr};
}

bool IsPlain(unsigned char byte) { return byte >= 0x20 && byte < 0x7F && byte != '\\'; }

std::string TextToString(Bytes bytes) {
  std::string body;
  bool plain = true;
  for (const std::byte b : bytes) {
    const auto byte = static_cast<unsigned char>(b);
    if (byte == '\'') {
      body += "''";
    } else if (IsPlain(byte)) {
      body += static_cast<char>(byte);
    } else {
      plain = false;
      absl::StrAppendFormat(&body, "\\x%02x", byte);
    }
  }
  return absl::StrCat(plain ? "'" : "E'", body, "'");
}

std::string ByteaToString(Bytes bytes) {
  const absl::string_view view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return absl::StrCat("\\x", absl::BytesToHexString(view));
}

}  // namespace

absl::string_view TypeName(Type type) {
  static constexpr absl::string_view kNames[kTypes] = {"bool",   "int2",   "int4", "int8",
                                                       "float4", "float8", "text", "bytea"};
  return kNames[static_cast<int>(type)];
}

std::string ToString(const Value& value) {
  if (value.is_null()) return "null";
  switch (value.type()) {
    case Type::kBool:
      return value.AsBool() ? "true" : "false";
    case Type::kInt2:
    case Type::kInt4:
    case Type::kInt8:
      return absl::StrCat(value.AsInt());
    case Type::kFloat4:
      return FloatToString(value.AsFloat4());
    case Type::kFloat8:
      return FloatToString(value.AsFloat8());
    case Type::kText:
      return TextToString(value.AsBytes());
    case Type::kBytea:
      return ByteaToString(value.AsBytes());
  }
  return "a value of no type";
}

}  // namespace tuplestone::tuple
