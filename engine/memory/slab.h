// Slab: one size, freed in any order, and blocks that go back when they are empty.
//
//   list 0   full blocks
//   list 1   1 .. n free chunks      the active block is the first of the lowest list but 0:
//   list 2   n+1 .. 2n free chunks   the fullest are filled first, so that the others may empty
//   ...
//   spare    empty blocks, kept up to a number
//
//   block    | header | live | free | live | free | never carved ... | rest |
//                              └──────────────┘ newest first
//
// Serves requests of up to its chunk size; larger ones fail. There is no first block: a Slab
// without chunks holds only what it keeps as spare.
#ifndef TUPLESTONE_ENGINE_MEMORY_SLAB_H_
#define TUPLESTONE_ENGINE_MEMORY_SLAB_H_

#include <array>
#include <cstddef>
#include <string_view>

#include "engine/memory/chunked_context.h"
#include "engine/memory/options.h"

namespace tuplestone::memory {

class Slab final : public ChunkedContext {
 public:
  // Null when the source has no memory. Requires: options within their bounds, and a block with
  // room for one chunk at least.
  static Slab* Create(BlockSource& source, std::string_view name, const SlabOptions& options = {});
  static Slab* Create(Context& parent, std::string_view name, const SlabOptions& options = {});

  // As Context::Allocate, without a virtual call.
  void* Allocate(size_t bytes, size_t alignment = kMaxAlign);
  void Free(void* p);  // as Context::Free

  size_t chunks_per_block() const { return chunks_per_block_; }

 private:
  friend class Context;

  static constexpr size_t kLists = 8;

  Slab(BlockSource& source, std::string_view name, const SlabOptions& options);

  void* DoAllocate(size_t bytes, size_t alignment) override;
  void DoFree(void* p) override;
  size_t RoundedBytes(size_t) const override { return slot_bytes_; }
  bool SharesBlock(const Request& request) const override;
  void DoAdoptFirstBlock(Block*) override {}
  void DoReset() override;
  void FillAccount(Account& account) const override;
  void VerifyOwn() const override;

  static Slab* Create(Context* parent, BlockSource& source, std::string_view name,
                      const SlabOptions& options);
  size_t stride() const { return header_bytes_ + slot_bytes_; }
  size_t ListIndex(uint32_t free_chunks) const {
    return free_chunks == 0 ? 0 : 1 + ((free_chunks - 1) >> list_shift_);
  }
  std::byte* TakeSlot(Block* block);
  bool StartBlock();
  void Relist(Block* block, uint32_t free_chunks_before);
  void Emptied(Block* block);
  void SelectActive();
  void VerifyBlock(Block* block, size_t list_index, Walked& walked) const;

  std::array<BlockList, kLists> lists_;
  BlockList spare_;
  size_t spare_blocks_ = 0;
  size_t tail_ = 0;  // in listed blocks: never carved, and the rest behind the last chunk
  size_t block_bytes_;
  size_t slot_bytes_;  // payload bytes of every chunk
  size_t chunk_bytes_;
  size_t alignment_;
  size_t spare_blocks_max_;
  uint32_t chunks_per_block_;
  uint32_t list_shift_ = 0;
  uint32_t list_mask_ = 0;  // a block changes lists where its free chunks are 0 under this
};

// The block's newest free chunk, else the next never carved. Requires: the block has one.
inline std::byte* Slab::TakeSlot(Block* block) {
  auto* payload = static_cast<std::byte*>(block->free_chunk);
  if (payload != nullptr) {
    const uint64_t link = LoadWord(payload);
    if constexpr (kHardened) CheckFreed(payload, slot_bytes_, link);
    block->free_chunk = reinterpret_cast<void*>(link);
    return payload;
  }
  payload = block->area() + block->carved + header_bytes_;
  if constexpr (kGuarded) payload += block->carved / stride() * kRedZoneBytes;
  block->carved += stride();
  tail_ -= stride();
  return payload;
}

inline void* Slab::Allocate(size_t bytes, size_t alignment) {
  if constexpr (!kGuarded) {
    Block* block = active_;
    if (block != nullptr && bytes <= fast_limit_ && alignment == kMaxAlign) [[likely]] {
      std::byte* payload = TakeSlot(block);
      const auto offset = static_cast<size_t>(payload - block->start());
      StoreHeader(payload, ChunkHeader::Live(Kind::kSlab, offset, bytes));
      live_.Add(stride(), bytes);
      const uint32_t left = --block->free_chunks;
      if ((left & list_mask_) == 0) [[unlikely]]
        Relist(block, left + 1);
      return payload;
    }
    return DoAllocate(bytes, alignment);
  } else {
    return Context::Allocate(bytes, alignment);
  }
}

inline void Slab::Free(void* p) {
  if constexpr (!kGuarded) {
    auto* payload = static_cast<std::byte*>(p);
    const ChunkHeader header = LoadHeader(payload);
    constexpr uint64_t kPlain = ChunkHeader::kLive | static_cast<uint64_t>(Kind::kSlab);
    if ((header.word & ChunkHeader::kPlainMask) == kPlain) [[likely]] {
      auto* block = reinterpret_cast<Block*>(payload - header.offset());
      StoreWord(payload, reinterpret_cast<uint64_t>(block->free_chunk));
      StoreHeader(payload, {header.word & ~ChunkHeader::kLive});
      block->free_chunk = payload;
      live_.Remove(stride(), header.requested());
      const uint32_t before = block->free_chunks++;
      if (before + 1 == chunks_per_block_ || (before & list_mask_) == 0) [[unlikely]] {
        Relist(block, before);
      }
      return;
    }
    DoFree(p);
  } else {
    Context::Free(p);
  }
}

}  // namespace tuplestone::memory

#endif  // TUPLESTONE_ENGINE_MEMORY_SLAB_H_
