// `tuplestone replay`: saved inputs run again, each in a child.
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "engine/base/probe.h"
#include "fuzz/cli/commands.h"
#include "fuzz/cli/inputs.h"
#include "fuzz/cli/report.h"
#include "properties/kit/files.h"
#include "properties/kit/isolate.h"

namespace tuplestone::cli {
namespace {

constexpr const char* kDetails =
    "FILE is an input as a fuzzer or a property saved it: text (.ops, .hex) or binary; of a\n"
    "folder, all files below it but hidden ones and .why files. Each runs in a child process. Of\n"
    "one that dies: its report, the program in words with the running operation marked, the\n"
    "death, and the line to paste next. The last line is `N held, M died`.\n\n"
    "Exit status: 0 all held (and every required probe was reached), 1 some died, 2 wrong usage\n"
    "or a file that cannot be read (the others are run all the same).\n\n"
    "examples:\n"
    "  tuplestone replay corpus\n"
    "  tuplestone replay build/fuzz-crashes/page_program/crash-0a1b\n"
    "  tuplestone replay --require-probes page. corpus/page_program\n";

// Prints what is wrong with one file; the others go on.
void Complain(const absl::Status& status) {
  std::fprintf(stderr, "tuplestone replay: %s\n", std::string(status.message()).c_str());
}

class Replay {
 public:
  Replay(const Arguments& arguments, const kit::IsolationLimits& limits)
      : arguments_(arguments), limits_(limits) {}

  void FindFiles() {
    for (const std::string& path : arguments_.operands()) {
      absl::StatusOr<std::vector<std::string>> found = kit::ListFiles(path);
      if (!found.ok()) {
        Complain(found.status());
        ++bad_;
      } else if (found->empty()) {
        Complain(absl::NotFoundError(absl::StrCat(path, ": holds no input")));
      } else {
        files_.insert(files_.end(), found->begin(), found->end());
      }
    }
  }

  void RunEach() {
    Progress progress;
    for (size_t i = 0; i < files_.size(); ++i) {
      progress.Show(absl::StrCat(i, " of ", files_.size(), "  ", files_[i]));
      const std::optional<LoadedInput> input = Load(files_[i]);
      if (!input.has_value()) continue;
      const kit::Outcome outcome = kit::Isolate([&] { input->target->Run(input->bytes); }, limits_);
      if (!outcome.death.happened()) {
        ++held_;
        continue;
      }
      progress.Clear();
      ++died_;
      PrintDeath(*input, outcome, limits_);
      std::printf("%s\n", LineToPaste("shrink", input->path).c_str());
      std::fflush(stdout);
    }
  }

  // Inputs that die only after one another.
  void RunTogether() {
    const std::vector<LoadedInput> inputs = LoadAll();
    if (inputs.empty()) return;
    const kit::Outcome outcome = kit::IsolateEach(
        inputs.size(), [&](size_t i) { inputs[i].target->Run(inputs[i].bytes); }, limits_);
    held_ = inputs.size();
    if (!outcome.death.happened()) return;
    const size_t last = outcome.trace.case_index;
    const LoadedInput& died = inputs[last];
    std::printf("%s%s\n%s: %s, after %d others in its process\n\n", outcome.output.c_str(),
                died.target->Trace(died.bytes, outcome.trace.operation).c_str(), died.path.c_str(),
                outcome.death.ToString().c_str(), static_cast<int>(last));
    held_ = last;
    died_ = 1;
  }

  // In this process: what dies ends it.
  void RunHere() {
    for (const LoadedInput& input : LoadAll()) {
      input.target->Run(input.bytes);
      ++held_;
    }
  }

  // Prints the probes as asked for. False when a required one was not reached.
  bool TellProbes() const {
    const std::optional<std::string> required = arguments_.Text("--require-probes");
    bool all = true;
    for (const Probe* probe : AllProbes()) {
      if (arguments_.Has("--probes")) {
        std::printf("probe %s %llu\n", probe->name(),
                    static_cast<unsigned long long>(probe->hits()));
      }
      if (!required.has_value() || probe->hits() > 0) continue;
      if (!absl::StartsWith(probe->name(), *required)) continue;
      std::printf("never reached: %s\n", probe->name());
      all = false;
    }
    return all;
  }

  absl::StatusOr<int> Finish() const {
    const bool probes = TellProbes();
    std::printf("%llu held, %llu died", static_cast<unsigned long long>(held_),
                static_cast<unsigned long long>(died_));
    std::printf(bad_ == 0 ? "\n" : ", %llu could not be read\n",
                static_cast<unsigned long long>(bad_));
    if (bad_ > 0) return kBadUsage;
    if (held_ + died_ == 0) return absl::NotFoundError("there was no input to run");
    return died_ == 0 && probes ? kDone : kSaysNo;
  }

 private:
  std::optional<LoadedInput> Load(const std::string& path) {
    absl::StatusOr<LoadedInput> input = LoadInput(path, arguments_);
    if (input.ok()) return *std::move(input);
    Complain(input.status());
    ++bad_;
    return std::nullopt;
  }

  std::vector<LoadedInput> LoadAll() {
    std::vector<LoadedInput> inputs;
    for (const std::string& path : files_) {
      std::optional<LoadedInput> input = Load(path);
      if (input.has_value()) inputs.push_back(*std::move(input));
    }
    return inputs;
  }

  const Arguments& arguments_;
  const kit::IsolationLimits limits_;
  std::vector<std::string> files_;
  uint64_t held_ = 0;
  uint64_t died_ = 0;
  uint64_t bad_ = 0;
};

absl::StatusOr<int> RunReplay(const Arguments& arguments) {
  absl::StatusOr<const kit::Target*> target = GivenTarget(arguments);
  if (!target.ok()) return target.status();
  absl::StatusOr<kit::IsolationLimits> limits = LimitsOf(arguments, "--seconds");
  if (!limits.ok()) return limits.status();
  if (arguments.Has("--here") && arguments.Has("--together")) {
    return absl::InvalidArgumentError("--here and --together exclude each other");
  }
  Replay replay(arguments, *limits);
  replay.FindFiles();
  if (arguments.Has("--here")) {
    replay.RunHere();
  } else if (arguments.Has("--together")) {
    replay.RunTogether();
  } else {
    replay.RunEach();
  }
  return replay.Finish();
}

}  // namespace

Command ReplayCommand() {
  return {"replay",
          "FILE|FOLDER...",
          "Runs saved inputs and says which held.",
          kDetails,
          {kTargetOption,
           {"--seconds", "N", "processor time after which an input hangs (default 10)"},
           kMegabytesOption,
           {"--together", nullptr, "all in one child, in order: for what outlives a program"},
           {"--here", nullptr, "in this process, for a debugger; the first death ends it"},
           {"--probes", nullptr, "prints `probe NAME HITS` for every rare state"},
           {"--require-probes", "PREFIX", "fails unless every probe named so is reached"}},
          1,
          ~size_t{0},
          &RunReplay};
}

}  // namespace tuplestone::cli
