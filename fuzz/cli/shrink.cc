// `tuplestone shrink`: a smaller input that dies the same death.
#include <signal.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "fuzz/cli/commands.h"
#include "fuzz/cli/inputs.h"
#include "fuzz/cli/report.h"
#include "properties/kit/files.h"
#include "properties/kit/isolate.h"
#include "properties/kit/minimize.h"

namespace tuplestone::cli {
namespace {

constexpr const char* kDetails =
    "Drops operations and lowers values as long as the input dies the same death: the same\n"
    "broken check at the same place, or the same report. Writes the smallest found to\n"
    "FILE.min.ops (FILE.min.hex for bytes), never to FILE. ^C or the end of the time keeps the\n"
    "best so far.\n\n"
    "Exit status: 0 written, 1 the input does not die, 2 wrong usage or a file that cannot be\n"
    "read or written.\n\n"
    "examples:\n"
    "  tuplestone shrink build/fuzz-crashes/page_program/crash-0a1b\n"
    "  tuplestone shrink crash-0a1b --target page_program --seconds 10 --out small.ops\n";

volatile sig_atomic_t g_interrupted = 0;

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Shrinks for `seconds` at most, or until ^C.
kit::Minimized ShrinkWithin(double seconds, const LoadedInput& input, const kit::Outcome& outcome,
                            const kit::IsolationLimits& limits) {
  const Clock::time_point start = Clock::now();
  Progress progress;
  return kit::Minimize(
      *input.target, input.bytes, outcome, limits, [&](const kit::MinimizeProgress& so_far) {
        if (so_far.candidates % 32 == 0) {
          progress.Show(absl::StrFormat("%d candidates, %d of them simpler, %.0f s",
                                        so_far.candidates, so_far.accepted, SecondsSince(start)));
        }
        return g_interrupted == 0 && SecondsSince(start) < seconds;
      });
}

std::string SizeOf(const kit::Target& target, Bytes input) {
  const std::string text = target.Print(input);
  if (!target.is_program()) return absl::StrCat(target.Normalize(input).size(), " bytes");
  size_t lines = 0;
  for (char c : text) lines += c == '\n';
  return absl::StrCat(lines - 1, lines == 2 ? " operation" : " operations");
}

absl::StatusOr<int> RunShrink(const Arguments& arguments) {
  absl::StatusOr<kit::IsolationLimits> limits = LimitsOf(arguments, "--hang");
  if (!limits.ok()) return limits.status();
  absl::StatusOr<double> seconds = arguments.Number("--seconds", 0.1, 1e6, 60);
  if (!seconds.ok()) return seconds.status();
  const std::string& path = arguments.operands()[0];
  absl::StatusOr<LoadedInput> input = LoadInput(path, arguments);
  if (!input.ok()) return input.status();
  const kit::Target& target = *input->target;
  const std::string ending = absl::StrCat(".min", TextEnding(target));
  const std::string out = arguments.Text("--out").value_or(WithEnding(path, ending));
  if (SameFile(path, out)) {
    return absl::InvalidArgumentError(absl::StrCat(out, ": is the input, which is never changed"));
  }
  signal(SIGINT, [](int) { g_interrupted = 1; });
  const kit::Outcome outcome = kit::Isolate([&] { target.Run(input->bytes); }, *limits);
  if (g_interrupted != 0) return absl::CancelledError("interrupted before anything was known");
  if (!outcome.death.happened()) {
    std::printf("%s: held, so there is nothing to shrink\n", path.c_str());
    return kSaysNo;
  }
  const Clock::time_point start = Clock::now();
  const kit::Minimized smallest = ShrinkWithin(*seconds, *input, outcome, *limits);
  const double took = SecondsSince(start);
  const absl::Status written = kit::WriteFile(out, target.Print(smallest.input));
  if (!written.ok()) return written;
  std::fputs(DeathReport({out, &target, smallest.input}, smallest.outcome, *limits).c_str(),
             stdout);
  std::printf(
      "%s: %s, from %s; %s\n", out.c_str(), SizeOf(target, smallest.input).c_str(),
      SizeOf(target, input->bytes).c_str(),
      smallest.minimal ? "nothing simpler dies so" : "stopped early, so there may be simpler ones");
  std::printf("%llu candidates in %.1f s, %.0f candidates/s\n\n%s",
              static_cast<unsigned long long>(smallest.progress.candidates), took,
              static_cast<double>(smallest.progress.candidates) / std::max(took, 1e-3),
              LineToPaste("keep", out, " --why \"what went wrong, in one sentence\"").c_str());
  return kDone;
}

}  // namespace

Command ShrinkCommand() {
  return {"shrink",
          "FILE",
          "Finds a smaller input that dies the same death.",
          kDetails,
          {kTargetOption,
           {"--seconds", "N", "stops after that long (default 60)"},
           {"--hang", "N", "processor time after which an input hangs (default 10)"},
           kMegabytesOption,
           {"--out", "OUT", "where to write the result (default: beside FILE)"}},
          1,
          1,
          &RunShrink};
}

}  // namespace tuplestone::cli
