#include "engine/page/relation_file.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "absl/strings/str_format.h"
#include "engine/page/checksum.h"

namespace tuplestone::page {

absl::StatusOr<uint32_t> SegmentOf(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  const size_t dot = name.rfind('.');
  if (dot == std::string::npos || dot + 1 == name.size()) return 0;
  const std::string suffix = name.substr(dot + 1);
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (!std::all_of(suffix.begin(), suffix.end(), is_digit)) return 0;
  uint64_t segment = 0;
  for (char digit : suffix) {
    segment = segment * 10 + static_cast<uint64_t>(digit - '0');
    if (segment > kSegmentMax) {
      return absl::InvalidArgumentError(absl::StrFormat(
          "%s: segment %s does not exist; the last is %d", path, suffix, kSegmentMax));
    }
  }
  return static_cast<uint32_t>(segment);
}

PageReport Inspect(Bytes page, uint32_t block) {
  TUPLESTONE_CHECK_EQ(kP12, kPageBytes, page.size());
  PageReport report;
  report.type = Classify(page);
  report.checksum_matches = ChecksumMatches(page, block);
  std::array<std::byte, kPageBytes> copy;
  std::copy(page.begin(), page.end(), copy.begin());
  absl::StatusOr<Page> adopted = Page::Adopt(absl::MakeSpan(copy), KindOf(report.type));
  report.fault = adopted.status();
  if (adopted.ok()) {
    report.stats = adopted->Stats();
    report.free_space = adopted->FreeSpace();
  }
  return report;
}

absl::StatusOr<RelationFile> RelationFile::Open(const std::string& path,
                                                std::optional<uint32_t> segment) {
  if (!segment.has_value()) {
    absl::StatusOr<uint32_t> from_name = SegmentOf(path);
    if (!from_name.ok()) return from_name.status();
    segment = *from_name;
  }
  if (*segment > kSegmentMax) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "%s: segment %d does not exist; the last is %d", path, *segment, kSegmentMax));
  }
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return absl::ErrnoToStatus(errno, path);
  if (!S_ISREG(info.st_mode)) {
    return absl::InvalidArgumentError(absl::StrFormat("%s: not a regular file", path));
  }
  if (info.st_size == 0) return absl::DataLossError(absl::StrFormat("%s: empty file", path));
  std::FILE* stream = std::fopen(path.c_str(), "rb");
  if (stream == nullptr) return absl::ErrnoToStatus(errno, path);
  return RelationFile(stream, path, *segment * kSegmentPages);
}

RelationFile RelationFile::FromStream(std::FILE* stream, std::string name, uint32_t first_block) {
  TUPLESTONE_CHECK(kP12, stream != nullptr);
  TUPLESTONE_CHECK(kP12, first_block % kSegmentPages == 0);
  return RelationFile(stream, std::move(name), first_block);
}

absl::StatusOr<bool> RelationFile::Next(MutableBytes page) {
  TUPLESTONE_CHECK_EQ(kP12, kPageBytes, page.size());
  if (!error_.ok()) return error_;
  if (at_end_) return false;
  const size_t read = std::fread(page.data(), 1, page.size(), stream_.get());
  const uint64_t block = first_block_ + page_count_;
  if (read == page.size() && block <= kBlockMax) {
    ++page_count_;
    return true;
  }
  if (read == page.size()) {
    error_ = absl::DataLossError(
        absl::StrFormat("%s: more blocks than a relation has (%d)", name_, kBlockMax));
  } else if (std::ferror(stream_.get()) != 0) {
    error_ = absl::InternalError(absl::StrFormat("%s: cannot read block %d", name_, block));
  } else if (read != 0) {
    error_ = absl::DataLossError(absl::StrFormat("%s: truncated, block %d has %d of %d bytes",
                                                 name_, block, read, kPageBytes));
  }
  at_end_ = error_.ok();
  if (at_end_) return false;
  return error_;
}

uint32_t RelationFile::block() const {
  TUPLESTONE_CHECK(kP12, page_count_ > 0);
  return static_cast<uint32_t>(first_block_ + page_count_ - 1);
}

}  // namespace tuplestone::page
