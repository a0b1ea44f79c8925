// Heap programs against one allocator: the four kinds of context, and any other that fits the
// concept of memory_subjects.h.
//
//   HeapSuite<ContextHeap<kBump>, 4>      operations of memory_ops.h
//     subject   Allocate, Free, Reallocate, Reset, Verify
//     model     which chunk holds which bytes, and what each takes
//
// Checked after each operation: addresses (M1), the account against the model and the source (M3,
// M4), that failures change nothing (M6). At the stride: contents (M2), the subject's own walk. At
// the end: a twin that saw no failure has the same figures, then and after further requests (M6);
// reset gives a context as new (M5) that does the same again (M7). Loops do not grow (M9).
//
// Not covered: misuse (M8), which is a death and no program; more than one context (tree_suite.h).
#ifndef TUPLESTONE_PROPERTIES_MEMORY_MEMORY_SUITE_H_
#define TUPLESTONE_PROPERTIES_MEMORY_MEMORY_SUITE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "properties/kit/target.h"
#include "properties/memory/memory_history.h"
#include "properties/memory/memory_subjects.h"
#include "properties/memory/memory_world.h"

namespace tuplestone::properties {

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
  void Failed(size_t bytes, size_t alignment, uint64_t failures_before);
  void ExpectFailuresLeftNothing();
  void ExpectRepeats();
  void ExpectServesAs(const Invariant& invariant, Subject& other);
  size_t LoopPeak(const MemoryLoop& op, int rounds);

  MemoryWorld world_;
  Subject heap_;
  memory::Account fresh_;
  std::vector<std::pair<size_t, size_t>> requests_;  // the first few: bytes and alignment
  HeapHistory history_;
};

template <HeapSubject Subject, size_t kTarget>
void HeapSuite<Subject, kTarget>::Failed(size_t bytes, size_t alignment, uint64_t failures_before) {
  world_.ExpectNullExcused(kKind, bytes, alignment, failures_before);
  history_.Failed();
}

template <HeapSubject Subject, size_t kTarget>
void HeapSuite<Subject, kTarget>::Allocate(size_t bytes, size_t alignment, uint64_t fill) {
  alignment = std::min(alignment, Subject::kTraits.alignment_max);
  const memory::Account before = Account();
  const uint64_t failures = world_.source.failures();
  if (requests_.size() < kRepeatsMax) requests_.push_back({bytes, alignment});
  void* p = heap_.Allocate(bytes, alignment);
  if (p == nullptr) {
    Failed(bytes, alignment, failures);
    ExpectSameAccount(memory::kM6, before, Account());
    return;
  }
  world_.ExpectNotRefused(kKind, bytes, alignment);
  history_.Allocated(world_.Adopt(0, p, bytes, alignment, fill), bytes, alignment);
}

template <HeapSubject Subject, size_t kTarget>
void HeapSuite<Subject, kTarget>::Step(const MemoryZeroed& op) {
  const size_t alignment = size_t{1} << op.alignment;
  if constexpr (kAccounts) {
    const uint64_t failures = world_.source.failures();
    void* p = heap_.context().AllocateZeroed(op.bytes, alignment);
    if (p == nullptr) return Failed(op.bytes, alignment, failures);
    const auto* bytes = static_cast<uint8_t*>(p);
    const bool zero = std::all_of(bytes, bytes + op.bytes, [](uint8_t b) { return b == 0; });
    kit::Expect(memory::kM2, zero, "zeroed memory is zero");
    history_.Allocated(world_.Adopt(0, p, op.bytes, alignment, 0), op.bytes, alignment);
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
  history_.Freed(chunk);
}

template <HeapSubject Subject, size_t kTarget>
void HeapSuite<Subject, kTarget>::Reallocate(size_t chunk, size_t bytes, uint64_t fill) {
  if (!Subject::kTraits.reallocates) return;
  const memory::Account before = Account();
  const uint64_t failures = world_.source.failures();
  const size_t alignment = world_.model.chunk(chunk).alignment;
  void* p = heap_.Reallocate(world_.at(chunk), bytes);
  if (p == nullptr) {
    Failed(bytes, alignment, failures);
    ExpectSameAccount(memory::kM6, before, Account());
    world_.CheckContents(chunk);
    return;
  }
  world_.ExpectNotRefused(kKind, bytes, alignment);
  world_.Move(chunk, p, bytes, fill);
  history_.Reallocated(chunk, bytes);
}

template <HeapSubject Subject, size_t kTarget>
void HeapSuite<Subject, kTarget>::Step(const MemoryReset&) {
  world_.CheckAllContents();
  history_.Emptied();
  heap_.Reset();
  world_.Died(world_.model.ResetKeepingChildren(0));
  ExpectSameAccount(memory::kM5, fresh_, Account());
}

template <HeapSubject Subject, size_t kTarget>
void HeapSuite<Subject, kTarget>::Step(const MemoryDrain& op) {
  std::vector<uint32_t> chunks = world_.run().population(kChunks).live();
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

// The most the heap holds in that many rounds of the loop.
template <HeapSubject Subject, size_t kTarget>
size_t HeapSuite<Subject, kTarget>::LoopPeak(const MemoryLoop& op, int rounds) {
  history_.Looped(op, rounds);
  return RunLoop(heap_, op, rounds, [this] { return Account().held(); });
}

template <HeapSubject Subject, size_t kTarget>
void HeapSuite<Subject, kTarget>::Step(const MemoryLoop& op) {
  if (!Subject::kTraits.frees || !Subject::kTraits.reallocates) return;
  world_.source.FailNever();
  const size_t before = LoopPeak(op, 3);
  const size_t after = LoopPeak(op, 6);
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

// The program's first requests, here and in a heap that is to be in the same state.
template <HeapSubject Subject, size_t kTarget>
void HeapSuite<Subject, kTarget>::ExpectServesAs(const Invariant& invariant, Subject& other) {
  for (const auto& [bytes, alignment] : requests_) {
    void* here = heap_.Allocate(bytes, alignment);
    void* there = other.Allocate(bytes, alignment);
    kit::ExpectEqual(invariant, there == nullptr, here == nullptr, "both serve or both fail");
    ExpectSameAccount(invariant, other.context().account(), Account());
  }
}

// M6: a twin that saw no failure is in the same state.
template <HeapSubject Subject, size_t kTarget>
void HeapSuite<Subject, kTarget>::ExpectFailuresLeftNothing() {
  if constexpr (kAccounts) {
    if (!history_.has_failures()) return;
    kit::FaultySource twins_source;
    Subject twin(world_.model.options(), twins_source);
    history_.Repeat(twin);
    ExpectSameAccount(memory::kM6, twin.context().account(), Account());
    ExpectServesAs(memory::kM6, twin);
  }
}

// M7: a context that has seen all that and was reset is as one that has seen nothing.
template <HeapSubject Subject, size_t kTarget>
void HeapSuite<Subject, kTarget>::ExpectRepeats() {
  if constexpr (kAccounts) {
    kit::FaultySource other_source;
    Subject other(world_.model.options(), other_source);
    ExpectServesAs(memory::kM7, other);
    heap_.Verify();
  }
}

template <HeapSubject Subject, size_t kTarget>
void HeapSuite<Subject, kTarget>::Finish() {
  world_.source.FailNever();
  ExpectFailuresLeftNothing();
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
