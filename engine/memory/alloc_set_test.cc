#include "engine/memory/alloc_set.h"

#include <gtest/gtest.h>

#include <vector>

#include "engine/memory/counting_source.h"
#include "engine/memory/kinds_for_test.h"

namespace tuplestone::memory {
namespace {

class AllocSetTest : public testing::Test {
 protected:
  AllocSet* Create(const Options& options = {}) {
    owner_.reset(AllocSet::Create(source_, "test", options));
    return owner_.get();
  }
  CountingSource source_;
  OwnedContext<AllocSet> owner_;
};

// The same figure in every build: guards are extra.
TEST_F(AllocSetTest, ANewContextIsItselfAndItsFirstBlock) {
  AllocSet* set = Create();
  const Account a = set->account();
  EXPECT_EQ(a.overhead, 1552u + kBlockHeaderBytes);
  EXPECT_EQ(a.held(), 1552u + 8192u);
  EXPECT_EQ(a.tail, 8192u - kBlockHeaderBytes);
  EXPECT_EQ(a.blocks, 1u);
}

TEST_F(AllocSetTest, AFreedChunkServesTheNextRequestOfItsClassOnly) {  // A03
  AllocSet* set = Create();
  void* p = set->Allocate(64);
  void* other = set->Allocate(64);
  set->Free(p);
  EXPECT_EQ(set->account().free, 72u);
  EXPECT_NE(set->Allocate(40), p);
  EXPECT_NE(set->Allocate(72), p);
  EXPECT_EQ(set->account().free, 72u);
  EXPECT_EQ(set->Allocate(57), p);  // 57 to 64 are one class
  EXPECT_EQ(set->account().free, 0u);
  set->Free(other);
  set->Verify();
}

TEST_F(AllocSetTest, TheNewestFreeChunkGoesFirst) {
  AllocSet* set = Create();
  void* a = set->Allocate(100);
  void* b = set->Allocate(100);
  set->Free(a);
  set->Free(b);
  EXPECT_EQ(set->Allocate(100), b);
  EXPECT_EQ(set->Allocate(100), a);
}

TEST_F(AllocSetTest, HistoricalChunksTakeSixteenBytesAndAPowerOfTwo) {  // seed 1
  AllocSet* set = Create(Options::HistoricalAllocSet());
  EXPECT_EQ(set->ChunkSpaceFor(64), 80u);
  EXPECT_EQ(set->ChunkSpaceFor(72), 144u);
  EXPECT_EQ(set->ChunkSpaceFor(24576), 24592u);
  EXPECT_EQ(set->ChunkSpace(set->Allocate(72)), 144u);
  set->Verify();
}

TEST_F(AllocSetTest, CompactChunksTakeEightBytesAndTheRequest) {
  AllocSet* set = Create();
  EXPECT_EQ(set->ChunkSpaceFor(64), 72u);
  EXPECT_EQ(set->ChunkSpaceFor(72), 80u);
  EXPECT_EQ(set->ChunkSpaceFor(1), 16u);
  EXPECT_EQ(set->ChunkSpaceFor(0), 16u);
}

// A08: what is left of a block becomes free chunks when the next one starts, to the last 16 bytes.
TEST_F(AllocSetTest, TheTailOfAFullBlockIsCutIntoFreeChunks) {
  for (size_t left = 8; left <= 80; left += 8) {
    AllocSet* set = Create(SmallOptions({}, 1024, 4096));
    while (set->account().tail > left + 56) set->Allocate(1);
    const size_t last = set->account().tail - left;
    if (last >= 16) set->Allocate(last - 8);
    ASSERT_EQ(set->account().tail, left);
    set->Allocate(100);  // 108 are more than any of these
    const Account a = set->account();
    EXPECT_EQ(a.free, left < 16 ? 0 : left);
    EXPECT_EQ(a.blocks, 2u);
    set->Verify();
  }
}

TEST_F(AllocSetTest, LargeRequestsGetABlockThatGoesBackWhenFreed) {
  AllocSet* set = Create();
  const Account fresh = set->account();
  void* in_block = set->Allocate(8192);
  EXPECT_EQ(source_.lent_blocks(), 2u);  // it shares the second block, which stays
  void* own = set->Allocate(8193);
  EXPECT_EQ(source_.lent_blocks(), 3u);
  EXPECT_EQ(set->account().live, 8200u + 8208u);
  set->Free(own);
  EXPECT_EQ(source_.lent_blocks(), 2u);
  set->Free(in_block);
  EXPECT_EQ(source_.lent_blocks(), 2u);
  EXPECT_EQ(set->account().live, 0u);
  set->Verify();
  set->Reset();
  EXPECT_EQ(set->account(), fresh);
}

TEST_F(AllocSetTest, ReallocatedWithinItsClassAChunkStays) {
  AllocSet* set = Create();
  void* p = set->Allocate(60);
  EXPECT_EQ(set->Reallocate(p, 64), p);
  EXPECT_EQ(set->account().requested, 64u);
  EXPECT_EQ(set->Reallocate(p, 57), p);
  EXPECT_NE(set->Reallocate(p, 65), p);
  EXPECT_EQ(set->account().requested, 65u);
  set->Verify();
}

TEST_F(AllocSetTest, ReallocationCrossesTheChunkLimitBothWays) {  // A05
  AllocSet* set = Create();
  std::vector<unsigned char*> chunks;
  for (int i = 0; i < 4; ++i) {
    chunks.push_back(static_cast<unsigned char*>(set->Allocate(9000)));
    chunks.back()[0] = static_cast<unsigned char>(i);
  }
  for (size_t i = 0; i < 4; ++i) {
    auto*& p = chunks[i];
    p = static_cast<unsigned char*>(set->Reallocate(p, 20000));
    p = static_cast<unsigned char*>(set->Reallocate(p, 100));
    p = static_cast<unsigned char*>(set->Reallocate(p, 30000));
    EXPECT_EQ(p[0], i);
    set->Verify();
  }
  EXPECT_EQ(set->account().requested, 4 * 30000u);
}

TEST_F(AllocSetTest, AFailedReallocationLeavesTheChunkAsItWas) {
  AllocSet* set = Create();
  auto* p = static_cast<char*>(set->Allocate(10));
  std::strcpy(p, "unchanged");
  const Account before = set->account();
  source_.FailAt(1);
  EXPECT_EQ(set->Reallocate(p, 100000), nullptr);
  EXPECT_STREQ(p, "unchanged");
  EXPECT_EQ(set->account(), before);
}

TEST_F(AllocSetTest, DoublingGrowthDoublesUpToTheMaximum) {
  Options options = SmallOptions(Options::HistoricalAllocSet(), 1024, 8192);
  AllocSet* set = Create(options);
  std::vector<size_t> sizes;
  size_t held = set->account().held();
  while (sizes.size() < 5) {
    set->Allocate(256);
    if (set->account().held() != held) sizes.push_back(set->account().held() - held);
    held = set->account().held();
  }
  EXPECT_EQ(sizes, (std::vector<size_t>{1024, 2048, 4096, 8192, 8192}));
}

// Issue 4: bytes per 64-byte chunk at 100,000 chunks.
TEST_F(AllocSetTest, AHundredThousandChunksTakeAtMostSeventySixBytesEach) {
  AllocSet* set = Create();
  for (int i = 0; i < 100000; ++i) set->Allocate(64);
  const Account a = set->account();
  EXPECT_LE(static_cast<double>(a.held()) / 100000, 76.0);
  EXPECT_LE(static_cast<double>(a.held() - a.tail) / 100000, 72.1);
}

TEST_F(AllocSetTest, TheContextIsFoundFromAnyChunk) {
  AllocSet* set = Create();
  for (const size_t bytes : {0, 64, 5000, 100000}) {
    for (const size_t alignment : {8, 64, 4096, 65536}) {
      EXPECT_EQ(ContextOf(set->Context::Allocate(bytes, alignment)), set);
    }
  }
}

}  // namespace
}  // namespace tuplestone::memory
