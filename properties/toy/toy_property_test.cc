// What a failing property does, seen through its result: every kind of death is found, told and
// shrunk to the three operations that it takes.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/poison.h"
#include "properties/kit/property.h"
#include "properties/toy/toy_suite.h"

namespace tuplestone::properties {
namespace {

using ToyTarget = kit::ProgramTarget<ToySuite>;

// Draws programs whose head is fixed, so that each kind of death can be looked at alone.
class ToyWithHead final : public kit::Target {
 public:
  explicit ToyWithHead(ToyDeath death) : death_(death) {}
  std::string name() const override { return toy_.name(); }
  bool is_program() const override { return true; }
  void Run(Bytes input) const override { toy_.Run(input); }
  std::string Print(Bytes input) const override { return toy_.Print(input); }
  absl::StatusOr<kit::Input> Parse(absl::string_view text) const override {
    return toy_.Parse(text);
  }
  kit::Input Normalize(Bytes input) const override { return toy_.Normalize(input); }
  std::string Trace(Bytes input, uint32_t operation) const override {
    return toy_.Trace(input, operation);
  }
  kit::Input Draw(kit::Random& random, size_t operations_max) const override {
    ToyProgram program = kit::Decode<ToyProgram>(toy_.Draw(random, operations_max));
    program.head = ToyHead{.death = death_, .spare = 0};
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
  ToyDeath death_;
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
  const ToyWithHead target(expected.death);
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
  const ToyWithHead target(ToyDeath::kNone);
  if (kit::ReplayedInstead(target, FastOptions(ToyDeath::kNone).limits)) return;
  const kit::PropertyResult result = kit::CheckProperty(target, FastOptions(ToyDeath::kNone), true);
  EXPECT_TRUE(result.held) << result.report;
}

}  // namespace
}  // namespace tuplestone::properties
