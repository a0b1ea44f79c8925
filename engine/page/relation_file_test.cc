#include "engine/page/relation_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "engine/page/checksum.h"

namespace tuplestone::page {
namespace {

// A file that goes when the test does.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& content) {
    const char* folder = std::getenv("TMPDIR");
    path_ = std::string(folder != nullptr ? folder : "/tmp") + "/tuplestone_XXXXXX";
    const int file = mkstemp(path_.data());
    EXPECT_GE(file, 0);
    EXPECT_EQ(write(file, content.data(), content.size()), static_cast<ssize_t>(content.size()));
    close(file);
  }
  ~TemporaryFile() { unlink(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

TEST(SegmentOf, IsTheNumberAfterTheLastDotOfTheFileName) {
  EXPECT_EQ(*SegmentOf("base/5/16384"), 0u);
  EXPECT_EQ(*SegmentOf("base/5/16384.1"), 1u);
  EXPECT_EQ(*SegmentOf("base/5/16384.32767"), 32767u);
  EXPECT_EQ(*SegmentOf("16384_fsm.2"), 2u);
  EXPECT_EQ(*SegmentOf("folder.3/16384"), 0u);
  EXPECT_EQ(*SegmentOf("narrow.rel"), 0u);
  EXPECT_EQ(*SegmentOf("narrow."), 0u);
  EXPECT_EQ(*SegmentOf("narrow.1x"), 0u);
  EXPECT_EQ(*SegmentOf(""), 0u);
}

TEST(SegmentOf, RefusesSegmentsThatNoRelationHas) {
  for (const char* path : {"a.32768", "a.99999999999999999999999"}) {
    EXPECT_EQ(SegmentOf(path).status().code(), absl::StatusCode::kInvalidArgument) << path;
  }
}

TEST(RelationFile, ReturnsThePagesInOrderWithTheirBlockNumbers) {
  TemporaryFile file(std::string(kPageBytes, 'a') + std::string(kPageBytes, 'b'));
  absl::StatusOr<RelationFile> relation = RelationFile::Open(file.path(), 2);
  ASSERT_TRUE(relation.ok()) << relation.status();
  std::vector<std::byte> page(kPageBytes);
  ASSERT_TRUE(*relation->Next(absl::MakeSpan(page)));
  EXPECT_EQ(page.back(), std::byte{'a'});
  EXPECT_EQ(relation->block(), 2 * 131072u);
  ASSERT_TRUE(*relation->Next(absl::MakeSpan(page)));
  EXPECT_EQ(page.front(), std::byte{'b'});
  EXPECT_EQ(relation->block(), 2 * 131072u + 1);
  EXPECT_FALSE(*relation->Next(absl::MakeSpan(page)));
  EXPECT_FALSE(*relation->Next(absl::MakeSpan(page)));
  EXPECT_EQ(relation->page_count(), 2u);
}

TEST(RelationFile, NamesTheBlockAtWhichATruncatedFileEnds) {
  TemporaryFile file(std::string(kPageBytes + 100, 'a'));
  absl::StatusOr<RelationFile> relation = RelationFile::Open(file.path(), 0);
  ASSERT_TRUE(relation.ok());
  std::vector<std::byte> page(kPageBytes);
  ASSERT_TRUE(*relation->Next(absl::MakeSpan(page)));
  for (int again = 0; again < 2; ++again) {
    const absl::Status status = relation->Next(absl::MakeSpan(page)).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
    EXPECT_EQ(std::string(status.message()),
              file.path() + ": truncated, block 1 has 100 of 8192 bytes");
  }
}

TEST(RelationFile, RefusesWhatCannotBeRead) {
  TemporaryFile empty("");
  EXPECT_EQ(RelationFile::Open(empty.path(), 0).status().code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(RelationFile::Open("no such file", {}).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(RelationFile::Open("/", {}).status().code(), absl::StatusCode::kInvalidArgument);
  TemporaryFile page(std::string(kPageBytes, 'a'));
  EXPECT_EQ(RelationFile::Open(page.path(), kSegmentMax + 1).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(RelationFile::Open(page.path(), kSegmentMax).ok());
}

TEST(RelationFile, StopsAfterTheLastBlockARelationHas) {
  TemporaryFile file(std::string(kPageBytes, 'a'));
  std::vector<std::byte> page(kPageBytes);
  RelationFile last = RelationFile::FromStream(std::fopen(file.path().c_str(), "rb"), "last",
                                               kSegmentMax * kSegmentPages);
  EXPECT_TRUE(*last.Next(absl::MakeSpan(page)));
  EXPECT_EQ(last.block(), kSegmentMax * kSegmentPages);
}

TEST(Inspect, SaysWhatASoundPageHoldsAndChangesNothing) {
  std::vector<std::byte> bytes(kPageBytes);
  Page page = Page::Initialize(absl::MakeSpan(bytes), PageKind::kHeap, 0);
  const std::vector<std::byte> tuple(30, std::byte{7});
  ASSERT_TRUE(page.Add(tuple).ok());
  page.Seal(9);
  const std::vector<std::byte> before = bytes;
  const PageReport report = Inspect(bytes, 9);
  EXPECT_EQ(before, bytes);
  EXPECT_EQ(report.type, PageType::kHeap);
  EXPECT_TRUE(report.checksum_matches);
  EXPECT_TRUE(report.fault.ok());
  EXPECT_EQ(report.stats.normal, 1u);
  EXPECT_EQ(report.free_space, kPageBytes - 24 - 4 - 32 - 4);
  EXPECT_FALSE(Inspect(bytes, 8).checksum_matches);
}

TEST(Inspect, NamesTheFaultOfAnUnsoundPage) {
  std::vector<std::byte> bytes(kPageBytes, std::byte{0x5A});
  const PageReport report = Inspect(bytes, 0);
  EXPECT_EQ(report.type, PageType::kUnrecognized);
  EXPECT_FALSE(report.checksum_matches);
  EXPECT_EQ(report.fault.code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(report.stats.normal, 0u);
}

}  // namespace
}  // namespace tuplestone::page
