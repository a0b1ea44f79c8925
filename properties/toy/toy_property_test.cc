// What a failing property does, seen through its result: every kind of death is found, told and
// shrunk to the three operations that it takes.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/poison.h"
#include "engine/base/probe.h"
#include "properties/kit/files.h"
#include "properties/kit/property.h"
#include "properties/toy/toy_suite.h"

namespace tuplestone::properties {
namespace {

using ToyTarget = kit::ProgramTarget<ToySuite>;

// Draws programs whose head is fixed, so that each kind of death can be looked at alone; runs them
// as the toy does or as it is told.
class ToyWithHead final : public kit::Target {
 public:
  explicit ToyWithHead(ToyHead head, std::function<void(Bytes)> run = nullptr)
      : head_(head), run_(std::move(run)) {}
  std::string name() const override { return toy_.name(); }
  bool is_program() const override { return true; }
  void Run(Bytes input) const override { run_ == nullptr ? toy_.Run(input) : run_(input); }
  std::string Print(Bytes input) const override { return toy_.Print(input); }
  absl::StatusOr<kit::Input> Parse(absl::string_view text) const override {
    return toy_.Parse(text);
  }
  kit::Input Normalize(Bytes input) const override { return toy_.Normalize(input); }
  std::string Trace(Bytes input, uint32_t operation) const override {
    return toy_.Trace(input, operation);
  }
  std::string EmitTest(Bytes input, absl::string_view test_name) const override {
    return toy_.EmitTest(input, test_name);
  }
  kit::Input Draw(kit::Random& random, size_t operations_max) const override {
    ToyProgram program = kit::Decode<ToyProgram>(toy_.Draw(random, operations_max));
    program.head = head_;
    return kit::Encode(program);
  }
  kit::Input NormalForm(Bytes input, const kit::RunTrace& trace) const override {
    return toy_.NormalForm(input, trace);
  }
  kit::SimplerInputs Simpler(Bytes normal, const kit::RunTrace& trace) const override {
    return toy_.Simpler(normal, trace);
  }
  bool IsSimpler(Bytes a, Bytes b) const override { return toy_.IsSimpler(a, b); }
  std::vector<std::string> Language() const override { return toy_.Language(); }

 private:
  ToyHead head_;
  std::function<void(Bytes)> run_;
  ToyTarget toy_;
};

// A hang is believed soon, and memory runs out early; but not before the hang.
kit::PropertyOptions FastOptions(ToyDeath death) {
  kit::PropertyOptions options;
  options.programs = 300;
  options.limits.cpu_seconds = death == ToyDeath::kHang ? 0.2 : 10;
  options.limits.resident_bytes = size_t{64} << 20;
  return options;
}

struct DeathCase {
  ToyDeath death;
  kit::DeathKind kind;
  const char* signature;  // what it starts with
  const char* report;     // what the report says besides
};

class EveryDeath : public testing::TestWithParam<DeathCase> {};

TEST_P(EveryDeath, IsFoundToldAndShrunkToThreeOperations) {
  const DeathCase& expected = GetParam();
  const ToyWithHead target(ToyHead{.death = expected.death, .spare = 0});
  if (kit::ReplayedInstead(target, FastOptions(expected.death).limits)) return;
  if (expected.death == ToyDeath::kAddress || expected.death == ToyDeath::kUndefined ||
      expected.death == ToyDeath::kLeak) {
    ASSERT_TRUE(kAddressSanitizer) << "sanitizer deaths need a sanitizer build";
  }
  const kit::PropertyResult result =
      kit::CheckProperty(target, FastOptions(expected.death), /*same_as_replay=*/false);
  ASSERT_FALSE(result.held);
  EXPECT_EQ(result.death.kind, expected.kind) << result.death.ToString();
  EXPECT_EQ(result.death.signature.rfind(expected.signature, 0), 0u) << result.death.signature;
  const std::string head =
      absl::StrCat("canary death=", kToyDeathNames[static_cast<size_t>(expected.death)]);
  EXPECT_EQ(target.Print(result.minimal),
            head + " spare=0\nopen size=1\nload box=@0 fill=0x0\nfire box=@0\n");
  EXPECT_NE(result.report.find(expected.report), std::string::npos) << result.report;
  EXPECT_NE(result.report.find("TUPLESTONE_REPLAY="), std::string::npos) << result.report;
  EXPECT_EQ(std::remove(result.saved.c_str()), 0);
}

INSTANTIATE_TEST_SUITE_P(
    Toy, EveryDeath,
    testing::Values(DeathCase{ToyDeath::kCheck, kit::DeathKind::kCheck, "X1 at ",
                              "a loaded box must not be fired"},
                    DeathCase{ToyDeath::kAbort, kit::DeathKind::kAbort, "abort", ">>>    3  fire"},
                    DeathCase{ToyDeath::kAddress, kit::DeathKind::kAddress, "heap-use-after-free",
                              "ReadAfterFree"},
                    DeathCase{ToyDeath::kUndefined, kit::DeathKind::kUndefined,
                              "signed-integer-overflow", "toy_suite.cc"},
                    DeathCase{ToyDeath::kLeak, kit::DeathKind::kLeak, "leak", "LoseMemory"},
                    DeathCase{ToyDeath::kHang, kit::DeathKind::kHang, "time", ">>>    3  fire"},
                    DeathCase{ToyDeath::kMemory, kit::DeathKind::kMemory, "resident memory",
                              ">>>    3  fire"}),
    [](const auto& info) { return kToyDeathNames[static_cast<size_t>(info.param.death)]; });

TEST(ToyProperty, HoldsWhereNothingIsBroken) {
  const ToyWithHead target(ToyHead{.death = ToyDeath::kNone, .spare = 0});
  if (kit::ReplayedInstead(target, FastOptions(ToyDeath::kNone).limits)) return;
  const kit::PropertyResult result = kit::CheckProperty(target, FastOptions(ToyDeath::kNone), true);
  EXPECT_TRUE(result.held) << result.report;
  EXPECT_EQ(result.programs, 300u);
}

// With spare=95 firing an empty box is another bug (X2): what was found first is what is told.
TEST(ToyProperty, ShrinkingStaysWithItsBug) {
  const ToyWithHead target(ToyHead{.death = ToyDeath::kCheck, .spare = 95});
  if (kit::ReplayedInstead(target, FastOptions(ToyDeath::kCheck).limits)) return;
  int loaded = 0;
  int empty = 0;
  for (uint64_t seed = 1; seed <= 60 && (loaded == 0 || empty == 0); ++seed) {
    kit::PropertyOptions options = FastOptions(ToyDeath::kCheck);
    options.seed = seed;
    const kit::PropertyResult result = kit::CheckProperty(target, options, false);
    ASSERT_FALSE(result.held);
    const bool is_loaded = result.death.signature.rfind("X1", 0) == 0;
    (is_loaded ? loaded : empty) += 1;
    EXPECT_EQ(target.Print(result.minimal),
              is_loaded ? "canary death=check spare=0\nopen size=1\nload box=@0 fill=0x0\n"
                          "fire box=@0\n"
                        : "canary death=check spare=90\nopen size=1\nfire box=@0\n")
        << result.death.ToString();
    EXPECT_EQ(std::remove(result.saved.c_str()), 0);
  }
  EXPECT_GT(loaded, 0);
  EXPECT_GT(empty, 0);
}

TEST(ToyProperty, AnExceptionIsADeathLikeAnyOther) {
  const ToyWithHead target(ToyHead{.death = ToyDeath::kNone, .spare = 0}, [](Bytes input) {
    const ToyProgram program = kit::Decode<ToyProgram>(input);
    kit::Run<ToySuite>(program, [](ToySuite& suite, uint32_t at) {
      if (at == kit::kAfterOperations && suite.box_count() >= 2)
        throw std::runtime_error("two boxes");
    });
  });
  if (kit::ReplayedInstead(target, FastOptions(ToyDeath::kNone).limits)) return;
  const kit::PropertyResult result =
      kit::CheckProperty(target, FastOptions(ToyDeath::kNone), false);
  ASSERT_FALSE(result.held);
  EXPECT_EQ(result.death.kind, kit::DeathKind::kAbort) << result.death.ToString();
  EXPECT_NE(result.death.signature.find("runtime_error"), std::string::npos);
  EXPECT_EQ(target.Print(result.minimal), "canary death=check spare=0\nopen size=1\nopen size=1\n");
  EXPECT_EQ(std::remove(result.saved.c_str()), 0);
}

// Something that outlives a program dies with the twentieth in its process; no single program does.
TEST(ToyProperty, WhatOnlySeveralProgramsDoIsSavedWhole) {
  const auto run = [](Bytes) {
    static int runs = 0;
    kit::BeginProgram(nullptr, nullptr);
    TUPLESTONE_CHECK(kX2, ++runs < 20);
  };
  const ToyWithHead target(ToyHead{.death = ToyDeath::kNone, .spare = 0}, run);
  kit::PropertyOptions options = FastOptions(ToyDeath::kNone);
  options.programs = 30;
  if (kit::ReplayedInstead(target, options.limits)) return;
  const kit::PropertyResult result = kit::CheckProperty(target, options, false);
  ASSERT_FALSE(result.held);
  EXPECT_EQ(result.death.signature.rfind("X2 at ", 0), 0u) << result.death.ToString();
  EXPECT_TRUE(result.minimal.empty());
  EXPECT_NE(result.report.find("the first 20 run in one process"), std::string::npos)
      << result.report;
  const auto files = kit::ListFiles(result.saved);
  ASSERT_TRUE(files.ok()) << files.status();
  ASSERT_EQ(files->size(), 20u);
  const auto replay = [&](size_t count) {
    return kit::IsolateEach(
        count, [&](size_t i) { target.Run(*kit::ReadFile((*files)[i])); }, options.limits);
  };
  EXPECT_EQ(replay(20).death, result.death);
  EXPECT_FALSE(replay(19).death.happened());
  std::filesystem::remove_all(result.saved);
}

// Prints what a child costs while nothing dies; asserts nothing of time.
TEST(ToyProperty, AChildRunsTheProgramsThatTheParentWouldRun) {
  const ToyWithHead target(ToyHead{.death = ToyDeath::kNone, .spare = 0});
  kit::PropertyOptions options = FastOptions(ToyDeath::kNone);
  options.programs = 15000;  // enough that the fork itself is small change
  options.limits.resident_bytes = size_t{2} << 30;
  if (kit::ReplayedInstead(target, options.limits)) return;
  using Clock = std::chrono::steady_clock;
  const auto hits = [] {
    for (const Probe* probe : AllProbes()) {
      if (std::string(probe->name()) == "toy.loaded") return probe->hits();
    }
    return uint64_t{0};
  };
  const auto start = Clock::now();
  const uint64_t hits_start = hits();
  const kit::PropertyResult result = kit::CheckProperty(target, options, false);
  ASSERT_TRUE(result.held) << result.report;
  const auto middle = Clock::now();
  const uint64_t hits_middle = hits();
  kit::CheckInThisProcess(target, options);
  const auto end = Clock::now();
  EXPECT_GT(hits_middle, hits_start);
  EXPECT_EQ(hits() - hits_middle, hits_middle - hits_start) << "the same programs";
  std::printf("%d programs: in a child %.2f times as long as in this process\n",
              static_cast<int>(options.programs),
              std::chrono::duration<double>(middle - start) / (end - middle));
}

}  // namespace
}  // namespace tuplestone::properties
