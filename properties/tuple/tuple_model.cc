#include "properties/tuple/tuple_model.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace tuplestone::properties {
namespace {

bool IsText(ModelType type) { return type == ModelType::kText || type == ModelType::kBytea; }
bool IsFloat(ModelType type) { return type == ModelType::kFloat4 || type == ModelType::kFloat8; }

size_t WidthOf(ModelType type) {
  switch (type) {
    case ModelType::kBool:
      return 1;
    case ModelType::kInt2:
      return 2;
    case ModelType::kInt4:
    case ModelType::kFloat4:
      return 4;
    case ModelType::kInt8:
    case ModelType::kFloat8:
      return 8;
    case ModelType::kText:
    case ModelType::kBytea:
      return 0;
  }
  return 0;
}

double FloatOf(ModelType type, const ModelValue& value) {
  if (type == ModelType::kFloat4) {
    return double{std::bit_cast<float>(static_cast<uint32_t>(value.bits))};
  }
  return std::bit_cast<double>(value.bits);
}

void AppendNumber(std::string* out, uint64_t number, size_t width) {
  for (size_t i = 0; i < width; ++i) out->push_back(static_cast<char>(number >> (8 * i)));
}

void AppendZeroesTo(std::string* out, size_t multiple) {
  while (out->size() % multiple != 0) out->push_back('\0');
}

void AppendText(std::string* out, const std::string& text) {
  if (text.size() < 127) {
    AppendNumber(out, (text.size() + 1) * 2 + 1, 1);
  } else {
    AppendZeroesTo(out, 4);
    AppendNumber(out, (text.size() + 4) * 4, 4);
  }
  *out += text;
}

// Takes bytes off the front; knows when there were none left.
class Reader {
 public:
  explicit Reader(const std::string& from) : from_(from) {}

  std::string Take(uint64_t bytes) {
    if (bytes > from_.size() - at_) failed_ = true;
    if (failed_) return "";
    at_ += bytes;
    return from_.substr(at_ - bytes, bytes);
  }
  uint64_t TakeNumber(size_t width) {
    const std::string bytes = Take(width);
    uint64_t number = 0;
    for (size_t i = bytes.size(); i-- > 0;) number = number * 256 + static_cast<uint8_t>(bytes[i]);
    return number;
  }
  void TakeTo(size_t multiple) { Take((multiple - at_ % multiple) % multiple); }
  int Peek() const { return at_ < from_.size() ? static_cast<uint8_t>(from_[at_]) : -1; }
  bool failed() const { return failed_; }
  bool at_end() const { return at_ == from_.size(); }

 private:
  const std::string& from_;
  size_t at_ = 0;
  bool failed_ = false;
};

std::string ReadText(Reader* reader) {
  if (reader->Peek() % 2 == 1) return reader->Take(reader->TakeNumber(1) / 2 - 1);
  reader->TakeTo(4);
  return reader->Take(reader->TakeNumber(4) / 4 - 4);
}

template <typename T>
int Sign(const T& a, const T& b) {
  if (a < b) return -1;
  return b < a ? 1 : 0;
}

std::string Quoted(const std::string& text) {
  std::string body;
  bool escaped = false;
  for (const char c : text) {
    const auto byte = static_cast<uint8_t>(c);
    if (c == '\'') {
      body += "''";
    } else if (byte < 32 || byte > 126 || c == '\\') {
      char hex[5];
      (void)std::snprintf(hex, sizeof hex, "\\x%02x", byte);
      body += hex;
      escaped = true;
    } else {
      body += c;
    }
  }
  return (escaped ? "E'" : "'") + body + "'";
}

std::string Hexadecimal(const std::string& bytes) {
  std::string text = "\\x";
  for (const char c : bytes) {
    char hex[3];
    (void)std::snprintf(hex, sizeof hex, "%02x", static_cast<uint8_t>(c));
    text += hex;
  }
  return text;
}

bool FloatPrintsAs(ModelType type, const ModelValue& value, const std::string& printed) {
  const double number = FloatOf(type, value);
  if (std::isnan(number)) return printed == "NaN";
  if (std::isinf(number)) return printed == (number < 0 ? "-Infinity" : "Infinity");
  char* end = nullptr;
  const double read = type == ModelType::kFloat4 ? double{std::strtof(printed.c_str(), &end)}
                                                 : std::strtod(printed.c_str(), &end);
  return *end == '\0' && read == number && std::signbit(read) == std::signbit(number) &&
         printed.size() < 25;
}

}  // namespace

std::string ModelTypeName(ModelType type) {
  const char* names[] = {"bool", "int2", "int4", "int8", "float4", "float8", "text", "bytea"};
  return names[static_cast<size_t>(type)];
}

ModelValue ModelFromBits(ModelType type, uint64_t bits) {
  ModelValue value{.null = false, .bits = 0, .bytes = ""};
  switch (type) {
    case ModelType::kBool:
      value.bits = bits % 2;
      break;
    case ModelType::kInt2:
      value.bits = static_cast<uint64_t>(int64_t{static_cast<int16_t>(bits)});
      break;
    case ModelType::kInt4:
      value.bits = static_cast<uint64_t>(int64_t{static_cast<int32_t>(bits)});
      break;
    case ModelType::kFloat4:
      value.bits = static_cast<uint32_t>(bits);
      break;
    case ModelType::kInt8:
    case ModelType::kFloat8:
      value.bits = bits;
      break;
    case ModelType::kText:
    case ModelType::kBytea:
      AppendNumber(&value.bytes, bits, 8);
      break;
  }
  return value;
}

std::string ModelForm(const ModelTypes& types, const ModelRow& row) {
  bool any_null = false;
  bool any_text = false;
  std::string bitmap((types.size() + 7) / 8, '\0');
  for (size_t c = 0; c < types.size(); ++c) {
    if (row[c].null) {
      any_null = true;
    } else {
      bitmap[c / 8] = static_cast<char>(bitmap[c / 8] | 1 << c % 8);
      if (IsText(types[c])) any_text = true;
    }
  }
  std::string tuple(10, '\0');
  AppendNumber(&tuple, types.size(), 2);
  AppendNumber(&tuple, (any_null ? 1u : 0u) + (any_text ? 2u : 0u), 2);
  tuple.push_back('?');
  if (any_null) tuple += bitmap;
  AppendZeroesTo(&tuple, 8);
  tuple[14] = static_cast<char>(tuple.size() + 8);
  for (size_t c = 0; c < types.size(); ++c) {
    if (row[c].null) continue;
    if (IsText(types[c])) {
      AppendText(&tuple, row[c].bytes);
    } else {
      AppendZeroesTo(&tuple, WidthOf(types[c]));
      AppendNumber(&tuple, row[c].bits, WidthOf(types[c]));
    }
  }
  std::string length;
  AppendNumber(&length, tuple.size(), 4);
  return tuple.replace(0, 4, length);
}

uint64_t ModelBytesWith(const ModelTypes& types, const ModelRow& row, size_t column,
                        uint64_t bytes) {
  // Beyond 1 kB every multiple of 8 adds as much to the whole.
  ModelRow small = row;
  const uint64_t excess = bytes < 1024 ? 0 : (bytes - 1024) / 8 * 8;
  small[column] = {.null = false, .bits = 0, .bytes = std::string(bytes - excess, 'x')};
  return ModelForm(types, small).size() + excess;
}

std::optional<ModelRow> ModelRead(const ModelTypes& types, const std::string& tuple) {
  Reader reader(tuple);
  reader.Take(12);
  const bool any_null = reader.TakeNumber(2) % 2 == 1;
  reader.Take(1);
  const std::string bitmap = any_null ? reader.Take((types.size() + 7) / 8) : "";
  reader.TakeTo(8);
  if (reader.failed()) return std::nullopt;
  ModelRow row(types.size());
  for (size_t c = 0; c < types.size(); ++c) {
    if (any_null && (static_cast<uint8_t>(bitmap[c / 8]) >> c % 8) % 2 == 0) continue;
    if (IsText(types[c])) {
      row[c].null = false;
      row[c].bytes = ReadText(&reader);
    } else {
      reader.TakeTo(WidthOf(types[c]));
      row[c] = ModelFromBits(types[c], reader.TakeNumber(WidthOf(types[c])));
    }
    if (reader.failed()) return std::nullopt;
  }
  // Whatever else could be wrong: then these are not the bytes of that row.
  if (ModelForm(types, row) != tuple) return std::nullopt;
  return row;
}

int ModelCompare(ModelType type, const ModelValue& a, const ModelValue& b) {
  if (IsText(type)) {
    const auto unsigned_less = [](char x, char y) {
      return static_cast<uint8_t>(x) < static_cast<uint8_t>(y);
    };
    if (std::ranges::lexicographical_compare(a.bytes, b.bytes, unsigned_less)) return -1;
    return std::ranges::lexicographical_compare(b.bytes, a.bytes, unsigned_less) ? 1 : 0;
  }
  if (IsFloat(type)) {
    const double x = FloatOf(type, a);
    const double y = FloatOf(type, b);
    if (std::isnan(x) || std::isnan(y)) return Sign(std::isnan(x), std::isnan(y));
    return Sign(x, y);
  }
  return Sign(static_cast<int64_t>(a.bits), static_cast<int64_t>(b.bits));
}

int ModelCompareByKey(const ModelTypes& types, const ModelKey& key, const ModelRow& a,
                      const ModelRow& b) {
  const ModelValue& x = a[key.column];
  const ModelValue& y = b[key.column];
  if (x.null && y.null) return 0;
  if (x.null) return key.nulls_first ? -1 : 1;
  if (y.null) return key.nulls_first ? 1 : -1;
  const int order = ModelCompare(types[key.column], x, y);
  return key.descending ? -order : order;
}

int ModelCompareRows(const ModelTypes& types, const std::vector<ModelKey>& keys, const ModelRow& a,
                     const ModelRow& b) {
  for (const ModelKey& key : keys) {
    if (const int order = ModelCompareByKey(types, key, a, b); order != 0) return order;
  }
  return 0;
}

bool ModelEqual(const ModelTypes& types, const std::vector<size_t>& columns, const ModelRow& a,
                const ModelRow& b) {
  for (const size_t column : columns) {
    if (ModelCompareByKey(types, {.column = column}, a, b) != 0) return false;
  }
  return true;
}

bool ModelSamePrefix(ModelType type, const ModelKey& key, const ModelRow& a, const ModelRow& b) {
  const ModelValue& x = a[key.column];
  const ModelValue& y = b[key.column];
  if (x.null && y.null) return true;
  if (x.null || y.null) {
    if (type != ModelType::kInt8) return false;
    const auto value = static_cast<int64_t>(x.null ? y.bits : x.bits);
    return value == (key.nulls_first == key.descending ? INT64_MAX : INT64_MIN);
  }
  if (!IsText(type)) return ModelCompare(type, x, y) == 0;
  // Zeros behind a short value count as bytes; the lengths tell it from one that has them.
  const auto held = [](const std::string& bytes) {
    std::string front = bytes.substr(0, 7);
    front.resize(7, '\0');
    return front;
  };
  return held(x.bytes) == held(y.bytes) &&
         std::min<size_t>(x.bytes.size(), 8) == std::min<size_t>(y.bytes.size(), 8);
}

bool ModelPrefixDecides(ModelType type, const ModelKey& key, const ModelRow& row) {
  const ModelValue& value = row[key.column];
  if (IsText(type)) return value.null || value.bytes.size() <= 7;
  if (type != ModelType::kInt8) return true;
  ModelRow null(row.size());
  return !ModelSamePrefix(type, key, row, null);
}

bool ModelPrintsAs(ModelType type, const ModelValue& value, const std::string& printed) {
  if (value.null) return printed == "null";
  switch (type) {
    case ModelType::kBool:
      return printed == (value.bits == 1 ? "true" : "false");
    case ModelType::kInt2:
    case ModelType::kInt4:
    case ModelType::kInt8:
      return printed == std::to_string(static_cast<int64_t>(value.bits));
    case ModelType::kFloat4:
    case ModelType::kFloat8:
      return FloatPrintsAs(type, value, printed);
    case ModelType::kText:
      return printed == Quoted(value.bytes);
    case ModelType::kBytea:
      return printed == Hexadecimal(value.bytes);
  }
  return false;
}

}  // namespace tuplestone::properties
