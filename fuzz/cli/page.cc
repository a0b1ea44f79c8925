// `tuplestone page`: what is in a PostgreSQL relation file, a line a page, and a compacted copy of
// it. One page is in memory at a time, whatever the file's size.
#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/page/checksum.h"
#include "engine/page/relation_file.h"
#include "fuzz/cli/commands.h"
#include "fuzz/cli/inputs.h"

namespace tuplestone::cli {
namespace {

using page::kPageBytes;
using page::PageReport;
using PageBytes = std::array<std::byte, kPageBytes>;

constexpr const char* kDetails =
    "Prints a line a page: block, kind; line pointers, and how many are normal, redirects, dead\n"
    "without and with their tuple, unused; free bytes; bytes of gaps between tuples; whether the\n"
    "tuples lie in the order of their line pointers; the checksum (ok, wrong, or none where the\n"
    "field is zero); and what is wrong with the page. Pages that carry no line pointers (meta,\n"
    "bitmap, revmap pages) are no faults. Then a summary. Memory does not grow with the file.\n\n"
    "With --compact, writes a copy in which every sound heap page is compacted and sealed anew, "
    "and\n"
    "all others are as they were; those that are unsound, by fault or checksum, are named. It\n"
    "appears when it is complete. Give it only files that no server has open.\n\n"
    "Exit status: 0 all pages sound, 1 some are not, 2 wrong usage or a file that is no relation\n"
    "or cannot be read or written.\n\n"
    "examples:\n"
    "  tuplestone page base/5/16384\n"
    "  tuplestone page copy_of_16384 --segment 1\n"
    "  tuplestone page base/5/16384.1 --compact smaller\n";

struct Summary {
  uint64_t sound = 0;
  uint64_t faulty = 0;          // refused by Adopt
  uint64_t checksum_wrong = 0;  // of those that are not
  uint64_t without_lines = 0;   // pages that carry no line pointers
  uint64_t compacted = 0;       // that changed
  uint64_t freed_bytes = 0;     // by what became free
  uint64_t first_block = 0;
};

bool HasChecksum(const PageBytes& page) {
  return Load<uint16_t>(page.data() + page::kChecksumAt) != 0;
}

bool ChecksumWrong(const PageReport& report, const PageBytes& page) {
  return !report.checksum_matches && HasChecksum(page);
}

const char* ChecksumWord(const PageReport& report, const PageBytes& page) {
  if (report.type == page::PageType::kNew) return "-";
  if (report.checksum_matches) return "ok";
  return HasChecksum(page) ? "wrong" : "none";
}

void PrintHeading() {
  std::printf("%10s  %-14s %5s %6s %5s %4s %6s %6s %5s %5s  %-5s %-8s\n", "block", "kind", "lines",
              "normal", "redir", "dead", "dead+t", "unused", "free", "gaps", "order", "checksum");
}

void PrintPage(uint32_t block, const PageReport& report, const PageBytes& page) {
  std::printf("%10u  %-14s ", block, page::NameOf(report.type));
  const char* checksum = ChecksumWord(report, page);
  if (!report.fault.ok()) {
    std::printf("%s  %s\n", checksum, std::string(report.fault.message()).c_str());
    return;
  }
  if (page::KindOf(report.type) == page::PageKind::kOpaque) {
    std::printf("%-65s%s\n", "no line pointers", checksum);
    return;
  }
  const page::PageStats& s = report.stats;
  std::printf("%5zu %6zu %5zu %4zu %6zu %6zu %5zu %5zu  %-5s %s\n",
              s.unused + s.normal + s.redirect + s.dead_with_storage + s.dead_without_storage,
              s.normal, s.redirect, s.dead_without_storage, s.dead_with_storage, s.unused,
              report.free_space, s.gap_bytes, s.in_line_order ? "line" : "other", checksum);
}

// A copy that appears under its name when it is complete, and not at all otherwise.
class Copy {
 public:
  static absl::StatusOr<Copy> Create(const std::string& path) {
    const std::string partial = absl::StrCat(path, ".partial");
    std::FILE* stream = std::fopen(partial.c_str(), "wb");
    if (stream == nullptr) return absl::ErrnoToStatus(errno, partial);
    return Copy(stream, path, partial);
  }
  Copy(Copy&&) = default;
  ~Copy() {
    if (stream_ == nullptr) return;
    stream_.reset();
    std::remove(partial_.c_str());
  }

  absl::Status Write(const PageBytes& page) {
    if (std::fwrite(page.data(), 1, kPageBytes, stream_.get()) == kPageBytes) {
      return absl::OkStatus();
    }
    return absl::ErrnoToStatus(errno, absl::StrCat(partial_, ": cannot be written"));
  }
  absl::Status Finish() {
    if (std::fflush(stream_.get()) != 0) {
      return absl::ErrnoToStatus(errno, absl::StrCat(partial_, ": cannot be written"));
    }
    stream_.reset();
    if (std::rename(partial_.c_str(), path_.c_str()) == 0) return absl::OkStatus();
    const absl::Status status = absl::ErrnoToStatus(errno, path_);
    std::remove(partial_.c_str());
    return status;
  }

 private:
  struct Close {
    void operator()(std::FILE* stream) const { std::fclose(stream); }
  };
  Copy(std::FILE* stream, const std::string& path, const std::string& partial)
      : stream_(stream), path_(path), partial_(partial) {}

  std::unique_ptr<std::FILE, Close> stream_;
  std::string path_;
  std::string partial_;
};

// Compacts and seals a sound heap page; leaves any other as it is.
void CompactIfSound(uint32_t block, const PageReport& report, PageBytes* bytes, Summary* summary) {
  if (report.type != page::PageType::kHeap || !report.fault.ok()) return;
  if (ChecksumWrong(report, *bytes)) return;
  const PageBytes before = *bytes;
  page::Page page = *page::Page::Adopt(absl::MakeSpan(*bytes), page::PageKind::kHeap);
  const size_t free_before = page.FreeSpaceExact();
  page.RepairFragmentation();
  page.Seal(block);
  summary->compacted += *bytes == before ? 0 : 1;
  summary->freed_bytes += page.FreeSpaceExact() - free_before;
}

void Count(const PageReport& report, const PageBytes& page, Summary* summary) {
  const bool wrong = report.fault.ok() && ChecksumWrong(report, page);
  summary->faulty += report.fault.ok() ? 0 : 1;
  summary->checksum_wrong += wrong ? 1 : 0;
  summary->sound += report.fault.ok() && !wrong ? 1 : 0;
  summary->without_lines +=
      report.fault.ok() && page::KindOf(report.type) == page::PageKind::kOpaque ? 1 : 0;
}

void PrintSummary(const Summary& summary, const std::optional<std::string>& copy) {
  std::printf(
      "\n%d pages from block %d: %d sound (%d without line pointers), %d with a fault, %d with a "
      "wrong checksum\n",
      static_cast<int>(summary.sound + summary.faulty + summary.checksum_wrong),
      static_cast<int>(summary.first_block), static_cast<int>(summary.sound),
      static_cast<int>(summary.without_lines), static_cast<int>(summary.faulty),
      static_cast<int>(summary.checksum_wrong));
  if (!copy.has_value()) return;
  std::printf("%s: %d heap pages changed, %d bytes became free, the others are verbatim\n",
              copy->c_str(), static_cast<int>(summary.compacted),
              static_cast<int>(summary.freed_bytes));
}

// Reads to the end; writes to `copy` where there is one.
absl::Status ReadAll(page::RelationFile& file, Copy* copy, Summary* summary) {
  PageBytes bytes;
  PrintHeading();
  while (true) {
    const absl::StatusOr<bool> next = file.Next(absl::MakeSpan(bytes));
    if (!next.ok()) return next.status();
    if (!*next) return absl::OkStatus();
    if (file.page_count() == 1) summary->first_block = file.block();
    const PageReport report = page::Inspect(bytes, file.block());
    PrintPage(file.block(), report, bytes);
    Count(report, bytes, summary);
    if (copy == nullptr) continue;
    CompactIfSound(file.block(), report, &bytes, summary);
    const absl::Status written = copy->Write(bytes);
    if (!written.ok()) return written;
  }
}

absl::StatusOr<int> RunPage(const Arguments& arguments) {
  const std::string& path = arguments.operands()[0];
  std::optional<uint32_t> segment;
  if (arguments.Has("--segment")) {
    const absl::StatusOr<double> number = arguments.Number("--segment", 0, page::kSegmentMax, 0);
    if (!number.ok()) return number.status();
    segment = static_cast<uint32_t>(*number);
    if (*segment != *number) return absl::InvalidArgumentError("--segment: a whole number, please");
  }
  absl::StatusOr<page::RelationFile> file = page::RelationFile::Open(path, segment);
  if (!file.ok()) return file.status();
  const std::optional<std::string> out = arguments.Text("--compact");
  std::optional<Copy> copy;
  if (out.has_value()) {
    if (SameFile(path, *out)) {
      return absl::InvalidArgumentError(
          absl::StrCat(*out, ": is the input, which is never changed"));
    }
    absl::StatusOr<Copy> created = Copy::Create(*out);
    if (!created.ok()) return created.status();
    copy.emplace(*std::move(created));
  }
  Summary summary;
  const absl::Status read = ReadAll(*file, copy.has_value() ? &*copy : nullptr, &summary);
  if (!read.ok()) return read;
  if (summary.faulty == file->page_count()) {
    return absl::DataLossError(absl::StrCat(
        path, ": no page of it is a PostgreSQL page of 8192 bytes; no relation file?"));
  }
  if (copy.has_value()) {
    const absl::Status finished = copy->Finish();
    if (!finished.ok()) return finished;
  }
  PrintSummary(summary, out);
  return summary.faulty + summary.checksum_wrong == 0 ? kDone : kSaysNo;
}

}  // namespace

Command PageCommand() {
  return {"page",
          "FILE",
          "Reads a PostgreSQL relation file, and writes a compacted copy.",
          kDetails,
          {{"--segment", "N", "the file holds the relation's Nth GB (default: the name's .N)"},
           {"--compact", "OUT", "write a copy with its heap pages compacted"}},
          1,
          1,
          &RunPage};
}

}  // namespace tuplestone::cli
