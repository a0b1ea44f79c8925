#include "properties/tuple/tuple_checks.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "properties/kit/expect.h"

namespace tuplestone::properties {
namespace {

using kit::Expect;
using kit::ExpectEqual;
using tuple::Value;

int Sign(int order) { return (order > 0) - (order < 0); }

void ExpectValue(ModelType type, const ModelValue& expected, const Value& actual,
                 const char* what) {
  const ModelValue read = ReadValue(actual);
  ExpectEqual(tuple::kU1, expected.null, read.null, what);
  if (!expected.null) {
    ExpectEqual(tuple::kU1, ModelTypeName(type), tuple::TypeName(actual.type()), what);
  }
  ExpectEqual(tuple::kU1, expected.bits, read.bits, what);
  ExpectEqual(tuple::kU1, AsTupleBytes(expected.bytes), AsTupleBytes(read.bytes), what);
}

std::string CheckPrint(const ModelTypes& types, const ModelRow& row,
                       const std::vector<Value>& values) {
  std::string whole = "(";
  for (size_t c = 0; c < types.size(); ++c) {
    const std::string printed = ToString(values[c]);
    Expect(tuple::kU1, ModelPrintsAs(types[c], row[c], printed), printed.c_str());
    absl::StrAppend(&whole, c == 0 ? "" : ", ", printed);
  }
  return whole + ")";
}

// A tuple's bytes in memory of just their size, so that reading on is noticed.
class Exactly {
 public:
  explicit Exactly(const std::string& bytes) : size_(bytes.size()), data_(new std::byte[size_]) {
    if (size_ != 0) std::memcpy(data_.get(), bytes.data(), size_);
  }
  Bytes bytes() const { return {data_.get(), size_}; }

 private:
  size_t size_;
  std::unique_ptr<std::byte[]> data_;
};

}  // namespace

tuple::Schema EngineSchema(const ModelTypes& types) {
  std::vector<tuple::Type> columns;
  for (const ModelType type : types) columns.push_back(static_cast<tuple::Type>(type));
  auto schema = tuple::Schema::Make(columns);
  kit::ExpectOk(tuple::kU7, schema.status());
  return *schema;
}

Value EngineValue(ModelType type, const ModelValue& value) {
  if (value.null) return Value::Null();
  switch (type) {
    case ModelType::kBool:
      return Value::Bool(value.bits == 1);
    case ModelType::kInt2:
      return Value::Int2(static_cast<int16_t>(value.bits));
    case ModelType::kInt4:
      return Value::Int4(static_cast<int32_t>(value.bits));
    case ModelType::kInt8:
      return Value::Int8(static_cast<int64_t>(value.bits));
    case ModelType::kFloat4:
      return Value::Float4(std::bit_cast<float>(static_cast<uint32_t>(value.bits)));
    case ModelType::kFloat8:
      return Value::Float8(std::bit_cast<double>(value.bits));
    case ModelType::kText:
      return Value::Text(value.bytes);
    case ModelType::kBytea:
      return Value::Bytea(AsTupleBytes(value.bytes));
  }
  return Value::Null();
}

std::vector<Value> EngineValues(const ModelTypes& types, const ModelRow& row) {
  std::vector<Value> values;
  for (size_t c = 0; c < types.size(); ++c) values.push_back(EngineValue(types[c], row[c]));
  return values;
}

ModelValue ReadValue(const Value& value) {
  ModelValue read;
  if (value.is_null()) return read;
  read.null = false;
  switch (value.type()) {
    case tuple::Type::kBool:
      read.bits = value.AsBool() ? 1 : 0;
      break;
    case tuple::Type::kInt2:
    case tuple::Type::kInt4:
    case tuple::Type::kInt8:
      read.bits = static_cast<uint64_t>(value.AsInt());
      break;
    case tuple::Type::kFloat4:
      read.bits = std::bit_cast<uint32_t>(value.AsFloat4());
      break;
    case tuple::Type::kFloat8:
      read.bits = std::bit_cast<uint64_t>(value.AsFloat8());
      break;
    case tuple::Type::kText:
    case tuple::Type::kBytea: {
      const Bytes bytes = value.AsBytes();
      read.bytes.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      break;
    }
  }
  return read;
}

std::string CheckTuple(const tuple::Schema& schema, const ModelTypes& types, const ModelRow& row,
                       tuple::Tuple tuple) {
  const std::string expected = ModelForm(types, row);
  ExpectEqual(tuple::kU2, AsTupleBytes(expected), tuple.span(), "the tuple's bytes");
  kit::ExpectOk(tuple::kU3, Validate(schema, tuple.span()), "what was formed is valid");
  std::vector<Value> values(types.size());
  Deform(schema, tuple, absl::MakeSpan(values));
  // One by one is quadratic: of many columns, some.
  const size_t stride = 1 + types.size() / 32;
  for (size_t c = 0; c < types.size(); ++c) {
    const int column = static_cast<int>(c);
    ExpectEqual(tuple::kU1, row[c].null, tuple.IsNull(column), "whether a column is null");
    ExpectValue(types[c], row[c], values[c], "a column read with all others");
    if (c % stride != 0) continue;
    ExpectValue(types[c], row[c], Column(schema, tuple, column), "a column read alone");
  }
  std::vector<Value> front(expected.size() % (types.size() + 1));
  Deform(schema, tuple, absl::MakeSpan(front));
  for (size_t c = 0; c < front.size(); ++c) {
    ExpectValue(types[c], row[c], front[c], "a column read with those before it");
  }
  const std::string printed = CheckPrint(types, row, values);
  ExpectEqual(tuple::kU1, printed, ToString(schema, tuple), "the tuple's print");
  return printed;
}

bool CheckUntrusted(const tuple::Schema& schema, const ModelTypes& types,
                    const std::string& bytes) {
  const Exactly exactly(bytes);
  const absl::Status status = Validate(schema, exactly.bytes());
  const std::optional<ModelRow> row = ModelRead(types, bytes);
  ExpectEqual(tuple::kU3, row.has_value(), status.ok(),
              row.has_value() ? "these bytes are a row's" : "these bytes are no row's");
  if (!row.has_value()) {
    ExpectEqual(tuple::kU3, absl::StatusCode::kDataLoss, status.code());
    Expect(tuple::kU3, absl::StartsWith(status.message(), "tuple: "), "a refusal says of what");
    return false;
  }
  CheckTuple(schema, types, *row, tuple::Tuple(exactly.bytes().data()));
  return true;
}

void CheckPair(const tuple::Order& order, const ModelTypes& types,
               const std::vector<ModelKey>& keys, const ModelRow& row_a, tuple::Tuple a,
               const ModelRow& row_b, tuple::Tuple b) {
  const int expected = ModelCompareRows(types, keys, row_a, row_b);
  ExpectEqual(tuple::kU4, expected, Sign(order.Compare(a, b)), "one row against another");
  ExpectEqual(tuple::kU4, -expected, Sign(order.Compare(b, a)), "the other way round");
  const uint64_t prefix_a = order.Prefix(a);
  const uint64_t prefix_b = order.Prefix(b);
  if (keys.empty()) {
    ExpectEqual(tuple::kU5, prefix_a, prefix_b, "without keys all prefixes are equal");
    return;
  }
  const ModelType type = types[keys[0].column];
  const int first = ModelCompareByKey(types, keys[0], row_a, row_b);
  const int by_prefix = (prefix_a > prefix_b) - (prefix_a < prefix_b);
  if (ModelSamePrefix(type, keys[0], row_a, row_b)) {
    ExpectEqual(tuple::kU5, 0, by_prefix, "prefixes hold no more than they say");
  } else {
    ExpectEqual(tuple::kU5, first, by_prefix, "prefixes are ordered as first keys");
  }
  const bool decides = ModelPrefixDecides(type, keys[0], row_a);
  ExpectEqual(tuple::kU5, decides, order.PrefixDecides(prefix_a), "whether the prefix decides");
  const bool always = type != ModelType::kInt8 && FixedBytes(static_cast<tuple::Type>(type)) != 0;
  ExpectEqual(tuple::kU5, always, order.PrefixDecides(), "whether all prefixes decide");
}

}  // namespace tuplestone::properties
