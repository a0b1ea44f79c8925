// Bump: any size, never freed singly, and nothing beside the bytes.
//
//   block       | header | piece | piece | piece | ...  tail |
//   directory   | granule 0 | granule 1 | granule 2 | ...        where each granule of Refs lies
//
// A request takes the next piece of the active block, else the first of a new one; what was left of
// the old one stays its tail. Requests above the chunk limit get a block of their own.
//
// A Ref names a piece in 32 bits, in units of 8 bytes: each block is given as many whole granules
// of units as it is long, and the directory says for each granule where its units lie. Resolving is
// one load and one addition. Ref 0 names nothing: unit 0 is the first block's header.
//
// In guarded builds a piece is followed by a red zone of its own size, which holds a canary and
// what the walk needs; a unit then stands for 16 bytes, so that a piece's Ref is the same.
#ifndef TUPLESTONE_ENGINE_MEMORY_BUMP_H_
#define TUPLESTONE_ENGINE_MEMORY_BUMP_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/memory/chunk_header.h"
#include "engine/memory/context.h"
#include "engine/memory/growth.h"
#include "engine/memory/options.h"

namespace tuplestone::memory {

struct Ref {
  uint32_t units = 0;
  friend bool operator==(Ref, Ref) = default;
};

struct Piece {
  void* p;  // null: no memory
  Ref ref;
};

class Bump final : public Context {
 public:
  // Null when the source has no memory. Requires: options within their bounds.
  static Bump* Create(BlockSource& source, std::string_view name, const Options& options = {});
  static Bump* Create(Context& parent, std::string_view name, const Options& options = {});

  // As Context::Allocate, without a virtual call.
  void* Allocate(size_t bytes, size_t alignment = kMaxAlign);
  Piece AllocateWithRef(size_t bytes, size_t alignment = kMaxAlign);
  // The piece's address. Requires: `ref` came with a piece of this context since its last reset.
  void* Resolve(Ref ref) const;

 private:
  friend class Context;

  static constexpr size_t kInlineGranules = 8;
  static constexpr size_t kUnitBytes = 8 * kBumpStretch;

  Bump(BlockSource& source, std::string_view name, const Options& options);

  void* DoAllocate(size_t bytes, size_t alignment) override;
  void DoFree(void* p) override;
  void* DoReallocate(void* p, size_t bytes) override;
  size_t DoChunkSpace(const void* p) const override;
  size_t DoChunkSpaceFor(size_t bytes, size_t alignment) const override;
  void DoAdoptFirstBlock(Block* block) override;
  void DoReset() override;
  void FillAccount(Account& account) const override;
  void VerifyOwn() const override;

  static Bump* Create(Context* parent, BlockSource& source, std::string_view name,
                      const Options& options);
  bool IsRefused(size_t bytes, size_t alignment) const;
  void* AllocateIn(size_t bytes, size_t alignment, Block** block);
  void* AllocateDedicated(size_t bytes, size_t alignment, Block** block);
  void* HandOut(Block* block, std::byte* start, size_t rounded, size_t bytes, size_t alignment);
  Block* ObtainReferable(size_t bytes, size_t guard_bytes, bool dedicated);
  bool StartBlock(size_t rounded);
  bool GiveRefs(Block* block);
  void Activate(Block* block);
  void SyncActive() const;
  size_t room() const { return static_cast<size_t>(end_ - next_); }
  size_t GranulesOf(size_t bytes) const { return (bytes + granule_bytes_ - 1) / granule_bytes_; }
  void CheckRef(Ref ref) const;
  void VerifyPieces(Block* block, Live& live) const;
  size_t VerifyList(const BlockList& list, size_t& held, size_t& guards, size_t& tail,
                    Live& live) const;

  uint32_t granule_shift_;  // units of a granule, as a power of two
  std::array<uintptr_t, kInlineGranules> inline_directory_ = {};
  uintptr_t* directory_ = inline_directory_.data();  // by granule: the address of unit 0
  size_t granules_ = 0;                              // given to blocks
  size_t directory_capacity_ = kInlineGranules;
  size_t granule_bytes_;
  BlockList blocks_;
  BlockList dedicated_;
  size_t retired_tail_ = 0;
  size_t regular_bytes_ = 0;
  BlockGrowth growth_;
  size_t chunk_limit_;
  size_t in_block_alignment_max_;
  size_t request_bytes_max_;
  uint64_t ref_units_max_;
};

inline void* Bump::Allocate(size_t bytes, size_t alignment) {
  if constexpr (!kGuarded) {
    if (bytes - 1 < fast_limit_ && alignment == kMaxAlign) [[likely]] {
      const size_t rounded = MaxAlign(bytes);
      if (room() >= rounded) [[likely]] {
        void* p = next_;
        next_ += rounded;
        ++live_.given.chunks;
        live_.given.requested += bytes;
        return p;
      }
    }
    return DoAllocate(bytes, alignment);
  } else {
    return Context::Allocate(bytes, alignment);
  }
}

inline Piece Bump::AllocateWithRef(size_t bytes, size_t alignment) {
  CheckNotDeleted(this);
  Block* block = nullptr;
  void* p = AllocateIn(bytes, alignment, &block);
  if (p == nullptr) return {nullptr, {}};
  const auto offset = static_cast<size_t>(static_cast<std::byte*>(p) - block->start());
  return {p, {static_cast<uint32_t>(block->first_unit + offset / kUnitBytes)}};
}

inline void* Bump::Resolve(Ref ref) const {
  if constexpr (kGuarded) CheckRef(ref);
  const uintptr_t origin = directory_[ref.units >> granule_shift_];
  return reinterpret_cast<void*>(origin + uintptr_t{ref.units} * kUnitBytes);
}

}  // namespace tuplestone::memory

#endif  // TUPLESTONE_ENGINE_MEMORY_BUMP_H_
