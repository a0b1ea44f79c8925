#include "engine/memory/slab.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "engine/memory/counting_source.h"

namespace tuplestone::memory {
namespace {

class SlabTest : public testing::Test {
 protected:
  // Blocks of `chunks` chunks of 40 bytes.
  Slab* Create(size_t chunks, size_t spares = 1) {
    SlabOptions options;
    options.chunk_bytes = 40;
    options.limits.slab_block_bytes =
        std::max(kBlockBytesFloor, kBlockHeaderBytes + 48 * chunks + 8);
    options.limits.spare_blocks_max = spares;
    owner_.reset(Slab::Create(source_, "test", options));
    EXPECT_EQ(owner_->chunks_per_block(), chunks);
    return owner_.get();
  }
  std::vector<void*> Take(size_t n) {
    std::vector<void*> chunks;
    for (size_t i = 0; i < n; ++i) chunks.push_back(owner_->Allocate(40));
    return chunks;
  }
  CountingSource source_;
  OwnedContext<Slab> owner_;
};

TEST_F(SlabTest, ANewContextHoldsNothingButItself) {
  Slab* slab = Create(4);
  EXPECT_EQ(slab->account().held(), 384u);
  EXPECT_EQ(slab->account().blocks, 0u);
}

TEST_F(SlabTest, ServesUpToItsSizeAndRefusesMore) {
  Slab* slab = Create(4);
  for (size_t bytes = 0; bytes <= 40; ++bytes) EXPECT_NE(slab->Allocate(bytes), nullptr);
  EXPECT_EQ(slab->Allocate(41), nullptr);
  EXPECT_EQ(slab->account().live, 41 * 48u);
  EXPECT_EQ(slab->account().requested, 40 * 41 / 2u);
  void* p = slab->Allocate(3);
  EXPECT_EQ(slab->Reallocate(p, 40), p);
  EXPECT_EQ(slab->Reallocate(p, 41), nullptr);
  slab->Verify();
}

TEST_F(SlabTest, TheTermsFollowAChunkThroughItsLife) {
  Slab* slab = Create(4);
  const size_t area = 4 * 48 + 8;
  void* p = slab->Allocate(40);
  EXPECT_EQ(slab->account().tail, area - 48);
  void* q = slab->Allocate(40);
  slab->Free(p);
  EXPECT_EQ(slab->account().free, 48u);
  EXPECT_EQ(slab->account().tail, area - 96);
  EXPECT_EQ(slab->Allocate(40), p);
  slab->Free(p);
  slab->Free(q);
  EXPECT_EQ(slab->account().free, area);  // kept as a spare
  EXPECT_EQ(slab->account().tail, 0u);
  slab->Verify();
}

// A23: no block is obtained while any chunk is free.
TEST_F(SlabTest, AFreeChunkOfAFullBlockIsTakenBeforeANewBlock) {
  Slab* slab = Create(5);
  auto chunks = Take(15);
  const uint64_t requests = source_.requests();
  for (size_t i = 0; i < chunks.size(); ++i) {
    slab->Free(chunks[i]);
    EXPECT_EQ(slab->Allocate(40), chunks[i]);
    slab->Verify();
  }
  EXPECT_EQ(source_.requests(), requests);
}

// A25: the fullest block with a free chunk is filled first, so that the emptiest may go.
TEST_F(SlabTest, TheFullestBlockIsFilledFirst) {
  for (const size_t chunks_per_block : {3, 7, 40}) {
    Slab* slab = Create(chunks_per_block);
    auto chunks = Take(3 * chunks_per_block);
    for (size_t i = 0; i + 1 < chunks_per_block; ++i) slab->Free(chunks[i]);
    slab->Free(chunks[2 * chunks_per_block]);
    EXPECT_EQ(slab->Allocate(40), chunks[2 * chunks_per_block]);
    slab->Free(chunks[chunks_per_block]);
    EXPECT_EQ(slab->Allocate(40), chunks[chunks_per_block]);
    slab->Verify();
  }
}

TEST_F(SlabTest, EmptyBlocksAreKeptUpToTheLimitAndReturnedBeyond) {
  for (const size_t spares : {0, 1, 3}) {
    Slab* slab = Create(4, spares);
    auto chunks = Take(20);
    EXPECT_EQ(slab->account().blocks, 5u);
    for (void* p : chunks) slab->Free(p);
    EXPECT_EQ(slab->account().blocks, spares);
    slab->Verify();
    const uint64_t requests = source_.requests();
    Take(4 * spares);
    EXPECT_EQ(source_.requests(), requests);
    slab->Reset();
    EXPECT_EQ(slab->account().blocks, 0u);
    slab->Verify();
  }
}

TEST_F(SlabTest, BlocksOfOneChunkWork) {
  Slab* slab = Create(1);
  auto chunks = Take(5);
  EXPECT_EQ(slab->account().blocks, 5u);
  slab->Verify();
  for (void* p : chunks) slab->Free(p);
  EXPECT_EQ(slab->account().blocks, 1u);
  slab->Verify();
}

TEST_F(SlabTest, EveryOrderOfFreeingKeepsTheListsRight) {
  Slab* slab = Create(3);
  for (uint32_t order = 0; order < 720; ++order) {
    auto chunks = Take(6);
    uint32_t left = order;
    while (!chunks.empty()) {
      const size_t index = left % chunks.size();
      left /= static_cast<uint32_t>(chunks.size());
      slab->Free(chunks[index]);
      chunks.erase(chunks.begin() + static_cast<ptrdiff_t>(index));
      slab->Verify();
    }
  }
}

}  // namespace
}  // namespace tuplestone::memory
