// The rows that table programs speak of. Row n of a kind is always the same; its key is a text that
// is equal where grouping says the keys are: nulls, NaNs, and zeroes of either sign.
#ifndef TUPLESTONE_PROPERTIES_HASH_TABLE_ROWS_H_
#define TUPLESTONE_PROPERTIES_HASH_TABLE_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "engine/tuple/schema.h"
#include "engine/tuple/value.h"
#include "properties/hash/table_ops.h"

namespace tuplestone::properties {

struct TableRow {
  std::vector<tuple::Value> values;
  std::string key;
  std::string text;  // as tuple::ToString shows the tuple
};

class TableRowMaker {
 public:
  explicit TableRowMaker(TableRows kind);

  const tuple::Schema& schema() const { return schema_; }
  const std::vector<uint16_t>& keys() const { return keys_; }
  // Texts of the row live as long as the maker.
  TableRow Row(uint64_t n);

 private:
  tuple::Value Text(uint64_t n);

  TableRows kind_;
  tuple::Schema schema_;
  std::vector<uint16_t> keys_;
  std::deque<std::string> texts_;
};

}  // namespace tuplestone::properties

#endif  // TUPLESTONE_PROPERTIES_HASH_TABLE_ROWS_H_
