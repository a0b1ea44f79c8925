// Memory contexts: allocations that are given back together.
//
//   root ── child ── grandchild        Resetting a context deletes what is below it and empties it;
//     └──── child                      deleting one takes the subtree along, children first.
//
// Four kinds serve requests: AllocSet (any size, any order), Generation (first in, first out),
// Slab (one size), Bump (never freed singly). A context obtains blocks from the one BlockSource of
// its tree, books every byte of them under one term of the equation in account.h, and carries for
// itself and for its whole subtree what was obtained.
//
// Invariants (invariants.h):
//   M1  Live chunks are disjoint, inside one block, and aligned; so are those of size 0.
//   M2  Contents last until free, reset or delete; reallocation keeps min(old, new) bytes.
//   M3  The equation of account.h; every term is what a walk over the blocks finds.
//   M4  What the source lent is the sum over the tree; nothing once the tree is deleted.
//   M5  Reset and delete give back all that the kind says, and run each callback once.
//   M6  A failed request returns null and changes no figure. Sizes near SIZE_MAX fail.
//   M7  No figure depends on addresses or on what the context did before its last reset.
//   M8  In guarded builds each misuse dies by name (guard.h says which, and which not).
//   M9  A steady loop does not grow.
//
// Not thread-safe. Nothing is returned to the source before reset but dedicated blocks and what a
// kind's head comment says. No context is kept for reuse after its deletion.
#ifndef TUPLESTONE_ENGINE_MEMORY_CONTEXT_H_
#define TUPLESTONE_ENGINE_MEMORY_CONTEXT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string_view>
#include <vector>

#include "engine/base/align.h"
#include "engine/base/block_source.h"
#include "engine/memory/account.h"
#include "engine/memory/block.h"
#include "engine/memory/guard.h"
#include "engine/memory/invariants.h"
#include "engine/memory/options.h"

namespace tuplestone::memory {

// Called once, at the next reset or deletion of the context it is registered with, newest first,
// after the context's children are gone and before its memory is. The node is the caller's, and
// must last until the call: the context's own memory is a good place. A callback must not reset or
// delete a context of the subtree that is going.
struct ResetCallback {
  void (*function)(void* argument) = nullptr;
  void* argument = nullptr;
  ResetCallback* next = nullptr;
};

class Context {
 public:
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  // `bytes` at a multiple of `alignment`, or null with nothing changed when the source has none
  // left or the request is beyond the kind or the limits. Size 0 gets an address of its own.
  // Requires: `alignment` a power of two of at most kAlignmentCeiling.
  void* Allocate(size_t bytes, size_t alignment = kMaxAlign);
  // The same, all zero.
  void* AllocateZeroed(size_t bytes, size_t alignment = kMaxAlign);
  // Requires: `p` is live in this context; the kind is not Bump.
  void Free(void* p);
  // `p` with room for `bytes`: the same chunk where the rounded size is the same, else a new one of
  // the same alignment. On null `p` is as it was. Requires: as Free.
  void* Reallocate(void* p, size_t bytes);

  // What a live chunk, or one of `bytes`, counts as live: header and rounded size.
  size_t ChunkSpace(const void* p) const;
  size_t ChunkSpaceFor(size_t bytes, size_t alignment = kMaxAlign) const;

  void Reset();  // deletes the children
  void ResetKeepingChildren();
  void DeleteChildren();
  // Requires: `context` was not deleted; nothing below it is used again.
  static void Delete(Context* context);
  // Null makes it a root of its own. O(depth). Requires: same source, not below itself.
  void SetParent(Context* parent);
  void OnReset(ResetCallback* callback);

  // Bytes held by the context and all below it, guards not counted: the one accessor for limit
  // checks. One load, no recursion.
  size_t held_bytes() const { return subtree_held_; }
  // Bytes obtained by the context and all below it.
  size_t obtained_bytes() const { return subtree_held_ + subtree_guards_; }
  Account account() const;         // the context alone. O(1)
  Account SubtreeAccount() const;  // with all below it. O(contexts)
  bool IsEmpty() const { return live_.chunks() == 0; }

  Kind kind() const { return kind_; }
  const char* name() const { return name_.data(); }
  Context* parent() const { return parent_; }
  Context* first_child() const { return first_child_; }
  Context* next_sibling() const { return next_sibling_; }
  BlockSource& source() const { return *source_; }

  // Aborts on the first broken invariant in the subtree, naming it. O(chunks).
  void Verify() const;

 protected:
  struct Live {
    size_t bytes = 0;
    size_t chunks = 0;
    size_t requested = 0;

    void Add(size_t space, size_t asked) {
      bytes += space;
      ++chunks;
      requested += asked;
    }
  };
  // What was ever handed out and what of it came back, apart: a free and the allocation behind it
  // do not wait for one another's sums. Each may wrap; the differences are right.
  struct LiveFigures {
    Live given;
    Live returned;

    void Add(size_t space, size_t asked) { given.Add(space, asked); }
    void Remove(size_t space, size_t asked) { returned.Add(space, asked); }
    size_t bytes() const { return given.bytes - returned.bytes; }
    size_t chunks() const { return given.chunks - returned.chunks; }
    size_t requested() const { return given.requested - returned.requested; }
  };

  Context(Kind kind, BlockSource& source, std::string_view name);
  virtual ~Context() = default;

  // Makes a context of class C in memory that also has room for a first block of nominal
  // `block_bytes` (0: none) and `guard_bytes`, and hangs it under `parent` (null: a root).
  template <typename C, typename... Arguments>
  static C* Make(Context* parent, BlockSource& source, std::string_view name, size_t block_bytes,
                 size_t guard_bytes, const Arguments&... arguments) {
    constexpr size_t kBytes = AlignUp(sizeof(C), 16);
    void* memory = source.Obtain(kBytes + block_bytes + guard_bytes, 16);
    if (memory == nullptr) return nullptr;
    C* context = new (memory) C(source, name, arguments...);
    context->Adopted(parent, kBytes, block_bytes, guard_bytes);
    return context;
  }

  virtual void* DoAllocate(size_t bytes, size_t alignment) = 0;
  virtual void DoFree(void* p) = 0;
  virtual void* DoReallocate(void* p, size_t bytes) = 0;
  virtual size_t DoChunkSpace(const void* p) const = 0;
  virtual size_t DoChunkSpaceFor(size_t bytes, size_t alignment) const = 0;
  // Takes the first block, which the context's own memory holds.
  virtual void DoAdoptFirstBlock(Block* block) = 0;
  // Returns every block but the first and makes the context as it was when new.
  virtual void DoReset() = 0;
  // The kind's own terms; obtained, overhead, guards, requested and counts are filled in.
  virtual void FillAccount(Account& account) const = 0;
  // Walks the context's own blocks.
  virtual void VerifyOwn() const = 0;

  // A block of nominal `bytes`, or null with nothing changed. It is in no list yet.
  Block* ObtainBlock(size_t bytes, size_t guard_bytes, bool dedicated);
  void ReturnBlock(Block* block);
  // Memory beside the blocks, booked as overhead (the directory of a Bump).
  void* ObtainOverhead(size_t bytes);
  void ReturnOverhead(void* memory, size_t bytes);
  // The space of blocks that is neither header nor guard.
  size_t block_area() const { return held_ - overhead_; }
  // The context's own overhead: a C without its guards.
  template <typename C>
  static constexpr size_t ContextBytes() {
    return AlignUp(sizeof(C), 16) - kGuardedContextBytes;
  }
  // Compares what a walk over the blocks found with what is booked (M3).
  void VerifyBlocks(size_t held, size_t guards, size_t blocks, size_t own_overhead) const;
  Block* first_block() const { return first_block_; }

  // The hot line: what the fast paths touch.
  LiveFigures live_;
  std::byte* next_ = nullptr;  // the next chunk of the block being filled...
  std::byte* end_ = nullptr;   // ...which has room up to here, nominally
  Block* active_ = nullptr;    // the block being filled, or null
  uint32_t fast_limit_ = 0;    // requests of 1 to this many bytes may take the fast path
  uint32_t header_bytes_ = 0;  // before each chunk

  // Guarded builds only. Mutable: looking a block up moves its cache.
  [[no_unique_address]] mutable ContextGuard guard_;

 private:
  friend Context* NextInSubtree(const Context* context, const Context* root);

  void Adopted(Context* parent, size_t context_bytes, size_t block_bytes, size_t guard_bytes);
  void Book(size_t held, size_t guards);
  void Unbook(size_t held, size_t guards);
  void Link(Context* parent);
  void Unlink();
  void RunCallbacks();
  void Destroy();
  void VerifyFigures() const;

  size_t held_ = 0;  // obtained less guards, of this context alone
  size_t overhead_ = 0;
  size_t guards_ = 0;
  size_t blocks_ = 0;  // a count
  size_t subtree_held_ = 0;
  size_t subtree_guards_ = 0;
  Block* first_block_ = nullptr;  // in one piece with the context, or null
  BlockSource* source_;
  Context* parent_ = nullptr;
  Context* first_child_ = nullptr;
  Context* next_sibling_ = nullptr;
  Context* previous_sibling_ = nullptr;
  ResetCallback* callbacks_ = nullptr;
  Kind kind_;
  std::array<char, 31> name_ = {};  // cut short where longer
};

// The context after `context` in the walk of `root`'s subtree, parents first, or null. O(1)
// amortised, without recursion: trees may be deep.
Context* NextInSubtree(const Context* context, const Context* root);

// Deletes a context when the owner goes.
struct ContextDeleter {
  void operator()(Context* context) const { Context::Delete(context); }
};
template <typename C = Context>
using OwnedContext = std::unique_ptr<C, ContextDeleter>;

inline void* Context::Allocate(size_t bytes, size_t alignment) {
  CheckNotDeleted(this);
  return DoAllocate(bytes, alignment);
}

inline void Context::Free(void* p) {
  CheckNotDeleted(this);
  DoFree(p);
}

}  // namespace tuplestone::memory

#endif  // TUPLESTONE_ENGINE_MEMORY_CONTEXT_H_
