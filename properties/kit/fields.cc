#include "properties/kit/fields.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"

namespace tuplestone::kit {
namespace fields_internal {

uint64_t DrawNumber(Random& random, uint64_t low, uint64_t high) {
  const uint64_t width = high - low;
  switch (random.Below(4)) {
    case 0: {  // an end, or beside it
      const uint64_t step = std::min<uint64_t>(random.Below(3), width);
      return random.OneIn(2) ? low + step : high - step;
    }
    case 1: {  // a power of two, or beside it
      const uint64_t power = uint64_t{1} << random.Below(64);
      return std::clamp(power + random.Below(3) - 1, low, high);
    }
    case 2: {  // small, on a logarithmic scale
      const int bits = static_cast<int>(std::bit_width(width));
      const uint64_t top = random.Between(0, static_cast<uint64_t>(bits));
      const uint64_t mask = top >= 64 ? ~uint64_t{0} : (uint64_t{1} << top) - 1;
      return low + std::min(random.Next() & mask, width);
    }
    default:
      return random.Between(low, high);
  }
}

std::vector<uint64_t> SimplerNumbers(uint64_t value, uint64_t low) {
  std::vector<uint64_t> simpler;
  if (value <= low) return simpler;
  for (uint64_t distance = value - low; distance != 0; distance /= 2) {
    simpler.push_back(value - distance);
  }
  return simpler;
}

absl::StatusOr<uint64_t> ParseNumber(absl::string_view text, uint64_t low, uint64_t high) {
  uint64_t number = 0;
  bool is_number = false;
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    const bool all_digits = std::all_of(text.begin() + 2, text.end(), [](char c) {
      return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    });
    is_number = all_digits && absl::SimpleHexAtoi(text, &number);
  } else {
    const bool all_digits = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
      return c >= '0' && c <= '9';
    });
    is_number = all_digits && absl::SimpleAtoi(text, &number);
  }
  if (!is_number) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", absl::CHexEscape(text.substr(0, 40)), "' is no number below 2^64"));
  }
  if (number < low || number > high) {
    return absl::InvalidArgumentError(absl::StrCat(number, " is not from ", low, " to ", high));
  }
  return number;
}

std::string PrintHex(uint64_t value) { return absl::StrFormat("0x%x", value); }

absl::StatusOr<size_t> ParseName(absl::string_view text, const char* const* names, size_t count) {
  std::string known;
  for (size_t i = 0; i < count; ++i) {
    if (text == names[i]) return i;
    absl::StrAppend(&known, i == 0 ? "" : ", ", names[i]);
  }
  return absl::InvalidArgumentError(
      absl::StrCat("'", absl::CHexEscape(text.substr(0, 40)), "' is none of: ", known));
}

}  // namespace fields_internal

absl::StatusOr<Flag> Flag::Parse(absl::string_view text) {
  static constexpr const char* kNames[] = {"no", "yes"};
  auto index = fields_internal::ParseName(text, kNames, 2);
  if (!index.ok()) return index.status();
  return Flag(*index == 1);
}

}  // namespace tuplestone::kit
