// The fewest inputs that have the coverage of all, as libFuzzer finds them.
#ifndef TUPLESTONE_FUZZ_CLI_SET_COVER_H_
#define TUPLESTONE_FUZZ_CLI_SET_COVER_H_

#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace tuplestone::cli {

// The paths of `inputs` that are needed. Runs <target>_fuzzer, which must lie beside this program,
// for `seconds` at most; DeadlineExceeded then.
absl::StatusOr<std::set<std::string>> SetCover(const std::string& target,
                                               const std::vector<std::string>& inputs,
                                               double seconds);

}  // namespace tuplestone::cli

#endif  // TUPLESTONE_FUZZ_CLI_SET_COVER_H_
