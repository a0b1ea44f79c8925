// What a heap program can be run against: the concept, and the four kinds of context.
#ifndef TUPLESTONE_PROPERTIES_MEMORY_MEMORY_SUBJECTS_H_
#define TUPLESTONE_PROPERTIES_MEMORY_MEMORY_SUBJECTS_H_

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "engine/base/block_source.h"
#include "engine/memory/alloc_set.h"
#include "engine/memory/bump.h"
#include "engine/memory/generation.h"
#include "engine/memory/slab.h"
#include "properties/kit/expect.h"
#include "properties/memory/memory_model.h"

namespace tuplestone::properties {

// What a subject is able to do.
struct HeapTraits {
  bool frees = true;              // Free gives single chunks back
  bool reallocates = true;        // Reallocate works
  bool survives_failures = true;  // a request that failed for want of memory changed nothing
  size_t alignment_max = memory::kAlignmentCeiling;  // no request is for more
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
// Every other piece of a Bump is allocated with its Ref, which must lead back to it.
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
  void* Allocate(size_t bytes, size_t alignment) {
    if constexpr (kKind == memory::Kind::kBump) {
      with_ref_ = !with_ref_;
      if (with_ref_) return AllocateWithRef(bytes, alignment);
    }
    return owner_->Allocate(bytes, alignment);
  }
  void* Reallocate(void* p, size_t bytes) { return owner_->Reallocate(p, bytes); }
  void Free(void* p) { owner_->Free(p); }
  void Reset() {
    pieces_.clear();
    owner_->Reset();
  }
  void Verify() const {
    owner_->Verify();
    if constexpr (kKind == memory::Kind::kBump) {
      for (const memory::Piece& piece : pieces_) {
        kit::Expect(memory::kM1, owner_->Resolve(piece.ref) == piece.p, "a Ref leads to its piece");
      }
    }
  }
  memory::Context& context() { return *owner_; }
  const memory::Context& context() const { return *owner_; }

 private:
  using Type =
      std::conditional_t<kKind == memory::Kind::kAllocSet, memory::AllocSet,
                         std::conditional_t<kKind == memory::Kind::kGeneration, memory::Generation,
                                            std::conditional_t<kKind == memory::Kind::kSlab,
                                                               memory::Slab, memory::Bump>>>;
  void* AllocateWithRef(size_t bytes, size_t alignment) {
    const memory::Piece piece = owner_->AllocateWithRef(bytes, alignment);
    if (piece.p != nullptr) pieces_.push_back(piece);
    return piece.p;
  }

  memory::OwnedContext<Type> owner_;
  std::vector<memory::Piece> pieces_;  // Bump only
  bool with_ref_ = false;
};

}  // namespace tuplestone::properties

#endif  // TUPLESTONE_PROPERTIES_MEMORY_MEMORY_SUBJECTS_H_
