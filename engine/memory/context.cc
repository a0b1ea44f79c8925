#include "engine/memory/context.h"

#include <algorithm>
#include <cstring>

#include "engine/base/check.h"
#include "engine/base/probe.h"

namespace tuplestone::memory {

Context::Context(Kind kind, BlockSource& source, std::string_view name)
    : source_(&source), kind_(kind) {
  std::copy_n(name.data(), std::min(name.size(), name_.size() - 1), name_.data());
}

void Context::Adopted(Context* parent, size_t context_bytes, size_t block_bytes,
                      size_t guard_bytes) {
  ForgetDeleted(this);
  Link(parent);
  overhead_ = context_bytes - kGuardedContextBytes;
  Book(overhead_, kGuardedContextBytes);
  if (block_bytes == 0) return;
  first_block_ = reinterpret_cast<Block*>(reinterpret_cast<std::byte*>(this) + context_bytes);
  new (first_block_) Block{};
  first_block_->context = this;
  first_block_->bytes = block_bytes;
  GuardNewBlock(first_block_, guard_bytes, /*dedicated=*/false, guard_);
  overhead_ += kBlockHeaderBytes;
  ++blocks_;
  Book(block_bytes, guard_bytes);
  DoAdoptFirstBlock(first_block_);
}

void Context::Book(size_t held, size_t guards) {
  held_ += held;
  guards_ += guards;
  for (Context* context = this; context != nullptr; context = context->parent_) {
    context->subtree_held_ += held;
    context->subtree_guards_ += guards;
  }
}

void Context::Unbook(size_t held, size_t guards) {
  held_ -= held;
  guards_ -= guards;
  for (Context* context = this; context != nullptr; context = context->parent_) {
    context->subtree_held_ -= held;
    context->subtree_guards_ -= guards;
  }
}

Block* Context::ObtainBlock(size_t bytes, size_t guard_bytes, bool dedicated) {
  void* memory = source_->Obtain(bytes + guard_bytes, 16);
  if (memory == nullptr) {
    TUPLESTONE_PROBE("memory.context.source_refused");
    return nullptr;
  }
  auto* block = new (memory) Block{};
  block->context = this;
  block->bytes = bytes;
  GuardNewBlock(block, guard_bytes, dedicated, guard_);
  overhead_ += kBlockHeaderBytes;
  ++blocks_;
  Book(bytes, guard_bytes);
  return block;
}

void Context::ReturnBlock(Block* block) {
  GuardOldBlock(block, guard_);
  const size_t bytes = block->bytes;
  const size_t guard_bytes = BlockGuardBytes(block);
  overhead_ -= kBlockHeaderBytes;
  --blocks_;
  Unbook(bytes, guard_bytes);
  source_->Return(block, bytes + guard_bytes, 16);
}

void* Context::ObtainOverhead(size_t bytes) {
  void* memory = source_->Obtain(bytes, 16);
  if (memory == nullptr) return nullptr;
  overhead_ += bytes;
  Book(bytes, 0);
  return memory;
}

void Context::ReturnOverhead(void* memory, size_t bytes) {
  overhead_ -= bytes;
  Unbook(bytes, 0);
  source_->Return(memory, bytes, 16);
}

void* Context::AllocateZeroed(size_t bytes, size_t alignment) {
  void* p = Allocate(bytes, alignment);
  if (p != nullptr) std::memset(p, 0, bytes);
  return p;
}

void* Context::Reallocate(void* p, size_t bytes) {
  CheckNotDeleted(this);
  return DoReallocate(p, bytes);
}

size_t Context::ChunkSpace(const void* p) const {
  CheckNotDeleted(this);
  return DoChunkSpace(p);
}

size_t Context::ChunkSpaceFor(size_t bytes, size_t alignment) const {
  CheckNotDeleted(this);
  return DoChunkSpaceFor(bytes, alignment);
}

void Context::OnReset(ResetCallback* callback) {
  CheckNotDeleted(this);
  callback->next = callbacks_;
  callbacks_ = callback;
}

void Context::RunCallbacks() {
  while (callbacks_ != nullptr) {
    // Unhooked first, so that it runs once whatever it does.
    ResetCallback* callback = callbacks_;
    callbacks_ = callback->next;
    callback->function(callback->argument);
  }
}

void Context::Reset() {
  DeleteChildren();
  ResetKeepingChildren();
  // A callback may have made children.
  while (first_child_ != nullptr) {
    TUPLESTONE_PROBE("memory.context.child_made_by_callback");
    DeleteChildren();
  }
}

void Context::ResetKeepingChildren() {
  CheckNotDeleted(this);
  RunCallbacks();
  if constexpr (kHardened) VerifyOwn();  // the last chance to see a stomped chunk
  DoReset();
}

void Context::DeleteChildren() {
  CheckNotDeleted(this);
  while (first_child_ != nullptr) Delete(first_child_);
}

void Context::Delete(Context* context) {
  CheckNotDeleted(context);
  Context* leaf = context;
  for (;;) {
    while (leaf->first_child_ != nullptr) leaf = leaf->first_child_;
    leaf->RunCallbacks();
    if (leaf->first_child_ != nullptr) {
      TUPLESTONE_PROBE("memory.context.child_made_by_callback");
      continue;
    }
    Context* parent = leaf->parent_;
    const bool done = leaf == context;
    leaf->Destroy();
    if (done) return;
    leaf = parent;
  }
}

void Context::Destroy() {
  if constexpr (kHardened) VerifyOwn();
  DoReset();
  BlockSource& source = *source_;
  const size_t bytes = held_ + guards_;
  Unlink();
  if (first_block_ != nullptr) GuardOldBlock(first_block_, guard_);
  RememberDeleted(this);
  this->~Context();
  source.Return(this, bytes, 16);
}

void Context::Link(Context* parent) {
  parent_ = parent;
  if (parent == nullptr) return;
  next_sibling_ = parent->first_child_;
  previous_sibling_ = nullptr;
  if (next_sibling_ != nullptr) next_sibling_->previous_sibling_ = this;
  parent->first_child_ = this;
  for (Context* above = parent; above != nullptr; above = above->parent_) {
    above->subtree_held_ += subtree_held_;
    above->subtree_guards_ += subtree_guards_;
  }
}

void Context::Unlink() {
  if (parent_ == nullptr) return;
  for (Context* above = parent_; above != nullptr; above = above->parent_) {
    above->subtree_held_ -= subtree_held_;
    above->subtree_guards_ -= subtree_guards_;
  }
  if (previous_sibling_ != nullptr) {
    previous_sibling_->next_sibling_ = next_sibling_;
  } else {
    parent_->first_child_ = next_sibling_;
  }
  if (next_sibling_ != nullptr) next_sibling_->previous_sibling_ = previous_sibling_;
  parent_ = nullptr;
  next_sibling_ = nullptr;
  previous_sibling_ = nullptr;
}

void Context::SetParent(Context* parent) {
  CheckNotDeleted(this);
  if (parent == parent_) return;
  if (parent != nullptr) {
    CheckNotDeleted(parent);
    TUPLESTONE_CHECK(kMisuseParent, parent->source_ == source_);
    for (Context* above = parent; above != nullptr; above = above->parent_) {
      TUPLESTONE_CHECK(kMisuseParent, above != this);
    }
  }
  TUPLESTONE_PROBE("memory.context.parent_changed");
  Unlink();
  Link(parent);
}

Account Context::account() const {
  CheckNotDeleted(this);
  Account account;
  account.obtained = held_ + guards_;
  account.overhead = overhead_;
  account.guards = guards_;
  account.live = live_.bytes();
  account.requested = live_.requested();
  account.live_chunks = live_.chunks();
  account.blocks = blocks_;
  FillAccount(account);
  return account;
}

Account Context::SubtreeAccount() const {
  Account sum;
  for (const Context* context = this; context != nullptr; context = NextInSubtree(context, this)) {
    sum += context->account();
  }
  return sum;
}

void Context::VerifyBlocks(size_t held, size_t guards, size_t blocks, size_t own_overhead) const {
  TUPLESTONE_CHECK_EQ(kM3, blocks, blocks_);
  TUPLESTONE_CHECK_EQ(kM3, own_overhead + blocks * kBlockHeaderBytes, overhead_);
  TUPLESTONE_CHECK_EQ(kM3, own_overhead + held, held_);
  TUPLESTONE_CHECK_EQ(kM3, kGuardedContextBytes + guards, guards_);
}

void Context::VerifyFigures() const {
  const Account now = account();
  TUPLESTONE_CHECK_EQ(kM3, now.obtained,
                      now.overhead + now.live + now.guards + now.free + now.dead + now.tail);
  size_t subtree_held = held_;
  size_t subtree_guards = guards_;
  const Context* previous = nullptr;
  for (const Context* child = first_child_; child != nullptr; child = child->next_sibling_) {
    TUPLESTONE_CHECK(kM4, child->parent_ == this);
    TUPLESTONE_CHECK(kM4, child->previous_sibling_ == previous);
    subtree_held += child->subtree_held_;
    subtree_guards += child->subtree_guards_;
    previous = child;
  }
  TUPLESTONE_CHECK_EQ(kM4, subtree_held, subtree_held_);
  TUPLESTONE_CHECK_EQ(kM4, subtree_guards, subtree_guards_);
}

void Context::Verify() const {
  CheckNotDeleted(this);
  for (const Context* context = this; context != nullptr; context = NextInSubtree(context, this)) {
    context->VerifyFigures();
    context->VerifyOwn();
  }
}

Context* NextInSubtree(const Context* context, const Context* root) {
  if (context->first_child_ != nullptr) return context->first_child_;
  while (context != root && context->next_sibling_ == nullptr) context = context->parent_;
  return context == root ? nullptr : context->next_sibling_;
}

}  // namespace tuplestone::memory
