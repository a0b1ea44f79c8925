// Each kind of death in a libFuzzer binary: the exit status that services know, the input saved,
// and the trace in words wherever the process itself can print one.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "fuzz/cli/run_command.h"
#include "properties/kit/rerun.h"

namespace tuplestone::cli {
namespace {

struct FuzzerDeath {
  const char* name;
  int status;
  const char* artifact;  // how the saved file's name begins
  bool trace;            // printed by the process itself; the others are told by `replay`
  const char* options;
};

class Canary : public testing::TestWithParam<FuzzerDeath> {
 protected:
  Canary() : scratch(testing::TempDir()) {
    std::filesystem::create_directories(scratch.Path("out"));
    std::filesystem::create_directories(scratch.Path("in"));
  }
  Finished Fuzz(const std::string& options) const {
    return RunShell(absl::StrCat(kit::ShellQuoted(ProgramOf("TUPLESTONE_CANARY")),
                                 " -artifact_prefix=", scratch.Path("out/"), " ", options));
  }
  // The one file that the fuzzer saved, or a word that there is not one.
  std::string Saved() const {
    const auto files = kit::ListFiles(scratch.Path("out"));
    return files.ok() && files->size() == 1 ? files->front() : "not one file";
  }
  ScratchFolder scratch;
};

TEST_P(Canary, DiesSavesAndTells) {
  const FuzzerDeath& expected = GetParam();
  const std::string program =
      absl::StrCat("canary death=", expected.name, "\nwait\nopen\nload\nfire\nwait\n");
  scratch.Write("in/program.ops", program);
  const Finished fuzzed = Fuzz(absl::StrCat("-runs=1 ", expected.options, " ", scratch.Path("in")));
  EXPECT_EQ(fuzzed.status, expected.status) << fuzzed.output;
  const std::string saved = Saved();
  EXPECT_TRUE(absl::StrContains(saved, absl::StrCat("out/", expected.artifact))) << saved;
  EXPECT_EQ(scratch.Read(saved.substr(scratch.Path("").size())), program);
  EXPECT_EQ(absl::StrContains(fuzzed.output, ">>>    4  fire box=@0"), expected.trace)
      << fuzzed.output;
}

INSTANTIATE_TEST_SUITE_P(
    Fuzzer, Canary,
    testing::Values(FuzzerDeath{"check", 77, "crash-", true, ""},
                    FuzzerDeath{"abort", 77, "crash-", false, ""},
                    FuzzerDeath{"address", 1, "crash-", true, ""},
                    FuzzerDeath{"undefined", 1, "crash-", true, ""},
                    FuzzerDeath{"leak", 77, "leak-", false, ""},
                    FuzzerDeath{"hang", 70, "timeout-", false, "-timeout=1"},
                    FuzzerDeath{"memory", 71, "oom-", false,
                                "-timeout=60 -rss_limit_mb=200 -malloc_limit_mb=2000"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST_F(Canary, IsFoundByFuzzingAndReplayed) {
  const Finished fuzzed = Fuzz("-seed=1 -runs=1000000 -timeout=10 -max_total_time=60");
  EXPECT_NE(fuzzed.status, 0) << "a million runs without a death";
  const Finished replayed = RunShell(absl::StrCat(kit::ShellQuoted(ProgramOf("TUPLESTONE_COMMAND")),
                                                  " replay --target canary --seconds 1 ", Saved()));
  EXPECT_EQ(replayed.status, 1) << replayed.output;
  EXPECT_TRUE(absl::StrContains(replayed.output, "  >>> ")) << replayed.output;
}

}  // namespace
}  // namespace tuplestone::cli
