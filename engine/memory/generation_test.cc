#include "engine/memory/generation.h"

#include <gtest/gtest.h>

#include <deque>
#include <vector>

#include "engine/memory/counting_source.h"
#include "engine/memory/kinds_for_test.h"

namespace tuplestone::memory {
namespace {

class GenerationTest : public testing::Test {
 protected:
  // Blocks of 512 bytes, and chunks of up to 64 in them.
  static Options Small() {
    Options options = SmallOptions({}, 512, 512);
    options.limits.chunk_limit_divisor = 4;
    return options;
  }
  Generation* Create(const Options& options = Small()) {
    owner_.reset(Generation::Create(source_, "test", options));
    return owner_.get();
  }
  // Chunks of 40 bytes until another block is needed; the last is that block's first.
  std::vector<void*> FillBlock() {
    std::vector<void*> chunks;
    const size_t blocks = owner_->account().blocks;
    const size_t free = owner_->account().free;
    while (owner_->account().blocks == blocks && owner_->account().free == free) {
      chunks.push_back(owner_->Allocate(40));
    }
    return chunks;
  }
  CountingSource source_;
  OwnedContext<Generation> owner_;
};

TEST_F(GenerationTest, ANewContextIsItselfAndItsFirstBlock) {
  Generation* generation = Create({});
  EXPECT_EQ(generation->account().held(), 352u + 8192u);
  EXPECT_EQ(generation->account().overhead, 352u + kBlockHeaderBytes);
}

TEST_F(GenerationTest, AFreedChunkIsDeadUntilItsBlockIsEmpty) {
  Generation* generation = Create();
  void* a = generation->Allocate(64);
  void* b = generation->Allocate(64);
  generation->Free(a);
  EXPECT_EQ(generation->account().dead, 72u);
  EXPECT_EQ(generation->account().free, 0u);
  EXPECT_NE(generation->Allocate(64), a);
  generation->Free(b);
  EXPECT_EQ(generation->account().dead, 144u);
  generation->Verify();
}

TEST_F(GenerationTest, TheActiveBlockStartsAnewWhenItEmpties) {
  Generation* generation = Create();
  const Account fresh = generation->account();
  void* a = generation->Allocate(64);
  void* b = generation->Allocate(64);
  generation->Free(b);
  generation->Free(a);
  EXPECT_EQ(generation->account(), fresh);
  EXPECT_EQ(generation->Allocate(64), a);
}

TEST_F(GenerationTest, TheFirstBlockAndOneSpareAreKeptAndUsedAgain) {
  Generation* generation = Create();
  std::vector<std::vector<void*>> blocks;
  for (int i = 0; i < 4; ++i) blocks.push_back(FillBlock());
  ASSERT_EQ(generation->account().blocks, 5u);
  const size_t area = 512 - kBlockHeaderBytes;
  // Each vector's last chunk lies in the next block.
  const auto empty = [&](size_t i) {
    if (i > 0) generation->Free(blocks[i - 1].back());
    blocks[i].pop_back();
    for (void* p : blocks[i]) generation->Free(p);
    blocks[i].push_back(nullptr);
  };
  void* kept = blocks[0].back();
  blocks[0].pop_back();
  for (void* p : blocks[0]) generation->Free(p);
  EXPECT_EQ(generation->account().free, area);  // the first block
  EXPECT_EQ(generation->account().blocks, 5u);
  blocks[0].push_back(kept);
  void* second_last = blocks[1].back();
  empty(1);
  EXPECT_EQ(generation->account().free, 2 * area);  // and a spare
  EXPECT_EQ(generation->account().blocks, 5u);
  blocks[1].back() = second_last;
  empty(2);
  EXPECT_EQ(generation->account().free, 2 * area);  // no second spare
  EXPECT_EQ(generation->account().blocks, 4u);
  generation->Verify();
  const uint64_t requests = source_.requests();
  FillBlock();
  FillBlock();
  EXPECT_EQ(source_.requests(), requests);
  EXPECT_EQ(generation->account().free, 0u);
  generation->Verify();
}

// A21: an empty block that is too small for a request stays to be had for the next.
TEST_F(GenerationTest, ASpareThatIsTooSmallIsNotForgotten) {
  Generation* generation = Create(SmallOptions({}, 128, 4096));
  const size_t limit = 248;
  void* large = generation->Allocate(limit);  // the empty first block cannot hold it
  EXPECT_EQ(generation->account().free, 128 - kBlockHeaderBytes);
  generation->Verify();
  const uint64_t requests = source_.requests();
  while (generation->account().tail >= 72) generation->Allocate(1);
  generation->Allocate(64);
  EXPECT_EQ(source_.requests(), requests) << "the first block was to be had";
  EXPECT_EQ(generation->account().free, 0u);
  generation->Free(large);
  generation->Verify();
}

TEST_F(GenerationTest, FirstInFirstOutHoldsABoundedNumberOfBlocks) {  // M9
  Generation* generation = Create();
  std::deque<void*> queue;
  size_t blocks_max = 0;
  for (int i = 0; i < 20000; ++i) {
    queue.push_back(generation->Allocate(64));
    if (queue.size() > 100) {
      generation->Free(queue.front());
      queue.pop_front();
    }
    if (i == 2000) blocks_max = generation->account().blocks;
    if (i > 2000) {
      ASSERT_LE(generation->account().blocks, blocks_max + 1);
    }
  }
  generation->Verify();
}

TEST_F(GenerationTest, HistoricalChunksTakeTwentyFourBytesAndTheRequest) {  // seed 1
  Generation* generation = Create(Options::HistoricalGeneration());
  EXPECT_EQ(generation->ChunkSpaceFor(64), 88u);
  EXPECT_EQ(generation->ChunkSpaceFor(72), 96u);
  EXPECT_EQ(generation->ChunkSpace(generation->Allocate(65)), 96u);
}

TEST_F(GenerationTest, AHundredThousandChunksTakeAtMostSeventySixBytesEach) {
  Generation* generation = Create({});
  for (int i = 0; i < 100000; ++i) generation->Allocate(64);
  const Account a = generation->account();
  EXPECT_LE(static_cast<double>(a.held()) / 100000, 76.0);
  EXPECT_LE(static_cast<double>(a.held() - a.tail) / 100000, 72.1);
}

TEST_F(GenerationTest, ResetWhileASpareExistsLeavesNothingBehind) {  // A20
  Generation* generation = Create();
  const Account fresh = generation->account();
  auto first = FillBlock();
  auto second = FillBlock();
  for (void* p : first) generation->Free(p);
  for (void* p : second) generation->Free(p);
  EXPECT_GT(generation->account().free, 0u);
  generation->Reset();
  EXPECT_EQ(generation->account(), fresh);
  FillBlock();
  generation->Verify();
}

}  // namespace
}  // namespace tuplestone::memory
