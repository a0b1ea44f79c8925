// The crash desk: what `tuplestone` says of inputs that die, and of folders full of them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "fuzz/cli/run_command.h"
#include "properties/kit/rerun.h"

namespace tuplestone::cli {
namespace {

constexpr const char* kHolds = "canary death=none\nopen\nload\nfire\n";
constexpr const char* kDies = "canary\nopen size=9\nload\nopen\nfire box=@0\nwait\n";

class Desk : public testing::Test {
 protected:
  Desk() : scratch(testing::TempDir()) {}

  Finished Run(const std::string& words) const {
    return RunShell(absl::StrCat(kit::ShellQuoted(ProgramOf("TUPLESTONE_COMMAND")), " ", words));
  }
  void Expect(const std::string& words, int status, const std::vector<std::string>& texts) const {
    const Finished finished = Run(words);
    EXPECT_EQ(finished.status, status) << words << "\n" << finished.output;
    for (const std::string& text : texts) {
      EXPECT_TRUE(absl::StrContains(finished.output, text)) << text << "\n" << finished.output;
    }
  }

  ScratchFolder scratch;
};

TEST_F(Desk, ExplainsWhichOperationBrokeWhatAndTheStatesThere) {
  const std::string file = scratch.Write("dies.ops", kDies);
  Expect("explain " + file, 0,
         {"X1 broken: a loaded box must not be fired", "  >>>    4  fire box=@0",
          "It died in operation 4.", "just before\n  model and subject\n    box @0 loaded\n",
          "when it died\n", absl::StrCat("tuplestone emit-test ", file)});
  Expect("explain " + scratch.Write("holds.ops", kHolds), 1,
         {"at its end\n", "box @0 loaded", "holds.ops: held"});
}

TEST_F(Desk, ExplainsAReportThatNoCheckMade) {
  Expect("explain " + scratch.Write("hang.ops", "canary death=hang\nopen\nload\nfire\n") +
             " --seconds 0.2",
         0, {"hang: time", "It died in operation 3.", "just before\n"});
}

TEST_F(Desk, DrawsPages) {
  const std::string file = scratch.Write("page.ops", "page_program\nadd bytes=100\n");
  Expect("explain " + file, 1, {"model: what should be", "subject: what is", "|*..", "aa|\n"});
}

TEST_F(Desk, EmitsATest) {
  const std::string file = scratch.Write("dies.ops", kDies);
  Expect(
      "emit-test --name Fires " + file, 0,
      {"#include \"properties/toy/toy_suite.h\"", "TEST(Canary, Fires) {", "  // fire box=@0\n"});
  Expect("emit-test --name 'no name' " + file, 2, {"--name: a test's name is letters and digits"});
  const std::string out = scratch.Path("case_test.cc");
  Expect(absl::StrCat("emit-test --out ", out, " ", file), 0, {"case_test.cc: written"});
  EXPECT_TRUE(absl::StrContains(scratch.Read("case_test.cc"), "TEST(Canary, Case"));
  Expect(absl::StrCat("emit-test --out ", file, " ", file), 2, {"is the input"});
  Expect("emit-test --target page_image " + scratch.Write("image", "xyz"), 0,
         {"0x78, 0x79, 0x7a,", "PageImageSuite::Run("});
}

TEST_F(Desk, AnEmittedTestCompilesAndDiesAsItsInputDoes) {
  const std::string emitted = kit::ShellQuoted(ProgramOf("TUPLESTONE_EMITTED"));
  const Finished image = RunShell(emitted + " --gtest_filter=PageImageSuite.Emitted");
  EXPECT_EQ(image.status, 0) << image.output;
  EXPECT_TRUE(absl::StrContains(image.output, "[  PASSED  ] 1 test.")) << image.output;
  const Finished program = RunShell(emitted + " --gtest_filter=Canary.Emitted");
  EXPECT_NE(program.status, 0);
  for (const char* text : {"X1 broken: a loaded box must not be fired",
                           "head  canary death=check spare=0", "  >>>    3  fire box=@0"}) {
    EXPECT_TRUE(absl::StrContains(program.output, text)) << program.output;
  }
}

TEST_F(Desk, ReplaysSideBySideAsOneAfterTheOther) {
  for (int i = 0; i < 12; ++i) {
    const bool dies = i % 5 == 3;
    scratch.Write(absl::StrCat("in/", i / 10, i % 10, ".ops"), dies ? kDies : kHolds);
  }
  const std::string in = scratch.Path("in");
  scratch.Write("in/bad.ops", "canary\nfrob\n");
  const auto lines_that_say = [](const std::string& text, const std::string& what) {
    std::string lines;
    for (absl::string_view line : absl::StrSplit(text, '\n')) {
      if (absl::StrContains(line, what)) absl::StrAppend(&lines, line, "\n");
    }
    return lines;
  };
  const Finished one = Run("replay --traces --jobs 1 --probes " + in);
  const Finished three = Run("replay --traces --jobs 3 --probes " + in);
  EXPECT_EQ(one.status, 2);
  EXPECT_EQ(three.status, 2);
  for (const char* what : {"trace ", "probe toy", "held,", "broken check"}) {
    EXPECT_EQ(lines_that_say(one.output, what), lines_that_say(three.output, what));
    EXPECT_NE(lines_that_say(one.output, what), "") << what;
  }
  EXPECT_TRUE(absl::StrContains(three.output, "10 held, 2 died, 1 could not be read"))
      << three.output;
  EXPECT_TRUE(absl::StrContains(three.output, "canary                         10        2"))
      << three.output;
}

TEST_F(Desk, TracesTellProgramsApart) {
  const std::string a = scratch.Write("a.ops", "page_program\nadd bytes=8\n");
  const std::string b = scratch.Write("b.ops", "page_program\nadd bytes=9\n");
  const auto trace = [&](const std::string& file) {
    return Run("replay --traces " + file).output.substr(0, 22);
  };
  EXPECT_TRUE(absl::StartsWith(trace(a), "trace ")) << trace(a);
  EXPECT_EQ(trace(a), trace(a));
  EXPECT_NE(trace(a), trace(b));
}

TEST_F(Desk, CountsWhatACorpusHolds) {
  scratch.Write("in/a.ops", "canary\nopen\nload\n");
  scratch.Write("in/b.ops", "canary\nopen\nload\nopen\nopen\n");
  Expect("corpus stats " + scratch.Path("in"), 0,
         {"operations", "canary                     2       2", "         3.0      4\n"});
  Expect("corpus stats " + scratch.Path("none"), 2, {"none: no such file"});
  Expect("corpus weigh " + scratch.Path("in"), 2, {"'weigh' is not stats, doctor or prune"});
}

TEST_F(Desk, TheDoctorNamesWhatIsWrong) {
  scratch.Write("in/a.ops", "canary\nopen\nload\n");
  Expect("corpus doctor " + scratch.Path("in"), 0, {"1 inputs, 0 complaints"});
  scratch.Write("in/b.ops", "# the same\ncanary\nopen size=1\nload box=@0\n");
  scratch.Write("in/bad.ops", "canary\nfrob\n");
  scratch.Write("in/dies.ops", kDies);
  scratch.Write("in/canary/stale", std::string("\7\0\0\0\0\0\0\7", 8));
  scratch.Write("in/slow.ops", "canary death=hang\nopen\nload\nfire\n");
  Expect("corpus doctor --hang 0.3 " + scratch.Path("in"), 1,
         {absl::StrCat("duplicate   ", scratch.Path("in/b.ops"), ": as ", scratch.Path("in/a.ops")),
          absl::StrCat("unreadable  ", scratch.Path("in/bad.ops")),
          absl::StrCat("dies        ", scratch.Path("in/dies.ops")),
          absl::StrCat("stale       ", scratch.Path("in/canary/stale")),
          absl::StrCat("dies        ", scratch.Path("in/slow.ops"), ": hang"),
          "6 inputs, 5 complaints"});
  Expect("corpus doctor --slow 0.00001 " + scratch.Path("in/a.ops"), 1, {"slow        "});
}

TEST_F(Desk, PrunesWhatAddsNoCoverage) {
  const std::string words = "page_program\nadd bytes=8\nadd bytes=16\nrepair\n";
  scratch.Write("in/a.ops", words);
  scratch.Write("in/b.ops", words);
  scratch.Write("in/regress/c.ops", words);
  scratch.Write("in/d.ops", "page_program start=index\nadd bytes=8\ndelete\n");
  const Finished named = Run("corpus prune " + scratch.Path("in"));
  if (std::getenv("TUPLESTONE_CANARY") == nullptr) {  // a build without fuzzers
    EXPECT_EQ(named.status, 2) << named.output;
    EXPECT_TRUE(absl::StrContains(named.output, "is not there; the fuzz preset builds it"));
    return;
  }
  EXPECT_EQ(named.status, 1) << named.output;
  EXPECT_TRUE(absl::StrContains(named.output, "adds nothing " + scratch.Path("in/b.ops")))
      << named.output;
  EXPECT_TRUE(absl::StrContains(named.output, "page_program: 2 of 3 inputs")) << named.output;
  EXPECT_TRUE(std::filesystem::exists(scratch.Path("in/b.ops")));
  Expect("corpus prune --delete " + scratch.Path("in"), 1, {"removed "});
  EXPECT_FALSE(std::filesystem::exists(scratch.Path("in/b.ops")));
  EXPECT_TRUE(std::filesystem::exists(scratch.Path("in/a.ops")));
  EXPECT_TRUE(std::filesystem::exists(scratch.Path("in/regress/c.ops")));
  Expect("corpus prune --seconds 1 " + scratch.Path("in"), 0, {"2 of 2 inputs"});
}

}  // namespace
}  // namespace tuplestone::cli
