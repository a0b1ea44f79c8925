// The suite's own parts: each can be wrong without any page being wrong.
#include "properties/page/page_suite.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "properties/page/page_image_suite.h"

namespace tuplestone::properties {
namespace {

using page::PageKind;
using Lines = std::vector<size_t>;

TEST(PageImages, AreSoundAndWhatTheirNamesSay) {
  std::set<std::string> names;
  for (size_t number = 0; number < kPageImageCount; ++number) {
    const PageImage image = PageImageAt(number);
    EXPECT_TRUE(names.insert(image.name).second) << image.name;
    const PageKind kind = page::KindOf(page::Classify(image.bytes));
    EXPECT_TRUE(kind == PageKind::kHeap || kind == PageKind::kIndex) << image.name;
    EXPECT_EQ(WhyUnsound(image.bytes, kind, {}), "") << image.name;
    const std::string name = image.name;
    const auto block = static_cast<uint32_t>(std::stoul(name.substr(name.find(' '))));
    EXPECT_TRUE(page::ChecksumMatches(image.bytes, block)) << name;
  }
}

TEST(TupleBytes, DifferByFillAndWithinThemselves) {
  EXPECT_NE(TupleBytes(8, 1), TupleBytes(8, 2));
  const std::vector<std::byte> tuple = TupleBytes(8160, 7);
  std::set<std::vector<std::byte>> words;
  for (size_t at = 0; at < tuple.size(); at += 8) {
    EXPECT_TRUE(words.insert({tuple.begin() + at, tuple.begin() + at + 8}).second) << at;
  }
}

TEST(LinesOf, TakesTheSetBitsFromTheFirstOn) {
  EXPECT_EQ(LinesOf(0b1010, 1, 4), (Lines{1, 3}));
  EXPECT_EQ(LinesOf(0b1010, 2, 4), (Lines{3}));
  EXPECT_EQ(LinesOf(~uint64_t{0}, 63, 65), (Lines{63, 64, 65}));
  EXPECT_EQ(LinesOf(1, 1, 128), (Lines{64, 128}));
  EXPECT_EQ(LinesOf(~uint64_t{0}, 5, 4), Lines{});
}

TEST(WithFault, MakesOneThingWrong) {
  EXPECT_EQ(WithFault({1, 3}, ListFault::kNone, 4), (Lines{1, 3}));
  EXPECT_EQ(WithFault({1, 3}, ListFault::kRepeated, 4), (Lines{1, 3, 3}));
  EXPECT_EQ(WithFault({1, 3}, ListFault::kDescending, 4), (Lines{3, 1}));
  EXPECT_EQ(WithFault({1, 3}, ListFault::kZero, 4), (Lines{0, 1, 3}));
  EXPECT_EQ(WithFault({1, 3}, ListFault::kPastEnd, 4), (Lines{1, 3, 5}));
}

TEST(Damage, ReachesEveryArea) {
  const std::vector<std::byte> page(page::kPageBytes);
  const auto with = [&](DamagedArea area, size_t offset, bool set) {
    std::vector<std::byte> bytes = page;
    bytes[100] = std::byte{0xF0};
    PageAdoptDamaged damage;
    damage.area = area;
    damage.offset = offset;
    damage.set = set;
    damage.value = 0x0F;
    Damage(damage, 2, &bytes);
    return bytes;
  };
  EXPECT_EQ(with(DamagedArea::kPage, 100, false)[100], std::byte{0xFF});
  EXPECT_EQ(with(DamagedArea::kPage, 100, true)[100], std::byte{0x0F});
  EXPECT_EQ(with(DamagedArea::kLines, 9, true)[25], std::byte{0x0F});
  EXPECT_EQ(with(DamagedArea::kHeader, 30, true)[6], std::byte{0x0F});
  EXPECT_EQ(with(DamagedArea::kEnd, 30, true).size(), 30u);
}

TEST(IsCompact, SeesOrderGapsAndUpper) {
  std::vector<std::byte> bytes(page::kPageBytes);
  page::Page page = page::Page::Initialize(absl::MakeSpan(bytes), PageKind::kHeap, 8);
  EXPECT_TRUE(checked_page_internal::IsRepaired(bytes));
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(page.Add(TupleBytes(20, 1)).ok());
  EXPECT_TRUE(checked_page_internal::IsRepaired(bytes));
  ASSERT_TRUE(page.MarkUnused(2).ok());
  EXPECT_FALSE(checked_page_internal::IsCompact(bytes));
  ASSERT_TRUE(page.Add(TupleBytes(20, 1)).ok());
  EXPECT_FALSE(checked_page_internal::IsCompact(bytes)) << "out of order";
  page.RepairFragmentation();
  EXPECT_TRUE(checked_page_internal::IsRepaired(bytes));
  ASSERT_TRUE(page.MarkUnused(3).ok());
  EXPECT_FALSE(checked_page_internal::IsCompact(bytes)) << "upper";
}

TEST(MendHeader, MakesMostPagesSound) {
  for (size_t number = 0; number < kPageImageCount; ++number) {
    const Bytes image = PageImageAt(number).bytes;
    std::vector<std::byte> bytes(image.begin(), image.end());
    Store(bytes.data() + page::kUpperAt, uint16_t{3});
    Store(bytes.data() + page::kFlagsAt, uint16_t{0xFFF8});
    Store(bytes.data() + page::kSizeAndVersionAt, uint16_t{7});
    MendHeader(absl::MakeSpan(bytes));
    const std::string why = WhyUnsound(bytes, PageKind::kHeap, {});
    EXPECT_TRUE(why == "" || why.find("line") == 0) << why;
  }
}

}  // namespace
}  // namespace tuplestone::properties
