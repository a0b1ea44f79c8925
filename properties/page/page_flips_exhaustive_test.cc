// Every single-bit flip of every page in corpus/relation_file/seed, 850 pages of 65,536 bits.
//
// How many the checksum misses is counted by the model's steps, taken only in the lane that a flip
// changes; the engine's must agree on every flip that is missed and on a sample of
// the others. That a flipped page, sealed again, is still a page or a refusal, and that whatever
// works on it stays inside its bytes, is tried for flips where they can matter (header, line
// pointers, special area) of a tenth of the pages; with TUPLESTONE_ALL_FLIPS set, for all flips of
// all pages, which takes some twenty minutes:
//
//   TUPLESTONE_ALL_FLIPS=1 build/fuzz/properties/page_exhaustive_test --gtest_filter='PageFlips.*'
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/page/checksum.h"
#include "engine/page/classify.h"
#include "engine/page/page.h"
#include "properties/kit/files.h"
#include "properties/page/checksum_model.h"

namespace tuplestone::properties {
namespace {

constexpr size_t kBits = page::kPageBytes * 8;
constexpr size_t kLanes = kChecksumLanes;
constexpr size_t kRows = kChecksumRows;

struct CorpusPage {
  std::string name;
  uint32_t block;
  std::vector<std::byte> bytes;
};

std::vector<CorpusPage> CorpusPages() {
  std::vector<CorpusPage> pages;
  const auto files = kit::ListFiles("corpus/relation_file/seed");
  EXPECT_TRUE(files.ok()) << files.status();
  for (const std::string& file : *files) {
    if (std::filesystem::path(file).extension() != ".rel") continue;
    const std::vector<std::byte> bytes = *kit::ReadFile(file);
    for (size_t at = 0; at < bytes.size(); at += page::kPageBytes) {
      const auto from = bytes.begin() + static_cast<ptrdiff_t>(at);
      pages.push_back(
          {file, static_cast<uint32_t>(at / page::kPageBytes), {from, from + page::kPageBytes}});
    }
  }
  return pages;
}

// A page's checksum with every lane kept as it was before each row, so that a flip costs only the
// rest of its lane.
class FlippedChecksums {
 public:
  explicit FlippedChecksums(const CorpusPage& page) : page_(page) {
    for (size_t lane = 0; lane < kLanes; ++lane) {
      uint32_t hash = kChecksumStarts[lane];
      for (size_t row = 0; row < kRows; ++row) {
        before_[row][lane] = hash;
        hash = ChecksumStep(hash, Word(row, lane));
      }
      last_[lane] = ChecksumStep(ChecksumStep(hash, 0), 0);
      folded_ ^= last_[lane];
    }
    folded_ ^= page.block;
  }

  uint16_t Checksum() const { return static_cast<uint16_t>(folded_ % 65535 + 1); }

  // One bit for each flip of the word: 1 if the checksum stays the same.
  uint32_t Missed(size_t row, size_t lane) const {
    std::array<uint32_t, 32> hashes;
    for (uint32_t bit = 0; bit < 32; ++bit) {
      hashes[bit] = ChecksumStep(before_[row][lane], Word(row, lane) ^ 1u << bit);
    }
    for (size_t below = row + 1; below < kRows; ++below) {
      const uint32_t word = Word(below, lane);
      for (uint32_t& hash : hashes) hash = ChecksumStep(hash, word);
    }
    uint32_t missed = 0;
    for (uint32_t bit = 0; bit < 32; ++bit) {
      const uint32_t last = ChecksumStep(ChecksumStep(hashes[bit], 0), 0);
      const uint32_t folded = folded_ ^ last_[lane] ^ last;
      missed |= uint32_t{folded % 65535 == folded_ % 65535} << bit;
    }
    // The field's own bits: the page then claims another checksum.
    if (row == 0 && lane == 2) missed &= 0xFFFF0000;
    return missed;
  }

 private:
  uint32_t Word(size_t row, size_t lane) const { return ChecksumWord(page_.bytes, row, lane); }

  const CorpusPage& page_;
  std::array<std::array<uint32_t, kLanes>, kRows> before_;
  std::array<uint32_t, kLanes> last_;
  uint32_t folded_ = 0;
};

void Flip(std::vector<std::byte>& bytes, size_t bit) {
  bytes[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
}

TEST(PageFlips, TheChecksumMissesOneIn65536WithinAFactorOfTwo) {
  size_t flips = 0;
  size_t missed = 0;
  size_t sampled = 0;
  for (CorpusPage& page : CorpusPages()) {
    const FlippedChecksums checksums(page);
    ASSERT_EQ(checksums.Checksum(), page::Checksum(page.bytes, page.block)) << page.name;
    for (size_t word = 0; word < kRows * kLanes; ++word) {
      const uint32_t bits = checksums.Missed(word / kLanes, word % kLanes);
      flips += 32;
      for (uint32_t bit = 0; bit < 32; ++bit) {
        const bool is_missed = (bits >> bit & 1) != 0;
        missed += is_missed ? 1 : 0;
        if (!is_missed && ++sampled % 4999 != 0) continue;
        Flip(page.bytes, word * 32 + bit);
        ASSERT_EQ(is_missed, page::ChecksumMatches(page.bytes, page.block)) << page.name << bit;
        Flip(page.bytes, word * 32 + bit);
      }
    }
  }
  EXPECT_EQ(flips, 850 * kBits);
  std::printf("%zu of %zu flips are missed, one in %zu\n", missed, flips,
              flips / std::max<size_t>(missed, 1));
  EXPECT_GT(missed, flips / 65536 / 2);
  EXPECT_LT(missed, flips / 65536 * 2);
}

// What a reader of the file would do with the page; false if it is refused.
bool Use(MutableBytes bytes, uint32_t block) {
  page::SealChecksum(bytes, block);
  const page::PageKind kind = page::KindOf(page::Classify(bytes));
  absl::StatusOr<page::Page> page = page::Page::Adopt(bytes, kind);
  if (!page.ok()) {
    EXPECT_EQ(page.status().code(), absl::StatusCode::kDataLoss) << page.status();
    return false;
  }
  page->Verify();
  if (page->kind() == page::PageKind::kHeap) page->RepairFragmentation();
  if (page->kind() == page::PageKind::kIndex) {
    EXPECT_TRUE(page->DeleteMany({}).ok());
  }
  page->Verify();
  return true;
}

TEST(PageFlips, EveryFlipSealedAgainIsAPageOrARefusalAndNothingOutsideIsTouched) {
  const bool all = std::getenv("TUPLESTONE_ALL_FLIPS") != nullptr;
  size_t taken = 0;
  size_t refused = 0;
  size_t number = 0;
  // Of exactly a page's size, so that the sanitizer sees every step outside.
  const auto scratch = std::make_unique<std::byte[]>(page::kPageBytes);
  for (CorpusPage& page : CorpusPages()) {
    if (number++ % 10 != 0 && !all) continue;
    const size_t lower = Load<uint16_t>(page.bytes.data() + page::kLowerAt);
    const size_t special = Load<uint16_t>(page.bytes.data() + page::kSpecialAt);
    for (size_t bit = 0; bit < kBits; ++bit) {
      const size_t at = bit / 8;
      // Of the line pointers every seventh bit, which meets each of their bits.
      const bool matters = at < page::kHeaderBytes || at >= special || (at < lower && bit % 7 == 0);
      if (!matters && !all) continue;
      Flip(page.bytes, bit);
      std::copy(page.bytes.begin(), page.bytes.end(), scratch.get());
      const bool used = Use(MutableBytes(scratch.get(), page::kPageBytes), page.block);
      (used ? taken : refused) += 1;
      Flip(page.bytes, bit);
    }
  }
  std::printf("%zu flipped pages were taken, %zu refused\n", taken, refused);
  EXPECT_GT(taken, 10000u);
  EXPECT_GT(refused, 10000u);
}

}  // namespace
}  // namespace tuplestone::properties
