// Heap programs against one allocator: the four kinds of context, and any other that fits the
// concept below.
//
//   HeapSuite<ContextHeap<kBump>, 4>      operations of memory_ops.h
//     subject   Allocate, Free, Reallocate, Reset, Verify
//     model     which chunk holds which bytes, and what each takes
//
// Checked after each operation: addresses (M1), the account against the model and the source (M3,
// M4), that failures change nothing (M6). At the stride: contents (M2), the subject's own walk. At
// the end: reset gives a context as new (M5) that does the same again (M7). Loops do not grow (M9).
//
// Not covered: misuse (M8), which is a death and no program; more than one context (tree_suite.h).
#ifndef TUPLESTONE_PROPERTIES_MEMORY_MEMORY_SUITE_H_
#define TUPLESTONE_PROPERTIES_MEMORY_MEMORY_SUITE_H_

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/block_source.h"
#include "engine/memory/alloc_set.h"
#include "engine/memory/bump.h"
#include "engine/memory/generation.h"
#include "engine/memory/slab.h"
#include "properties/kit/target.h"
#include "properties/memory/memory_world.h"

namespace tuplestone::properties {

// What a subject is able to do.
struct HeapTraits {
  bool frees = true;              // Free gives single chunks back
  bool reallocates = true;        // Reallocate works
  bool survives_failures = true;  // a request that failed for want of memory changed nothing
};

// A subject is made from options and a source. Allocate and Reallocate give null without memory and
// for sizes that cannot be; Verify dies of what it finds broken, or does nothing. A subject that
// has `context()` is also checked for its accounts.
template <class S>
concept HeapSubject = std::constructible_from<S, const ModelOptions&, BlockSource&> &&
                      requires(S& heap, size_t n, void* p) {
                        { S::kTraits } -> std::convertible_to<HeapTraits>;
                        { heap.Allocate(n, n) } -> std::same_as<void*>;
                        { heap.Reallocate(p, n) } -> std::same_as<void*>;
                        heap.Free(p);
                        heap.Reset();
                        heap.Verify();
                      };

// A context of one kind, through its own type, so that builds without guards run the fast paths.
template <memory::Kind kKind>
class ContextHeap {
 public:
  static constexpr memory::Kind kContextKind = kKind;
  static constexpr HeapTraits kTraits{.frees = kKind != memory::Kind::kBump,
                                      .reallocates = kKind != memory::Kind::kBump};

  ContextHeap(const ModelOptions& options, BlockSource& source) {
    if constexpr (kKind == memory::Kind::kSlab) {
      owner_.reset(memory::Slab::Create(source, "slab", options.slab));
    } else {
      owner_.reset(Type::Create(source, memory::KindName(kKind), options.shared));
    }
  }
  void* Allocate(size_t bytes, size_t alignment) { return owner_->Allocate(bytes, alignment); }
  void* Reallocate(void* p, size_t bytes) { return owner_->Reallocate(p, bytes); }
  void Free(void* p) { owner_->Free(p); }
  void Reset() { owner_->Reset(); }
  void Verify() const { owner_->Verify(); }
  memory::Context& context() { return *owner_; }
  const memory::Context& context() const { return *owner_; }

 private:
  using Type =
      std::conditional_t<kKind == memory::Kind::kAllocSet, memory::AllocSet,
                         std::conditional_t<kKind == memory::Kind::kGeneration, memory::Generation,
                                            std::conditional_t<kKind == memory::Kind::kSlab,
                                                               memory::Slab, memory::Bump>>>;
  memory::OwnedContext<Type> owner_;
};

template <HeapSubject Subject, size_t kTarget>
class HeapSuite {
 public:
  using Program = MemoryHeapProgram<kTarget>;
  static constexpr const char* kHeader = "properties/memory/memory_suite.h";

  HeapSuite(const MemoryHead<kTarget>& head, kit::Runner& run)
      : world_(OptionsOf(head), run), heap_(world_.model.options(), world_.source) {
    world_.model.Create(0, kKind, MemoryModel::kNoContext);
    if constexpr (kAccounts) fresh_ = heap_.context().account();
  }

  void Step(const MemoryAllocate& op) { Allocate(op.bytes, size_t{1} << op.alignment, op.fill); }
  void Step(const MemoryZeroed& op);
  void Step(const MemoryFree& op) {
    if (op.chunk.hit()) Free(op.chunk.birth());
  }
  void Step(const MemoryReallocate& op) {
    if (op.chunk.hit()) Reallocate(op.chunk.birth(), op.bytes, op.fill);
  }
  void Step(const MemoryReset&);
  void Step(const MemoryFill& op) {
    for (uint64_t i = 0; i < op.count; ++i) Allocate(op.bytes, kMaxAlign, op.fill);
  }
  void Step(const MemoryDrain& op);
  void Step(const MemoryFault& op) {
    if (Subject::kTraits.survives_failures) world_.source.FailAfter(op.after, op.failures);
  }
  void Step(const MemoryHuge& op);
  void Step(const MemoryLoop& op);

  void Compare();
  void Verify();
  void Finish();

  std::string ShowModel() const { return world_.ShowModel(); }
  std::string ShowSubject() const {
    if constexpr (kAccounts) return ShowAccount(heap_.context());
    return "";
  }

  Subject& heap() { return heap_; }
  MemoryWorld& world() { return world_; }

 private:
  static constexpr bool kAccounts = requires(Subject& heap) { heap.context(); };
  static constexpr size_t kRepeatsMax = 64;

  static constexpr memory::Kind ModelKind() {
    if constexpr (kAccounts) {
      return Subject::kContextKind;
    } else {
      return memory::Kind::kGeneration;  // whose limits are the request's own
    }
  }
  static constexpr memory::Kind kKind = ModelKind();

  memory::Account Account() {
    if constexpr (kAccounts) return heap_.context().account();
    return {};
  }
  void Allocate(size_t bytes, size_t alignment, uint64_t fill);
  void Free(size_t chunk);
  void Reallocate(size_t chunk, size_t bytes, uint64_t fill);
  void ExpectRepeats();
  size_t LoopPeak(const MemoryLoop& op, int rounds);

  MemoryWorld world_;
  Subject heap_;
  memory::Account fresh_;
  std::vector<std::pair<size_t, size_t>> requests_;  // the first few: bytes and alignment
};

template <HeapSubject Subject, size_t kTarget>
void HeapSuite<Subject, kTarget>::Allocate(size_t bytes, size_t alignment, uint64_t fill) {
  const memory::Account before = Account();
  const uint64_t failures = world_.source.failures();
  if (requests_.size() < kRepeatsMax) requests_.push_back({bytes, alignment});
  void* p = heap_.Allocate(bytes, alignment);
  if (p == nullptr) {
    world_.ExpectNullExcused(kKind, bytes, alignment, failures);
    ExpectSameAccount(memory::kM6, before, Account());
    return;
  }
  world_.ExpectNotRefused(kKind, bytes, alignment);
  world_.Adopt(0, p, bytes, alignment, fill);
}

template <HeapSubject Subject, size_t kTarget>
void HeapSuite<Subject, kTarget>::Step(const MemoryZeroed& op) {
  const size_t alignment = size_t{1} << op.alignment;
  if constexpr (kAccounts) {
    const uint64_t failures = world_.source.failures();
    void* p = heap_.context().AllocateZeroed(op.bytes, alignment);
    if (p == nullptr) return world_.ExpectNullExcused(kKind, op.bytes, alignment, failures);
    const auto* bytes = static_cast<uint8_t*>(p);
    const bool zero = std::all_of(bytes, bytes + op.bytes, [](uint8_t b) { return b == 0; });
    kit::Expect(memory::kM2, zero, "zeroed memory is zero");
    world_.Adopt(0, p, op.bytes, alignment, 0);
  } else {
    Allocate(op.bytes, alignment, 0);
  }
}

template <HeapSubject Subject, size_t kTarget>
void HeapSuite<Subject, kTarget>::Free(size_t chunk) {
  if (!Subject::kTraits.frees) return;
  world_.CheckContents(chunk);
  heap_.Free(world_.at(chunk));
  world_.Died(chunk);
}

template <HeapSubject Subject, size_t kTarget>
void HeapSuite<Subject, kTarget>::Reallocate(size_t chunk, size_t bytes, uint64_t fill) {
  if (!Subject::kTraits.reallocates) return;
  const memory::Account before = Account();
  const uint64_t failures = world_.source.failures();
  const size_t alignment = world_.model.chunks().at(chunk).alignment;
  void* p = heap_.Reallocate(world_.at(chunk), bytes);
  if (p == nullptr) {
    world_.ExpectNullExcused(kKind, bytes, alignment, failures);
    ExpectSameAccount(memory::kM6, before, Account());
    world_.CheckContents(chunk);
    return;
  }
  world_.ExpectNotRefused(kKind, bytes, alignment);
  world_.Move(chunk, p, bytes, fill);
}

template <HeapSubject Subject, size_t kTarget>
void HeapSuite<Subject, kTarget>::Step(const MemoryReset&) {
  world_.CheckAllContents();
  heap_.Reset();
  world_.Died(world_.model.ResetKeepingChildren(0));
  ExpectSameAccount(memory::kM5, fresh_, Account());
}

template <HeapSubject Subject, size_t kTarget>
void HeapSuite<Subject, kTarget>::Step(const MemoryDrain& op) {
  std::vector<size_t> chunks;
  for (const auto& [chunk, p] : world_.pointers()) chunks.push_back(chunk);
  if (op.order == MemoryOrder::kNewest) std::reverse(chunks.begin(), chunks.end());
  const size_t stride = op.order == MemoryOrder::kEveryOther ? 2 : 1;
  size_t freed = 0;
  for (size_t i = 0; i < chunks.size() && freed < op.count; i += stride, ++freed) Free(chunks[i]);
}

template <HeapSubject Subject, size_t kTarget>
void HeapSuite<Subject, kTarget>::Step(const MemoryHuge& op) {
  const size_t request_max = world_.model.options().shared.limits.request_bytes_max;
  const size_t sizes[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 4, request_max + 32};
  const size_t bytes = sizes[static_cast<size_t>(MemoryHugeSize{op.size})] - op.less;
  Allocate(bytes, size_t{1} << op.alignment, 0xEE);
  if (op.chunk.hit()) Reallocate(op.chunk.birth(), bytes, 0xEE);
}

// The most the heap holds while `rounds` times the loop's chunks are allocated and freed.
template <HeapSubject Subject, size_t kTarget>
size_t HeapSuite<Subject, kTarget>::LoopPeak(const MemoryLoop& op, int rounds) {
  size_t peak = 0;
  for (int round = 0; round < rounds; ++round) {
    std::vector<void*> chunks;
    for (uint64_t i = 0; i < op.count; ++i) {
      void* p = heap_.Allocate(op.bytes, kMaxAlign);
      if (p == nullptr) break;
      void* moved = op.doubled ? heap_.Reallocate(p, 2 * op.bytes) : nullptr;
      chunks.push_back(moved == nullptr ? p : moved);
      peak = std::max(peak, Account().held());
    }
    for (void* p : chunks) heap_.Free(p);
  }
  return peak;
}

template <HeapSubject Subject, size_t kTarget>
void HeapSuite<Subject, kTarget>::Step(const MemoryLoop& op) {
  if (!Subject::kTraits.frees || !Subject::kTraits.reallocates) return;
  world_.source.FailNever();
  const size_t before = LoopPeak(op, 4);
  const size_t after = LoopPeak(op, 12);
  // The loop may move a Generation's active block on, and leave chunks of before behind in it.
  const size_t moved_on =
      kKind == memory::Kind::kGeneration ? world_.model.options().shared.limits.block_max_bytes : 0;
  kit::Expect(memory::kM9, after <= before + moved_on,
              "a steady loop holds no more in its later rounds");
}

template <HeapSubject Subject, size_t kTarget>
void HeapSuite<Subject, kTarget>::Compare() {
  if constexpr (kAccounts) {
    const memory::Context& context = heap_.context();
    world_.CheckAccount(context, 0);
    kit::ExpectEqual(memory::kM4, world_.source.lent_bytes(), context.account().obtained);
    kit::ExpectEqual(memory::kM4, context.account().held(), context.held_bytes());
  }
}

template <HeapSubject Subject, size_t kTarget>
void HeapSuite<Subject, kTarget>::Verify() {
  heap_.Verify();
  world_.CheckAllContents();
}

// M7: the program's first requests, in a context that has seen all that and was reset, and in one
// that has seen nothing.
template <HeapSubject Subject, size_t kTarget>
void HeapSuite<Subject, kTarget>::ExpectRepeats() {
  kit::FaultySource other_source;
  Subject other(world_.model.options(), other_source);
  if constexpr (kAccounts) {
    for (const auto& [bytes, alignment] : requests_) {
      void* here = heap_.Allocate(bytes, alignment);
      void* there = other.Allocate(bytes, alignment);
      kit::ExpectEqual(memory::kM7, there == nullptr, here == nullptr, "both serve or both fail");
      ExpectSameAccount(memory::kM7, other.context().account(), heap_.context().account());
    }
    heap_.Verify();
  }
}

template <HeapSubject Subject, size_t kTarget>
void HeapSuite<Subject, kTarget>::Finish() {
  world_.source.FailNever();
  Step(MemoryReset{});
  heap_.Verify();
  ExpectRepeats();
}

using MemoryAllocSetSuite = HeapSuite<ContextHeap<memory::Kind::kAllocSet>, 1>;
using MemoryGenerationSuite = HeapSuite<ContextHeap<memory::Kind::kGeneration>, 2>;
using MemorySlabSuite = HeapSuite<ContextHeap<memory::Kind::kSlab>, 3>;
using MemoryBumpSuite = HeapSuite<ContextHeap<memory::Kind::kBump>, 4>;

extern template class HeapSuite<ContextHeap<memory::Kind::kAllocSet>, 1>;
extern template class HeapSuite<ContextHeap<memory::Kind::kGeneration>, 2>;
extern template class HeapSuite<ContextHeap<memory::Kind::kSlab>, 3>;
extern template class HeapSuite<ContextHeap<memory::Kind::kBump>, 4>;

}  // namespace tuplestone::properties

namespace tuplestone::kit {
extern template class ProgramTarget<properties::MemoryAllocSetSuite>;
extern template class ProgramTarget<properties::MemoryGenerationSuite>;
extern template class ProgramTarget<properties::MemorySlabSuite>;
extern template class ProgramTarget<properties::MemoryBumpSuite>;
}  // namespace tuplestone::kit

#endif  // TUPLESTONE_PROPERTIES_MEMORY_MEMORY_SUITE_H_
