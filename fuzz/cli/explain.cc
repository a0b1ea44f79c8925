// `tuplestone explain`: where an input breaks, and what engine and model looked like there.
#include <cstdio>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "fuzz/cli/commands.h"
#include "fuzz/cli/inputs.h"
#include "fuzz/cli/report.h"
#include "fuzz/cli/shown.h"

namespace tuplestone::cli {
namespace {

constexpr const char* kDetails =
    "Shows an input that dies: its operations in words, the operation that broke and the\n"
    "invariant with its sentence, what was expected and what came; then model and subject just\n"
    "before that operation, and as they were when it died. Pages are drawn. Of an input that\n"
    "holds: its operations, and both as they are at its end. Byte targets have no states.\n\n"
    "Exit status: 0 explained, 1 the input holds, 2 wrong usage or a file that cannot be read.\n\n"
    "example:\n"
    "  tuplestone explain build/fuzz-crashes/page_program/crash-0a1b\n";

constexpr size_t kLinesShown = 80;

// `text` two columns further right, and no more of it than a person reads.
std::string Indented(absl::string_view text) {
  std::string indented;
  size_t lines = 0;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    if (line.empty()) continue;
    if (++lines <= kLinesShown) absl::StrAppend(&indented, "    ", line, "\n");
  }
  if (lines > kLinesShown) absl::StrAppend(&indented, "    ... ", lines - kLinesShown, " more\n");
  return indented;
}

void PrintStates(const char* when, const kit::States& states) {
  std::printf("%s\n", when);
  if (states.model == states.subject) {
    std::printf("  model and subject\n%s\n", Indented(states.model).c_str());
  } else {
    std::printf("  model: what should be\n%s  subject: what is\n%s\n",
                Indented(states.model).c_str(), Indented(states.subject).c_str());
  }
}

std::string WhereItDied(uint32_t operation) {
  if (operation == kit::kAfterOperations) return "in the closing balance";
  if (operation == kit::kBeforeOperations) return "before its first operation";
  return absl::StrCat("in operation ", operation + 1);
}

absl::StatusOr<int> RunExplain(const Arguments& arguments) {
  absl::StatusOr<kit::IsolationLimits> limits = LimitsOf(arguments, "--seconds");
  if (!limits.ok()) return limits.status();
  const absl::StatusOr<LoadedInput> input = LoadInput(arguments.operands()[0], arguments);
  if (!input.ok()) return input.status();
  const Shown first = RunShown(*input, kit::kAfterOperations, *limits);
  const bool died = first.outcome.death.happened();
  const uint32_t operation = first.outcome.trace.operation;
  if (!died) {
    std::printf("%s\n", input->target->Trace(input->bytes, kit::kAfterOperations).c_str());
    if (!first.states.empty()) PrintStates("at its end", first.states[0]);
    std::printf("%s: held\n", input->path.c_str());
    return kSaysNo;
  }
  const Shown again =
      operation == kit::kAfterOperations ? first : RunShown(*input, operation, *limits);
  std::printf("%s", DeathReport(*input, first.outcome, *limits).c_str());
  const std::string where = WhereItDied(operation);
  std::printf("It died %s.\n\n", where.c_str());
  if (!again.states.empty()) PrintStates("just before", again.states[0]);
  if (again.states.size() > 1) PrintStates("when it died", again.states[1]);
  std::printf("%s%s", LineToPaste("shrink", input->path).c_str(),
              LineToPaste("emit-test", input->path).c_str());
  return kDone;
}

}  // namespace

Command ExplainCommand() {
  return {"explain",
          "FILE",
          "Shows where an input breaks, with model and subject there.",
          kDetails,
          {kTargetOption,
           {"--seconds", "N", "processor time after which it hangs (default 10)"},
           kMegabytesOption},
          1,
          1,
          &RunExplain};
}

}  // namespace tuplestone::cli
