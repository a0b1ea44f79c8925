// A block: what a context obtains from its source at once and carves chunks from.
//
//   plain     | header 56 | chunks ...           | tail |
//   guarded   | header 56 | guard 56 | chunks, each followed by a red zone ... | tail | start bits
//   |
//
// A block has a nominal size, which decides everything, and in guarded builds a guard area on top.
// `end` of the block being filled slides on by as much as each red zone takes, so that end - next
// is the nominal room in every build.
#ifndef TUPLESTONE_ENGINE_MEMORY_BLOCK_H_
#define TUPLESTONE_ENGINE_MEMORY_BLOCK_H_

#include <cstddef>
#include <cstdint>

#include "engine/memory/guard.h"

namespace tuplestone::memory {

class Context;

inline constexpr size_t kBlockHeaderBytes = 56;  // nominal

struct Block {
  Context* context;
  Block* previous;
  Block* next;
  size_t bytes;          // nominal, header included
  size_t carved;         // nominal bytes handed out once; stale while the block is being filled
  uint32_t live_chunks;  // Generation
  uint32_t free_chunks;  // Slab
  union {
    size_t requested;   // a dedicated block's one chunk
    void* free_chunk;   // Slab: the first of the block's free chunks
    size_t first_unit;  // Bump: the Ref of the block's first byte
  };
  [[no_unique_address]] BlockGuard guard;

  std::byte* start() { return reinterpret_cast<std::byte*>(this); }
  std::byte* area();  // where the first chunk, or its header, lies
  size_t area_bytes() const { return bytes - kBlockHeaderBytes; }
  size_t tail_bytes() const { return area_bytes() - carved; }
};

static_assert(sizeof(Block) == kBlockHeaderBytes + kGuardedBlockBytes);

inline std::byte* Block::area() { return start() + sizeof(Block); }

// A doubly linked list through Block::previous and next. Owns nothing.
class BlockList {
 public:
  Block* first() const { return first_; }

  void PushFront(Block* block) {
    block->previous = nullptr;
    block->next = first_;
    if (first_ != nullptr) first_->previous = block;
    first_ = block;
  }
  void Remove(Block* block) {
    if (block->previous != nullptr) {
      block->previous->next = block->next;
    } else {
      first_ = block->next;
    }
    if (block->next != nullptr) block->next->previous = block->previous;
  }

 private:
  Block* first_ = nullptr;
};

}  // namespace tuplestone::memory

#endif  // TUPLESTONE_ENGINE_MEMORY_BLOCK_H_
