#include "fuzz/cli/lab.h"

#include <cstdio>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/base/poison.h"
#include "fuzz/cli/commands.h"

namespace tuplestone::cli {
namespace {

#if defined(__OPTIMIZE__)
constexpr bool kOptimized = true;
#else
constexpr bool kOptimized = false;
#endif

std::vector<Experiment> AllExperiments() {
  return {CompactExperiment(), RunsExperiment(), SortExperiment(), AggregateExperiment()};
}

std::string Details() {
  std::string text =
      "Prints a table to standard output. Times are worth something only from an optimised build\n"
      "without sanitizers (the bench preset) on a quiet machine; the table says when it is not.\n";
  for (const Experiment& experiment : AllExperiments()) {
    absl::StrAppend(&text, "\n", experiment.name, ": ", experiment.summary, "\n",
                    experiment.details);
  }
  text += "\nExit status: 0, or 2 wrong usage.\n\nexamples:\n";
  for (const Experiment& experiment : AllExperiments()) {
    absl::StrAppend(&text, "  tuplestone lab ", experiment.name, "\n");
  }
  return text;
}

bool HasOption(const std::vector<Option>& options, const std::string& name) {
  for (const Option& option : options) {
    if (name == option.name) return true;
  }
  return false;
}

std::vector<Option> AllOptions() {
  std::vector<Option> all = {kSmallOption};
  for (const Experiment& experiment : AllExperiments()) {
    for (const Option& option : experiment.options) {
      if (!HasOption(all, option.name)) all.push_back(option);
    }
  }
  return all;
}

// Another experiment's option would be ignored in silence.
absl::Status OnlyItsOptions(const Experiment& experiment, const Arguments& arguments) {
  for (const Option& option : AllOptions()) {
    if (!arguments.Has(option.name) || std::string(option.name) == kSmallOption.name) continue;
    if (!HasOption(experiment.options, option.name)) {
      return absl::InvalidArgumentError(
          absl::StrCat(option.name, " is no option of ", experiment.name));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<int> RunLab(const Arguments& arguments) {
  const std::string& name = arguments.operands()[0];
  std::string names;
  for (const Experiment& experiment : AllExperiments()) {
    absl::StrAppend(&names, names.empty() ? "" : ", ", experiment.name);
    if (name != experiment.name) continue;
    const absl::Status options = OnlyItsOptions(experiment, arguments);
    if (!options.ok()) return options;
    if (kAddressSanitizer || !kOptimized) {
      std::printf("Built %s: the times below say nothing about speed.\n",
                  kAddressSanitizer ? "with sanitizers" : "without optimisation");
    }
    return experiment.run(arguments);
  }
  return absl::InvalidArgumentError(
      absl::StrCat("'", name, "' is no experiment; there are: ", names));
}

}  // namespace

const Option kSmallOption = {"--small", nullptr, "little input: a look, within seconds"};

Command LabCommand() {
  static const std::string details = Details();
  return {"lab",
          "EXPERIMENT",
          "Runs an experiment behind the engine's design.",
          details.c_str(),
          AllOptions(),
          1,
          1,
          &RunLab};
}

}  // namespace tuplestone::cli
