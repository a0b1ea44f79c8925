// M8: each misuse dies by name in guarded builds; in AddressSanitizer's, with that tool's report.
// The other builds have nothing to test here but that the guards cost nothing.
#include "engine/memory/guard.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "engine/memory/counting_source.h"
#include "engine/memory/kinds_for_test.h"

#ifdef TUPLESTONE_ADDRESS_SANITIZER
// Hundreds of deaths, and nobody reads their stacks. ASAN_OPTIONS=symbolize=1 has them.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "symbolize=0"; }
#endif

namespace tuplestone::memory {
namespace {

class Guard : public testing::TestWithParam<World> {
 protected:
  Context* Create() {
    owner_.reset(GetParam().Create(source_));
    return owner_.get();
  }
  // Sizes that matter: to the largest of a Slab, and in the others past the first dedicated ones.
  std::vector<size_t> Sizes() const {
    std::vector<size_t> sizes;
    const size_t max = std::min<size_t>(GetParam().BytesMax(), 300);
    for (size_t bytes = 0; bytes <= max; ++bytes) sizes.push_back(bytes);
    if (GetParam().kind == Kind::kSlab) return sizes;
    for (size_t index = 40; index < kClassCount; ++index) {
      const size_t bytes = ClassBytes(ClassRule::kSteps, index);
      for (const size_t near : {bytes - 1, bytes, bytes + 1}) sizes.push_back(near);
    }
    return sizes;
  }

  CountingSource source_;
  OwnedContext<> owner_;
};

// A death takes long, so not in every world.
class GuardDeathTest : public Guard {};

#ifdef TUPLESTONE_ADDRESS_SANITIZER

bool IsPoisoned(const void* p) { return __asan_address_is_poisoned(p) != 0; }

// To the byte: what is before and behind is poisoned, all that was asked for is not.
void ExpectExactlyOpen(const unsigned char* p, size_t bytes) {
  ASSERT_TRUE(IsPoisoned(p - 1)) << bytes;
  ASSERT_TRUE(IsPoisoned(p + bytes)) << bytes;
  if (bytes == 0) return;
  ASSERT_EQ(__asan_region_is_poisoned(const_cast<unsigned char*>(p), bytes), nullptr) << bytes;
}

// The blind-spot test: every size, at every place of a block (the run of equal chunks goes over
// several blocks), before and after neighbours come and go.
TEST_P(Guard, OneByteBeforeAndOneBytePastAnyChunkArePoisoned) {
  for (const size_t bytes : Sizes()) {
    Context* context = Create();
    std::vector<unsigned char*> chunks;
    const size_t in_first_block = 8192 / context->ChunkSpaceFor(bytes) + 2;
    for (size_t i = 0; i < std::min<size_t>(in_first_block, 80); ++i) {
      chunks.push_back(static_cast<unsigned char*>(context->Allocate(bytes)));
    }
    for (const unsigned char* p : chunks) ExpectExactlyOpen(p, bytes);
    if (!GetParam().Frees()) continue;
    for (size_t i = 0; i < chunks.size(); i += 2) context->Free(chunks[i]);
    for (size_t i = 1; i < chunks.size(); i += 2) ExpectExactlyOpen(chunks[i], bytes);
    for (size_t i = 0; i < chunks.size(); i += 2) {
      chunks[i] = static_cast<unsigned char*>(context->Allocate(bytes));
    }
    for (const unsigned char* p : chunks) ExpectExactlyOpen(p, bytes);
    if (HasFatalFailure()) return;
  }
}

// The last chunk of a block, wherever that is.
TEST_P(Guard, WholeBlocksOfChunksAreOpenToTheByte) {
  for (const size_t bytes : {0, 1, 8, 31, 33, 40}) {
    Context* context = Create();
    std::vector<unsigned char*> chunks;
    while (context->account().blocks < 4 && chunks.size() < 3000) {
      chunks.push_back(static_cast<unsigned char*>(context->Allocate(bytes)));
    }
    for (const unsigned char* p : chunks) ExpectExactlyOpen(p, bytes);
  }
}

TEST_P(Guard, AlignedAndReallocatedChunksAreOpenToTheByte) {
  for (const size_t alignment : {16, 64, 4096, 65536}) {
    if (alignment > GetParam().AlignmentMax()) continue;
    Context* context = Create();
    for (const size_t bytes : {0, 1, 13, 40}) {
      auto* p = static_cast<unsigned char*>(context->Allocate(bytes, alignment));
      ExpectExactlyOpen(p, bytes);
    }
  }
  if (!GetParam().Frees()) return;
  auto* p = static_cast<unsigned char*>(Create()->Allocate(10));
  for (const size_t bytes : {13, 9, 16, 0, 40, 8}) {
    p = static_cast<unsigned char*>(owner_->Reallocate(p, bytes));
    ExpectExactlyOpen(p, bytes);
  }
}

TEST_P(Guard, FreedAndResetMemoryIsPoisoned) {
  Context* context = Create();
  auto* p = static_cast<unsigned char*>(context->Allocate(40));
  auto* q = static_cast<unsigned char*>(context->Allocate(40));
  if (GetParam().Frees()) {
    context->Free(p);
    for (size_t i = 0; i < 40; ++i) ASSERT_TRUE(IsPoisoned(p + i));
    ExpectExactlyOpen(q, 40);
  }
  if (GetParam().kind == Kind::kSlab) return;  // its blocks are gone after a reset
  if (context->account().blocks > 1) return;
  context->Reset();
  for (size_t i = 0; i < 40; ++i) ASSERT_TRUE(IsPoisoned(q + i));
}

TEST_P(GuardDeathTest, OverrunsAndUseAfterFreeResetAndDeleteAreReported) {
  volatile unsigned char* p = static_cast<unsigned char*>(Create()->Allocate(13));
  EXPECT_DEATH(p[13] = 1, "AddressSanitizer: use-after-poison|heap-buffer-overflow");
  EXPECT_DEATH(p[-1] = 1, "AddressSanitizer");
  EXPECT_DEATH(
      {
        owner_->Reset();
        p[0] = 1;
      },
      "AddressSanitizer");
  EXPECT_DEATH(
      {
        Context::Delete(owner_.release());
        p[0] = 1;
      },
      "AddressSanitizer");
  if (!GetParam().Frees()) return;
  EXPECT_DEATH(
      {
        owner_->Free(const_cast<unsigned char*>(p));
        p[0] = 1;
      },
      "AddressSanitizer: use-after-poison|heap-use-after-free");
}

#endif  // TUPLESTONE_ADDRESS_SANITIZER

#if defined(TUPLESTONE_ADDRESS_SANITIZER) || defined(TUPLESTONE_HARDENED)

// What a death must say: its name, and in AddressSanitizer builds that tool's report behind it.
std::string Death(const std::string& name) {
  return kAddressSanitizer ? name + "(.|\n)*ERROR: AddressSanitizer" : name + " broken";
}

TEST_P(GuardDeathTest, DoubleFreeDiesByName) {
  if (!GetParam().Frees()) return;
  for (const size_t bytes : {0, 40}) {
    for (const size_t alignment : {size_t{8}, GetParam().AlignmentMax()}) {
      Context* context = Create();
      void* p = context->Allocate(bytes, std::min<size_t>(alignment, 64));
      void* neighbour = context->Allocate(bytes);
      context->Free(p);
      EXPECT_DEATH(context->Free(p), Death("M8 double free"));
      context->Free(neighbour);
      EXPECT_DEATH(context->Free(neighbour), Death("M8 double free"));  // its block is empty now
      EXPECT_DEATH(context->Reallocate(p, 8), Death("M8 double free"));
    }
  }
  if (GetParam().kind == Kind::kSlab) return;
  void* dedicated = Create()->Allocate(2 << 20);
  owner_->Free(dedicated);
  EXPECT_DEATH(owner_->Free(dedicated), Death("M8 double free"));
}

TEST_P(GuardDeathTest, ForeignPointersDieByNameUntouched) {
  if (!GetParam().Frees()) return;
  Context* context = Create();
  context->Allocate(8);
  OwnedContext<> other(GetParam().Create(source_));
  void* elsewhere = other->Allocate(8);
  static const int in_static_memory[4] = {};
  EXPECT_DEATH(context->Free(elsewhere), Death("M8 foreign pointer"));
  EXPECT_DEATH(context->Free(const_cast<int*>(in_static_memory + 2)), Death("M8 foreign pointer"));
  EXPECT_DEATH(context->Free(context), Death("M8 foreign pointer"));
  if (kHardened) {
    // No memory there: a build that looked would crash without a name.
    EXPECT_DEATH(context->Free(reinterpret_cast<void*>(0x1000)), "M8 foreign pointer broken");
    EXPECT_DEATH(context->Free(nullptr), "M8 foreign pointer broken");
  }
}

TEST_P(GuardDeathTest, InteriorPointersDieByName) {
  if (!GetParam().Frees()) return;
  Context* context = Create();
  auto* p = static_cast<char*>(context->Allocate(40));
  for (const size_t offset : {1, 8, 39}) {
    EXPECT_DEATH(context->Free(p + offset), Death("M8 interior pointer"));
  }
  if (GetParam().kind == Kind::kSlab) return;
  auto* dedicated = static_cast<char*>(context->Allocate(2 << 20));
  EXPECT_DEATH(context->Free(dedicated + 4096), Death("M8 interior pointer"));
}

TEST_P(GuardDeathTest, ADeletedContextDiesByName) {
  Context* context = Create();
  Context::Delete(owner_.release());
  // UndefinedBehaviorSanitizer, where it is on, may be the first to see that there is no context.
  const std::string death = "invalid vptr|" + Death("M8 deleted context");
  EXPECT_DEATH(context->Allocate(8), death);
  EXPECT_DEATH(context->Reset(), death);
  EXPECT_DEATH(context->Verify(), death);
  EXPECT_DEATH(Context::Delete(context), death);
}

#endif

#ifdef TUPLESTONE_HARDENED
#ifndef TUPLESTONE_ADDRESS_SANITIZER

// A write of one byte past any size is found at free, at reset, at deletion and by Verify.
TEST_P(GuardDeathTest, AStompedCanaryDiesByNameAtTheLatestAtReset) {
  for (const size_t bytes : {0, 1, 7, 8, 40}) {
    auto* p = static_cast<unsigned char*>(Create()->Allocate(bytes));
    owner_->Allocate(8);
    p[bytes] ^= 0x5A;
    EXPECT_DEATH(owner_->Verify(), "M8 stomped canary broken");
    EXPECT_DEATH(owner_->Reset(), "M8 stomped canary broken");
    EXPECT_DEATH(Context::Delete(owner_.get()), "M8 stomped canary broken");
    if (GetParam().Frees()) {
      EXPECT_DEATH(owner_->Free(p), "M8 stomped canary broken");
      EXPECT_DEATH(owner_->Reallocate(p, 20), "M8 stomped canary broken");
    }
    p[bytes] ^= 0x5A;
    owner_->Verify();
  }
}

// M8 stomped header, or M8 stomped canary where the size that the header names is no longer
// believable.
TEST_P(GuardDeathTest, AStompedHeaderDiesByName) {
  if (!GetParam().Frees()) return;
  for (const size_t alignment : {size_t{8}, std::min<size_t>(GetParam().AlignmentMax(), 64)}) {
    Create()->Allocate(40);
    auto* p = static_cast<unsigned char*>(owner_->Allocate(40, alignment));
    owner_->Allocate(40);
    for (int byte = 1; byte <= 8; ++byte) {
      for (const int bit : {0, 3, 7}) {
        const auto flip = static_cast<unsigned char>(1 << bit);
        p[-byte] ^= flip;
        EXPECT_DEATH(owner_->Free(p), "M8 stomped (header|canary) broken");
        if (alignment == 8) {
          EXPECT_DEATH(owner_->Verify(), "M8 (stomped header|stomped canary|write after free)");
          EXPECT_DEATH(owner_->Reset(), "M8 (stomped header|stomped canary|write after free)");
        }
        p[-byte] ^= flip;
      }
    }
    owner_->Verify();
  }
}

TEST_P(GuardDeathTest, AWriteAfterFreeThatWouldBreakAFreeListDiesByName) {
  if (GetParam().kind != Kind::kAllocSet && GetParam().kind != Kind::kSlab) return;
  auto* p = static_cast<unsigned char*>(Create()->Allocate(8));
  owner_->Allocate(8);
  owner_->Free(p);
  if (owner_->account().free == 0) return;  // a dedicated block: the memory is gone
  p[0] ^= 1;
  EXPECT_DEATH(owner_->Allocate(8), "M8 write after free broken");
  EXPECT_DEATH(owner_->Verify(), "M8 write after free broken");
  p[0] ^= 1;
  owner_->Verify();
}

#endif
#endif

// M8 foreign kind: told in every build, on the slow path; a guarded build knows the pointer itself.
TEST(GuardKinds, AChunkOfAnotherKindDiesByName) {
  CountingSource source;
  OwnedContext<AllocSet> set(AllocSet::Create(source, "set"));
  OwnedContext<Slab> slab(Slab::Create(source, "slab"));
  void* p = slab->Allocate(8);
  EXPECT_DEATH(set->Free(p), kGuarded ? "M8 foreign pointer" : "M8 foreign kind");
}

TEST(GuardBump, RefsOfNobodyDieByName) {
  CountingSource source;
  OwnedContext<Bump> bump(Bump::Create(source, "bump"));
  const Piece piece = bump->AllocateWithRef(8);
  EXPECT_EQ(bump->Resolve(piece.ref), piece.p);
  if (!kGuarded) return;
  EXPECT_DEATH(bump->Resolve(Ref{0}), "M8 foreign ref");
  EXPECT_DEATH(bump->Resolve(Ref{piece.ref.units + 100}), "M8 foreign ref");
  EXPECT_DEATH(bump->Resolve(Ref{0xFFFFFFFF}), "M8 foreign ref");
}

TEST(GuardIndex, FindsEveryBlockOfManyAndNoOther) {
  CountingSource source;
  OwnedContext<AllocSet> set(AllocSet::Create(source, "many"));
  std::vector<void*> chunks;
  for (int i = 0; i < 500; ++i) chunks.push_back(set->Context::Allocate(10000));
  for (size_t i = 0; i < chunks.size(); i += 3) set->Free(chunks[i]);
  for (size_t i = 0; i < chunks.size(); ++i) {
    if (i % 3 != 0) set->Free(chunks[i]);
  }
  EXPECT_TRUE(set->IsEmpty());
  set->Verify();
}

TEST(GuardFigures, GuardsAreAllThatBuildsDifferIn) {
  for (const World& world : Worlds()) {
    CountingSource source;
    OwnedContext<> context(world.Create(source));
    EXPECT_EQ(context->account().guards == 0, !kGuarded);
    for (int i = 0; i < 100; ++i) context->Allocate(static_cast<size_t>(i % 41));
    EXPECT_EQ(context->account().guards == 0, !kGuarded);
  }
}

const auto kWorldName = [](const auto& world) { return world.param.name; };

std::vector<World> DeathWorlds() {
  std::vector<World> worlds;
  for (const World& world : Worlds()) {
    for (const char* name : {"AllocSetHistorical", "AllocSetTiny", "GenerationSmall", "SlabSmall",
                             "SlabAligned", "BumpSmall"}) {
      if (world.name == name) worlds.push_back(world);
    }
  }
  return worlds;
}

INSTANTIATE_TEST_SUITE_P(Memory, Guard, testing::ValuesIn(Worlds()), kWorldName);
INSTANTIATE_TEST_SUITE_P(Memory, GuardDeathTest, testing::ValuesIn(DeathWorlds()), kWorldName);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Guard);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(GuardDeathTest);

}  // namespace
}  // namespace tuplestone::memory
