#include "fuzz/cli/lab_sizes.h"

#include <array>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace tuplestone::cli {
namespace {

struct Unit {
  const char* name;
  size_t bytes;
};
constexpr std::array kUnits = {Unit{"TB", size_t{1} << 40}, Unit{"GB", size_t{1} << 30},
                               Unit{"MB", size_t{1} << 20}, Unit{"kB", size_t{1} << 10}};

std::optional<size_t> ReadSize(absl::string_view text) {
  size_t unit_bytes = 1;
  for (const Unit& unit : kUnits) {
    if (!absl::EndsWithIgnoreCase(text, unit.name)) continue;
    unit_bytes = unit.bytes;
    text.remove_suffix(2);
    break;
  }
  uint64_t number = 0;
  if (!absl::SimpleAtoi(text, &number) || number > (uint64_t{1} << 50) / unit_bytes) {
    return std::nullopt;
  }
  return number * unit_bytes;
}

}  // namespace

const Option kRowsOption = {"--rows", "N", "rows to sort (140247142)"};
const Option kWorkMemOption = {"--work-mem", "SIZE", "memory, as in 64MB; runs: a range, A-B"};

absl::StatusOr<SizeRange> ReadSizes(const Arguments& arguments, const std::string& option,
                                    SizeRange otherwise) {
  const std::optional<std::string> text = arguments.Text(option);
  if (!text.has_value()) return otherwise;
  const size_t dash = text->find('-');
  const std::optional<size_t> low = ReadSize(text->substr(0, dash));
  const std::optional<size_t> high =
      dash == std::string::npos ? low : ReadSize(text->substr(dash + 1));
  if (!low.has_value() || !high.has_value() || *low == 0 || *low > *high) {
    return absl::InvalidArgumentError(absl::StrCat(
        option, " takes a size or a range, as in 64MB or 4MB-16GB, not '", *text, "'"));
  }
  return SizeRange{*low, *high};
}

std::string ShowSize(size_t bytes) {
  for (const Unit& unit : kUnits) {
    if (bytes >= unit.bytes && bytes % unit.bytes == 0) {
      return absl::StrCat(bytes / unit.bytes, " ", unit.name);
    }
  }
  return absl::StrCat(bytes, " B");
}

}  // namespace tuplestone::cli
