// `tuplestone lab`: which words it takes, and that each experiment prints its table. What the times
// are is no matter of a test.
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "fuzz/cli/run_command.h"
#include "properties/kit/rerun.h"

namespace tuplestone::cli {
namespace {

Finished RunLab(const std::string& words) {
  return RunShell(absl::StrCat(kit::ShellQuoted(ProgramOf("TUPLESTONE_COMMAND")), " lab ", words));
}

TEST(Lab, WrongWordsAreStatusTwo) {
  for (const auto& [words, why] :
       {std::pair("", "is missing EXPERIMENT"),
        std::pair("frob", "'frob' is no experiment; there are: "),
        std::pair("compact extra", "does not know what to do with 'extra'"),
        std::pair("compact --frob", "unknown option: --frob")}) {
    const Finished finished = RunLab(words);
    EXPECT_EQ(finished.status, 2) << words;
    EXPECT_TRUE(absl::StrContains(finished.output, why)) << finished.output;
  }
}

TEST(Lab, CompactTimesEachSubjectOnNarrowAndWidePagesInOrderAndNot) {
  const Finished finished = RunLab("compact --small");
  EXPECT_EQ(finished.status, 0) << finished.output;
  for (const char* text :
       {"engine", "sort and move", "order-aware", "memcpy", "narrow  ordered", "narrow  shuffled",
        "wide    ordered", "wide    shuffled", "processor: "}) {
    EXPECT_TRUE(absl::StrContains(finished.output, text)) << text << "\n" << finished.output;
  }
}

TEST(Lab, RunsMarksWhereRunsPassTheMergeOrder) {
  const Finished finished = RunLab("runs --work-mem 64MB --widths 64-72");
  EXPECT_EQ(finished.status, 0) << finished.output;
  for (const char* text : {"620702      226    240        0", "576845      244    240*       1",
                           "385805      364    240*       1", "538761      261    240*       1",
                           "808142      174    240        0"}) {
    EXPECT_TRUE(absl::StrContains(finished.output, text)) << text << "\n" << finished.output;
  }
}

TEST(Lab, SortSortsInEachLayout) {
  const Finished finished = RunLab("sort --small --order random");
  EXPECT_EQ(finished.status, 0) << finished.output;
  for (const char* text : {"alloc_set", "generation", "compact", "held MB"}) {
    EXPECT_TRUE(absl::StrContains(finished.output, text)) << text << "\n" << finished.output;
  }
}

TEST(Lab, SizesAreRead) {
  for (const auto& [words, why] :
       {std::pair("runs --work-mem 64XB", "--work-mem takes a size or a range"),
        std::pair("runs --work-mem 8MB-4MB", "--work-mem takes a size or a range"),
        std::pair("sort --work-mem 4MB-8MB", "--work-mem takes one size"),
        std::pair("sort --layout flat", "--layout takes compact"),
        std::pair("sort --order up", "--order takes ascending")}) {
    const Finished finished = RunLab(words);
    EXPECT_EQ(finished.status, 2) << words;
    EXPECT_TRUE(absl::StrContains(finished.output, why)) << finished.output;
  }
}

TEST(Lab, AggregateTakesTheThreadsStepsAndSpills) {
  const Finished finished = RunLab("aggregate --small --rows 3000 --groups 1000");
  EXPECT_EQ(finished.status, 0) << finished.output;
  for (const char* text :
       {"24-byte entries, walked check", "3654", "copy-free fetch", "3912", "formed in place",
        "constant-time memory check", "4049", "8-byte entries", "batched", "queries/s",
        "bytes a group", "held peak", "1/10", "levels"}) {
    EXPECT_TRUE(absl::StrContains(finished.output, text)) << text << "\n" << finished.output;
  }
}

}  // namespace
}  // namespace tuplestone::cli
