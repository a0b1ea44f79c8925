// What both suites hold tuples to: the model's rows as the engine's values, and one tuple against
// its row.
#ifndef TUPLESTONE_PROPERTIES_TUPLE_TUPLE_CHECKS_H_
#define TUPLESTONE_PROPERTIES_TUPLE_TUPLE_CHECKS_H_

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/tuple/minimal_tuple.h"
#include "engine/tuple/order.h"
#include "properties/tuple/tuple_model.h"

namespace tuplestone::properties {

inline Bytes AsTupleBytes(const std::string& bytes) {
  return {reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()};
}

tuple::Schema EngineSchema(const ModelTypes& types);
// Text and bytea are views of the model's.
tuple::Value EngineValue(ModelType type, const ModelValue& value);
std::vector<tuple::Value> EngineValues(const ModelTypes& types, const ModelRow& row);
ModelValue ReadValue(const tuple::Value& value);

// Bytes, columns, print, and what the validation says, are the row's. U1, U2, U3. Returns how the
// tuple prints.
std::string CheckTuple(const tuple::Schema& schema, const ModelTypes& types, const ModelRow& row,
                       tuple::Tuple tuple);

// The validation says of bytes what the model says: a row's, or none's. U3. True if they are.
bool CheckUntrusted(const tuple::Schema& schema, const ModelTypes& types, const std::string& bytes);

// The numbers below `count` sorted by `before`, equal ones ascending.
template <class Before>
std::vector<size_t> SortedNumbers(size_t count, const Before& before) {
  std::vector<size_t> numbers(count);
  for (size_t i = 0; i < count; ++i) numbers[i] = i;
  std::ranges::sort(numbers, [&](size_t a, size_t b) {
    if (before(a, b)) return true;
    return !before(b, a) && a < b;
  });
  return numbers;
}

// Two tuples under an order: comparison and prefix, both ways. U4, U5.
void CheckPair(const tuple::Order& order, const ModelTypes& types,
               const std::vector<ModelKey>& keys, const ModelRow& row_a, tuple::Tuple a,
               const ModelRow& row_b, tuple::Tuple b);

}  // namespace tuplestone::properties

#endif  // TUPLESTONE_PROPERTIES_TUPLE_TUPLE_CHECKS_H_
