// Sizes in the words of `tuplestone lab`: "64MB", "4MB-16GB", "64-72".
#ifndef TUPLESTONE_FUZZ_CLI_LAB_SIZES_H_
#define TUPLESTONE_FUZZ_CLI_LAB_SIZES_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "fuzz/cli/arguments.h"

namespace tuplestone::cli {

inline constexpr double kThreadRows = 140'247'142;  // 10 GB of six int8 columns
inline constexpr size_t kBudgetMin = 64 << 10;
inline constexpr size_t kBudgetMax = size_t{1} << 40;

extern const Option kRowsOption;
extern const Option kWorkMemOption;

struct SizeRange {
  size_t low;
  size_t high;
};

// The option as one size or a range of two, `otherwise` where it is not given.
absl::StatusOr<SizeRange> ReadSizes(const Arguments& arguments, const std::string& option,
                                    SizeRange otherwise);

// "64 MB"; bytes where it is no whole number of kilobytes.
std::string ShowSize(size_t bytes);

}  // namespace tuplestone::cli

#endif  // TUPLESTONE_FUZZ_CLI_LAB_SIZES_H_
