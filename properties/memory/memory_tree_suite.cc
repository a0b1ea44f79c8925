#include "properties/memory/memory_tree_suite.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "engine/memory/alloc_set.h"
#include "engine/memory/bump.h"
#include "engine/memory/generation.h"
#include "engine/memory/slab.h"

namespace tuplestone::properties {

using memory::Account;
using memory::Context;
using memory::Kind;
using memory::kM4;
using memory::kM5;
using memory::kM6;

namespace {

constexpr size_t kNone = MemoryModel::kNoContext;

Kind KindOf(MemoryKind kind) {
  constexpr Kind kKinds[] = {Kind::kAllocSet, Kind::kGeneration, Kind::kSlab, Kind::kBump};
  return kKinds[static_cast<size_t>(kind)];
}

// Of a parent, or a root where it is null.
template <class C, class O>
Context* Create(Context* parent, BlockSource& source, const O& options) {
  return parent == nullptr ? C::Create(source, "root", options)
                           : C::Create(*parent, "child", options);
}

}  // namespace

MemoryTreeSuite::MemoryTreeSuite(const MemoryHead<0>& head, kit::Runner& run)
    : world_(OptionsOf(head), run), run_(run) {
  Adopt(NewContext(Kind::kAllocSet, nullptr), Kind::kAllocSet, kNone);
}

MemoryTreeSuite::~MemoryTreeSuite() = default;

Context* MemoryTreeSuite::NewContext(Kind kind, Context* parent) {
  const ModelOptions& options = world_.model.options();
  switch (kind) {
    case Kind::kAllocSet:
      return Create<memory::AllocSet>(parent, world_.source, options.shared);
    case Kind::kGeneration:
      return Create<memory::Generation>(parent, world_.source, options.shared);
    case Kind::kSlab:
      return Create<memory::Slab>(parent, world_.source, options.slab);
    case Kind::kBump:
      return Create<memory::Bump>(parent, world_.source, options.shared);
  }
  return nullptr;
}

void MemoryTreeSuite::Adopt(Context* context, Kind kind, size_t parent) {
  const size_t id = run_.population(kContexts).Born();
  world_.model.Create(id, kind, parent);
  contexts_[id] = context;
  fresh_[id] = context->account();
}

void MemoryTreeSuite::Step(const TreeCreate& op) {
  const Kind kind = KindOf(op.kind);
  const size_t parent = op.parent.hit() ? op.parent.birth() : kNone;
  Context* above = op.parent.hit() ? contexts_.at(parent) : nullptr;
  const size_t held = above == nullptr ? 0 : above->held_bytes();
  const uint64_t failures = world_.source.failures();
  run_.SpendBytes(world_.model.options().shared.limits.block_initial_bytes);
  Context* context = NewContext(kind, above);
  if (context != nullptr) return Adopt(context, kind, parent);
  kit::Expect(kM6, world_.source.failures() > failures, "a context is made where there is memory");
  if (above != nullptr) kit::ExpectEqual(kM6, held, above->held_bytes());
}

void MemoryTreeSuite::ExpectUnchanged(size_t id, const Account& before, size_t held_before) const {
  ExpectSameAccount(kM6, before, contexts_.at(id)->account());
  kit::ExpectEqual(kM6, held_before, contexts_.at(id)->held_bytes());
}

void MemoryTreeSuite::Allocate(size_t id, size_t bytes, size_t alignment, uint64_t fill) {
  Context* context = contexts_.at(id);
  const Account before = context->account();
  const size_t held = context->held_bytes();
  const uint64_t failures = world_.source.failures();
  void* p = context->Allocate(bytes, alignment);
  if (p == nullptr) {
    world_.ExpectNullExcused(context->kind(), bytes, alignment, failures);
    return ExpectUnchanged(id, before, held);
  }
  world_.ExpectNotRefused(context->kind(), bytes, alignment);
  world_.Adopt(id, p, bytes, alignment, fill);
}

void MemoryTreeSuite::Step(const TreeAllocate& op) {
  if (!op.context.hit()) return;
  Allocate(op.context.birth(), op.bytes, size_t{1} << op.alignment, op.fill);
}

void MemoryTreeSuite::Step(const TreeFill& op) {
  if (!op.context.hit()) return;
  for (uint64_t i = 0; i < op.count; ++i) {
    Allocate(op.context.birth(), op.bytes, kMaxAlign, op.fill);
  }
}

void MemoryTreeSuite::Step(const TreeFree& op) {
  if (!op.chunk.hit()) return;
  const size_t chunk = op.chunk.birth();
  Context* context = contexts_.at(world_.model.chunk(chunk).context);
  if (context->kind() == Kind::kBump) return;
  world_.CheckContents(chunk);
  kit::Expect(memory::kM1, memory::ContextOf(world_.at(chunk)) == context,
              "a chunk's header leads to its context");
  context->Free(world_.at(chunk));
  world_.Died(chunk);
}

void MemoryTreeSuite::Step(const TreeReallocate& op) {
  if (!op.chunk.hit()) return;
  const size_t chunk = op.chunk.birth();
  const ModelChunk& held = world_.model.chunk(chunk);
  const size_t id = held.context;
  Context* context = contexts_.at(id);
  if (context->kind() == Kind::kBump) return;
  const Account before = context->account();
  const size_t held_before = context->held_bytes();
  const uint64_t failures = world_.source.failures();
  void* p = context->Reallocate(world_.at(chunk), op.bytes);
  if (p == nullptr) {
    world_.ExpectNullExcused(context->kind(), op.bytes, held.alignment, failures);
    world_.CheckContents(chunk);
    return ExpectUnchanged(id, before, held_before);
  }
  world_.ExpectNotRefused(context->kind(), op.bytes, held.alignment);
  world_.Move(chunk, p, op.bytes, op.fill);
}

void MemoryTreeSuite::Run(void* argument) {
  auto* callback = static_cast<Callback*>(argument);
  callback->suite->ran_.push_back(callback->id);
  if (callback->does == TreeCallbackDoes::kAllocates) callback->context->Allocate(64);
  if (callback->does == TreeCallbackDoes::kCreates) {
    callback->created = callback->suite->NewContext(Kind::kGeneration, callback->context);
  }
}

void MemoryTreeSuite::Step(const TreeCallback& op) {
  if (!op.context.hit()) return;
  const size_t context = op.context.birth();
  const size_t id = callbacks_.size();
  callbacks_.push_back({{}, this, id, contexts_.at(context), op.does, nullptr});
  Callback& callback = callbacks_.back();
  callback.node = {&MemoryTreeSuite::Run, &callback, nullptr};
  contexts_.at(context)->OnReset(&callback.node);
  pending_[context].push_back(id);
}

void MemoryTreeSuite::ExpectCallbacks(size_t context) {
  std::vector<size_t>& pending = pending_[context];
  expected_.insert(expected_.end(), pending.rbegin(), pending.rend());
  pending.clear();
}

void MemoryTreeSuite::CheckCallbacksRan() {
  kit::ExpectEqual(kM5, expected_, ran_, "callbacks run once, in order");
  expected_.clear();
  ran_.clear();
}

void MemoryTreeSuite::Forget(size_t context) {
  for (const size_t gone : world_.model.DeletionOrder(context)) {
    contexts_.erase(gone);
    fresh_.erase(gone);
    pending_.erase(gone);
    run_.population(kContexts).Died(gone);
  }
  world_.Died(world_.model.Delete(context));
}

void MemoryTreeSuite::Step(const TreeReset& op) {
  if (!op.context.hit()) return;
  const size_t id = op.context.birth();
  Context* context = contexts_.at(id);
  world_.CheckAllContents();
  const size_t first_callback = ran_.size();
  if (!op.keep_children) {
    for (const size_t child : world_.model.Children(id)) {
      for (const size_t going : world_.model.DeletionOrder(child)) ExpectCallbacks(going);
    }
  }
  ExpectCallbacks(id);
  if (op.keep_children) {
    context->ResetKeepingChildren();
  } else {
    context->Reset();
    for (const size_t child : world_.model.Children(id)) Forget(child);
  }
  world_.Died(world_.model.ResetKeepingChildren(id));
  ExpectSameAccount(kM5, fresh_.at(id), context->account());
  for (size_t i = first_callback; i < ran_.size() && op.keep_children; ++i) {
    // Children made by callbacks stay where children are kept.
    const Callback& callback = callbacks_[ran_[i]];
    if (callback.created != nullptr) Adopt(callback.created, Kind::kGeneration, id);
  }
  CheckCallbacksRan();
}

void MemoryTreeSuite::Step(const TreeDelete& op) {
  if (!op.context.hit()) return;
  world_.CheckAllContents();
  const size_t id = op.context.birth();
  for (const size_t going : world_.model.DeletionOrder(id)) ExpectCallbacks(going);
  Context::Delete(contexts_.at(id));
  CheckCallbacksRan();
  Forget(id);
}

void MemoryTreeSuite::Step(const TreeDeleteChildren& op) {
  if (!op.context.hit()) return;
  world_.CheckAllContents();
  const size_t id = op.context.birth();
  const std::vector<size_t> children = world_.model.Children(id);
  for (const size_t child : children) {
    for (const size_t going : world_.model.DeletionOrder(child)) ExpectCallbacks(going);
  }
  contexts_.at(id)->DeleteChildren();
  CheckCallbacksRan();
  for (const size_t child : children) Forget(child);
}

void MemoryTreeSuite::Step(const TreeSetParent& op) {
  if (!op.context.hit()) return;
  const size_t id = op.context.birth();
  const size_t parent = op.none || !op.parent.hit() ? kNone : op.parent.birth();
  if (parent != kNone && world_.model.IsBelow(parent, id)) return;  // a caller's mistake
  contexts_.at(id)->SetParent(parent == kNone ? nullptr : contexts_.at(parent));
  world_.model.SetParent(id, parent);
}

void MemoryTreeSuite::Compare() {
  size_t obtained = 0;
  for (const auto& [id, context] : contexts_) {
    world_.CheckAccount(*context, id);
    size_t held = context->account().held();
    for (const size_t child : world_.model.Children(id)) held += contexts_.at(child)->held_bytes();
    kit::ExpectEqual(kM4, held, context->held_bytes(), "a subtree holds what its parts hold");
    if (world_.model.parent(id) == kNone) obtained += context->obtained_bytes();
    run_.SpendSteps(1);
  }
  kit::ExpectEqual(kM4, world_.source.lent_bytes(), obtained, "the source lent what is held");
}

void MemoryTreeSuite::Verify() {
  world_.CheckAllContents();
  for (const auto& [id, context] : contexts_) {
    const size_t parent = world_.model.parent(id);
    kit::Expect(kM4, context->parent() == (parent == kNone ? nullptr : contexts_.at(parent)),
                "the parent is the one that was set");
    if (parent == kNone) context->Verify();
  }
}

void MemoryTreeSuite::Finish() {
  world_.source.FailNever();
  while (!contexts_.empty()) {
    size_t root = contexts_.begin()->first;
    while (world_.model.parent(root) != kNone) root = world_.model.parent(root);
    Step(TreeDelete{.context = root});
    Compare();
  }
  kit::ExpectEqual(kM4, size_t{0}, world_.source.lent_bytes());
}

std::string MemoryTreeSuite::ShowSubject() const {
  std::string text;
  for (const auto& [id, context] : contexts_) {
    absl::StrAppend(&text, "@", id, " ", ShowAccount(*context));
  }
  return text;
}

}  // namespace tuplestone::properties

namespace tuplestone::kit {
template class ProgramTarget<properties::MemoryTreeSuite>;
}
