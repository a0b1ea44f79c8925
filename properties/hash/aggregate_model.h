// An aggregation as it should be: all rows of a group in a list, in the order of the input, and the
// results computed from that. Knows nothing of limits, tuples or tapes.
#ifndef TUPLESTONE_PROPERTIES_HASH_AGGREGATE_MODEL_H_
#define TUPLESTONE_PROPERTIES_HASH_AGGREGATE_MODEL_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tuplestone::properties {

// An argument or a result: an integer or a float. Nothing is null.
using ModelNumber = std::variant<int64_t, double>;
using MaybeNumber = std::optional<ModelNumber>;

// Below 0, 0, above 0; NaN is above all and equal to itself.
int CompareNumbers(const ModelNumber& a, const ModelNumber& b);
// Equal, and of the same sign where they are zero.
bool SameNumber(const MaybeNumber& a, const MaybeNumber& b);
std::string ShowNumber(const MaybeNumber& value);

struct ModelResult {
  int64_t rows = 0;
  int64_t count = 0;
  MaybeNumber sum;
  MaybeNumber min;
  MaybeNumber max;
  bool overflows = false;  // then sum means nothing
};

class AggregateModel {
 public:
  struct Group {
    std::string first_key;  // as its first row spelt it
    std::vector<MaybeNumber> arguments;
  };

  // `key` is equal for equal keys; `spelt` as the row has it.
  void Add(const std::string& key, const std::string& spelt, const MaybeNumber& argument);
  void Reset() { groups_.clear(), rows_ = 0; }

  const std::map<std::string, Group>& groups() const { return groups_; }
  uint64_t rows() const { return rows_; }
  static ModelResult ResultOf(const Group& group);

 private:
  std::map<std::string, Group> groups_;
  uint64_t rows_ = 0;
};

}  // namespace tuplestone::properties

#endif  // TUPLESTONE_PROPERTIES_HASH_AGGREGATE_MODEL_H_
