// Each kind of death through the command line: `replay` gives input and trace in words, `shrink`
// the three operations that it takes, and never another death. The fuzz binary and properties have
// the like (canary_test.cc, toy_property_test.cc).
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "engine/base/poison.h"
#include "fuzz/cli/run_command.h"
#include "properties/kit/rerun.h"

namespace tuplestone::cli {
namespace {

struct DeathCase {
  const char* name;      // in the head of a toy program
  const char* death;     // how the command calls it
  const char* report;    // what else it says
  bool needs_sanitizer;  // without one it is no death
};

class EveryDeath : public testing::TestWithParam<DeathCase> {
 protected:
  EveryDeath() : scratch(testing::TempDir()) {}
  Finished Run(const std::string& words) const {
    return RunShell(absl::StrCat(kit::ShellQuoted(ProgramOf("TUPLESTONE_COMMAND")), " ", words));
  }
  ScratchFolder scratch;
};

std::string Program(const std::string& death) {
  std::string text = absl::StrCat("canary death=", death, " spare=95\n");
  for (int i = 0; i < 12; ++i) text += "open size=77\nwait\nload box=@7 fill=0x7\n";
  return text + "close box=@0\nfire box=@7\nwait\nwait\n";
}

TEST_P(EveryDeath, IsReplayedInWordsAndShrunkToThreeOperations) {
  const DeathCase& expected = GetParam();
  const std::string file = scratch.Write("in.ops", Program(expected.name));
  const char* seconds = std::string(expected.name) == "hang" ? "0.5" : "10";
  const Finished replayed =
      Run(absl::StrCat("replay --seconds ", seconds, " --megabytes 96 ", file));
  ASSERT_EQ(replayed.status, 1) << replayed.output;
  for (const std::string& part :
       {absl::StrCat("in.ops: ", expected.death), std::string(expected.report),
        std::string("  >>> "), std::string("0 held, 1 died")}) {
    EXPECT_TRUE(absl::StrContains(replayed.output, part)) << part << "\n" << replayed.output;
  }
  const Finished shrunk = Run(absl::StrCat("shrink --hang ", seconds, " --megabytes 96 ", file));
  ASSERT_EQ(shrunk.status, 0) << shrunk.output;
  EXPECT_TRUE(absl::StrContains(shrunk.output, absl::StrCat("in.min.ops: ", expected.death)));
  EXPECT_TRUE(absl::StrContains(shrunk.output, expected.report)) << shrunk.output;
  EXPECT_EQ(scratch.Read("in.min.ops"),
            absl::StrCat("canary death=", expected.name,
                         " spare=0\nopen size=1\nload box=@0 fill=0x0\nfire box=@0\n"));
  const size_t at = shrunk.output.find(" candidates in ");
  ASSERT_NE(at, std::string::npos) << shrunk.output;
  const size_t start = shrunk.output.rfind('\n', at) + 1;
  std::printf("%s: %s\n", expected.name,
              shrunk.output.substr(start, shrunk.output.find('\n', at) - start).c_str());
}

// A build without sanitizers has fewer deaths.
std::vector<DeathCase> Deaths() {
  const std::vector<DeathCase> all = {
      {"check", "broken check: X1 at ", "X1 broken: a loaded box must not be fired", false},
      {"abort", "abort: abort", "fire box=@", false},
      {"address", "AddressSanitizer: heap-use-after-free", "ReadAfterFree", true},
      {"undefined", "UndefinedBehaviorSanitizer: signed-integer-overflow", "toy_suite.cc:", true},
      {"leak", "leak: leak at +0x", "LoseMemory", true},
      {"hang", "hang: time", "fire box=@", false},
      {"memory", "memory: resident memory", "fire box=@", false}};
  std::vector<DeathCase> here;
  for (const DeathCase& death : all) {
    if (kAddressSanitizer || !death.needs_sanitizer) here.push_back(death);
  }
  return here;
}

INSTANTIATE_TEST_SUITE_P(Command, EveryDeath, testing::ValuesIn(Deaths()),
                         [](const auto& test) { return std::string(test.param.name); });

// With spare=95 firing an empty box is another bug (X2): neither shrinks into the other.
class Drift : public EveryDeath {};

TEST_P(Drift, ShrinkingStaysWithItsBug) {
  const bool loaded = std::string(GetParam().name) == "X1";
  const std::string file = scratch.Write(
      "in.ops", absl::StrCat("canary death=check spare=95\nopen\nopen\nwait\nload box=@",
                             loaded ? 1 : 0, "\nwait\nfire box=@1\nfire box=@0\n"));
  const Finished shrunk = Run("shrink " + file);
  ASSERT_EQ(shrunk.status, 0) << shrunk.output;
  EXPECT_TRUE(absl::StrContains(shrunk.output, absl::StrCat("in.min.ops: ", GetParam().death)))
      << shrunk.output;
  EXPECT_EQ(scratch.Read("in.min.ops"),
            loaded ? "canary death=check spare=0\nopen size=1\nload box=@0 fill=0x0\nfire box=@0\n"
                   : "canary death=check spare=90\nopen size=1\nfire box=@0\n");
}

INSTANTIATE_TEST_SUITE_P(Command, Drift,
                         testing::Values(DeathCase{"X1", "broken check: X1 at ", "", false},
                                         DeathCase{"X2", "broken check: X2 at ", "", false}),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace tuplestone::cli
