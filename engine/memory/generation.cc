#include "engine/memory/generation.h"

#include <algorithm>

#include "engine/base/check.h"
#include "engine/base/probe.h"
#include "engine/memory/options_check.h"
#include "engine/memory/size_class.h"

namespace tuplestone::memory {

Generation* Generation::Create(BlockSource& source, std::string_view name, const Options& options) {
  return Create(nullptr, source, name, options);
}

Generation* Generation::Create(Context& parent, std::string_view name, const Options& options) {
  return Create(&parent, parent.source(), name, options);
}

Generation* Generation::Create(Context* parent, BlockSource& source, std::string_view name,
                               const Options& options) {
  CheckOptions(options);
  const size_t bytes = options.limits.block_initial_bytes;
  return Make<Generation>(parent, source, name, bytes,
                          GuardBytes(bytes, options.layout.header_bytes + 8), options);
}

Generation::Generation(BlockSource& source, std::string_view name, const Options& options)
    : ChunkedContext(Kind::kGeneration, source, name, options.layout.header_bytes, options.limits),
      growth_(options),
      chunk_limit_(ChunkLimit(options.limits, options.layout.header_bytes, kBlockHeaderBytes)),
      in_block_alignment_max_(options.limits.in_block_alignment_max),
      spare_blocks_max_(options.limits.spare_blocks_max) {
  fast_limit_ = static_cast<uint32_t>(chunk_limit_);
}

bool Generation::SharesBlock(const Request& request) const {
  return request.padded() <= chunk_limit_ && request.alignment <= in_block_alignment_max_;
}

void* Generation::DoAllocate(size_t bytes, size_t alignment) {
  if (IsRefused(bytes, alignment)) return nullptr;
  const Request request{bytes, std::max(alignment, kMaxAlign)};
  if (!SharesBlock(request)) return AllocateDedicated(request);
  const size_t rounded = RoundedBytes(request.padded());
  if (room() < header_bytes_ + rounded && !StartBlock(header_bytes_ + rounded)) return nullptr;
  ++active_->live_chunks;
  return HandOut(active_, Carve(rounded), rounded, request);
}

void Generation::DoFree(void* p) {
  const Chunk chunk = Find(p);
  TakeBack(chunk, p);
  if (chunk.header.IsDedicated()) {
    ReturnDedicated(chunk.block);
    return;
  }
  SealFreed(chunk.payload, chunk.rounded, 0);
  if (--chunk.block->live_chunks == 0) Emptied(chunk.block);
}

// Fills an empty or a new block from now on. False, and nothing changed, without memory.
bool Generation::StartBlock(size_t stride) {
  Block* block = TakeEmpty(stride);
  if (block == nullptr) {
    const size_t bytes = growth_.NextBytes(regular_bytes_, kBlockHeaderBytes + stride);
    block = ObtainBlock(bytes, GuardBytes(bytes, smallest_stride()), false);
    if (block == nullptr) return false;
    TUPLESTONE_PROBE("memory.generation.new_block");
    growth_.Commit();
    regular_bytes_ += bytes;
  }
  Retire();
  blocks_.PushFront(block);
  Activate(block);
  return true;
}

// Takes an empty block with room for `stride` out of those kept, or null.
Block* Generation::TakeEmpty(size_t stride) {
  for (Block* block = empty_.first(); block != nullptr; block = block->next) {
    if (block->area_bytes() < stride) {
      TUPLESTONE_PROBE("memory.generation.empty_block_too_small");
      continue;
    }
    TUPLESTONE_PROBE("memory.generation.block_recycled");
    empty_.Remove(block);
    empty_bytes_ -= block->area_bytes();
    if (block != first_block()) --spare_blocks_;
    return block;
  }
  return nullptr;
}

// The active block is full enough. It may be empty, if what is asked for does not fit in it.
void Generation::Retire() {
  SyncActive();
  if (active_->live_chunks == 0) {
    TUPLESTONE_PROBE("memory.generation.empty_block_retired");
    blocks_.Remove(active_);
    KeepOrReturn(active_);
  } else {
    retired_tail_ += room();
  }
}

void Generation::Emptied(Block* block) {
  if (block == active_) {
    TUPLESTONE_PROBE("memory.generation.active_block_rewound");
    GuardEmptyBlock(block);
    Activate(block);
    return;
  }
  retired_tail_ -= block->tail_bytes();
  blocks_.Remove(block);
  KeepOrReturn(block);
}

// What becomes of an empty block that is in no list.
void Generation::KeepOrReturn(Block* block) {
  if (block != first_block() && spare_blocks_ == spare_blocks_max_) {
    TUPLESTONE_PROBE("memory.generation.block_returned");
    regular_bytes_ -= block->bytes;
    ReturnBlock(block);
    return;
  }
  GuardEmptyBlock(block);
  block->carved = 0;
  if (block == first_block()) {
    TUPLESTONE_PROBE("memory.generation.first_block_kept");
  } else {
    TUPLESTONE_PROBE("memory.generation.spare_kept");
    ++spare_blocks_;
  }
  empty_.PushFront(block);
  empty_bytes_ += block->area_bytes();
}

void Generation::DoAdoptFirstBlock(Block* block) {
  blocks_.PushFront(block);
  regular_bytes_ = block->bytes;
  Activate(block);
}

void Generation::DoReset() {
  ReturnAllDedicated();
  for (BlockList* list : {&blocks_, &empty_}) {
    while (list->first() != nullptr) {
      Block* block = list->first();
      list->Remove(block);
      if (block != first_block()) ReturnBlock(block);
    }
  }
  GuardEmptyBlock(first_block());
  growth_.Reset();
  live_ = {};
  empty_bytes_ = 0;
  spare_blocks_ = 0;
  retired_tail_ = 0;
  first_block()->live_chunks = 0;
  DoAdoptFirstBlock(first_block());
}

void Generation::FillAccount(Account& account) const {
  account.free = empty_bytes_;
  account.tail = retired_tail_ + room();
  account.dead = block_area() - account.live - account.free - account.tail;
}

void Generation::VerifyOwn() const {
  SyncActive();
  Walked walked;
  const Block* previous = nullptr;
  size_t regular_bytes = 0;
  for (Block* block = blocks_.first(); block != nullptr; block = block->next) {
    const size_t live_before = walked.live.chunks;
    TUPLESTONE_CHECK(kM1, block->previous == previous);
    WalkBlock(block, walked,
              [this](std::byte* payload, size_t rounded) { CheckFreed(payload, rounded, 0); });
    TUPLESTONE_CHECK_EQ(kM3, walked.live.chunks - live_before, block->live_chunks);
    TUPLESTONE_CHECK(kM5, block == active_ || block->live_chunks > 0);
    regular_bytes += block->bytes;
    previous = block;
  }
  size_t empty_bytes = 0;
  size_t spare_blocks = 0;
  previous = nullptr;
  for (Block* block = empty_.first(); block != nullptr; block = block->next) {
    TUPLESTONE_CHECK(kM1, block->previous == previous);
    TUPLESTONE_CHECK_EQ(kM3, 0, block->live_chunks);
    empty_bytes += block->area_bytes();
    spare_blocks += block == first_block() ? 0 : 1;
    walked.held += block->bytes;
    walked.guards += BlockGuardBytes(block);
    ++walked.blocks;
    regular_bytes += block->bytes;
    previous = block;
  }
  WalkDedicated(walked);
  VerifyWalked(walked, ContextBytes<Generation>());
  const Account now = account();
  TUPLESTONE_CHECK_EQ(kM3, regular_bytes, regular_bytes_);
  TUPLESTONE_CHECK_EQ(kM3, spare_blocks, spare_blocks_);
  TUPLESTONE_CHECK_EQ(kM3, empty_bytes, now.free);
  TUPLESTONE_CHECK_EQ(kM3, walked.free_bytes, now.dead);
  TUPLESTONE_CHECK_EQ(kM3, walked.tail, now.tail);
}

}  // namespace tuplestone::memory
