#include "engine/hash/key_former.h"

#include "engine/base/align.h"
#include "engine/tuple/value.h"

namespace tuplestone::hash {
namespace {

using tuple::Type;
using tuple::Value;

Value ZeroOf(Type type) {
  switch (type) {
    case Type::kBool:
      return Value::Bool(false);
    case Type::kInt2:
      return Value::Int2(0);
    case Type::kInt4:
      return Value::Int4(0);
    case Type::kInt8:
      return Value::Int8(0);
    case Type::kFloat4:
      return Value::Float4(0);
    case Type::kFloat8:
      return Value::Float8(0);
    case Type::kText:
    case Type::kBytea:
      break;
  }
  return Value::Null();
}

}  // namespace

KeyFormer::KeyFormer(const tuple::Schema& row, absl::Span<const uint16_t> columns,
                     const tuple::Schema& key) {
  std::vector<Value> zeroes;
  for (size_t k = 0; k < columns.size(); ++k) {
    const int column = columns[k];
    const Type type = row.type(column);
    const int32_t from = row.fixed_offset(column);
    if (tuple::IsVariable(type) || from < 0) {
      works_ = false;
      return;
    }
    zeroes.push_back(ZeroOf(type));
    copies_.push_back({static_cast<uint32_t>(from),
                       static_cast<uint32_t>(key.fixed_offset(static_cast<int>(k))),
                       static_cast<uint32_t>(tuple::FixedBytes(type))});
  }
  const size_t bytes = tuple::FormedBytesOrDie(key, zeroes);
  blank_.resize(MaxAlign(bytes) / sizeof(uint64_t));
  tuple::FormInto(key, zeroes, reinterpret_cast<std::byte*>(blank_.data()), bytes);
}

}  // namespace tuplestone::hash
