// `tuplestone page` on files that PostgreSQL wrote and on what is none. What a page's figures are
// is the engine's matter; here, that the command says them and that a copy is what it promises.
#include "engine/page/page.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "engine/base/poison.h"
#include "engine/page/checksum.h"
#include "fuzz/cli/run_command.h"
#include "properties/kit/rerun.h"

namespace tuplestone::cli {
namespace {

using page::kPageBytes;

constexpr const char* kSeeds = "corpus/relation_file/seed/";

class PageFile : public testing::Test {
 protected:
  PageFile() : scratch(testing::TempDir()) {}

  static Finished Run(const std::string& words) {
    return RunShell(
        absl::StrCat(kit::ShellQuoted(ProgramOf("TUPLESTONE_COMMAND")), " page ", words));
  }
  static void Expect(const std::string& words, int status, const std::string& text) {
    const Finished finished = Run(words);
    EXPECT_EQ(finished.status, status) << words << "\n" << finished.output;
    EXPECT_TRUE(absl::StrContains(finished.output, text)) << text << "\n" << finished.output;
  }
  std::string Seed(const std::string& name) const {
    const auto bytes = kit::ReadFile(kSeeds + name);
    EXPECT_TRUE(bytes.ok()) << bytes.status();
    return std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  }

  ScratchFolder scratch;
};

TEST_F(PageFile, SaysALineAPageAndASummary) {
  Expect(absl::StrCat(kSeeds, "before_narrow.rel"), 0, "47 pages from block 0: 47 sound");
  Expect(absl::StrCat(kSeeds, "before_narrow.rel"), 0,
         "         0  heap             185    185     0    0      0      0    24");
  Expect(absl::StrCat(kSeeds, "after_hot.rel"), 0, " line  ok\n");
  Expect(absl::StrCat(kSeeds, "before_reused_wide.rel"), 0, " other ok\n");
}

TEST_F(PageFile, NamesPagesWithoutLinePointersAsSuchNotAsFaults) {
  Expect(absl::StrCat(kSeeds, "after_ragged_brin.rel"), 0, "no line pointers");
  Expect(absl::StrCat(kSeeds, "after_ragged_brin.rel"), 0,
         "3 pages from block 0: 3 sound (2 without line pointers), 0 with a fault");
}

TEST_F(PageFile, TakesTheFirstBlockFromTheNameOrTheOption) {
  const std::string pages = Seed("before_hot_pkey.rel");
  const std::string second = scratch.Write("16384.1", pages);
  Expect(second, 1, "    131072  b-tree meta");
  Expect(second, 1, "11 with a wrong checksum");
  Expect(absl::StrCat(second, " --segment 0"), 0, "11 pages from block 0: 11 sound");
  Expect(absl::StrCat(second, " --segment 0.5"), 2, "--segment: a whole number");
  Expect(absl::StrCat(second, " --segment 32768"), 2, "is no number from 0 to 32767");
  Expect(scratch.Write("16384.32768", pages), 2, "segment 32768 does not exist");
}

TEST_F(PageFile, RefusesWhatIsNoRelationFile) {
  Expect(scratch.Path("none"), 2, "none");
  Expect(scratch.Write("empty", ""), 2, "empty file");
  Expect(scratch.Path(""), 2, "not a regular file");
  Expect(scratch.Write("short", std::string(100, 'x')), 2,
         "truncated, block 0 has 100 of 8192 bytes");
  Expect(scratch.Write("foreign", std::string(2 * kPageBytes, 'x')), 2, "no relation file?");
  const std::string cut = scratch.Write("cut", Seed("after_hot.rel").substr(0, 3 * 8192 - 1));
  Expect(cut, 2, "truncated, block 2 has 8191 of 8192 bytes");
  Expect(absl::StrCat(cut, " --compact ", scratch.Path("out")), 2, "truncated, block 2");
  EXPECT_FALSE(std::filesystem::exists(scratch.Path("out")));
  EXPECT_FALSE(std::filesystem::exists(scratch.Path("out.partial")));
  Expect(absl::StrCat(cut, " --compact ", cut), 2, "is the input, which is never changed");
  Expect(absl::StrCat(cut, " --compact ", scratch.Path("no/folder")), 2, "no/folder.partial");
}

// A heap file with, in turn, a page to compact, one with a fault, one with a wrong checksum, a new
// one, and one without a checksum.
std::string MixedFile(const std::string& heap) {
  std::string file;
  for (uint32_t block = 0; block < 5; ++block) {
    std::string text = block == 3 ? std::string(kPageBytes, '\0') : heap.substr(0, kPageBytes);
    const MutableBytes bytes(reinterpret_cast<std::byte*>(text.data()), kPageBytes);
    if (block == 1) Store(bytes.data() + page::kLowerAt, uint16_t{20});
    if (block != 3) page::SealChecksum(bytes, block == 2 ? 7 : block);
    if (block == 4) Store(bytes.data() + page::kChecksumAt, uint16_t{0});
    file += text;
  }
  return file;
}

TEST_F(PageFile, ACopyHasItsSoundHeapPagesCompactedAndTheOthersVerbatim) {
  const std::string mixed = MixedFile(Seed("before_reused_ragged.rel"));
  const std::string in = scratch.Write("in", mixed);
  const std::string out = scratch.Path("out");
  const Finished finished = Run(absl::StrCat(in, " --compact ", out));
  EXPECT_EQ(finished.status, 1) << finished.output;
  for (const char* text :
       {"lower lies inside the header", " wrong\n", " none\n",
        "5 pages from block 0: 3 sound (0 without line pointers), 1 with a fault, 1 with a wrong "
        "checksum\n",
        "out: 2 heap pages changed"}) {
    EXPECT_TRUE(absl::StrContains(finished.output, text)) << text << "\n" << finished.output;
  }
  EXPECT_EQ(scratch.Read("in"), mixed);
  std::string copy = scratch.Read("out");
  ASSERT_EQ(copy.size(), mixed.size());
  EXPECT_EQ(copy.substr(kPageBytes, 3 * kPageBytes), mixed.substr(kPageBytes, 3 * kPageBytes));
  for (uint32_t block : {0u, 4u}) {
    const MutableBytes bytes(reinterpret_cast<std::byte*>(copy.data()) + block * kPageBytes,
                             kPageBytes);
    EXPECT_TRUE(page::ChecksumMatches(bytes, block));
    const absl::StatusOr<page::Page> page = page::Page::Adopt(bytes, page::PageKind::kHeap);
    ASSERT_TRUE(page.ok()) << page.status();
    EXPECT_TRUE(page->Stats().in_line_order);
    EXPECT_EQ(page->Stats().gap_bytes, 0u);
  }
}

TEST_F(PageFile, CompactingTheCopyAgainChangesNothing) {
  const std::string once = scratch.Path("once");
  Expect(absl::StrCat(kSeeds, "before_reused_narrow.rel --compact ", once), 0,
         "33 heap pages changed");
  Expect(absl::StrCat(once, " --compact ", scratch.Path("twice")), 0, "0 heap pages changed");
  EXPECT_EQ(scratch.Read("once"), scratch.Read("twice"));
}

// 256 MB under a limit of address space that leaves no room for them. A sanitizer's shadow takes
// terabytes of that, so with one the file is small and the limit none.
TEST_F(PageFile, MemoryDoesNotGrowWithTheFile) {
  const std::string big = scratch.Path("big");
  const int pages = kAddressSanitizer ? 128 : 32768;
  ASSERT_EQ(RunShell(absl::StrCat("truncate -s ", pages * 8192, " ", big)).status, 0);
  const std::string limit = kAddressSanitizer ? "" : "ulimit -v 150000; ";
  const Finished finished = RunShell(absl::StrCat(
      limit, kit::ShellQuoted(ProgramOf("TUPLESTONE_COMMAND")), " page ", big, " | tail -n 1"));
  EXPECT_TRUE(absl::StrContains(finished.output,
                                absl::StrCat(pages, " pages from block 0: ", pages, " sound")))
      << finished.output;
}

}  // namespace
}  // namespace tuplestone::cli
