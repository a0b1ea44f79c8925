// What all four kinds promise, each in every world of kinds_for_test.h.
// Not covered: misuse (guard_test.cc), the tree (context_test.cc), the kinds' own rules.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <set>
#include <vector>

#include "engine/memory/kinds_for_test.h"

namespace tuplestone::memory {
namespace {

class Kinds : public testing::TestWithParam<World> {
 protected:
  void ExpectBooksBalance() { EXPECT_EQ(held_.Imbalance(), ""); }

  WorldContext held_{GetParam()};
  CountingSource& source_ = held_.source();
  Context* context_ = held_.context();
};

TEST_P(Kinds, ANewContextHoldsNothingLiveAndItsBooksBalance) {
  const Account a = context_->account();
  EXPECT_EQ(a.live, 0u);
  EXPECT_EQ(a.live_chunks, 0u);
  EXPECT_EQ(a.requested, 0u);
  EXPECT_EQ(a.free, 0u);
  EXPECT_EQ(a.dead, 0u);
  EXPECT_TRUE(context_->IsEmpty());
  ExpectBooksBalance();
  context_->Verify();
}

TEST_P(Kinds, EmptyRequestsGetAddressesOfTheirOwn) {  // M1
  std::set<void*> addresses;
  for (int i = 0; i < 100; ++i) {
    void* p = context_->Allocate(0);
    ASSERT_NE(p, nullptr);
    EXPECT_TRUE(IsAligned(p, kMaxAlign));
    addresses.insert(p);
    addresses.insert(context_->Allocate(8));
  }
  EXPECT_EQ(addresses.size(), 200u);
  EXPECT_EQ(context_->account().requested, 800u);
  context_->Verify();
}

TEST_P(Kinds, AlignmentsAreKeptAndBookedAsAFunctionOfTheRequestAlone) {  // M1, M3
  for (size_t alignment = 1; alignment <= (size_t{1} << 20); alignment *= 2) {
    if (alignment > GetParam().AlignmentMax()) {
      EXPECT_EQ(context_->Allocate(8, alignment), nullptr);
      continue;
    }
    for (const size_t bytes : {0, 1, 7, 8, 40}) {
      const size_t before = context_->account().live;
      auto* p = static_cast<unsigned char*>(context_->Allocate(bytes, alignment));
      ASSERT_NE(p, nullptr) << bytes << " at " << alignment;
      EXPECT_TRUE(IsAligned(p, alignment));
      std::memset(p, 0xAB, bytes);
      const size_t space = context_->account().live - before;
      EXPECT_EQ(space, context_->ChunkSpaceFor(bytes, alignment));
      if (GetParam().Frees()) {
        EXPECT_EQ(space, context_->ChunkSpace(p));
      }
      ExpectBooksBalance();
    }
  }
  context_->Verify();
}

TEST_P(Kinds, TheLargestAlignmentWorksWhereTheKindHasIt) {
  if (GetParam().kind == Kind::kSlab) return;
  void* p = context_->Allocate(100, kAlignmentCeiling);
  ASSERT_NE(p, nullptr);
  EXPECT_TRUE(IsAligned(p, kAlignmentCeiling));
  std::memset(p, 1, 100);
  context_->Verify();
  if (GetParam().Frees()) {
    context_->Free(p);
    EXPECT_EQ(context_->account().live, 0u);
  }
}

TEST_P(Kinds, ZeroedMemoryIsZeroThoughTheChunkWasUsed) {
  for (int round = 0; round < 3; ++round) {
    auto* p = static_cast<unsigned char*>(context_->AllocateZeroed(40));
    for (int i = 0; i < 40; ++i) ASSERT_EQ(p[i], 0);
    std::memset(p, 0xFF, 40);
    if (GetParam().Frees()) context_->Free(p);
  }
}

// M6, M3: any size above the limit fails, as do those that would wrap when rounded.
TEST_P(Kinds, SizesThatCannotBeFailAndChangeNothing) {
  void* p = context_->Allocate(24);
  const Account before = context_->account();
  for (const size_t alignment : {size_t{8}, size_t{64}, kAlignmentCeiling}) {
    for (size_t below = 0; below < 64; ++below) {
      ASSERT_EQ(context_->Allocate(SIZE_MAX - below, alignment), nullptr);
    }
    ASSERT_EQ(context_->Allocate(SIZE_MAX / 2, alignment), nullptr);
    ASSERT_EQ(context_->Allocate(GetParam().BytesMax() + 1, alignment), nullptr);
    ASSERT_EQ(context_->AllocateZeroed(SIZE_MAX - 6, alignment), nullptr);
  }
  if (GetParam().Frees()) {
    ASSERT_EQ(context_->Reallocate(p, SIZE_MAX), nullptr);
    ASSERT_EQ(context_->Reallocate(p, GetParam().BytesMax() + 1), nullptr);
  }
  EXPECT_EQ(context_->account(), before);
  context_->Verify();
}

TEST_P(Kinds, AContextThatCannotBeMadeIsNullAndCostsNothing) {
  CountingSource source;
  source.FailAt(1);
  EXPECT_EQ(GetParam().Create(source), nullptr);
  EXPECT_EQ(source.lent_bytes(), 0u);
}

// Lends addresses, not memory: what lies in a large request is never touched.
class LendingSource final : public BlockSource {
 public:
  void* Obtain(size_t bytes, size_t) noexcept override {
    void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? nullptr : p;
  }
  void Return(void* block, size_t bytes, size_t) noexcept override { munmap(block, bytes); }
};

TEST_P(Kinds, TheLargestRequestsAreServedFromAddressesAlone) {
  if (GetParam().kind == Kind::kSlab) return;
  if (GetParam().name != KindName(GetParam().kind)) return;  // the same code in every world
  LendingSource source;
  Context* context = GetParam().Create(source);
  const Account fresh = context->account();
  for (const size_t less : {0, 7}) {
    const size_t bytes = GetParam().BytesMax() - less;
    void* p = context->Allocate(bytes);
    ASSERT_NE(p, nullptr);
    EXPECT_EQ(context->account().requested, bytes);
    EXPECT_GE(context->account().live, bytes);
    context->Verify();
    context->Reset();
    EXPECT_EQ(context->account(), fresh);
  }
  Context::Delete(context);
}

INSTANTIATE_TEST_SUITE_P(Memory, Kinds, testing::ValuesIn(Worlds()),
                         [](const auto& world) { return world.param.name; });

}  // namespace
}  // namespace tuplestone::memory
