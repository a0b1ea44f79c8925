// What tuples are, the slow way: a row is a vector of values, its bytes are appended one after the
// other, order is written down as a person would say it. Knows nothing of the engine.
#ifndef TUPLESTONE_PROPERTIES_TUPLE_TUPLE_MODEL_H_
#define TUPLESTONE_PROPERTIES_TUPLE_TUPLE_MODEL_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tuplestone::properties {

enum class ModelType { kBool, kInt2, kInt4, kInt8, kFloat4, kFloat8, kText, kBytea };

struct ModelValue {
  bool null = true;
  uint64_t bits = 0;  // of bool, integers (sign-extended) and floats
  std::string bytes;  // of text and bytea

  friend bool operator==(const ModelValue&, const ModelValue&) = default;
};

using ModelTypes = std::vector<ModelType>;
using ModelRow = std::vector<ModelValue>;

struct ModelKey {
  size_t column = 0;
  bool descending = false;
  bool nulls_first = false;
};

// "int8".
std::string ModelTypeName(ModelType type);

// What the type makes of 64 bits: the lowest ones that it has.
ModelValue ModelFromBits(ModelType type, uint64_t bits);

// The tuple of a row, to the byte.
std::string ModelForm(const ModelTypes& types, const ModelRow& row);
// How long it is if column `column` has `bytes` bytes in place of its value.
uint64_t ModelBytesWith(const ModelTypes& types, const ModelRow& row, size_t column,
                        uint64_t bytes);
// The row of which these bytes are the tuple; nothing if they are none's.
std::optional<ModelRow> ModelRead(const ModelTypes& types, const std::string& tuple);

// Below, equal to, or above 0. Neither is null.
int ModelCompare(ModelType type, const ModelValue& a, const ModelValue& b);
int ModelCompareByKey(const ModelTypes& types, const ModelKey& key, const ModelRow& a,
                      const ModelRow& b);
int ModelCompareRows(const ModelTypes& types, const std::vector<ModelKey>& keys, const ModelRow& a,
                     const ModelRow& b);
// Nulls are equal.
bool ModelEqual(const ModelTypes& types, const std::vector<size_t>& columns, const ModelRow& a,
                const ModelRow& b);

// Whether the values of a first key have the same prefix, as engine/tuple/order.h describes it.
bool ModelSamePrefix(ModelType type, const ModelKey& key, const ModelRow& a, const ModelRow& b);
// Whether all that have this one's prefix are equal to it.
bool ModelPrefixDecides(ModelType type, const ModelKey& key, const ModelRow& row);

// Whether `printed` is how this value prints: for floats, whether it reads as the value.
bool ModelPrintsAs(ModelType type, const ModelValue& value, const std::string& printed);

}  // namespace tuplestone::properties

#endif  // TUPLESTONE_PROPERTIES_TUPLE_TUPLE_MODEL_H_
