#include "properties/hash/aggregate_model.h"

#include <cmath>

#include "absl/numeric/int128.h"
#include "absl/strings/str_cat.h"

namespace tuplestone::properties {
namespace {

int CompareFloats(double a, double b) {
  const bool a_is_nan = std::isnan(a);
  const bool b_is_nan = std::isnan(b);
  if (a_is_nan || b_is_nan) return (a_is_nan ? 1 : 0) - (b_is_nan ? 1 : 0);
  return a < b ? -1 : a > b ? 1 : 0;
}

// False: the sum is none.
bool AddNumber(ModelNumber* sum, const ModelNumber& added) {
  if (const double* before = std::get_if<double>(sum)) {
    const double more = std::get<double>(added);
    const double after = *before + more;
    const bool fits = !std::isinf(after) || std::isinf(*before) || std::isinf(more);
    *sum = after;
    return fits;
  }
  const absl::int128 wide = absl::int128(std::get<int64_t>(*sum)) + std::get<int64_t>(added);
  if (wide > INT64_MAX || wide < INT64_MIN) return false;
  *sum = static_cast<int64_t>(wide);
  return true;
}

}  // namespace

int CompareNumbers(const ModelNumber& a, const ModelNumber& b) {
  if (const double* left = std::get_if<double>(&a))
    return CompareFloats(*left, std::get<double>(b));
  const int64_t left = std::get<int64_t>(a);
  const int64_t right = std::get<int64_t>(b);
  return left < right ? -1 : left > right ? 1 : 0;
}

bool SameNumber(const MaybeNumber& a, const MaybeNumber& b) {
  if (!a.has_value() || !b.has_value()) return a.has_value() == b.has_value();
  if (a->index() != b->index()) return false;
  if (CompareNumbers(*a, *b) != 0) return false;
  const double* left = std::get_if<double>(&*a);
  return left == nullptr || std::isnan(*left) ||
         std::signbit(*left) == std::signbit(std::get<double>(*b));
}

std::string ShowNumber(const MaybeNumber& value) {
  if (!value.has_value()) return "null";
  if (const double* number = std::get_if<double>(&*value)) return absl::StrCat(*number);
  return absl::StrCat(std::get<int64_t>(*value));
}

void AggregateModel::Add(const std::string& key, const std::string& spelt,
                         const MaybeNumber& argument) {
  Group& group = groups_[key];
  if (group.arguments.empty()) group.first_key = spelt;
  group.arguments.push_back(argument);
  ++rows_;
}

ModelResult AggregateModel::ResultOf(const Group& group) {
  ModelResult result;
  for (const MaybeNumber& argument : group.arguments) {
    ++result.rows;
    if (!argument.has_value()) continue;
    ++result.count;
    if (result.count == 1) {
      result.sum = result.min = result.max = argument;
      continue;
    }
    if (!result.overflows) result.overflows = !AddNumber(&*result.sum, *argument);
    if (CompareNumbers(*argument, *result.min) < 0) result.min = argument;
    if (CompareNumbers(*argument, *result.max) > 0) result.max = argument;
  }
  return result;
}

}  // namespace tuplestone::properties
