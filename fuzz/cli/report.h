// What a person is told of an input that died: report, trace in words, death, and what to type
// next.
#ifndef TUPLESTONE_FUZZ_CLI_REPORT_H_
#define TUPLESTONE_FUZZ_CLI_REPORT_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "fuzz/cli/arguments.h"
#include "fuzz/cli/inputs.h"
#include "properties/kit/isolate.h"

namespace tuplestone::cli {

extern const Option kMegabytesOption;

// The limits of a child that runs one input, from the option `seconds` and --megabytes where
// `arguments` have them.
absl::StatusOr<kit::IsolationLimits> LimitsOf(const Arguments& arguments,
                                              const std::string& seconds);

// How `input` died. A sanitizer's report is made anew, with functions and lines.
std::string DeathReport(const LoadedInput& input, const kit::Outcome& outcome,
                        const kit::IsolationLimits& limits);

// "  build/fuzz/fuzz/tuplestone shrink FILE": a line to paste.
std::string LineToPaste(const std::string& command, const std::string& path,
                        const std::string& rest = "");

// A line on standard error that is written over, when that is a terminal; otherwise nothing.
class Progress {
 public:
  Progress();
  ~Progress() { Clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void Show(const std::string& line);
  void Clear();

 private:
  bool terminal_;
  bool shown_ = false;
};

}  // namespace tuplestone::cli

#endif  // TUPLESTONE_FUZZ_CLI_REPORT_H_
