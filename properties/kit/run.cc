#include "properties/kit/run.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"

namespace tuplestone::kit {

void Population::Died(size_t birth) {
  const auto at = std::lower_bound(live_.begin(), live_.end(), birth);
  TUPLESTONE_CHECK(kF3, at != live_.end());
  TUPLESTONE_CHECK_EQ(kF3, birth, *at);
  live_.erase(at);
}

uint64_t Population::Resolve(uint64_t wanted) const {
  if (live_.empty() || wanted == Pick<0>::kNothing) return Pick<0>::kNothing;
  const bool alive = std::binary_search(live_.begin(), live_.end(), wanted);
  return alive ? wanted : live_[wanted % live_.size()];
}

void Runner::SpendSteps(uint64_t steps) {
  TUPLESTONE_CHECK(kF1, steps <= fuel_.steps);
  fuel_.steps -= steps;
}

void Runner::SpendBytes(uint64_t bytes) {
  TUPLESTONE_CHECK(kF2, bytes <= fuel_.bytes);
  fuel_.bytes -= bytes;
}

namespace run_internal {

std::string TraceText(absl::string_view head, const std::vector<std::string>& operations,
                      uint32_t operation) {
  constexpr size_t kShownBefore = 20;
  constexpr size_t kShownAfter = 2;
  const size_t count = operations.size();
  std::string text = "\nprogram (the operation that was running is marked)\n";
  absl::StrAppendFormat(&text, "%s head  %s\n", operation == kBeforeOperations ? "  >>>" : "     ",
                        head);
  const bool inside = operation < count;
  const size_t marked = inside ? operation : operation == kBeforeOperations ? 0 : count;
  const size_t first = marked > kShownBefore ? marked - kShownBefore : 0;
  const size_t last = std::min(count, marked + 1 + kShownAfter);
  if (first > 0) absl::StrAppendFormat(&text, "      ...  %d earlier operations\n", first);
  for (size_t i = first; i < last; ++i) {
    absl::StrAppendFormat(&text, "%s %4d  %s\n", inside && i == operation ? "  >>>" : "     ",
                          i + 1, operations[i]);
  }
  if (last < count) absl::StrAppendFormat(&text, "      ...  %d later operations\n", count - last);
  if (operation == kAfterOperations) text += "  >>>  end  the closing balance\n";
  return text;
}

}  // namespace run_internal
}  // namespace tuplestone::kit
