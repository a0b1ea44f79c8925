// The tree: who is deleted with whom, when callbacks run, and the figures of subtrees.
#include "engine/memory/context.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "engine/memory/counting_source.h"
#include "engine/memory/kinds_for_test.h"

namespace tuplestone::memory {
namespace {

class ContextTest : public testing::Test {
 protected:
  CountingSource source_;
  OwnedContext<AllocSet> root_{AllocSet::Create(source_, "root")};
};

// A callback that writes its name down.
struct Noting {
  std::vector<std::string>* log;
  std::string name;
  ResetCallback callback{[](void* argument) {
                           auto* noting = static_cast<Noting*>(argument);
                           noting->log->push_back(noting->name);
                         },
                         this};
};

TEST_F(ContextTest, ResetDeletesChildrenAndKeepingThemEmptiesOnlyTheContext) {
  Context* child = Bump::Create(*root_, "child");
  AllocSet::Create(*child, "grandchild");
  child->Allocate(100);
  root_->Allocate(100);
  root_->ResetKeepingChildren();
  EXPECT_EQ(root_->account().live, 0u);
  EXPECT_EQ(root_->first_child(), child);
  EXPECT_EQ(child->account().live, 104u);
  root_->Verify();
  root_->Reset();
  EXPECT_EQ(root_->first_child(), nullptr);
  EXPECT_EQ(root_->obtained_bytes(), source_.lent_bytes());
  root_->Verify();
}

TEST_F(ContextTest, SubtreeFiguresFollowEveryBlockAndEveryMove) {  // M4
  std::vector<Context*> contexts = {root_.get()};
  for (const World& world : Worlds()) {
    if (world.kind == Kind::kSlab) continue;
    Context* parent = contexts[contexts.size() / 2];
    contexts.push_back(Generation::Create(*parent, world.name, world.options));
    contexts.push_back(Slab::Create(*contexts.back(), "slab", world.slab));
  }
  std::mt19937 random(1);
  for (int step = 0; step < 2000; ++step) {
    Context* chosen = contexts[random() % contexts.size()];
    Context* other = contexts[random() % contexts.size()];
    bool below = false;
    for (Context* above = other; above != nullptr; above = above->parent())
      below |= above == chosen;
    if (random() % 8 == 0 && !below) {
      chosen->SetParent(other);
    } else {
      chosen->Allocate(random() % 64);
    }
    ASSERT_EQ(root_->obtained_bytes(), source_.lent_bytes());
    ASSERT_EQ(root_->SubtreeAccount().obtained, source_.lent_bytes());
    ASSERT_EQ(root_->SubtreeAccount().held(), root_->held_bytes());
  }
  root_->Verify();
}

TEST_F(ContextTest, AContextWithoutAParentIsARootOfItsOwn) {
  Context* child = AllocSet::Create(*root_, "child");
  const size_t with = root_->held_bytes();
  child->SetParent(nullptr);
  EXPECT_EQ(root_->held_bytes(), with - child->held_bytes());
  EXPECT_EQ(root_->first_child(), nullptr);
  child->Allocate(100);
  child->Verify();
  child->SetParent(root_.get());
  EXPECT_EQ(root_->held_bytes(), with);
  child->SetParent(nullptr);
  Context::Delete(child);
  EXPECT_EQ(root_->obtained_bytes(), source_.lent_bytes());
}

TEST_F(ContextTest, CallbacksRunOnceNewestFirstAfterTheChildren) {  // M5
  std::vector<std::string> log;
  Context* child = AllocSet::Create(*root_, "child");
  Context* grandchild = AllocSet::Create(*child, "grandchild");
  Noting first{&log, "first"};
  Noting second{&log, "second"};
  Noting of_child{&log, "child"};
  Noting of_grandchild{&log, "grandchild"};
  root_->OnReset(&first.callback);
  root_->OnReset(&second.callback);
  child->OnReset(&of_child.callback);
  grandchild->OnReset(&of_grandchild.callback);
  root_->Reset();
  EXPECT_EQ(log, (std::vector<std::string>{"grandchild", "child", "second", "first"}));
  root_->Reset();
  EXPECT_EQ(log.size(), 4u);
  root_->OnReset(&first.callback);
  root_.reset();
  EXPECT_EQ(log.size(), 5u);
}

TEST_F(ContextTest, ACallbackMayLiveInTheContextAndUseIt) {
  auto* callback = new (root_->Allocate(sizeof(ResetCallback))) ResetCallback;
  callback->argument = root_.get();
  callback->function = [](void* argument) { static_cast<Context*>(argument)->Allocate(64); };
  root_->OnReset(callback);
  root_->Reset();
  EXPECT_TRUE(root_->IsEmpty());
  root_->Verify();
}

TEST_F(ContextTest, ChildrenThatACallbackMakesGoToo) {
  ResetCallback make{
      [](void* argument) { AllocSet::Create(*static_cast<Context*>(argument), "late"); },
      root_.get()};
  root_->OnReset(&make);
  root_->Reset();
  EXPECT_EQ(root_->first_child(), nullptr);
  root_->OnReset(&make);
  root_.reset();
  EXPECT_EQ(source_.lent_bytes(), 0u);
}

TEST_F(ContextTest, DeepTreesNeedNoDeepStack) {
  Options options = SmallOptions({}, 128, 128);
  Context* leaf = root_.get();
  for (int depth = 0; depth < 3000; ++depth) leaf = Bump::Create(*leaf, "deep", options);
  leaf->Allocate(8);
  root_->Verify();
  root_->DeleteChildren();
  EXPECT_EQ(root_->obtained_bytes(), source_.lent_bytes());
}

TEST_F(ContextTest, AContextThatCannotBeMadeLeavesItsParentAlone) {  // M6
  const size_t obtained = root_->obtained_bytes();
  for (int i = 0; i < 4; ++i) {
    source_.FailAt(1);
    Context* child = i == 0   ? static_cast<Context*>(AllocSet::Create(*root_, "child"))
                     : i == 1 ? static_cast<Context*>(Generation::Create(*root_, "child"))
                     : i == 2 ? static_cast<Context*>(Slab::Create(*root_, "child"))
                              : static_cast<Context*>(Bump::Create(*root_, "child"));
    EXPECT_EQ(child, nullptr);
    EXPECT_EQ(root_->first_child(), nullptr);
    EXPECT_EQ(root_->obtained_bytes(), obtained);
  }
}

TEST_F(ContextTest, LongNamesAreCutShort) {
  Context* child = AllocSet::Create(*root_, "a name that is rather longer than thirty letters");
  EXPECT_STREQ(child->name(), "a name that is rather longer t");
  EXPECT_STREQ(root_->name(), "root");
}

TEST_F(ContextTest, DiesByNameOfAParentBelowItselfOrOfAnotherSource) {
  Context* child = AllocSet::Create(*root_, "child");
  Context* grandchild = AllocSet::Create(*child, "grandchild");
  CountingSource other_source;
  OwnedContext<AllocSet> other(AllocSet::Create(other_source, "other"));
  EXPECT_DEATH(child->SetParent(grandchild), "M8 parent");
  EXPECT_DEATH(child->SetParent(child), "M8 parent");
  EXPECT_DEATH(child->SetParent(other.get()), "M8 parent");
}

TEST_F(ContextTest, DiesByNameOfMadAlignments) {
  EXPECT_DEATH(root_->Context::Allocate(8, 24), "M8 alignment");
  EXPECT_DEATH(root_->Context::Allocate(8, 0), "M8 alignment");
  EXPECT_DEATH(root_->Context::Allocate(8, 2 * kAlignmentCeiling), "M8 alignment");
}

TEST_F(ContextTest, DiesByNameOfOptionsOutOfBounds) {
  const auto dies = [this](auto change) {
    Options options;
    change(options);
    EXPECT_DEATH(AllocSet::Create(*root_, "x", options), "M8 options");
    EXPECT_DEATH(Bump::Create(*root_, "x", options), "M8 options");
  };
  dies([](Options& o) { o.limits.block_initial_bytes = 127; });
  dies([](Options& o) { o.limits.block_initial_bytes = 1001; });
  dies([](Options& o) { o.limits.block_max_bytes = 4096; });
  dies([](Options& o) { o.limits.block_max_bytes = kBlockBytesCeiling + 8; });
  dies([](Options& o) { o.limits.chunk_limit_bytes = 7; });
  dies([](Options& o) { o.limits.chunk_limit_divisor = 1; });
  dies([](Options& o) { o.limits.growth_divisor = 0; });
  dies([](Options& o) { o.limits.spare_blocks_max = 2; });
  dies([](Options& o) { o.limits.request_bytes_max = kRequestBytesCeiling + 1; });
  dies([](Options& o) { o.limits.in_block_alignment_max = 12; });
  dies([](Options& o) { o.limits.ref_granule_bytes = 1000; });
  dies([](Options& o) { o.limits.ref_units_max = (uint64_t{1} << 32) + 1; });
  dies([](Options& o) { o.layout.header_bytes = 12; });
  dies([](Options& o) { o.layout.header_bytes = 32; });
  SlabOptions slab;
  slab.chunk_bytes = 9000;
  EXPECT_DEATH(Slab::Create(*root_, "x", slab), "M8 options");
  slab.chunk_bytes = 8;
  slab.alignment = 12;
  EXPECT_DEATH(Slab::Create(*root_, "x", slab), "M8 options");
}

}  // namespace
}  // namespace tuplestone::memory
