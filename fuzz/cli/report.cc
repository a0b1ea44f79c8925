#include "fuzz/cli/report.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "properties/kit/rerun.h"

namespace tuplestone::cli {

const Option kMegabytesOption = {"--megabytes", "N",
                                 "memory after which an input runs out of it (default 1024)"};

absl::StatusOr<kit::IsolationLimits> LimitsOf(const Arguments& arguments,
                                              const std::string& seconds_option) {
  kit::IsolationLimits limits;
  absl::StatusOr<double> seconds = arguments.Number(seconds_option, 0.01, 1e6, limits.cpu_seconds);
  if (!seconds.ok()) return seconds.status();
  absl::StatusOr<double> megabytes = arguments.Number("--megabytes", 64, 1e6, 1024);
  if (!megabytes.ok()) return megabytes.status();
  limits.cpu_seconds = *seconds;
  limits.wall_seconds = std::max(limits.wall_seconds, 6 * *seconds);
  limits.resident_bytes = static_cast<size_t>(*megabytes * (1 << 20));
  return limits;
}

std::string DeathReport(const LoadedInput& input, const kit::Outcome& outcome,
                        const kit::IsolationLimits& limits) {
  std::string report = outcome.output;
  if (kit::SymbolsHelp(outcome.death)) {
    report = kit::SymbolisedReport(
        {{"replay", "--here", "--target", input.target->name(), "--", input.path}, {}}, limits);
  }
  const std::string trace = input.target->Trace(input.bytes, outcome.trace.operation);
  return absl::StrCat(report, report.find(trace) == std::string::npos ? trace : "", "\n",
                      input.path, ": ", outcome.death.ToString(), "\n");
}

std::string LineToPaste(const std::string& command, const std::string& path,
                        const std::string& rest) {
  return absl::StrCat("  ", kit::ShellQuoted(kit::ThisProgram()), " ", command, " ",
                      kit::ShellQuoted(path), rest, "\n");
}

Progress::Progress() : terminal_(isatty(STDERR_FILENO) != 0) {}

void Progress::Show(const std::string& line) {
  if (!terminal_) return;
  std::fprintf(stderr, "\r\033[K%s", line.c_str());
  std::fflush(stderr);
  shown_ = true;
}

void Progress::Clear() {
  if (!shown_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace tuplestone::cli
