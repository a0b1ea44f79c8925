// Pages that PostgreSQL 15 wrote, before and after its own VACUUM: what VACUUM did is done here
// through the engine's operations and must come out as PostgreSQL's. The files, and how they were
// made, are in corpus/relation_file/seed. Not covered: the special area, which VACUUM may change;
// the hole; page flags.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "engine/page/checksum.h"
#include "engine/page/classify.h"
#include "engine/page/page.h"

namespace tuplestone::page {
namespace {

using Image = std::vector<std::byte>;
using Row = std::vector<std::string>;

constexpr const char* kFolder = "corpus/relation_file/seed/";
constexpr const char* kRelations[] = {
    "hot",           "hot_pkey",    "narrow",      "narrow_b",    "narrow_i", "ragged",
    "ragged_brin",   "ragged_gin",  "ragged_gist", "ragged_hash", "ragged_k", "reused_narrow",
    "reused_ragged", "reused_wide", "wide",        "wide_pkey"};

// The pages of <when>_<relation>.rel.
const std::vector<Image>& Pages(const std::string& when, const std::string& relation) {
  static std::map<std::string, std::vector<Image>> cache;
  const std::string path = kFolder + (when + "_" + relation + ".rel");
  std::vector<Image>& pages = cache[path];
  if (!pages.empty()) return pages;
  std::ifstream file(path, std::ios::binary);
  Image page(kPageBytes);
  while (file.read(reinterpret_cast<char*>(page.data()), kPageBytes)) pages.push_back(page);
  EXPECT_FALSE(pages.empty()) << path;
  return pages;
}

// The rows of a csv file, without its heading.
std::vector<Row> Rows(const std::string& name) {
  std::vector<Row> rows;
  std::ifstream file(kFolder + name);
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    Row row;
    std::stringstream fields(line);
    for (std::string field; std::getline(fields, field, ',');) row.push_back(field);
    rows.push_back(row);
  }
  return rows;
}

size_t Number(const std::string& text) { return std::stoul(text); }

Page Adopted(Image& image, PageKind kind) {
  absl::StatusOr<Page> page = Page::Adopt(absl::MakeSpan(image), kind);
  EXPECT_TRUE(page.ok()) << page.status();
  return *page;
}

void ExpectSameLinesAndTuples(const Page& expected, const Page& actual) {
  ASSERT_EQ(expected.line_count(), actual.line_count());
  EXPECT_EQ(expected.lower(), actual.lower());
  EXPECT_EQ(expected.upper(), actual.upper());
  for (size_t i = 1; i <= expected.line_count(); ++i) {
    const auto line = static_cast<LineNumber>(i);
    EXPECT_EQ(expected.Line(line).bits(), actual.Line(line).bits()) << "line pointer " << i;
    EXPECT_EQ(expected.Tuple(line), actual.Tuple(line)) << "line pointer " << i;
  }
}

// Brings the line pointers of `page` to the states of `goal`. Redirects first, so that no line
// pointer is named by an old one when it goes; those that the goal no longer has become unused.
void BringToStates(const Page& goal, Page& page) {
  const auto state = [&](size_t line) {
    return line <= goal.line_count() ? goal.State(static_cast<LineNumber>(line))
                                     : LineState::kUnused;
  };
  for (size_t i = 1; i <= page.line_count(); ++i) {
    const auto line = static_cast<LineNumber>(i);
    if (state(i) != LineState::kRedirect) continue;
    const auto target = static_cast<LineNumber>(goal.Line(line).offset());
    ASSERT_TRUE(page.Redirect(line, target).ok()) << i;
  }
  for (size_t i = 1; i <= page.line_count(); ++i) {
    const auto line = static_cast<LineNumber>(i);
    if (state(i) == LineState::kUnused) {
      ASSERT_TRUE(page.MarkUnused(line).ok()) << i;
    }
    if (state(i) == LineState::kDead) {
      ASSERT_TRUE(page.MarkDead(line, DeadStorage::kDrop).ok()) << i;
    }
  }
}

TEST(RealPages, RepairGivesWhatVacuumGaveOnEveryHeapPage) {  // P3, P4, P5
  const std::vector<Row> rows = Rows("heap_vacuum.csv");
  ASSERT_EQ(rows.size(), 320u);
  size_t out_of_order = 0;
  for (const Row& row : rows) {
    SCOPED_TRACE(row[0] + " block " + row[1]);
    const size_t block = Number(row[1]);
    Image before = Pages("before", row[0])[block];
    Image after = Pages("after", row[0])[block];
    Page page = Adopted(before, PageKind::kHeap);
    const Page goal = Adopted(after, PageKind::kHeap);
    ASSERT_EQ(page.line_count(), Number(row[2]));
    ASSERT_EQ(page.upper(), Number(row[4]));
    BringToStates(goal, page);
    const bool ordered = Number(row[10]) == 1;
    out_of_order += ordered ? 0 : 1;
    EXPECT_EQ(page.Stats().in_line_order, ordered);
    page.RepairFragmentation();
    page.Verify();
    ExpectSameLinesAndTuples(goal, page);
    EXPECT_EQ(page.line_count(), Number(row[3]));
    EXPECT_EQ(page.upper(), Number(row[5]));
    const PageStats stats = page.Stats();
    EXPECT_EQ(stats.normal, Number(row[6]));
    EXPECT_EQ(stats.redirect, Number(row[7]));
    EXPECT_EQ(stats.unused, Number(row[8]));
    EXPECT_EQ(stats.dead_without_storage, Number(row[9]));
    EXPECT_TRUE(stats.in_line_order);
    EXPECT_EQ(stats.gap_bytes, 0u);
    EXPECT_EQ(page.flags() & kHasFreeLines, goal.flags() & kHasFreeLines);
  }
  EXPECT_EQ(out_of_order, 90u);
}

std::vector<LineNumber> Numbers(const std::string& text) {
  std::vector<LineNumber> numbers;
  std::stringstream words(text);
  for (unsigned number = 0; words >> number;) numbers.push_back(static_cast<LineNumber>(number));
  return numbers;
}

TEST(RealPages, DeleteManyGivesWhatVacuumGaveOnIndexPages) {  // P3, P4, P5
  const std::vector<Row> rows = Rows("index_multi_delete.csv");
  ASSERT_EQ(rows.size(), 35u);
  for (const Row& row : rows) {
    SCOPED_TRACE(row[0] + " block " + row[1]);
    const size_t block = Number(row[1]);
    Image before = Pages("before", row[0])[block];
    Image after = Pages("after", row[0])[block];
    Page page = Adopted(before, KindOf(Classify(before)));
    ASSERT_EQ(page.kind(), PageKind::kIndex);
    ASSERT_EQ(page.line_count(), Number(row[2]));
    ASSERT_TRUE(page.DeleteMany(Numbers(row[4])).ok());
    page.Verify();
    ExpectSameLinesAndTuples(Adopted(after, PageKind::kIndex), page);
    EXPECT_EQ(page.line_count(), Number(row[3]));
  }
}

TEST(RealPages, DeletingOneByOneGivesTheSameLinesAndBytesAsDeleteMany) {  // P8
  for (const Row& row : Rows("index_multi_delete.csv")) {
    SCOPED_TRACE(row[0] + " block " + row[1]);
    const std::vector<LineNumber> lines = Numbers(row[4]);
    Image at_once = Pages("before", row[0])[Number(row[1])];
    Image one_by_one = at_once;
    Page expected = Adopted(at_once, PageKind::kIndex);
    Page actual = Adopted(one_by_one, PageKind::kIndex);
    ASSERT_TRUE(expected.DeleteMany(lines).ok());
    for (size_t i = lines.size(); i > 0; --i) ASSERT_TRUE(actual.DeleteOne(lines[i - 1]).ok());
    actual.Verify();
    EXPECT_EQ(expected.upper(), actual.upper());
    EXPECT_EQ(actual.Stats().gap_bytes, 0u);
    ASSERT_EQ(expected.line_count(), actual.line_count());
    for (size_t i = 1; i <= expected.line_count(); ++i) {
      const auto line = static_cast<LineNumber>(i);
      EXPECT_EQ(expected.Tuple(line), actual.Tuple(line)) << "line pointer " << i;
    }
  }
}

TEST(RealPages, CompactedPagesStayAsTheyAreToTheByte) {  // P6
  for (const char* relation : kRelations) {
    for (Image image : Pages("after", relation)) {
      const Image before = image;
      const PageKind kind = KindOf(Classify(image));
      if (kind == PageKind::kOpaque || kind == PageKind::kNew) continue;
      Page page = Adopted(image, kind);
      const PageStats stats = page.Stats();
      if (!stats.in_line_order || stats.gap_bytes != 0) continue;
      if (kind == PageKind::kHeap) {
        page.RepairFragmentation();
      } else {
        ASSERT_TRUE(page.DeleteMany({}).ok());
      }
      EXPECT_EQ(before, image) << relation;
    }
  }
}

TEST(RealPages, EveryPageIsSoundAndItsChecksumMatchesOnlyAtItsBlock) {
  size_t pages = 0;
  for (const std::string when : {"before", "after"}) {
    for (const char* relation : kRelations) {
      uint32_t block = 0;
      for (Image image : Pages(when, relation)) {
        SCOPED_TRACE(when + "/" + relation + " block " + std::to_string(block));
        const PageKind kind = KindOf(Classify(image));
        EXPECT_NE(kind, PageKind::kNew);
        Page page = Adopted(image, kind);
        page.Verify();
        EXPECT_TRUE(page.ChecksumMatches(block));
        EXPECT_FALSE(page.ChecksumMatches(block + 1));
        const Image before = image;
        page.Seal(block);
        EXPECT_EQ(before, image);
        ++block;
        ++pages;
      }
    }
  }
  EXPECT_EQ(pages, 850u);
}

TEST(RealPages, AreClassifiedAsTheRelationsThatTheyComeFrom) {
  std::map<std::string, std::map<std::string, size_t>> types;
  for (const char* relation : kRelations) {
    for (const Image& image : Pages("after", relation)) ++types[relation][NameOf(Classify(image))];
  }
  using Counts = std::map<std::string, size_t>;
  EXPECT_EQ(types["narrow"], (Counts{{"heap", 47}}));
  EXPECT_EQ(types["narrow_i"], (Counts{{"b-tree", 34}, {"b-tree meta", 1}}));
  EXPECT_EQ(types["ragged_hash"], (Counts{{"hash", 4}, {"hash bitmap", 1}, {"hash meta", 1}}));
  EXPECT_EQ(types["ragged_gist"], (Counts{{"GiST", 5}}));
  EXPECT_EQ(types["ragged_brin"], (Counts{{"BRIN", 1}, {"BRIN meta", 1}, {"BRIN revmap", 1}}));
  EXPECT_EQ(types["ragged_gin"], (Counts{{"GIN", 13}, {"GIN meta", 1}}));
}

// Every single-bit flip of one page of some relations. Not covered: the other pages.
TEST(RealPages, TheChecksumMissesAboutOneFlipInSixtyFiveThousand) {
  size_t flips = 0;
  size_t missed = 0;
  for (const char* relation :
       {"hot", "narrow", "narrow_i", "ragged", "ragged_gin", "ragged_gist"}) {
    Image image = Pages("before", relation)[1];
    for (size_t bit = 0; bit < kPageBytes * 8; ++bit) {
      const std::byte mask{static_cast<uint8_t>(1u << bit % 8)};
      image[bit / 8] ^= mask;
      ++flips;
      missed += ChecksumMatches(image, 1) ? 1 : 0;
      image[bit / 8] ^= mask;
    }
  }
  EXPECT_EQ(flips, 6u * 65536);
  EXPECT_GE(missed, 3u);
  EXPECT_LE(missed, 12u);
}

}  // namespace
}  // namespace tuplestone::page
