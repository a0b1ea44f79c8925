// The columns of a tuple: their types, and where each lies while that is the same for all tuples.
#ifndef TUPLESTONE_ENGINE_TUPLE_SCHEMA_H_
#define TUPLESTONE_ENGINE_TUPLE_SCHEMA_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "engine/tuple/type.h"

namespace tuplestone::tuple {

inline constexpr int kColumnsMax = 1600;  // of PostgreSQL's tables

// Immutable; a copy shares the columns.
class Schema {
 public:
  // Requires nothing: no columns or more than kColumnsMax are InvalidArgument.
  static absl::StatusOr<Schema> Make(absl::Span<const Type> columns);

  int columns() const { return static_cast<int>(columns_->size()); }
  Type type(int column) const { return (*columns_)[static_cast<size_t>(column)].type; }
  // Where the column's data starts in a tuple without nulls, counted from the tuple's start, or -1
  // behind a column of variable length. The first column of variable length starts there with its
  // short header, or with the padding before its long one.
  int32_t fixed_offset(int column) const {
    return (*columns_)[static_cast<size_t>(column)].fixed_offset;
  }

  friend bool operator==(const Schema& a, const Schema& b) { return *a.columns_ == *b.columns_; }

 private:
  struct Column {
    int32_t fixed_offset;
    Type type;
    friend bool operator==(const Column&, const Column&) = default;
  };

  explicit Schema(std::vector<Column> columns)
      : columns_(std::make_shared<const std::vector<Column>>(std::move(columns))) {}

  std::shared_ptr<const std::vector<Column>> columns_;
};

}  // namespace tuplestone::tuple

#endif  // TUPLESTONE_ENGINE_TUPLE_SCHEMA_H_
