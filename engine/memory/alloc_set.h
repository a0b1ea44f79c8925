// AllocSet: any size, freed in any order.
//
//   free lists   [8] [16] [24] ... [1024] [1152] ... [8192]     a freed chunk waits in the list of
//                 |         |                                   its class, and serves that class
//   blocks       | first | block | block | active ...  tail |   only
//   dedicated    | one chunk | | one chunk |
//
// A request takes the newest free chunk of its class, else the next piece of the active block, else
// the first of a new block; what was left of the old one is cut into free chunks. Requests above
// the chunk limit get a block of their own, which goes back to the source when they are freed. All
// other blocks stay until reset; the first one until the context is deleted.
//
// Freed neighbours are never joined, and a chunk is never enlarged into its neighbour: sizes that
// only grow would leave chunks behind that nobody asks for.
#ifndef TUPLESTONE_ENGINE_MEMORY_ALLOC_SET_H_
#define TUPLESTONE_ENGINE_MEMORY_ALLOC_SET_H_

#include <array>
#include <cstddef>
#include <string_view>

#include "engine/memory/chunked_context.h"
#include "engine/memory/growth.h"
#include "engine/memory/options.h"
#include "engine/memory/size_class.h"

namespace tuplestone::memory {

class AllocSet final : public ChunkedContext {
 public:
  // Null when the source has no memory. Requires: options within their bounds.
  static AllocSet* Create(BlockSource& source, std::string_view name, const Options& options = {});
  static AllocSet* Create(Context& parent, std::string_view name, const Options& options = {});

  // As Context::Allocate, without a virtual call.
  void* Allocate(size_t bytes, size_t alignment = kMaxAlign);
  void Free(void* p);  // as Context::Free

 private:
  friend class Context;

  AllocSet(BlockSource& source, std::string_view name, const Options& options);

  void* DoAllocate(size_t bytes, size_t alignment) override;
  void DoFree(void* p) override;
  size_t RoundedBytes(size_t padded) const override { return RoundToClass(classes_, padded); }
  bool SharesBlock(const Request& request) const override;
  void DoAdoptFirstBlock(Block* block) override;
  void DoReset() override;
  void FillAccount(Account& account) const override;
  void VerifyOwn() const override;

  static AllocSet* Create(Context* parent, BlockSource& source, std::string_view name,
                          const Options& options);
  bool StartBlock(size_t stride);
  void CutTail();
  void PushFree(std::byte* payload, size_t rounded);
  std::byte* PopFree(size_t rounded);
  void VerifyFreeLists(size_t free_chunks, size_t free_bytes) const;

  std::array<std::byte*, kClassCount> free_lists_ = {};
  BlockList blocks_;
  size_t retired_tail_ = 0;  // in blocks no longer being filled: too little for a chunk
  size_t regular_bytes_ = 0;
  BlockGrowth growth_;
  size_t chunk_limit_;
  size_t in_block_alignment_max_;
  ClassRule classes_;
};

inline void* AllocSet::Allocate(size_t bytes, size_t alignment) {
  if constexpr (!kGuarded) {
    if (bytes - 1 < fast_limit_ && alignment == kMaxAlign) [[likely]] {
      const size_t index = (bytes + 7) / 8;
      const size_t space = index * 8 + header_bytes_;
      std::byte* payload = free_lists_[index];
      if (payload != nullptr) [[likely]] {
        free_lists_[index] = reinterpret_cast<std::byte*>(LoadWord(payload));
        const size_t offset = LoadHeader(payload).offset();
        StoreHeader(payload, ChunkHeader::Live(Kind::kAllocSet, offset, bytes));
        live_.Add(space, bytes);
        return payload;
      }
      if (room() >= space) {
        payload = Carve(index * 8);
        const auto offset = static_cast<size_t>(payload - active_->start());
        StoreHeader(payload, ChunkHeader::Live(Kind::kAllocSet, offset, bytes));
        live_.Add(space, bytes);
        return payload;
      }
    }
    return DoAllocate(bytes, alignment);
  } else {
    return Context::Allocate(bytes, alignment);
  }
}

inline void AllocSet::Free(void* p) {
  if constexpr (!kGuarded) {
    auto* payload = static_cast<std::byte*>(p);
    const ChunkHeader header = LoadHeader(payload);
    const size_t bytes = header.requested();
    constexpr uint64_t kPlain = ChunkHeader::kLive | static_cast<uint64_t>(Kind::kAllocSet);
    if ((header.word & ChunkHeader::kPlainMask) == kPlain && bytes - 1 < fast_limit_) [[likely]] {
      const size_t index = (bytes + 7) / 8;
      StoreWord(payload, reinterpret_cast<uint64_t>(free_lists_[index]));
      StoreHeader(payload, {header.word & ~ChunkHeader::kLive});
      free_lists_[index] = payload;
      live_.Remove(index * 8 + header_bytes_, bytes);
      return;
    }
    DoFree(p);
  } else {
    Context::Free(p);
  }
}

}  // namespace tuplestone::memory

#endif  // TUPLESTONE_ENGINE_MEMORY_ALLOC_SET_H_
