// What all four kinds promise under long random programs, in every world of kinds_for_test.h.
// Unlike the suites these need no kit, and every block request of theirs fails once.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "engine/memory/kinds_for_test.h"

namespace tuplestone::memory {
namespace {

class RandomKinds : public testing::TestWithParam<World> {
 protected:
  void ExpectBooksBalance() { EXPECT_EQ(held_.Imbalance(), ""); }

  WorldContext held_{GetParam()};
  CountingSource& source_ = held_.source();
  Context* context_ = held_.context();
};

struct Allocation {
  unsigned char* p;
  size_t bytes;
  size_t space;
  unsigned char fill;

  void Fill() const { std::memset(p, fill, bytes); }
  bool IsWhole() const {
    for (size_t i = 0; i < bytes; ++i) {
      if (p[i] != fill) return false;
    }
    return true;
  }
};

// M1, M2, M3, M4 after every operation of a long random program.
TEST_P(RandomKinds, RandomProgramsKeepContentsAndBooks) {
  std::mt19937 random(7);
  std::vector<Allocation> live;
  size_t live_bytes = 0;
  size_t requested = 0;
  const size_t bytes_max = std::min<size_t>(GetParam().BytesMax(), 3000);
  for (int step = 0; step < 4000; ++step) {
    const uint64_t what = random() % 10;
    const size_t bytes = random() % (random() % 8 == 0 ? bytes_max + 1 : 41);
    if (what < 5 || live.empty()) {
      const size_t alignment = random() % 8 == 0 ? std::min<size_t>(size_t{1} << random() % 13,
                                                                    GetParam().AlignmentMax())
                                                 : 8;
      auto* p = static_cast<unsigned char*>(context_->Allocate(bytes, alignment));
      ASSERT_NE(p, nullptr);
      live.push_back({p, bytes, context_->ChunkSpaceFor(bytes, alignment),
                      static_cast<unsigned char>(random())});
      live.back().Fill();
      live_bytes += live.back().space;
      requested += bytes;
    } else if (GetParam().Frees()) {
      const size_t index = random() % live.size();
      Allocation& chosen = live[index];
      ASSERT_TRUE(chosen.IsWhole());
      if (what < 9) {
        context_->Free(chosen.p);
        live_bytes -= chosen.space;
        requested -= chosen.bytes;
        chosen = live.back();
        live.pop_back();
      } else {
        auto* p = static_cast<unsigned char*>(context_->Reallocate(chosen.p, bytes));
        ASSERT_NE(p, nullptr);
        const Allocation kept{p, std::min(bytes, chosen.bytes), 0, chosen.fill};
        ASSERT_TRUE(kept.IsWhole());
        live_bytes += context_->ChunkSpace(p) - chosen.space;
        requested += bytes - chosen.bytes;
        chosen = {p, bytes, context_->ChunkSpace(p), static_cast<unsigned char>(random())};
        chosen.Fill();
      }
    }
    const Account a = context_->account();
    ASSERT_EQ(a.live, live_bytes);
    ASSERT_EQ(a.requested, requested);
    ASSERT_EQ(a.live_chunks, live.size());
    ASSERT_EQ(a.obtained, source_.lent_bytes());
    if (step % 16 == 0) context_->Verify();
  }
  for (const Allocation& allocation : live) ASSERT_TRUE(allocation.IsWhole());
  ExpectBooksBalance();
  context_->Verify();
}

// M5, M7: whatever happened, a reset context is as it was when new, and does the same again.
TEST_P(RandomKinds, ResetMakesAContextAsItWasWhenNew) {
  const Account fresh = context_->account();
  std::vector<Account> first;
  for (int round = 0; round < 3; ++round) {
    std::mt19937 random(3);
    for (int step = 0; step < 300; ++step) {
      void* p = context_->Allocate(random() % 41);
      ASSERT_NE(p, nullptr);
      if (GetParam().Frees() && random() % 3 == 0) context_->Free(p);
      if (round == 0) {
        first.push_back(context_->account());
      } else {
        ASSERT_EQ(context_->account(), first[static_cast<size_t>(step)]);
      }
    }
    context_->Reset();
    ASSERT_EQ(context_->account(), fresh);
    ASSERT_TRUE(context_->IsEmpty());
    context_->Verify();
    ExpectBooksBalance();
  }
}

// M6: each block request of a program fails once; nothing changes, and the next may succeed.
TEST_P(RandomKinds, EveryFailedBlockRequestChangesNothing) {
  const auto run = [this](Context* context, uint64_t fail_at) {
    std::mt19937 random(11);
    std::vector<std::pair<void*, size_t>> live;
    uint64_t failures = 0;
    source_.FailAt(fail_at);
    for (int step = 0; step < 400; ++step) {
      const Account before = context->account();
      const size_t held = context->held_bytes();
      const size_t bytes = random() % 41;
      const bool reallocates = random() % 4 == 0 && GetParam().Frees() && !live.empty();
      const size_t index = live.empty() ? 0 : random() % live.size();
      void* p =
          reallocates ? context->Reallocate(live[index].first, bytes) : context->Allocate(bytes);
      if (p == nullptr) {
        ++failures;
        EXPECT_EQ(context->account(), before);
        EXPECT_EQ(context->held_bytes(), held);
        context->Verify();
        continue;
      }
      if (reallocates) {
        live[index] = {p, bytes};
      } else {
        live.push_back({p, bytes});
      }
      if (GetParam().Frees() && random() % 4 == 0) {
        context->Free(live.back().first);
        live.pop_back();
      }
    }
    source_.FailAt(0);
    return failures;
  };
  const uint64_t before = source_.requests();
  EXPECT_EQ(run(context_, 0), 0u);
  const uint64_t requests = source_.requests() - before;
  for (uint64_t fail_at = 1; fail_at <= requests; ++fail_at) {
    context_->Reset();
    EXPECT_EQ(run(context_, fail_at), 1u) << fail_at;
  }
}

// M9
TEST_P(RandomKinds, SteadyLoopsDoNotGrow) {
  if (!GetParam().Frees()) return;
  size_t held = 0;
  for (int round = 0; round < 200; ++round) {
    std::vector<void*> chunks;
    for (int i = 0; i < 50; ++i) chunks.push_back(context_->Allocate(i % 41));
    // The classic leak: allocate, double, free.
    for (void*& p : chunks) p = context_->Reallocate(p, 40);
    for (void* p : chunks) context_->Free(p);
    if (round == 10) held = context_->held_bytes();
    if (round > 10) {
      ASSERT_LE(context_->held_bytes(), held);
    }
  }
  context_->Verify();
}

INSTANTIATE_TEST_SUITE_P(Memory, RandomKinds, testing::ValuesIn(Worlds()),
                         [](const auto& world) { return world.param.name; });

}  // namespace
}  // namespace tuplestone::memory
