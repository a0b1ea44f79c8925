// `tuplestone replay`: saved inputs run again, each in a child.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "engine/base/probe.h"
#include "fuzz/cli/commands.h"
#include "fuzz/cli/inputs.h"
#include "fuzz/cli/report.h"
#include "fuzz/cli/shown.h"
#include "fuzz/cli/workers.h"
#include "properties/kit/files.h"
#include "properties/kit/isolate.h"

namespace tuplestone::cli {
namespace {

constexpr const char* kDetails =
    "FILE is an input as a fuzzer or a property saved it: text (.ops, .hex) or binary; of a\n"
    "folder, all files below it but hidden ones and .why files. Each runs in a child process. Of\n"
    "one that dies: its report, the program in words with the running operation marked, the\n"
    "death, and the line to paste next. Of several: a table by target, with processor time. The\n"
    "last line is `N held, M died`.\n\n"
    "Exit status: 0 all held (and every required probe was reached), 1 some died, 2 wrong usage\n"
    "or a file that cannot be read (the others are run all the same).\n\n"
    "examples:\n"
    "  tuplestone replay corpus\n"
    "  tuplestone replay build/fuzz-crashes/page_program/crash-0a1b\n"
    "  tuplestone replay --traces --jobs 4 corpus/tape_program\n"
    "  tuplestone replay --require-probes page. corpus/page_program\n";

// Prints what is wrong with one file; the others go on.
void Complain(const absl::Status& status) {
  std::fprintf(stderr, "tuplestone replay: %s\n", std::string(status.message()).c_str());
}

// What became of one file, as a worker tells it.
struct Ran {
  enum class End { kHeld, kDied, kBad, kGone };
  End end = End::kGone;  // the worker was killed with it
  std::string target;
  double seconds = 0;
  std::string trace;
  std::vector<uint64_t> hits;  // of each probe
  std::string report;          // of one that died

  std::string ToText() const {
    return absl::StrCat(static_cast<int>(end), " ", target.empty() ? "-" : target, " ", seconds,
                        " ", trace.empty() ? "-" : trace, " ", absl::StrJoin(hits, " "), "\n",
                        report);
  }
  static Ran FromText(absl::string_view text) {
    Ran ran;
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(text, absl::MaxSplits('\n', 1));
    const std::vector<absl::string_view> words =
        absl::StrSplit(parts.first, ' ', absl::SkipEmpty());
    int end = 0;
    if (words.size() < 4 || !absl::SimpleAtoi(words[0], &end)) return ran;
    ran.end = static_cast<End>(end);
    ran.target = std::string(words[1]);
    (void)absl::SimpleAtod(words[2], &ran.seconds);
    ran.trace = std::string(words[3]);
    for (size_t i = 4; i < words.size(); ++i) {
      uint64_t hits = 0;
      (void)absl::SimpleAtoi(words[i], &hits);
      ran.hits.push_back(hits);
    }
    ran.report = std::string(parts.second);
    return ran;
  }
};

// What a table says of one target.
struct Tally {
  uint64_t held = 0;
  uint64_t died = 0;
  double seconds = 0;
  double slowest = 0;
};

class Replay {
 public:
  Replay(const Arguments& arguments, const kit::IsolationLimits& limits, int jobs)
      : arguments_(arguments), limits_(limits), jobs_(jobs) {}

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
    progress.Show(absl::StrCat("0 of ", files_.size()));
    InWorkers(
        files_.size(), jobs_, [this](size_t i) { return RunOne(files_[i]).ToText(); },
        [&](size_t i, const std::string& text) {
          progress.Clear();
          Take(files_[i], Ran::FromText(text));
          progress.Show(absl::StrCat(i + 1, " of ", files_.size(), "  ", files_[i]));
        });
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

  void TellTable() const {
    if (files_.size() < 2 || tallies_.empty()) return;
    std::printf("%-24s %8s %8s %10s %10s\n", "target", "held", "died", "seconds", "slowest");
    for (const auto& [target, tally] : tallies_) {
      std::printf("%-24s %8llu %8llu %10.2f %10.2f\n", target.c_str(),
                  static_cast<unsigned long long>(tally.held),
                  static_cast<unsigned long long>(tally.died), tally.seconds, tally.slowest);
    }
  }

  absl::StatusOr<int> Finish() const {
    TellTable();
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
  // In a worker, or here.
  Ran RunOne(const std::string& path) const {
    Ran ran;
    const absl::StatusOr<LoadedInput> input = LoadInput(path, arguments_);
    if (!input.ok()) {
      ran.end = Ran::End::kBad;
      ran.report = std::string(input.status().message());
      return ran;
    }
    const Shown shown = RunShown(*input, kit::kAfterOperations, limits_);
    ran.target = input->target->name();
    ran.seconds = shown.outcome.cpu_seconds;
    ran.trace = TraceOf(shown);
    for (size_t i = 0; i < AllProbes().size(); ++i) {
      ran.hits.push_back(kit::ProcessJournal().probe_hits[i]);
    }
    ran.end = shown.outcome.death.happened() ? Ran::End::kDied : Ran::End::kHeld;
    if (ran.end == Ran::End::kDied) ran.report = DeathReport(*input, shown.outcome, limits_);
    return ran;
  }

  void Take(const std::string& path, const Ran& ran) {
    if (ran.end == Ran::End::kBad || ran.end == Ran::End::kGone) {
      const std::string why = ran.end == Ran::End::kBad ? ran.report : path + ": its worker died";
      Complain(absl::InternalError(why));
      ++bad_;
      return;
    }
    Tally& tally = tallies_[ran.target];
    tally.seconds += ran.seconds;
    tally.slowest = std::max(tally.slowest, ran.seconds);
    const auto probes = AllProbes();
    for (size_t i = 0;
         i < std::min(probes.size(), ran.hits.size()) && TakesWorkers(files_.size(), jobs_); ++i) {
      probes[i]->Add(ran.hits[i]);
    }
    if (arguments_.Has("--traces")) {
      std::printf("trace %s %s\n", ran.trace.c_str(), path.c_str());
    }
    if (ran.end == Ran::End::kHeld) {
      ++held_;
      ++tally.held;
      return;
    }
    ++died_;
    ++tally.died;
    std::printf("%s\n%s\n", ran.report.c_str(), LineToPaste("shrink", path).c_str());
    std::fflush(stdout);
  }

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
  const int jobs_;
  std::vector<std::string> files_;
  std::map<std::string, Tally> tallies_;
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
  const absl::StatusOr<int> jobs = JobsOf(arguments);
  if (!jobs.ok()) return jobs.status();
  Replay replay(arguments, *limits, *jobs);
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
  return {
      "replay",
      "FILE|FOLDER...",
      "Runs saved inputs and says which held.",
      kDetails,
      {kTargetOption,
       {"--seconds", "N", "processor time after which an input hangs (default 10)"},
       kMegabytesOption,
       kJobsOption,
       {"--traces", nullptr, "prints `trace DIGITS FILE`: the same in every run and every build"},
       {"--together", nullptr, "all in one child, in order: for what outlives a program"},
       {"--here", nullptr, "in this process, for a debugger; the first death ends it"},
       {"--probes", nullptr, "prints `probe NAME HITS` for every rare state"},
       {"--require-probes", "PREFIX", "fails unless every probe named so is reached"}},
      1,
      ~size_t{0},
      &RunReplay};
}

}  // namespace tuplestone::cli
