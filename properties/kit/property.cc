#include "properties/kit/property.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/detail/TestListenerAdapter.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/probe.h"
#include "properties/kit/fields.h"
#include "properties/kit/files.h"
#include "properties/kit/minimize.h"
#include "properties/kit/rerun.h"

namespace tuplestone::kit {
namespace {

// What RapidCheck draws, shrinks and shows.
struct DrawnInput {
  Input bytes;
  const Target* target;
  std::shared_ptr<Attempts> attempts;  // a simpler input: where it is run
  size_t attempt = 0;
};

void showValue(const DrawnInput& drawn, std::ostream& out) {
  out << "\n" << drawn.target->Print(drawn.bytes);
}

// What shrinking needs to know and RapidCheck has no place for.
struct Found {
  Death death;                       // none before the first
  IsolationLimits limits;            // of simpler inputs
  std::map<Input, RunTrace> traces;  // of the inputs that died so
};

// The simpler inputs of one input, as RapidCheck's sequences want them.
class SimplerSequence {
 public:
  SimplerSequence(std::shared_ptr<Attempts> attempts, const Target* target)
      : attempts_(std::move(attempts)), target_(target) {}
  rc::Maybe<DrawnInput> operator()() {
    if (next_ == attempts_->count()) return rc::Nothing;
    DrawnInput drawn{attempts_->at(next_), target_, attempts_, next_};
    ++next_;
    return drawn;
  }

 private:
  std::shared_ptr<Attempts> attempts_;
  const Target* target_;
  size_t next_ = 0;
};

rc::Gen<DrawnInput> InputGenerator(const Target& target, const PropertyOptions& options,
                                   std::shared_ptr<const Found> found) {
  const Target* from = &target;
  const size_t operations_max = options.operations_max;
  return rc::Gen<DrawnInput>([=](const rc::Random& random, int size) {
    kit::Random own(rc::Random(random).next());
    const size_t most = 2 + operations_max * static_cast<size_t>(size) / rc::kNominalSize;
    DrawnInput drawn{from->Draw(own, most), from, nullptr};
    return rc::shrinkable::shrinkRecur(std::move(drawn), [=](const DrawnInput& value) {
      const auto trace = found->traces.find(value.bytes);
      if (trace == found->traces.end()) return rc::Seq<DrawnInput>();
      const Input normal = from->NormalForm(value.bytes, trace->second);
      auto attempts = std::make_shared<Attempts>(*from, from->Simpler(normal, trace->second),
                                                 found->death, found->limits);
      return rc::makeSeq<SimplerSequence>(std::move(attempts), from);
    });
  });
}

// One property's way through the three phases.
class PropertyCheck {
 public:
  PropertyCheck(const Target& target, const PropertyOptions& options)
      : target_(target),
        options_(options),
        found_(std::make_shared<Found>()),
        generator_(InputGenerator(target, options, found_)) {
    parameters_.seed = options.seed;
    parameters_.maxSuccess = static_cast<int>(options.programs);
  }

  // Phase 1. The child draws for itself; the same seed draws the same.
  Outcome RunAllInOneChild() {
    return Isolate([this] { RunAll(); }, options_.limits);
  }
  void RunAll() {
    uint32_t index = 0;
    Check([&](const DrawnInput& input) {
      ProcessJournal().case_index = index++;
      RestartCpuLimit(options_.limits.cpu_seconds);
      RunInput(input.bytes);
    });
  }

  // The program that died in phase 1. A leak was seen at the end only, so it is looked for again.
  size_t Suspect(const Outcome& together) {
    if (together.death.kind != DeathKind::kLeak) return together.trace.case_index;
    std::vector<Input> all;
    Check([&](const DrawnInput& input) { all.push_back(input.bytes); });
    const Outcome outcome =
        IsolateEach(all.size(), [&](size_t i) { RunInput(all[i]); }, options_.limits);
    return outcome.death.happened() ? outcome.trace.case_index : 0;
  }

  // Phase 2, from the program `suspect` on: those before it held. Leaves the smallest input that
  // died in `minimal`.
  void RunEachInItsChild(size_t suspect) {
    Check([&](const DrawnInput& input) {
      const bool shrinking = death().happened();
      if (!shrinking) drawn.push_back(input.bytes);
      if (!shrinking && drawn.size() <= suspect) return;
      if (shrinking && input.attempts == nullptr) return;  // the first one, shown again
      if (shrinking && ++candidates > options_.candidates_max) return;
      Outcome outcome = shrinking ? input.attempts->Try(input.attempt)
                                  : Isolate([&] { RunInput(input.bytes); }, options_.limits);
      if (!outcome.death.happened()) return;
      if (shrinking && outcome.death != death()) return;  // another bug
      Input normal = target_.NormalForm(input.bytes, outcome.trace);
      if (shrinking && !target_.IsSimpler(normal, minimal)) return;
      if (!shrinking) found_->limits = CandidateLimits(outcome, options_.limits);
      found_->death = outcome.death;
      found_->traces[input.bytes] = outcome.trace;
      minimal = std::move(normal);
      minimal_outcome = std::move(outcome);
      RC_FAIL(death().ToString());
    });
  }

  // Phase 3. The number of inputs, from the first, that must run together to die; `most` do.
  size_t ShortestDyingPrefix(size_t most) {
    size_t low = 0;
    size_t high = most;
    while (low + 1 < high) {
      const size_t middle = (low + high) / 2;
      (RunPrefix(middle).death.happened() ? high : low) = middle;
    }
    return high;
  }
  Outcome RunPrefix(size_t count) {
    return IsolateEach(count, [this](size_t i) { RunInput(drawn[i]); }, options_.limits);
  }

  const Death& death() const { return found_->death; }
  Input minimal;
  Outcome minimal_outcome;
  std::vector<Input> drawn;
  uint64_t candidates = 0;

 private:
  // An exception is a death like any other, not RapidCheck's to catch.
  void RunInput(const Input& input) const noexcept { target_.Run(input); }

  template <class Property>
  void Check(const Property& property) {
    rc::detail::TestListenerAdapter silent;  // its own lines name a seed that is not ours
    rc::detail::checkTestable([&] { property(*generator_); },
                              rc::detail::TestMetadata{target_.name(), target_.name()}, parameters_,
                              silent, std::unordered_map<std::string, rc::detail::Reproduce>());
  }

  const Target& target_;
  const PropertyOptions& options_;
  std::shared_ptr<Found> found_;
  rc::Gen<DrawnInput> generator_;
  rc::detail::TestParams parameters_;
};

std::string FailureFolder() {
  const char* folder = std::getenv("TUPLESTONE_FAILURES");
  if (folder != nullptr) return folder;
  std::string temporary = testing::TempDir();
  while (temporary.size() > 1 && temporary.back() == '/') temporary.pop_back();
  return temporary;
}

std::string ThisTest() {
  const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
  return test == nullptr ? "*" : absl::StrCat(test->test_suite_name(), ".", test->name());
}

// The line that shows the failure again; `replay` says how the command line does, if it can.
std::string LineToPaste(const std::string& saved, const char* replay, bool same_as_replay) {
  const std::filesystem::path program = ThisProgram();
  const std::filesystem::path command = program.parent_path().parent_path() / "fuzz" / "tuplestone";
  if (same_as_replay && std::filesystem::exists(command)) {
    return absl::StrCat(command.string(), " ", replay, " ", ShellQuoted(saved));
  }
  return absl::StrCat("TUPLESTONE_REPLAY=", ShellQuoted(saved), " ", program.string(),
                      " --gtest_filter=", ThisTest());
}

// How the saved input died: by a sanitizer, from a fresh process whose reports have symbols.
std::string ReportOf(const Target& target, const Input& input, const Outcome& outcome,
                     const std::string& saved, const IsolationLimits& limits) {
  if (SymbolsHelp(outcome.death)) {
    return SymbolisedReport(
        {{absl::StrCat("--gtest_filter=", ThisTest())}, {{"TUPLESTONE_REPLAY", saved}}}, limits);
  }
  return absl::StrCat(outcome.output, target.Trace(input, outcome.trace.operation), "\n",
                      outcome.death.ToString(), "\n");
}

std::string SaveInput(const Target& target, const Input& input, const std::string& name) {
  const std::string path = absl::StrCat(FailureFolder(), "/", name);
  const absl::Status written = WriteFile(path, target.Print(input));
  if (!written.ok()) std::fprintf(stderr, "%s\n", written.ToString().c_str());
  return path;
}

// A name that depends on the input alone.
std::string FailureName(const Target& target, const Input& input) {
  return absl::StrCat(target.name(), "-", NameOfContent(input));
}

void ReportSingle(const Target& target, const PropertyOptions& options, const PropertyCheck& check,
                  bool same_as_replay, PropertyResult* result) {
  result->death = check.death();
  result->minimal = check.minimal;
  const bool program = target.is_program();
  result->saved = SaveInput(target, check.minimal,
                            FailureName(target, check.minimal) + (program ? ".ops" : ".hex"));
  result->report = absl::StrCat(
      ReportOf(target, check.minimal, check.minimal_outcome, result->saved, options.limits),
      "after ", check.drawn.size(), " programs of seed ", fields_internal::PrintHex(options.seed),
      ", shrunk with ", check.candidates, " candidates to\n\n", target.Print(check.minimal),
      "\nsaved as ", result->saved, "\n\n", LineToPaste(result->saved, "replay", same_as_replay),
      "\n");
}

// Of a death that takes several programs, of which the first `most` suffice.
void ReportTogether(const Target& target, const PropertyOptions& options, PropertyCheck& check,
                    const Outcome& together, size_t most, bool same_as_replay,
                    PropertyResult* result) {
  const size_t count = check.ShortestDyingPrefix(most);
  const Outcome last = check.RunPrefix(count);
  result->death = last.death.happened() ? last.death : together.death;
  result->saved =
      absl::StrCat(FailureFolder(), "/", FailureName(target, check.drawn.front()), "-together");
  std::error_code error;
  std::filesystem::remove_all(result->saved, error);  // of an earlier run
  for (size_t i = 0; i < count; ++i) {
    SaveInput(target, check.drawn[i],
              absl::StrCat(FailureName(target, check.drawn.front()), "-together/",
                           absl::Dec(i, absl::kZeroPad6), target.is_program() ? ".ops" : ".hex"));
  }
  result->report = absl::StrCat(
      last.output, target.Trace(check.drawn[count - 1], last.trace.operation), "\n",
      result->death.ToString(), "\nof seed ", fields_internal::PrintHex(options.seed),
      "; no single program dies, but the first ", count,
      " run in one process do: something outlives a program.\nsaved in ", result->saved, "\n\n",
      LineToPaste(result->saved, "replay --together", same_as_replay), "\n");
}

// The input in the file `path`, or those in the folder. Ends the process with status 2 where there
// are none.
std::vector<Input> ReadInputs(const std::string& path) {
  const auto give_up = [](const absl::Status& status) {
    std::fprintf(stderr, "%s\n", std::string(status.message()).c_str());
    std::exit(2);
  };
  absl::StatusOr<std::vector<std::string>> files = ListFiles(path);
  if (!files.ok()) give_up(files.status());
  if (files->empty()) give_up(absl::NotFoundError(absl::StrCat(path, ": holds no input")));
  std::vector<Input> inputs;
  for (const std::string& file : *files) {
    absl::StatusOr<Input> input = ReadFile(file);
    if (!input.ok()) give_up(input.status());
    inputs.push_back(*std::move(input));
  }
  return inputs;
}

uint64_t NumberFromEnvironment(const char* name, uint64_t otherwise, uint64_t most) {
  const char* text = std::getenv(name);
  if (text == nullptr) return otherwise;
  absl::StatusOr<uint64_t> number = fields_internal::ParseNumber(text, 0, most);
  if (number.ok()) return *number;
  std::fprintf(stderr, "%s: %s\n", name, std::string(number.status().message()).c_str());
  std::exit(2);
}

}  // namespace

PropertyResult CheckProperty(const Target& target, const PropertyOptions& options,
                             bool same_as_replay) {
  PropertyResult result;
  PropertyCheck check(target, options);
  const Outcome together = check.RunAllInOneChild();
  result.programs = options.programs;
  if (!together.death.happened()) return result;
  result.held = false;
  const size_t suspect = check.Suspect(together);
  check.RunEachInItsChild(suspect);
  result.programs = check.drawn.size();
  result.candidates = check.candidates;
  if (check.death().happened()) {
    ReportSingle(target, options, check, same_as_replay, &result);
  } else {
    const bool at_end = together.death.kind == DeathKind::kLeak;
    const size_t most = at_end ? check.drawn.size() : suspect + 1;
    ReportTogether(target, options, check, together, most, same_as_replay, &result);
  }
  return result;
}

void CheckInThisProcess(const Target& target, const PropertyOptions& options) {
  PropertyCheck(target, options).RunAll();
  RestartCpuLimit(0);  // this process goes on
}

PropertyOptions OptionsFromEnvironment(PropertyOptions options) {
  options.seed = NumberFromEnvironment("TUPLESTONE_SEED", options.seed, ~uint64_t{0});
  options.programs = NumberFromEnvironment("TUPLESTONE_PROGRAMS", options.programs, 1'000'000'000);
  return options;
}

bool ReplayedInstead(const Target& target, const IsolationLimits& limits) {
  const char* path = std::getenv("TUPLESTONE_REPLAY");
  if (path == nullptr) return false;
  const std::vector<Input> inputs = ReadInputs(path);
  const Outcome outcome =
      IsolateEach(inputs.size(), [&](size_t i) { target.Run(inputs[i]); }, limits);
  std::fputs(outcome.output.c_str(), stderr);
  if (!outcome.death.happened()) return true;
  const std::string trace = target.Trace(inputs[outcome.trace.case_index], outcome.trace.operation);
  std::fprintf(stderr, "%s\n%s\n", trace.c_str(), outcome.death.ToString().c_str());
  ADD_FAILURE() << outcome.death.ToString();
  return true;
}

void ReportToTest(const PropertyResult& result) {
  if (!result.held) FAIL() << "\n" << result.report;
}

void ExpectProbesReached(const Target& target, const std::string& prefix, uint64_t programs_max) {
  PropertyOptions options = OptionsFromEnvironment(PropertyOptions());
  if (ReplayedInstead(target, options.limits)) return;
  std::string missing;
  for (uint64_t run = 0; run < programs_max; run += options.programs) {
    const PropertyResult result = CheckProperty(target, options, /*same_as_replay=*/true);
    if (!result.held) return ReportToTest(result);
    missing.clear();
    for (const Probe* probe : AllProbes()) {
      if (std::string(probe->name()).rfind(prefix, 0) != 0 || probe->hits() > 0) continue;
      absl::StrAppend(&missing, "  ", probe->name(), "\n");
    }
    if (missing.empty()) return;
    ++options.seed;
  }
  ADD_FAILURE() << "never reached in " << programs_max << " programs:\n" << missing;
}

}  // namespace tuplestone::kit
