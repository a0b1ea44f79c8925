// Reading a PostgreSQL relation file page by page in constant memory, and saying what a page is.
//
// A relation is stored in segments of 131,072 pages (unless the server was built otherwise):
// <name>, <name>.1, <name>.2, ... A page's checksum is folded with its block number in the whole
// relation, so a file's first block must be known: it is told, or taken from the name's suffix.
//
// What it does not do: join segments, write, or judge tuples.
#ifndef TUPLESTONE_ENGINE_PAGE_RELATION_FILE_H_
#define TUPLESTONE_ENGINE_PAGE_RELATION_FILE_H_

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/page/classify.h"
#include "engine/page/page.h"

namespace tuplestone::page {

inline constexpr uint32_t kSegmentPages = 131072;                    // 1 GB
inline constexpr uint32_t kSegmentMax = UINT32_MAX / kSegmentPages;  // the last that has blocks
inline constexpr uint32_t kBlockMax = UINT32_MAX - 1;                // the last block of a relation

// The number after the last dot of the file's name if that is all digits, else 0.
// InvalidArgument if it is above kSegmentMax.
absl::StatusOr<uint32_t> SegmentOf(const std::string& path);

// What there is to say about one page.
struct PageReport {
  PageType type = PageType::kUnrecognized;
  bool checksum_matches = false;
  absl::Status fault;     // what Adopt said
  PageStats stats;        // zero unless `fault` is ok
  size_t free_space = 0;  // FreeSpace(), zero unless `fault` is ok
};

// Requires: kPageBytes bytes. They are not changed.
PageReport Inspect(Bytes page, uint32_t block);

// Pages of one file, first to last. Move-only.
class RelationFile {
 public:
  // `segment` overrides the name's suffix. NotFound, PermissionDenied and so on as the system says;
  // InvalidArgument for what is no regular file; DataLoss for an empty one.
  static absl::StatusOr<RelationFile> Open(const std::string& path,
                                           std::optional<uint32_t> segment);

  // Reads from a stream, which it closes. Requires: not null, first_block a segment's first.
  static RelationFile FromStream(std::FILE* stream, std::string name, uint32_t first_block);

  // Fills `page` with the next one. False at the end. DataLoss if the file ends inside a page,
  // naming the block and how much of it there is, or goes on past kBlockMax; Internal if reading
  // fails. After an error or the
  // end every call gives the same. Requires: kPageBytes bytes.
  absl::StatusOr<bool> Next(MutableBytes page);

  // The block number of the page that Next() returned last. Requires: there was one.
  uint32_t block() const;
  uint64_t page_count() const { return page_count_; }  // pages returned so far

 private:
  struct Close {
    void operator()(std::FILE* stream) const { std::fclose(stream); }
  };

  RelationFile(std::FILE* stream, std::string name, uint32_t first_block)
      : stream_(stream), name_(std::move(name)), first_block_(first_block) {}

  std::unique_ptr<std::FILE, Close> stream_;
  std::string name_;
  uint32_t first_block_;
  uint64_t page_count_ = 0;
  bool at_end_ = false;
  absl::Status error_;
};

}  // namespace tuplestone::page

#endif  // TUPLESTONE_ENGINE_PAGE_RELATION_FILE_H_
