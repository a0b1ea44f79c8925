// The `tuplestone` command as a person meets it: words, files, statuses. How each death is told and
// shrunk is the matter of deaths_test.cc.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "fuzz/cli/run_command.h"
#include "properties/kit/rerun.h"

namespace tuplestone::cli {
namespace {

constexpr const char* kHolds = "canary death=none\nopen\nload\nfire\n";
constexpr const char* kDies = "canary\nwait\nopen size=9\nload\nfire\nwait\n";
constexpr const char* kMinimal =
    "canary death=check spare=0\nopen size=1\nload box=@0 fill=0x0\nfire box=@0\n";

class Command : public testing::Test {
 protected:
  Command() : scratch(testing::TempDir()) {}

  Finished Run(const std::string& words) const {
    return RunShell(absl::StrCat(kit::ShellQuoted(ProgramOf("TUPLESTONE_COMMAND")), " ", words));
  }

  // The exit status is `status` and the output has `text`.
  void Expect(const std::string& words, int status, const std::string& text) const {
    const Finished finished = Run(words);
    EXPECT_EQ(finished.status, status) << words << "\n" << finished.output;
    EXPECT_TRUE(absl::StrContains(finished.output, text)) << words << "\n" << finished.output;
  }

  ScratchFolder scratch;
};

TEST_F(Command, WrongWordsAreStatusTwo) {
  Expect("", 2, "usage: tuplestone COMMAND");
  Expect("frobnicate", 2, "unknown command: frobnicate");
  Expect("replay", 2, "tuplestone replay: is missing FILE|FOLDER...");
  Expect("replay --frob x", 2, "unknown option: --frob");
  Expect("replay --seconds", 2, "--seconds needs N");
  Expect("replay --seconds soon x", 2, "--seconds: 'soon' is no number from");
  Expect("replay --seconds nan x", 2, "--seconds: 'nan' is no number from");
  Expect("replay --probes=1 x", 2, "--probes takes no value");
  Expect("replay --target a --target b x", 2, "--target is given twice");
  Expect("replay --here --together x", 2, "exclude each other");
  Expect("shrink a b", 2, "does not know what to do with 'b'");
  Expect("convert --to xml x", 2, "--to: 'xml' is neither text nor binary");
  Expect("targets extra", 2, "does not know what to do with 'extra'");
}

TEST_F(Command, HelpHasExamplesAndStatuses) {
  Expect("--help", 0, "usage: tuplestone COMMAND");
  Expect("help", 0, "replay");
  for (const char* command :
       {"replay", "shrink", "keep", "convert", "lab", "page", "targets", "languages"}) {
    const Finished help = Run(absl::StrCat(command, " --help"));
    EXPECT_EQ(help.status, 0);
    EXPECT_TRUE(absl::StartsWith(help.output, absl::StrCat("usage: tuplestone ", command)));
    EXPECT_TRUE(absl::StrContains(help.output, "xit status: 0")) << help.output;
    EXPECT_TRUE(absl::StrContains(help.output, absl::StrCat("  tuplestone ", command)));
    EXPECT_TRUE(absl::StrContains(Run("help").output, absl::StrCat("  ", command)));
  }
}

TEST_F(Command, ListsTargetsAndLanguages) {
  const Finished targets = Run("targets");
  EXPECT_EQ(targets.status, 0);
  EXPECT_TRUE(absl::StartsWith(targets.output, "canary  program\n")) << targets.output;
  EXPECT_TRUE(absl::StrContains(targets.output, "\nops_text  bytes\n")) << targets.output;
  const Finished languages = Run("languages");
  EXPECT_EQ(languages.status, 0);
  EXPECT_TRUE(absl::StartsWith(languages.output, "canary head_bytes=8 record_bytes=8\n"));
  EXPECT_TRUE(absl::StrContains(languages.output, "canary tag 1 open, size: size 1..1000\n"));
}

// Every command that takes an input says in a line what is wrong with it, and changes nothing.
class BadFile : public Command, public testing::WithParamInterface<const char*> {
 protected:
  void ExpectBad(const std::string& file, const std::string& fault,
                 const std::string& options = "") const {
    const std::string words =
        absl::StrCat(GetParam(), " ", options, " ", kit::ShellQuoted(file),
                     absl::StartsWith(GetParam(), "keep") ? " --why x --corpus " : "",
                     absl::StartsWith(GetParam(), "keep") ? scratch.Path("corpus") : "");
    Expect(words, 2, absl::StrCat(file, ": ", fault));
    EXPECT_FALSE(std::filesystem::exists(scratch.Path("corpus")));
  }
};

TEST_P(BadFile, IsNamedWithItsFault) {
  ExpectBad(scratch.Path("none.ops"), "no such file");
  if (std::string(GetParam()) != "replay") ExpectBad(scratch.Path(""), "is a folder, not a file");
  ExpectBad(scratch.Write("empty", ""),
            "nothing says whose input this is; give --target, one of: "
            "canary");
  ExpectBad(scratch.Write("empty.ops", ""), "nothing says whose input this is");
  ExpectBad(scratch.Write("garbage", std::string("\0\1\2\xff", 4)), "nothing says");
  ExpectBad(scratch.Write("foreign.ops", "# x\nfrob a=1\n"), "'frob' is no target; give --target");
  ExpectBad(scratch.Write("foreign.ops", "#!/bin/sh\necho\n"), "'echo' is no target");
  ExpectBad(scratch.Write("bad.ops", "canary\nopen size=0\n"),
            "line 2, column 6: 'size=0' 0 is not from 1 to 1000");
  ExpectBad(scratch.Write("zero.ops", std::string("canary\n\0", 8)),
            "nothing says whose input this is");
  ExpectBad(scratch.Path("zero.ops"), "line 2, column 1: a zero byte", "--target canary");
  ExpectBad(scratch.Write("empty.ops", ""), "line 1, column 1: no head", "--target canary");
  ExpectBad(scratch.Write("garbage.ops", "\xff\xfe"),
            "line 1, column 1: '\\xff\\xfe' a program "
            "starts with 'canary'",
            "--target canary");
  ExpectBad(scratch.Write("bad.hex", "bytes ops_text\n000000: 4\n"),
            "line 2, column 9: '4' is no byte");
  ExpectBad(scratch.Write("other.hex", "bytes frob\n"), "'frob' is no target");
  ASSERT_EQ(mkfifo(scratch.Path("pipe").c_str(), 0600), 0);
  ExpectBad(scratch.Path("pipe"), "is no regular file", "--target canary");
  ExpectBad(scratch.Write("a b'c.ops", "canary x\n"), "line 1, column 8");
}

TEST_P(BadFile, AWrongTargetNamesTheRightOnes) {
  const std::string file = scratch.Write("x.ops", kHolds);
  Expect(absl::StrCat(GetParam(), " --target frob ", file, " --why x"), 2, "");
  const std::string words = absl::StrCat(GetParam(), " --target frob ", file);
  if (!absl::StartsWith(GetParam(), "keep")) {
    Expect(words, 2, "--target: 'frob' is no target; there are: canary");
  }
}

INSTANTIATE_TEST_SUITE_P(Commands, BadFile, testing::Values("replay", "shrink", "keep", "convert"),
                         [](const auto& test) { return std::string(test.param); });

TEST_F(Command, ReplayTellsWhatHeldAndWhatDied) {
  scratch.Write("in/a.ops", kHolds);
  Expect("replay " + scratch.Path("in"), 0, "1 held, 0 died\n");
  scratch.Write("in/b.ops", kDies);
  const Finished died = Run("replay " + scratch.Path("in"));
  EXPECT_EQ(died.status, 1);
  for (const char* part :
       {"X1 broken: a loaded box must not be fired", ">>>    4  fire box=@0",
        "in/b.ops: broken check: X1 at ", "tuplestone shrink ", "1 held, 1 died\n"}) {
    EXPECT_TRUE(absl::StrContains(died.output, part)) << part << "\n" << died.output;
  }
  scratch.Write("in/c.ops", "canary x\n");
  Expect("replay " + scratch.Path("in"), 2, "1 held, 1 died, 1 could not be read\n");
  Expect("replay " + scratch.Path("nothing"), 2, "nothing: no such file or folder");
  std::filesystem::create_directories(scratch.Path("hollow"));
  Expect("replay " + scratch.Path("hollow"), 2, "hollow: holds no input");
}

TEST_F(Command, ReplayFindsTheTargetOfAFile) {
  Expect("replay " + scratch.Write("canary/seed/crash-1", "\7\7\7\7\7\7\7\7\1"), 0, "1 held");
  Expect("replay " + scratch.Write("text-of-canary", kDies), 1, "0 held, 1 died");
  // A text that lies among the texts is a text, whatever it says.
  Expect("replay " + scratch.Write("ops_text/seed/x.txt", kDies), 0, "1 held");
  Expect("replay " + scratch.Write("ops_text/seed/x.ops", kDies), 1, "1 died");
  Expect("replay --target ops_text " + scratch.Path("ops_text/seed/x.ops"), 0, "1 held");
  Expect("replay " + scratch.Write("x.hex", "# why\nbytes ops_text\n000000: 41\n"), 0, "1 held");
  Expect("replay -- " + scratch.Path("ops_text/seed/x.txt"), 0, "1 held");
}

TEST_F(Command, ReplayCountsProbes) {
  const std::string file = scratch.Write("a.ops", kHolds);
  Expect("replay --probes " + file, 0, "probe toy.loaded 1\n");
  Expect("replay --require-probes toy. " + file, 0, "1 held, 0 died\n");
  const std::string other = scratch.Write("b.ops", "canary death=none\n");
  Expect("replay --require-probes toy. " + other, 1, "never reached: toy.loaded\n");
  Expect("replay --probes " + other, 0, "probe toy.loaded 0\n");
}

TEST_F(Command, ReplayTogetherAndHere) {
  scratch.Write("in/0.ops", kHolds);
  scratch.Write("in/1.ops", kDies);
  scratch.Write("in/2.ops", kHolds);
  Expect("replay --together " + scratch.Path("in"), 1, "1.ops: broken check: X1 at ");
  Expect("replay --together " + scratch.Path("in"), 1, "after 1 others in its process");
  Expect("replay --here " + scratch.Path("in/0.ops"), 0, "1 held, 0 died");
  const Finished here = Run("replay --here " + scratch.Path("in"));
  EXPECT_NE(here.status, 0);
  EXPECT_TRUE(absl::StrContains(here.output, ">>>    4  fire box=@0")) << here.output;
  EXPECT_FALSE(absl::StrContains(here.output, "held")) << here.output;
}

TEST_F(Command, ShrinkWritesBesideTheInputAndNeverToIt) {
  const std::string file = scratch.Write("big.ops", kDies);
  const Finished shrunk = Run("shrink " + file);
  EXPECT_EQ(shrunk.status, 0) << shrunk.output;
  EXPECT_EQ(scratch.Read("big.min.ops"), kMinimal);
  EXPECT_EQ(scratch.Read("big.ops"), kDies);
  for (const char* part : {"3 operations, from 5 operations; nothing simpler dies so",
                           " candidates/s", "tuplestone keep ", " --why "}) {
    EXPECT_TRUE(absl::StrContains(shrunk.output, part)) << part << "\n" << shrunk.output;
  }
  Expect("shrink --out " + file + " " + file, 2, "is the input, which is never changed");
  std::filesystem::create_symlink(file, scratch.Path("link.ops"));
  Expect("shrink --out " + scratch.Path("link.ops") + " " + file, 2, "is the input");
  EXPECT_EQ(scratch.Read("big.ops"), kDies);
  Expect("shrink " + scratch.Write("holds.ops", kHolds), 1, "held, so there is nothing to shrink");
  EXPECT_FALSE(std::filesystem::exists(scratch.Path("holds.min.ops")));
  Expect("shrink --out " + scratch.Path("big.ops/below") + " " + file, 2, "cannot be written");
  Expect("shrink --seconds 0 " + file, 2, "--seconds: '0' is no number");
}

TEST_F(Command, ShrinkKeepsTheBestSoFarWhenInterrupted) {
  std::string text = "canary death=hang\n";  // each that dies so takes a quarter of a second
  for (int i = 0; i < 20; ++i) text += "open size=999\nload box=@9 fill=0xff\n";
  const std::string file = scratch.Write("long.ops", text + "fire\n");
  const std::string command = kit::ShellQuoted(ProgramOf("TUPLESTONE_COMMAND"));
  // The 16th figure is the processor time of its children: the first took 30 hundredths.
  const Finished stopped = RunShell(
      absl::StrCat(command, " shrink --hang 0.3 ", file,
                   " & until [ \"$(cut -d' ' -f16 /proc/$!/stat)\" -gt 40 ]; do sleep 0.05; done; "
                   "kill -INT $!; wait $!"));
  EXPECT_EQ(stopped.status, 0) << stopped.output;
  EXPECT_TRUE(absl::StrContains(stopped.output, "stopped early")) << stopped.output;
  EXPECT_TRUE(absl::StartsWith(scratch.Read("long.min.ops"), "canary death=hang"));
  EXPECT_EQ(scratch.Read("long.ops"), text + "fire\n");
}

TEST_F(Command, KeepWritesCommentedTextAndOverwritesNothing) {
  const std::string corpus = " --corpus " + scratch.Path("corpus");
  const std::string file = scratch.Write("crash-1.ops", kDies);
  Expect("keep " + file + corpus, 2, "--why is missing");
  Expect("keep --why ' ' " + file + corpus, 2, "--why is missing");
  Expect("keep --why x --name ../up " + file + corpus, 2, "'../up' is no name");
  Expect("keep --why 'It fired.\nTwice.' --name fired " + file + corpus, 0, "fired.ops: kept\n");
  const std::string kept = scratch.Read("corpus/canary/regress/fired.ops");
  EXPECT_TRUE(absl::StartsWith(kept,
                               "# It fired.\n# Twice.\n# Origin: crash-1.ops\n"
                               "# When it was kept: broken check: X1 at "))
      << kept;
  EXPECT_TRUE(absl::EndsWith(kept, "fire box=@0\nwait\n")) << kept;
  Expect("replay " + scratch.Path("corpus"), 1, "0 held, 1 died");
  Expect("keep --why again --name fired " + file + corpus, 0, "is kept already");
  const std::string other = scratch.Write("crash-2.ops", kHolds);
  Expect("keep --why other --name fired " + other + corpus, 1, "is there already");
  EXPECT_EQ(scratch.Read("corpus/canary/regress/fired.ops"), kept);
  EXPECT_EQ(scratch.Read("crash-1.ops"), kDies);
  const Finished named = Run("keep --why other " + other + corpus);
  EXPECT_EQ(named.status, 0) << named.output;
  Expect("keep --why 'once more' " + other + corpus, 0, "is kept already");
}

TEST_F(Command, KeepKeepsBytesAsTheyAre) {
  const std::string corpus = " --corpus " + scratch.Path("corpus");
  const std::string bytes("canary\0\n\xff", 9);
  const std::string file = scratch.Write("crash-3", bytes);
  Expect("keep --target ops_text --name odd --why 'odd bytes' " + file + corpus, 0, "kept");
  EXPECT_EQ(scratch.Read("corpus/ops_text/regress/odd.bin"), bytes);
  EXPECT_EQ(scratch.Read("corpus/ops_text/regress/odd.why"),
            "odd bytes\nOrigin: crash-3\nWhen it was kept: held\n");
  Expect("replay " + scratch.Path("corpus"), 0, "1 held, 0 died");
  scratch.Write("corpus/ops_text/regress/taken.why", "mine\n");
  Expect("keep --target ops_text --name taken --why x " + file + corpus, 1, "is there already");
  EXPECT_FALSE(std::filesystem::exists(scratch.Path("corpus/ops_text/regress/taken.bin")));
}

TEST_F(Command, ConvertGoesBothWays) {
  const std::string file = scratch.Write("a.ops", std::string("# why\n") + kDies);
  Expect("convert --to binary " + file + " " + scratch.Path("a.bin"), 0, "");
  EXPECT_EQ(scratch.Read("a.bin").size(), 8u + 5 * 8);
  Expect("convert --target canary " + scratch.Path("a.bin"), 0,
         "canary death=check spare=0\nwait\nopen size=9\nload box=@0 fill=0x0\nfire box=@0\n"
         "wait\n");
  Expect("convert --target ops_text " + scratch.Write("b", "A\n"), 0,
         "bytes ops_text\n000000: 41 0a\n");
  Expect("convert --to binary " + scratch.Write("b.hex", "bytes ops_text\n000000: 41 0a\n"), 0,
         "A\n");
  Expect("convert " + file + " " + file, 2, "is the input, which is never changed");
  Expect("convert " + file + " " + scratch.Path("a.ops/x"), 2, "cannot be written");
  EXPECT_EQ(scratch.Read("a.ops"), std::string("# why\n") + kDies);
  Expect("convert " + file + " > /dev/full", 2, "standard output cannot be written");
}

}  // namespace
}  // namespace tuplestone::cli
