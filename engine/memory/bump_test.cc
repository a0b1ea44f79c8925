#include "engine/memory/bump.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

#include "engine/memory/counting_source.h"
#include "engine/memory/kinds_for_test.h"

namespace tuplestone::memory {
namespace {

class BumpTest : public testing::Test {
 protected:
  Bump* Create(const Options& options = {}) {
    owner_.reset(Bump::Create(source_, "test", options));
    return owner_.get();
  }
  CountingSource source_;
  OwnedContext<Bump> owner_;
};

TEST_F(BumpTest, ANewContextIsItselfAndItsFirstBlock) {
  Bump* bump = Create();
  EXPECT_EQ(bump->account().held(), 432u + 8192u);
}

TEST_F(BumpTest, APieceTakesTheRequestAndNoMore) {
  Bump* bump = Create();
  for (const auto& [bytes, space] : {std::pair{0, 8}, {1, 8}, {8, 8}, {64, 64}, {65, 72}}) {
    const size_t before = bump->account().live;
    bump->Allocate(static_cast<size_t>(bytes));
    EXPECT_EQ(bump->account().live - before, static_cast<size_t>(space));
  }
  bump->Verify();
}

TEST_F(BumpTest, EveryRefLeadsToItsPieceAndNoneIsZero) {
  for (const Options& options : {Options(), SmallOptions({}, 128, 128), SmallOptions({}, 256, 4096),
                                 SmallOptions(Options::HistoricalGeneration(), 1024, 8192)}) {
    Bump* bump = Create(options);
    std::mt19937 random(5);
    std::vector<Piece> pieces;
    std::set<uint32_t> refs;
    for (int i = 0; i < 3000; ++i) {
      const size_t bytes = random() % 16 == 0 ? random() % 5000 : random() % 60;
      const size_t alignment = random() % 16 == 0 ? size_t{8} << random() % 11 : 8;
      const Piece piece = bump->AllocateWithRef(bytes, alignment);
      ASSERT_NE(piece.p, nullptr);
      ASSERT_NE(piece.ref.units, 0u);
      pieces.push_back(piece);
      refs.insert(piece.ref.units);
    }
    for (const Piece& piece : pieces) ASSERT_EQ(bump->Resolve(piece.ref), piece.p);
    EXPECT_EQ(refs.size(), pieces.size());
    bump->Verify();
    bump->Reset();
    const Piece again = bump->AllocateWithRef(8);
    EXPECT_EQ(bump->Resolve(again.ref), again.p);
    bump->Verify();
  }
}

// The same Refs in every build, whatever the guards take.
TEST_F(BumpTest, RefsCountNominalUnits) {
  Bump* bump = Create(SmallOptions({}, 256, 256));
  EXPECT_EQ(bump->AllocateWithRef(16).ref.units, kBlockHeaderBytes / 8);
  EXPECT_EQ(bump->AllocateWithRef(8).ref.units, kBlockHeaderBytes / 8 + 2);
  bump->Allocate(24);  // dedicated: the chunk limit of such blocks is 16
  while (bump->account().tail > 0) bump->Allocate(8);
  EXPECT_EQ(bump->AllocateWithRef(8).ref.units, 2 * 256 / 8 + kBlockHeaderBytes / 8);
}

TEST_F(BumpTest, FailsWhenRefsRunOutAndServesAgainAfterReset) {
  Options options = SmallOptions({}, 256, 256);
  options.limits.ref_units_max = 4 * 256 / 8;
  Bump* bump = Create(options);
  int served = 0;
  while (bump->Allocate(8) != nullptr) ++served;
  EXPECT_EQ(served, 4 * (256 - 56) / 8);
  EXPECT_EQ(bump->account().blocks, 4u);
  const Account before = bump->account();
  EXPECT_EQ(bump->Allocate(1000), nullptr);
  EXPECT_EQ(bump->account(), before);
  bump->Verify();
  bump->Reset();
  EXPECT_NE(bump->Allocate(8), nullptr);
}

TEST_F(BumpTest, TheDirectoryIsBookedAsOverheadAndGoesWithTheReset) {
  Bump* bump = Create(SmallOptions({}, 128, 128));
  const Account fresh = bump->account();
  for (int i = 0; i < 1000; ++i) bump->Allocate(8);
  const Account a = bump->account();
  EXPECT_EQ(a.overhead, fresh.overhead + (a.blocks - 1) * kBlockHeaderBytes + 128 * 8);
  EXPECT_EQ(a.obtained, source_.lent_bytes());
  bump->Reset();
  EXPECT_EQ(bump->account(), fresh);
  EXPECT_EQ(fresh.obtained, source_.lent_bytes());
}

TEST_F(BumpTest, AHundredThousandChunksTakeSixtyFourBytesAndATenthEach) {
  Bump* bump = Create();
  for (int i = 0; i < 100000; ++i) bump->Allocate(64);
  const Account a = bump->account();
  EXPECT_LE(static_cast<double>(a.held() - a.tail) / 100000, 64.1);
  EXPECT_LE(static_cast<double>(a.held()) / 100000, 68.0);
}

TEST_F(BumpTest, DiesByNameOfAnythingThatNeedsAHeader) {
  Bump* bump = Create();
  void* p = bump->Allocate(8);
  EXPECT_DEATH(bump->Context::Free(p), "M8 free in bump");
  EXPECT_DEATH(bump->Reallocate(p, 16), "M8 free in bump");
  EXPECT_DEATH(bump->ChunkSpace(p), "M8 free in bump");
}

}  // namespace
}  // namespace tuplestone::memory
