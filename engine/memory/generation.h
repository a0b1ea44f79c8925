// Generation: any size, freed about in the order of allocation.
//
//   blocks   | first: all freed | 3 live, 9 dead | active: 5 live ... tail |    empty: | spare |
//
// A block counts its live chunks; a freed chunk is dead until its block has none, and then the
// whole block is free again: the active one is filled from its start once more, the first block and
// one spare are kept, any other goes back to the source. A request takes the next piece of the
// active block, else an empty block that is large enough, else a new one. Requests above the chunk
// limit get a block of their own. Sizes are rounded to 8 and no further.
#ifndef TUPLESTONE_ENGINE_MEMORY_GENERATION_H_
#define TUPLESTONE_ENGINE_MEMORY_GENERATION_H_

#include <cstddef>
#include <string_view>

#include "engine/memory/chunked_context.h"
#include "engine/memory/growth.h"
#include "engine/memory/options.h"

namespace tuplestone::memory {

class Generation final : public ChunkedContext {
 public:
  // Null when the source has no memory. Requires: options within their bounds.
  static Generation* Create(BlockSource& source, std::string_view name,
                            const Options& options = {});
  static Generation* Create(Context& parent, std::string_view name, const Options& options = {});

  // As Context::Allocate, without a virtual call.
  void* Allocate(size_t bytes, size_t alignment = kMaxAlign);
  void Free(void* p);  // as Context::Free

 private:
  friend class Context;

  Generation(BlockSource& source, std::string_view name, const Options& options);

  void* DoAllocate(size_t bytes, size_t alignment) override;
  void DoFree(void* p) override;
  size_t RoundedBytes(size_t padded) const override { return MaxAlign(padded); }
  bool SharesBlock(const Request& request) const override;
  void DoAdoptFirstBlock(Block* block) override;
  void DoReset() override;
  void FillAccount(Account& account) const override;
  void VerifyOwn() const override;

  static Generation* Create(Context* parent, BlockSource& source, std::string_view name,
                            const Options& options);
  bool StartBlock(size_t stride);
  Block* TakeEmpty(size_t stride);
  void Retire();
  void Emptied(Block* block);
  void KeepOrReturn(Block* block);

  BlockList blocks_;         // with live chunks, and the active one
  BlockList empty_;          // the first block and the spare ones, as far as nothing lives in them
  size_t empty_bytes_ = 0;   // areas of empty_
  size_t spare_blocks_ = 0;  // in empty_, the first block not counted
  size_t retired_tail_ = 0;  // in blocks_ but the active one
  size_t regular_bytes_ = 0;
  BlockGrowth growth_;
  size_t chunk_limit_;
  size_t in_block_alignment_max_;
  size_t spare_blocks_max_;
};

inline void* Generation::Allocate(size_t bytes, size_t alignment) {
  if constexpr (!kGuarded) {
    if (bytes - 1 < fast_limit_ && alignment == kMaxAlign) [[likely]] {
      const size_t rounded = MaxAlign(bytes);
      const size_t space = rounded + header_bytes_;
      if (room() >= space) [[likely]] {
        std::byte* payload = Carve(rounded);
        const auto offset = static_cast<size_t>(payload - active_->start());
        StoreHeader(payload, ChunkHeader::Live(Kind::kGeneration, offset, bytes));
        ++active_->live_chunks;
        live_.Add(space, bytes);
        return payload;
      }
    }
    return DoAllocate(bytes, alignment);
  } else {
    return Context::Allocate(bytes, alignment);
  }
}

inline void Generation::Free(void* p) {
  if constexpr (!kGuarded) {
    auto* payload = static_cast<std::byte*>(p);
    const ChunkHeader header = LoadHeader(payload);
    const size_t bytes = header.requested();
    constexpr uint64_t kPlain = ChunkHeader::kLive | static_cast<uint64_t>(Kind::kGeneration);
    if ((header.word & ChunkHeader::kPlainMask) == kPlain && bytes - 1 < fast_limit_) [[likely]] {
      StoreHeader(payload, {header.word & ~ChunkHeader::kLive});
      live_.Remove(MaxAlign(bytes) + header_bytes_, bytes);
      auto* block = reinterpret_cast<Block*>(payload - header.offset());
      if (--block->live_chunks == 0) [[unlikely]]
        Emptied(block);
      return;
    }
    DoFree(p);
  } else {
    Context::Free(p);
  }
}

}  // namespace tuplestone::memory

#endif  // TUPLESTONE_ENGINE_MEMORY_GENERATION_H_
