// The checksum, and what kind of page bytes are. Not covered: real pages (real_pages_test.cc).
#include "engine/page/classify.h"

#include <gtest/gtest.h>

#include <vector>

#include "engine/page/checksum.h"
#include "engine/page/page.h"
#include "engine/page/page_for_test.h"

namespace tuplestone::page {
namespace {

TEST(Checksum, CountsEveryWordTheBlockNumberAndNotItself) {  // P14
  std::vector<std::byte> bytes(kPageBytes, std::byte{0x42});
  const uint16_t sum = Checksum(bytes, 0);
  EXPECT_NE(sum, 0);
  bytes[kChecksumAt] = std::byte{1};
  bytes[kChecksumAt + 1] = std::byte{2};
  EXPECT_EQ(Checksum(bytes, 0), sum);
  EXPECT_NE(Checksum(bytes, 1), sum);
  for (size_t word = 0; word < kPageBytes; word += 4) {
    const size_t at = word == kChecksumAt ? word + 2 : word;
    bytes[at] ^= std::byte{0x80};
    EXPECT_NE(Checksum(bytes, 0), sum) << at;
    bytes[at] ^= std::byte{0x80};
  }
}

TEST(Checksum, SealMakesItMatchAndChangesNothingElse) {
  TestPage test(kHeap);
  test.Fill({8});
  EXPECT_FALSE(test.page.ChecksumMatches(7));
  std::vector<std::byte> before = test.bytes;
  test.page.Seal(7);
  EXPECT_TRUE(test.page.ChecksumMatches(7));
  EXPECT_FALSE(test.page.ChecksumMatches(6));
  Store(before.data() + kChecksumAt, Load<uint16_t>(test.bytes.data() + kChecksumAt));
  EXPECT_EQ(before, test.bytes);
}

PageType Special(const std::vector<uint16_t>& half_words) {
  std::vector<std::byte> bytes(kPageBytes);
  const size_t special = kPageBytes - 2 * half_words.size();
  Store(bytes.data() + kUpperAt, static_cast<uint16_t>(special));
  Store(bytes.data() + kSpecialAt, static_cast<uint16_t>(special));
  for (size_t i = 0; i < half_words.size(); ++i) {
    Store(bytes.data() + special + 2 * i, half_words[i]);
  }
  return Classify(bytes);
}

TEST(Classify, TellsTypesByTheSpecialArea) {
  EXPECT_EQ(Special({}), PageType::kHeap);
  EXPECT_EQ(Special({0x1717, 0, 0, 0}), PageType::kSequence);
  EXPECT_EQ(Special({0, 0, 0, 0xF091}), PageType::kBrinMeta);
  EXPECT_EQ(Special({0, 0, 0, 0xF092}), PageType::kBrinRevmap);
  EXPECT_EQ(Special({0, 0, 0, 0xF093}), PageType::kBrin);
  EXPECT_EQ(Special({4, 0, 0, 0xFF82}), PageType::kSpgist);
  EXPECT_EQ(Special({1, 0, 0, 0xFF82}), PageType::kSpgistMeta);
  EXPECT_EQ(Special({0, 0, 0, 2}), PageType::kGin);
  EXPECT_EQ(Special({0, 0, 0, 8}), PageType::kGinMeta);
  EXPECT_EQ(Special({0, 0, 0, 0x83}), PageType::kGinData);
  EXPECT_EQ(Special({0, 0, 0, 0xF094}), PageType::kUnrecognized);
  EXPECT_EQ(Special({0, 0, 0, 0, 0, 0, 2, 0xFF80}), PageType::kHash);
  EXPECT_EQ(Special({0, 0, 0, 0, 0, 0, 1, 0xFF80}), PageType::kHash);
  EXPECT_EQ(Special({0, 0, 0, 0, 0, 0, 8, 0xFF80}), PageType::kHashMeta);
  EXPECT_EQ(Special({0, 0, 0, 0, 0, 0, 4, 0xFF80}), PageType::kHashBitmap);
  EXPECT_EQ(Special({0, 0, 0, 0, 0, 0, 1, 0xFF81}), PageType::kGist);
  EXPECT_EQ(Special({0, 0, 0, 0, 0, 0, 2, 0xFF81}), PageType::kGistDeleted);
  EXPECT_EQ(Special({0, 0, 0, 0, 0, 0, 1, 0xFF7F}), PageType::kBtree);
  EXPECT_EQ(Special({0, 0, 0, 0, 0, 0, 8, 0}), PageType::kBtreeMeta);
  EXPECT_EQ(Special({0, 0, 0, 0, 0, 0, 4, 0}), PageType::kBtreeDeleted);
  EXPECT_EQ(Special({0, 0, 0, 0, 0, 0, 1, 0xFF82}), PageType::kUnrecognized);
  EXPECT_EQ(Special({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}), PageType::kUnrecognized);
}

TEST(Classify, IsTotal) {
  EXPECT_EQ(Classify({}), PageType::kUnrecognized);
  std::vector<std::byte> bytes(kPageBytes);
  EXPECT_EQ(Classify(bytes), PageType::kNew);
  bytes[8191] = std::byte{1};
  for (size_t special = 0; special <= 0xFFFF; ++special) {
    Store(bytes.data() + kSpecialAt, static_cast<uint16_t>(special));
    const PageType type = Classify(bytes);
    EXPECT_EQ(type == PageType::kUnrecognized,
              special != 8192 && special != 8184 && special != 8176)
        << special;
  }
  for (int type = 0; type < kPageTypeCount; ++type) {
    EXPECT_STRNE(NameOf(static_cast<PageType>(type)), "");
  }
}

TEST(Classify, TypesWithoutLinePointersAreOpaque) {
  for (PageType type :
       {PageType::kBtreeMeta, PageType::kHashMeta, PageType::kHashBitmap, PageType::kBrinMeta,
        PageType::kBrinRevmap, PageType::kGinMeta, PageType::kGinData, PageType::kSpgistMeta,
        PageType::kBtreeDeleted, PageType::kGistDeleted, PageType::kUnrecognized}) {
    EXPECT_EQ(KindOf(type), PageKind::kOpaque) << NameOf(type);
  }
  for (PageType type : {PageType::kBtree, PageType::kHash, PageType::kGist, PageType::kBrin,
                        PageType::kSpgist, PageType::kGin}) {
    EXPECT_EQ(KindOf(type), PageKind::kIndex) << NameOf(type);
  }
  EXPECT_EQ(KindOf(PageType::kHeap), PageKind::kHeap);
  EXPECT_EQ(KindOf(PageType::kSequence), PageKind::kHeap);
  EXPECT_EQ(KindOf(PageType::kNew), PageKind::kNew);
}

}  // namespace
}  // namespace tuplestone::page
