// Every fault that Adopt must name, each on a page that is sound but for it.
#include "engine/page/verify.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/page/page.h"

namespace tuplestone::page {
namespace {

using State = LineState;

// The bytes of a page with the given line pointers; upper is where `upper` says.
std::vector<std::byte> Image(const std::vector<LinePointer>& lines, size_t upper,
                             size_t special = kPageBytes) {
  std::vector<std::byte> bytes(kPageBytes);
  Store(bytes.data() + kSizeAndVersionAt, kSizeAndVersion);
  Store(bytes.data() + kLowerAt, static_cast<uint16_t>(kHeaderBytes + 4 * lines.size()));
  Store(bytes.data() + kUpperAt, static_cast<uint16_t>(upper));
  Store(bytes.data() + kSpecialAt, static_cast<uint16_t>(special));
  for (size_t i = 0; i < lines.size(); ++i) {
    Store(bytes.data() + kHeaderBytes + 4 * i, lines[i].bits());
  }
  return bytes;
}

LinePointer Normal(size_t offset, size_t length) { return {State::kNormal, offset, length}; }
LinePointer RedirectTo(size_t target) { return {State::kRedirect, target, 0}; }

// Adopt's answer; the bytes must be as before whatever it is.
absl::Status Adopted(std::vector<std::byte> bytes, PageKind kind = PageKind::kHeap,
                     const Limits& limits = {}) {
  const std::vector<std::byte> before = bytes;
  absl::Status status = Page::Adopt(absl::MakeSpan(bytes), kind, limits).status();
  EXPECT_EQ(before, bytes) << "P9";
  return status;
}

void ExpectFault(const absl::Status& status, const std::string& message) {
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(std::string(status.message()), message);
}

std::vector<std::byte> WithField(std::vector<std::byte> bytes, size_t at, uint16_t value) {
  Store(bytes.data() + at, value);
  return bytes;
}

TEST(Adopt, TakesEveryStateInItsLegalShape) {
  const std::vector<LinePointer> lines = {Normal(8160, 25),
                                          LinePointer(),
                                          RedirectTo(1),
                                          {State::kDead, 8136, 24},
                                          {State::kDead, 0, 0}};
  EXPECT_TRUE(Adopted(Image(lines, 8136)).ok());
}

TEST(Adopt, TakesThePageWithoutLinePointersAndTheFullOne) {
  EXPECT_TRUE(Adopted(Image({}, kPageBytes)).ok());
  EXPECT_TRUE(Adopted(Image({}, kHeaderBytes)).ok()) << "the rest is one gap";
  EXPECT_TRUE(Adopted(Image({}, kHeaderBytes, kHeaderBytes)).ok()) << "the rest is special";
  EXPECT_TRUE(Adopted(Image({Normal(32, kTupleBytesMax)}, 32)).ok());
}

TEST(Adopt, NewPagesAreSoundForEveryKind) {
  for (PageKind kind : {PageKind::kHeap, PageKind::kIndex, PageKind::kNew, PageKind::kOpaque}) {
    std::vector<std::byte> bytes(kPageBytes);
    absl::StatusOr<Page> page = Page::Adopt(absl::MakeSpan(bytes), kind);
    ASSERT_TRUE(page.ok());
    EXPECT_EQ(page->kind(), PageKind::kNew);
    page->Verify();
  }
}

TEST(Adopt, RefusesOneByteThatIsNotZeroOnANewPage) {
  for (size_t at : {size_t{0}, size_t{23}, size_t{24}, size_t{4096}, kPageBytes - 1}) {
    std::vector<std::byte> bytes(kPageBytes);
    bytes[at] = std::byte{1};
    ExpectFault(Adopted(bytes),
                "page header: upper is 0 as on a new page, but not every byte is zero at offset 14 "
                "(lower 0, upper 0, special 0)");
    ExpectFault(Adopted(bytes, PageKind::kNew),
                "page header: a new page has no byte but zero at offset 0");
  }
  EXPECT_FALSE(Adopted(Image({}, kPageBytes), PageKind::kNew).ok());
}

TEST(Adopt, RefusesOtherSizes) {
  for (size_t size : {size_t{0}, size_t{1}, kHeaderBytes, kPageBytes - 1, kPageBytes + 1}) {
    std::vector<std::byte> bytes(size);
    EXPECT_EQ(Adopted(bytes).code(), absl::StatusCode::kDataLoss);
  }
}

TEST(Adopt, RefusesOtherVersionsSizesAndUnknownFlags) {
  const std::vector<std::byte> sound = Image({}, kPageBytes);
  ExpectFault(Adopted(WithField(sound, kSizeAndVersionAt, 0x2003)),
              "page header: unknown page size or layout version at offset 18 (0x2003, known is "
              "0x2004)");
  EXPECT_FALSE(Adopted(WithField(sound, kSizeAndVersionAt, 0x4004)).ok());
  for (unsigned bit = 0; bit < 16; ++bit) {
    const auto flags = static_cast<uint16_t>(1u << bit);
    EXPECT_EQ(Adopted(WithField(sound, kFlagsAt, flags)).ok(), bit < 3);
    EXPECT_EQ(Adopted(WithField(sound, kFlagsAt, flags), PageKind::kOpaque).ok(), bit < 3);
  }
}

TEST(Adopt, RefusesHeaderBoundsOutOfOrder) {
  const std::vector<std::byte> sound = Image({}, kPageBytes);
  ExpectFault(
      Adopted(WithField(sound, kLowerAt, 23)),
      "page header: lower lies inside the header at offset 12 (lower 23, upper 8192, special "
      "8192)");
  EXPECT_FALSE(Adopted(WithField(sound, kLowerAt, 0)).ok());
  EXPECT_FALSE(Adopted(WithField(sound, kLowerAt, 8193)).ok());
  EXPECT_FALSE(Adopted(WithField(WithField(sound, kLowerAt, 32), kUpperAt, 24)).ok());
  ExpectFault(
      Adopted(WithField(sound, kUpperAt, 8200)),
      "page header: upper is past special at offset 14 (lower 24, upper 8200, special 8192)");
  ExpectFault(Adopted(WithField(sound, kSpecialAt, 8200)),
              "page header: special is past the page at offset 16 (lower 24, upper 8192, special "
              "8200)");
  EXPECT_FALSE(Adopted(WithField(sound, kSpecialAt, 0xFFFF)).ok());
}

TEST(Adopt, RefusesMisalignedBounds) {
  const std::vector<std::byte> sound = Image({}, 4096, 8184);
  ExpectFault(
      Adopted(WithField(sound, kSpecialAt, 8188)),
      "page header: special is misaligned at offset 16 (lower 24, upper 4096, special 8188)");
  ExpectFault(Adopted(WithField(sound, kUpperAt, 4100)),
              "page header: upper is misaligned at offset 14 (upper 4100)");
  for (uint16_t lower : std::vector<uint16_t>{25, 26, 27})
    EXPECT_FALSE(Adopted(WithField(sound, kLowerAt, lower)).ok());
  EXPECT_TRUE(Adopted(WithField(sound, kLowerAt, 28)).ok());
}

TEST(Adopt, OpaquePagesNeedASoundHeaderOnly) {
  std::vector<std::byte> bytes = Image({Normal(8000, 4000)}, 4096, 8176);
  Store(bytes.data() + kLowerAt, uint16_t{27});
  Store(bytes.data() + kUpperAt, uint16_t{4099});
  absl::StatusOr<Page> page = Page::Adopt(absl::MakeSpan(bytes), PageKind::kOpaque);
  ASSERT_TRUE(page.ok());
  EXPECT_EQ(page->line_count(), 0u);
  EXPECT_EQ(page->FreeSpace(), 0u);
  EXPECT_FALSE(page->Fits(1));
  EXPECT_EQ(page->SpecialArea().size(), 16u);
  page->Verify();
}

TEST(Adopt, RefusesMoreLinePointersThanTheLimit) {  // P11
  const auto unused = [](size_t count) {
    return Image(std::vector<LinePointer>(count), kPageBytes);
  };
  EXPECT_TRUE(Adopted(unused(291)).ok());
  ExpectFault(Adopted(unused(292)),
              "page header: too many line pointers at offset 12 (292, at most 291)");
  EXPECT_TRUE(Adopted(unused(408), PageKind::kIndex).ok());
  EXPECT_FALSE(Adopted(unused(409), PageKind::kIndex).ok());
  EXPECT_FALSE(Adopted(unused(2042)).ok());
  Limits small;
  small.heap_lines_max = 2;
  small.index_lines_max = 3;
  EXPECT_TRUE(Adopted(unused(2), PageKind::kHeap, small).ok());
  EXPECT_FALSE(Adopted(unused(3), PageKind::kHeap, small).ok());
  EXPECT_TRUE(Adopted(unused(3), PageKind::kIndex, small).ok());
  EXPECT_FALSE(Adopted(unused(4), PageKind::kIndex, small).ok());
  Limits large;
  large.heap_lines_max = kLinesThatFit;
  EXPECT_TRUE(Adopted(unused(2042), PageKind::kHeap, large).ok());
}

TEST(Adopt, RefusesMoreThanTheLimitOfStoredTuples) {
  std::vector<LinePointer> lines;
  for (size_t i = 1; i <= 400; ++i) lines.push_back(Normal(kPageBytes - 8 * i, 8));
  EXPECT_FALSE(Adopted(Image(lines, kPageBytes - 3200)).ok());
  EXPECT_TRUE(Adopted(Image(lines, kPageBytes - 3200), PageKind::kIndex).ok());
}

TEST(Adopt, RefusesStatesInAnyOtherShape) {  // P11
  const auto one = [](LinePointer second) {
    return Adopted(Image({Normal(8184, 8), second}, 8000));
  };
  ExpectFault(one({State::kUnused, 8176, 0}),
              "line pointer 2: unused line pointer is not zero at offset 8176 (length 0)");
  ExpectFault(one({State::kUnused, 0, 8}),
              "line pointer 2: unused line pointer is not zero at offset 0 (length 8)");
  ExpectFault(one({State::kNormal, 8176, 0}),
              "line pointer 2: normal line pointer without storage at offset 8176 (length 0)");
  ExpectFault(one({State::kRedirect, 1, 8}),
              "line pointer 2: redirect with storage at offset 1 (length 8)");
  ExpectFault(one({State::kDead, 8176, 0}),
              "line pointer 2: dead line pointer without storage has an offset at offset 8176 "
              "(length 0)");
}

TEST(Adopt, RefusesRedirectsThatNameNoNormalLinePointer) {  // P11
  const auto redirect = [](size_t target) {
    return Adopted(Image({RedirectTo(target),
                          LinePointer(),
                          RedirectTo(5),
                          {State::kDead, 0, 0},
                          Normal(8184, 8),
                          {State::kDead, 8176, 8}},
                         8176));
  };
  EXPECT_TRUE(redirect(5).ok());
  ExpectFault(
      redirect(0),
      "line pointer 1: redirect to a line pointer that does not exist at offset 0 (target 0 "
      "of 6)");
  EXPECT_FALSE(redirect(7).ok());
  EXPECT_FALSE(redirect(0x7FFF).ok());
  for (size_t target : {1, 2, 3, 4, 6}) EXPECT_FALSE(redirect(target).ok()) << target;
  ExpectFault(
      redirect(2),
      "line pointer 1: redirect to a line pointer that is not normal at offset 2 (target 2)");
}

TEST(Adopt, RefusesRedirectsOnIndexPages) {
  const std::vector<std::byte> bytes = Image({RedirectTo(2), Normal(8184, 8)}, 8184);
  EXPECT_TRUE(Adopted(bytes).ok());
  ExpectFault(Adopted(bytes, PageKind::kIndex),
              "line pointer 1: redirect on an index page at offset 2");
}

TEST(Adopt, RefusesTuplesOutsideTheirArea) {  // P2
  for (State state : {State::kNormal, State::kDead}) {
    const auto tuple = [&](size_t offset, size_t length) {
      return Adopted(Image({{state, offset, length}}, 8000, 8176));
    };
    EXPECT_TRUE(tuple(8000, 176).ok());
    EXPECT_TRUE(tuple(8000, 1).ok());
    EXPECT_TRUE(tuple(8168, 8).ok());
    ExpectFault(tuple(7992, 8),
                "line pointer 1: tuple starts below upper at offset 7992 (length 8, upper 8000, "
                "special 8176)");
    EXPECT_FALSE(tuple(0, 8).ok()) << "offset 0 would overwrite the header";
    ExpectFault(
        tuple(8168, 9),
        "line pointer 1: tuple runs past the special area's start at offset 8168 (length 9, "
        "upper 8000, special 8176)");
    EXPECT_FALSE(tuple(8000, 177).ok());
    EXPECT_FALSE(tuple(8000, 0x7FFF).ok());
    EXPECT_FALSE(tuple(8176, 8).ok());
    EXPECT_FALSE(tuple(0x7FF8, 8).ok());
    ExpectFault(tuple(8004, 8),
                "line pointer 1: tuple is misaligned at offset 8004 (length 8, upper 8000, special "
                "8176)");
    for (size_t by = 1; by < 8; ++by) EXPECT_FALSE(tuple(8000 + by, 8).ok()) << by;
  }
}

TEST(Adopt, RefusesOverlapAndTakesNeighbours) {  // P2
  const auto pair = [](LinePointer a, LinePointer b) { return Adopted(Image({a, b}, 4096)); };
  EXPECT_TRUE(pair(Normal(5000, 8), Normal(5008, 8)).ok());
  EXPECT_TRUE(pair(Normal(5008, 8), Normal(5000, 8)).ok());
  ExpectFault(
      pair(Normal(5000, 9), Normal(5008, 8)),
      "line pointer 2: tuple overlaps that of an earlier line pointer at offset 5008 (length "
      "8, upper 4096, special 8192)");
  EXPECT_FALSE(pair(Normal(5008, 8), Normal(5000, 9)).ok());
  EXPECT_FALSE(pair(Normal(5000, 8), Normal(5000, 8)).ok());
  EXPECT_FALSE(pair(Normal(5000, 8), {State::kDead, 5000, 1}).ok());
  EXPECT_FALSE(pair(Normal(4096, 4096), Normal(8184, 8)).ok());
  EXPECT_FALSE(pair(Normal(4096, 4096), Normal(6144, 8)).ok());
  EXPECT_FALSE(pair(Normal(6144, 8), Normal(4096, 4096)).ok());
  EXPECT_TRUE(pair(Normal(4096, 4088), Normal(8184, 8)).ok());
}

// The map of units works in words of 64 x 8 = 512 bytes: tuples around each border of one.
TEST(Adopt, FindsOverlapAtEveryWordBorderOfItsMap) {
  for (size_t border = 512; border < kPageBytes; border += 512) {
    for (size_t length : {8, 16, 504, 512, 520, 1024, 1032}) {
      const size_t offset = border - 8;
      if (offset + length > kPageBytes) continue;
      const auto with = [&](size_t other) {
        return Adopted(Image({Normal(offset, length), Normal(other, 8)}, 32)).ok();
      };
      if (offset >= 40) {
        EXPECT_TRUE(with(offset - 8));
      }
      EXPECT_FALSE(with(offset));
      EXPECT_FALSE(with(offset + length - 8));
      if (offset + length + 8 <= kPageBytes) {
        EXPECT_TRUE(with(offset + length));
      }
    }
  }
}

// C18: three items that each fit and together do not.
TEST(Adopt, RefusesLengthsThatSumToMoreThanThePage) {
  EXPECT_FALSE(Adopted(Image({Normal(104, 8000), Normal(104, 8000), Normal(104, 8000)}, 104)).ok());
}

TEST(VerifyDeathTest, NamesTheInvariantThatOutsideDamageBroke) {
  std::vector<std::byte> bytes = Image({Normal(8184, 8), Normal(8176, 8)}, 8176);
  absl::StatusOr<Page> page = Page::Adopt(absl::MakeSpan(bytes), PageKind::kHeap);
  ASSERT_TRUE(page.ok());
  page->Verify();
  EXPECT_DEATH(
      {
        Store(bytes.data() + kUpperAt, uint16_t{8184});
        page->Verify();
      },
      "P2 broken.*\n.*\n.*\n.*line pointer 2: tuple starts below upper");
  EXPECT_DEATH(
      {
        Store(bytes.data() + kLowerAt, uint16_t{8});
        page->Verify();
      },
      "P1 broken");
  EXPECT_DEATH(
      {
        Store(bytes.data() + kHeaderBytes, RedirectTo(1).bits());
        page->Verify();
      },
      "P11 broken");
}

}  // namespace
}  // namespace tuplestone::page
