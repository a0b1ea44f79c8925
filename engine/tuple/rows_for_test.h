// Schemas, values at every edge of a type, and memory for tuples.
#ifndef TUPLESTONE_ENGINE_TUPLE_ROWS_FOR_TEST_H_
#define TUPLESTONE_ENGINE_TUPLE_ROWS_FOR_TEST_H_

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "engine/memory/alloc_set.h"
#include "engine/memory/counting_source.h"
#include "engine/tuple/minimal_tuple.h"

namespace tuplestone::tuple {

inline constexpr Type kEveryType[] = {Type::kBool,   Type::kInt2,   Type::kInt4, Type::kInt8,
                                      Type::kFloat4, Type::kFloat8, Type::kText, Type::kBytea};

inline Schema SchemaOf(const std::vector<Type>& types) { return Schema::Make(types).value(); }

// Forms tuples in memory that goes with it.
class Former {
 public:
  Tuple operator()(const Schema& schema, const std::vector<Value>& values, size_t extra = 0) {
    return Form(schema, values, *context_, extra);
  }
  memory::Context& context() { return *context_; }
  memory::CountingSource& source() { return source_; }

 private:
  memory::CountingSource source_;
  memory::OwnedContext<memory::AllocSet> context_{memory::AllocSet::Create(source_, "tuples")};
};

// Byte strings in ascending order, on both sides of every edge of prefix and header.
inline const std::vector<std::string>& AscendingStrings() {
  static const auto* strings = new std::vector<std::string>{
      "",
      std::string(1, '\0'),
      std::string(2, '\0'),
      "a",
      std::string("a\0", 2),
      "aaaaaa",
      "aaaaaaa",
      std::string("aaaaaaa\0", 8),
      "aaaaaaaa",
      std::string(126, 'a'),
      std::string(127, 'a'),
      std::string(252, 'a'),
      std::string(256, 'a'),
      "aaaaaaab",
      "b",
      "\x7F",
      "\x80",
      "\xC3\xA9",
      "\xFF",
      std::string(7, '\xFF'),
      std::string(8, '\xFF'),
  };
  return *strings;
}

template <typename Integer>
std::vector<Integer> AscendingIntegers() {
  using Limit = std::numeric_limits<Integer>;
  return {Limit::min(), Limit::min() + 1, -256, -1, 0, 1, 255, 256, Limit::max() - 1, Limit::max()};
}

template <typename Float>
std::vector<Float> AscendingFloats() {
  using Limit = std::numeric_limits<Float>;
  return {-Limit::infinity(),  -Limit::max(),        -1,
          -Limit::min(),       -Limit::denorm_min(), 0,
          Limit::denorm_min(), Limit::min(),         1,
          Limit::max(),        Limit::infinity(),    Limit::quiet_NaN()};
}

// Different values of a type in ascending order.
inline std::vector<Value> AscendingValues(Type type) {
  std::vector<Value> values;
  switch (type) {
    case Type::kBool:
      return {Value::Bool(false), Value::Bool(true)};
    case Type::kInt2:
      for (const auto v : AscendingIntegers<int16_t>()) values.push_back(Value::Int2(v));
      break;
    case Type::kInt4:
      for (const auto v : AscendingIntegers<int32_t>()) values.push_back(Value::Int4(v));
      break;
    case Type::kInt8:
      for (const auto v : AscendingIntegers<int64_t>()) values.push_back(Value::Int8(v));
      break;
    case Type::kFloat4:
      for (const auto v : AscendingFloats<float>()) values.push_back(Value::Float4(v));
      break;
    case Type::kFloat8:
      for (const auto v : AscendingFloats<double>()) values.push_back(Value::Float8(v));
      break;
    case Type::kText:
      for (const std::string& v : AscendingStrings()) values.push_back(Value::Text(v));
      break;
    case Type::kBytea:
      for (const std::string& v : AscendingStrings()) {
        values.push_back(Value::Bytea({reinterpret_cast<const std::byte*>(v.data()), v.size()}));
      }
      break;
  }
  return values;
}

}  // namespace tuplestone::tuple

#endif  // TUPLESTONE_ENGINE_TUPLE_ROWS_FOR_TEST_H_
