#include "engine/tuple/column.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "engine/base/probe.h"

namespace tuplestone::tuple {

size_t LocateByWalk(const Schema& schema, Tuple tuple, int column) {
  const bool has_nulls = tuple.HasNulls();
  size_t offset = tuple.data_at();
  for (int c = 0; c < column; ++c) {
    if (has_nulls && tuple.IsNull(c)) continue;
    offset = Skip(schema.type(c), tuple.data(), offset);
  }
  const Type type = schema.type(column);
  return IsVariable(type) ? offset : AlignUp(offset, Alignment(type));
}

Value ReadAt(Type type, const std::byte* tuple, size_t offset) {
  const std::byte* from = tuple + offset;
  switch (type) {
    case Type::kBool:
      return Value::Bool(*from != std::byte{0});
    case Type::kInt2:
      return Value::Int2(Load<int16_t>(from));
    case Type::kInt4:
      return Value::Int4(Load<int32_t>(from));
    case Type::kInt8:
      return Value::Int8(Load<int64_t>(from));
    case Type::kFloat4:
      return Value::Float4(Load<float>(from));
    case Type::kFloat8:
      return Value::Float8(Load<double>(from));
    case Type::kText: {
      const Bytes payload = PayloadAt(tuple, offset);
      return Value::Text({reinterpret_cast<const char*>(payload.data()), payload.size()});
    }
    case Type::kBytea:
      return Value::Bytea(PayloadAt(tuple, offset));
  }
  return Value::Null();
}

Value Column(const Schema& schema, Tuple tuple, int column) {
  TUPLESTONE_CHECK(kU7, column >= 0);
  TUPLESTONE_CHECK(kU7, column < schema.columns());
  if (tuple.IsNull(column)) return Value::Null();
  return ReadAt(schema.type(column), tuple.data(), Locate(schema, tuple, column));
}

void Deform(const Schema& schema, Tuple tuple, absl::Span<Value> values) {
  TUPLESTONE_CHECK(kU7, values.size() <= static_cast<size_t>(schema.columns()));
  const bool has_nulls = tuple.HasNulls();
  size_t offset = tuple.data_at();
  for (size_t i = 0; i < values.size(); ++i) {
    const int column = static_cast<int>(i);
    if (has_nulls && tuple.IsNull(column)) {
      values[i] = Value::Null();
      continue;
    }
    const Type type = schema.type(column);
    if (!IsVariable(type)) offset = AlignUp(offset, Alignment(type));
    values[i] = ReadAt(type, tuple.data(), offset);
    offset = Skip(type, tuple.data(), offset);
  }
}

std::string ToString(const Schema& schema, Tuple tuple) {
  std::string text = "(";
  for (int column = 0; column < schema.columns(); ++column) {
    absl::StrAppend(&text, column == 0 ? "" : ", ", ToString(Column(schema, tuple, column)));
  }
  return text + ")";
}

}  // namespace tuplestone::tuple
