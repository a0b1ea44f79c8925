#include "engine/tuple/schema.h"

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/align.h"
#include "engine/tuple/minimal_tuple.h"

namespace tuplestone::tuple {

absl::StatusOr<Schema> Schema::Make(absl::Span<const Type> columns) {
  if (columns.empty() || columns.size() > kColumnsMax) {
    return absl::InvalidArgumentError(
        absl::StrCat("a tuple has 1 to ", kColumnsMax, " columns, not ", columns.size()));
  }
  std::vector<Column> laid_out;
  laid_out.reserve(columns.size());
  size_t offset = kDataAtWithoutNulls;
  bool fixed = true;
  for (const Type type : columns) {
    if (fixed && !IsVariable(type)) offset = AlignUp(offset, Alignment(type));
    laid_out.push_back({fixed ? static_cast<int32_t>(offset) : -1, type});
    fixed = fixed && !IsVariable(type);
    offset += FixedBytes(type);
  }
  return Schema(std::move(laid_out));
}

}  // namespace tuplestone::tuple
