// `tuplestone corpus`: the files that are kept, and what is wrong with them.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "fuzz/cli/commands.h"
#include "fuzz/cli/inputs.h"
#include "fuzz/cli/report.h"
#include "fuzz/cli/set_cover.h"
#include "fuzz/cli/shown.h"
#include "fuzz/cli/workers.h"
#include "properties/kit/files.h"
#include "properties/kit/text.h"

namespace tuplestone::cli {
namespace {

constexpr const char* kDetails =
    "stats   by target: files, how many are text, bytes, and operations a program\n"
    "doctor  names inputs that are unreadable, stale (binary that a writer of today would write\n"
    "        differently), duplicates (the same program), slow (--slow), unstable (two runs\n"
    "        differ), or die\n"
    "prune   finds the fewest inputs with all the coverage, by the target's fuzzer, and names the\n"
    "        others; --delete removes them. Regression tests (folders called regress) stay. When\n"
    "        the time is over before it is known, nothing is pruned.\n\n"
    "Exit status: 0 done, nothing wrong; 1 doctor or prune named files; 2 wrong usage or a folder\n"
    "that cannot be read.\n\n"
    "examples:\n"
    "  tuplestone corpus stats corpus\n"
    "  tuplestone corpus doctor --slow 0.5 corpus/tape_program\n"
    "  tuplestone corpus prune --seconds 120 --delete build/fuzz-corpus/page_program\n";

absl::StatusOr<std::vector<std::string>> FilesOf(const std::vector<std::string>& folders) {
  std::vector<std::string> files;
  for (const std::string& folder : folders) {
    absl::StatusOr<std::vector<std::string>> found = kit::ListFiles(folder);
    if (!found.ok()) return found.status();
    files.insert(files.end(), found->begin(), found->end());
  }
  if (files.empty()) return absl::NotFoundError(absl::StrCat(folders[0], ": holds no input"));
  return files;
}

size_t OperationsOf(const LoadedInput& input) {
  const std::string text = input.target->Print(input.bytes);
  return static_cast<size_t>(std::count(text.begin(), text.end(), '\n')) - 1;
}

bool IsText(const LoadedInput& input) {
  const auto name = input.target->name();
  return kit::LooksLikeText(input.bytes, name) || absl::EndsWith(input.path, ".hex");
}

struct TargetStats {
  size_t files = 0;
  size_t texts = 0;
  size_t bytes = 0;
  size_t largest = 0;
  size_t operations = 0;
  size_t most = 0;
};

absl::StatusOr<int> Stats(const std::vector<std::string>& files, const Arguments& arguments) {
  std::map<std::string, TargetStats> targets;
  for (const std::string& path : files) {
    const absl::StatusOr<LoadedInput> input = LoadInput(path, arguments);
    if (!input.ok()) return input.status();
    TargetStats& stats = targets[input->target->name()];
    ++stats.files;
    stats.texts += IsText(*input) ? 1 : 0;
    stats.bytes += input->bytes.size();
    stats.largest = std::max(stats.largest, input->bytes.size());
    if (!input->target->is_program()) continue;
    stats.operations += OperationsOf(*input);
    stats.most = std::max(stats.most, OperationsOf(*input));
  }
  std::printf("%-20s %7s %7s %11s %11s %11s %6s\n", "target", "files", "text", "bytes", "largest",
              "operations", "most");
  for (const auto& [name, stats] : targets) {
    std::printf("%-20s %7zu %7zu %11zu %11zu", name.c_str(), stats.files, stats.texts, stats.bytes,
                stats.largest);
    if (stats.most > 0) {
      std::printf(" %11.1f %6zu",
                  static_cast<double>(stats.operations) / static_cast<double>(stats.files),
                  stats.most);
    }
    std::printf("\n");
  }
  return kDone;
}

// What is wrong with one file, a line for each.
std::vector<std::string> Symptoms(const std::string& path, const Arguments& arguments,
                                  const kit::IsolationLimits& limits, double slow) {
  const absl::StatusOr<LoadedInput> input = LoadInput(path, arguments);
  if (!input.ok()) return {absl::StrCat("unreadable  ", input.status().message())};
  std::vector<std::string> symptoms;
  const auto say = [&](const char* what, const std::string& more) {
    symptoms.push_back(absl::StrCat(what, path, more));
  };
  if (!IsText(*input) && input->target->Normalize(input->bytes) != input->bytes) {
    say("stale       ", "");
  }
  const Shown first = RunShown(*input, kit::kAfterOperations, limits);
  if (first.outcome.death.happened()) {
    say("dies        ", ": " + first.outcome.death.ToString());
    return symptoms;
  }
  if (first.outcome.cpu_seconds > slow) {
    say("slow        ", absl::StrCat(": ", first.outcome.cpu_seconds, " s"));
  }
  if (TraceOf(RunShown(*input, kit::kAfterOperations, limits)) != TraceOf(first)) {
    say("unstable    ", "");
  }
  return symptoms;
}

// Of each file, the first in order that means the same.
std::map<std::string, std::string> Twins(const std::vector<std::string>& files,
                                         const Arguments& arguments) {
  std::map<std::pair<std::string, kit::Input>, std::string> firsts;
  std::map<std::string, std::string> twins;
  for (const std::string& path : files) {
    const absl::StatusOr<LoadedInput> input = LoadInput(path, arguments);
    if (!input.ok()) continue;
    const auto [first, is_new] = firsts.emplace(
        std::make_pair(input->target->name(), input->target->Normalize(input->bytes)), path);
    if (!is_new) twins[path] = first->second;
  }
  return twins;
}

absl::StatusOr<int> Doctor(const std::vector<std::string>& files, const Arguments& arguments) {
  absl::StatusOr<kit::IsolationLimits> limits = LimitsOf(arguments, "--hang");
  if (!limits.ok()) return limits.status();
  const absl::StatusOr<double> slow = arguments.Number("--slow", 1e-6, 1e6, 1);
  if (!slow.ok()) return slow.status();
  const absl::StatusOr<int> jobs = JobsOf(arguments);
  if (!jobs.ok()) return jobs.status();
  size_t found = 0;
  for (const auto& [path, first] : Twins(files, arguments)) {
    std::printf("duplicate   %s: as %s\n", path.c_str(), first.c_str());
    ++found;
  }
  Progress progress;
  InWorkers(
      files.size(), *jobs,
      [&](size_t i) { return absl::StrJoin(Symptoms(files[i], arguments, *limits, *slow), "\n"); },
      [&](size_t i, const std::string& symptoms) {
        progress.Clear();
        for (absl::string_view symptom : absl::StrSplit(symptoms, '\n', absl::SkipEmpty())) {
          std::printf("%s\n", std::string(symptom).c_str());
          ++found;
        }
        progress.Show(absl::StrCat(i + 1, " of ", files.size(), "  ", files[i]));
      });
  progress.Clear();
  std::printf("%zu inputs, %zu complaints\n", files.size(), found);
  return found == 0 ? kDone : kSaysNo;
}

bool IsRegression(const std::string& path) { return absl::StrContains(path, "/regress/"); }

absl::StatusOr<int> Prune(const std::vector<std::string>& files, const Arguments& arguments) {
  const absl::StatusOr<double> seconds = arguments.Number("--seconds", 1, 1e6, 300);
  if (!seconds.ok()) return seconds.status();
  std::map<std::string, std::vector<std::string>> by_target;
  for (const std::string& path : files) {
    const absl::StatusOr<LoadedInput> input = LoadInput(path, arguments);
    if (!input.ok()) return input.status();
    if (!IsRegression(path)) by_target[input->target->name()].push_back(path);
  }
  size_t named = 0;
  for (const auto& [target, inputs] : by_target) {
    const absl::StatusOr<std::set<std::string>> needed = SetCover(target, inputs, *seconds);
    if (!needed.ok()) return needed.status();
    for (const std::string& path : inputs) {
      if (needed->count(path) != 0) continue;
      ++named;
      std::error_code error;
      if (arguments.Has("--delete")) std::filesystem::remove(path, error);
      if (error) return absl::InternalError(absl::StrCat(path, ": ", error.message()));
      std::printf("%s %s\n", arguments.Has("--delete") ? "removed" : "adds nothing", path.c_str());
    }
    std::printf("%s: %zu of %zu inputs have all the coverage\n", target.c_str(), needed->size(),
                inputs.size());
  }
  return named == 0 ? kDone : kSaysNo;
}

absl::StatusOr<int> RunCorpus(const Arguments& arguments) {
  const std::string& what = arguments.operands()[0];
  if (what != "stats" && what != "doctor" && what != "prune") {
    return absl::InvalidArgumentError(absl::StrCat("'", what, "' is not stats, doctor or prune"));
  }
  const absl::StatusOr<std::vector<std::string>> files =
      FilesOf({arguments.operands().begin() + 1, arguments.operands().end()});
  if (!files.ok()) return files.status();
  if (what == "stats") return Stats(*files, arguments);
  return what == "doctor" ? Doctor(*files, arguments) : Prune(*files, arguments);
}

}  // namespace

Command CorpusCommand() {
  return {"corpus",
          "stats|doctor|prune FOLDER...",
          "Counts, examines or thins out the inputs that are kept.",
          kDetails,
          {kTargetOption,
           kJobsOption,
           {"--slow", "N", "doctor: seconds of the processor that are too many (default 1)"},
           {"--hang", "N", "doctor: processor time after which an input hangs (default 10)"},
           kMegabytesOption,
           {"--seconds", "N", "prune: gives up after that long, for each target (default 300)"},
           {"--delete", nullptr, "prune: removes what adds nothing"}},
          2,
          ~size_t{0},
          &RunCorpus};
}

}  // namespace tuplestone::cli
