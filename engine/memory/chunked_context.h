// What AllocSet, Generation and Slab share: chunks behind a header (chunk_header.h), requests too
// large for a shared block, and the guarded builds' judgement of every pointer that comes back.
//
//   shared block   | block header | header | payload | red zone | header | payload | red zone |
//   tail dedicated one  | block header | header | payload | red zone |
//
// The header takes 8, 16 or 24 bytes; its word is the last 8. Red zones exist in guarded builds.
#ifndef TUPLESTONE_ENGINE_MEMORY_CHUNKED_CONTEXT_H_
#define TUPLESTONE_ENGINE_MEMORY_CHUNKED_CONTEXT_H_

#include <cstddef>
#include <string_view>

#include "engine/memory/chunk_header.h"
#include "engine/memory/context.h"
#include "engine/memory/options.h"

namespace tuplestone::memory {

// What a header is that a walk finds broken: stomped, as far as a guarded build can tell.
inline constexpr const Invariant& kWalked = kGuarded ? kMisuseStompedHeader : kM1;

// The context a live chunk of an AllocSet, Generation or Slab belongs to. O(1).
Context* ContextOf(const void* p);

class ChunkedContext : public Context {
 protected:
  struct Request {
    size_t bytes;
    size_t alignment;  // at least kMaxAlign
    size_t padded() const { return PaddedBytes(bytes, alignment); }
  };
  // A live chunk, found from the pointer handed out.
  struct Chunk {
    Block* block;
    std::byte* payload;
    ChunkHeader header;
    size_t requested;
    size_t rounded;  // payload bytes
    size_t space;    // rounded, and the header
  };
  // What a walk over the blocks adds up.
  struct Walked {
    size_t held = 0;
    size_t guards = 0;
    size_t blocks = 0;
    size_t free_chunks = 0;
    size_t free_bytes = 0;  // of freed chunks, headers included
    size_t tail = 0;
    Live live;
  };

  ChunkedContext(Kind kind, BlockSource& source, std::string_view name, size_t header_bytes,
                 const Limits& limits);

  void* DoReallocate(void* p, size_t bytes) override;
  size_t DoChunkSpace(const void* p) const override;
  size_t DoChunkSpaceFor(size_t bytes, size_t alignment) const override;

  // Payload bytes of a chunk in a shared block. Requires: SharesBlock(request).
  virtual size_t RoundedBytes(size_t padded) const = 0;
  // Whether the request is for a shared block; else it is for a dedicated one.
  virtual bool SharesBlock(const Request& request) const = 0;

  // Whether the request is beyond the limits; nothing is computed from its size before this is
  // asked. Aborts on a mad alignment.
  bool IsRefused(size_t bytes, size_t alignment) const;
  // Writes the header, books the chunk as live and returns the pointer to hand out.
  void* HandOut(Block* block, std::byte* payload, size_t rounded, const Request& request,
                bool dedicated = false);
  // The live chunk handed out as `p`. Guarded builds die here of every misuse they know.
  Chunk Find(const void* p) const;
  // Books the chunk as not live; its header says so and its memory is poisoned.
  void TakeBack(const Chunk& chunk, void* p);
  // Hardened builds: notes what a freed chunk holds, and dies if that has changed since.
  void SealFreed(std::byte* payload, size_t rounded, uint64_t link) const;
  void CheckFreed(std::byte* payload, size_t rounded, uint64_t link) const;

  void* AllocateDedicated(const Request& request);
  void ReturnDedicated(Block* block);
  void ReturnAllDedicated();

  // Carves the next chunk of the block being filled. Requires: room for it.
  std::byte* Carve(size_t rounded) {
    std::byte* payload = next_ + header_bytes_;
    next_ += header_bytes_ + rounded + kRedZoneBytes;
    end_ += kRedZoneBytes;
    return payload;
  }
  size_t room() const { return static_cast<size_t>(end_ - next_); }
  size_t smallest_stride() const { return header_bytes_ + 8; }
  // Makes `block`, which is empty, the one being filled.
  void Activate(Block* block);
  // Notes in the block being filled how far it is.
  void SyncActive() const;

  // Adds a block's chunks to `walked`. `on_free(payload, rounded)` sees each freed one.
  template <typename OnFree>
  void WalkBlock(Block* block, Walked& walked, OnFree on_free) const;
  void WalkDedicated(Walked& walked) const;
  void VerifyWalked(const Walked& walked, size_t own_overhead) const;

  BlockList dedicated_;

 private:
  size_t RoundedOf(ChunkHeader header, size_t requested) const;
  void Seal(const Chunk& chunk, void* p) const;
  void CheckWhole(const Chunk& chunk, const void* p) const;
  void CheckHandedOut(Block* block, const void* p) const;
  [[noreturn]] void JudgePointer(Block* block, const void* p) const;

  size_t request_bytes_max_;
};

template <typename OnFree>
void ChunkedContext::WalkBlock(Block* block, Walked& walked, OnFree on_free) const {
  TUPLESTONE_CHECK(kM1, block->context == this);
  std::byte* payload = block->area() + header_bytes_;
  size_t carved = 0;
  while (carved < block->carved) {
    const ChunkHeader header = LoadHeader(payload);
    const size_t requested = header.requested();
    const size_t rounded = RoundedOf(header, requested);
    const size_t space = header_bytes_ + rounded;
    const Chunk chunk{block, payload, header, requested, rounded, space};
    TUPLESTONE_CHECK_EQ(kWalked, static_cast<uint64_t>(kind()), header.kind_code());
    TUPLESTONE_CHECK_EQ(kWalked, static_cast<size_t>(payload - block->start()), header.offset());
    TUPLESTONE_CHECK(kWalked, !header.IsDedicated());
    TUPLESTONE_CHECK(kWalked, carved + space <= block->carved);
    if (header.IsLive()) {
      CheckWhole(chunk, AlignPointer(payload, header.alignment()));
      walked.live.Add(space, requested);
    } else {
      ++walked.free_chunks;
      walked.free_bytes += space;
      on_free(payload, rounded);
    }
    carved += space;
    payload += space + kRedZoneBytes;
  }
  TUPLESTONE_CHECK_EQ(kM1, block->carved, carved);
  walked.held += block->bytes;
  walked.guards += BlockGuardBytes(block);
  walked.tail += block->tail_bytes();
  ++walked.blocks;
}

}  // namespace tuplestone::memory

#endif  // TUPLESTONE_ENGINE_MEMORY_CHUNKED_CONTEXT_H_
