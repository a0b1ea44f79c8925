#include "engine/memory/slab.h"

#include <algorithm>

#include "engine/base/check.h"
#include "engine/base/probe.h"
#include "engine/memory/options_check.h"

namespace tuplestone::memory {

Slab* Slab::Create(BlockSource& source, std::string_view name, const SlabOptions& options) {
  return Create(nullptr, source, name, options);
}

Slab* Slab::Create(Context& parent, std::string_view name, const SlabOptions& options) {
  return Create(&parent, parent.source(), name, options);
}

Slab* Slab::Create(Context* parent, BlockSource& source, std::string_view name,
                   const SlabOptions& options) {
  CheckOptions(options);
  return Make<Slab>(parent, source, name, 0, 0, options);
}

Slab::Slab(BlockSource& source, std::string_view name, const SlabOptions& options)
    : ChunkedContext(Kind::kSlab, source, name, options.header_bytes, options.limits),
      block_bytes_(options.limits.slab_block_bytes),
      chunk_bytes_(std::min(options.chunk_bytes, options.limits.request_bytes_max)),
      alignment_(std::max(options.alignment, kMaxAlign)),
      spare_blocks_max_(options.limits.spare_blocks_max) {
  slot_bytes_ = MaxAlign(PaddedBytes(chunk_bytes_, alignment_));
  chunks_per_block_ = static_cast<uint32_t>((block_bytes_ - kBlockHeaderBytes) / stride());
  TUPLESTONE_CHECK(kMisuseOptions, chunks_per_block_ > 0);
  while (ListIndex(chunks_per_block_) >= kLists) ++list_shift_;
  list_mask_ = (uint32_t{1} << list_shift_) - 1;
  fast_limit_ = static_cast<uint32_t>(chunk_bytes_);
}

bool Slab::SharesBlock(const Request& request) const {
  return request.bytes <= chunk_bytes_ && request.alignment <= alignment_;
}

void* Slab::DoAllocate(size_t bytes, size_t alignment) {
  if (IsRefused(bytes, alignment)) return nullptr;
  const Request request{bytes, std::max(alignment, kMaxAlign)};
  if (!SharesBlock(request)) {
    TUPLESTONE_PROBE("memory.slab.request_unlike_its_chunks");
    return nullptr;
  }
  if (active_ == nullptr && !StartBlock()) return nullptr;
  Block* block = active_;
  std::byte* payload = TakeSlot(block);
  const uint32_t before = block->free_chunks--;
  Relist(block, before);
  return HandOut(block, payload, slot_bytes_, request);
}

void Slab::DoFree(void* p) {
  const Chunk chunk = Find(p);
  TakeBack(chunk, p);
  Block* block = chunk.block;
  const auto link = reinterpret_cast<uint64_t>(block->free_chunk);
  StoreWord(chunk.payload, link);
  SealFreed(chunk.payload, slot_bytes_, link);
  block->free_chunk = chunk.payload;
  const uint32_t before = block->free_chunks++;
  Relist(block, before);
}

// Lists an empty block, kept or new. False, and nothing changed, without memory.
bool Slab::StartBlock() {
  Block* block = spare_.first();
  if (block != nullptr) {
    TUPLESTONE_PROBE("memory.slab.spare_reused");
    spare_.Remove(block);
    --spare_blocks_;
  } else {
    block = ObtainBlock(block_bytes_, GuardBytes(block_bytes_, stride()), false);
    if (block == nullptr) return false;
    TUPLESTONE_PROBE("memory.slab.new_block");
  }
  block->carved = 0;
  block->free_chunk = nullptr;
  block->free_chunks = chunks_per_block_;
  tail_ += block->area_bytes();
  lists_[ListIndex(chunks_per_block_)].PushFront(block);
  SelectActive();
  return true;
}

// The block's free chunks have changed by one from `free_chunks_before`.
void Slab::Relist(Block* block, uint32_t free_chunks_before) {
  const size_t from = ListIndex(free_chunks_before);
  if (block->free_chunks == chunks_per_block_) {
    lists_[from].Remove(block);
    Emptied(block);
    SelectActive();
    return;
  }
  const size_t to = ListIndex(block->free_chunks);
  if (from == to) return;
  if (to == 0) TUPLESTONE_PROBE("memory.slab.block_full");
  if (from == 0) TUPLESTONE_PROBE("memory.slab.full_block_freed_into");
  lists_[from].Remove(block);
  lists_[to].PushFront(block);
  SelectActive();
}

// Keeps or returns an empty block that is in no list.
void Slab::Emptied(Block* block) {
  tail_ -= block->tail_bytes();
  if (spare_blocks_ == spare_blocks_max_) {
    TUPLESTONE_PROBE("memory.slab.block_returned");
    ReturnBlock(block);
    return;
  }
  TUPLESTONE_PROBE("memory.slab.spare_kept");
  GuardEmptyBlock(block);
  spare_.PushFront(block);
  ++spare_blocks_;
}

void Slab::SelectActive() {
  active_ = nullptr;
  for (size_t index = 1; index < kLists && active_ == nullptr; ++index) {
    active_ = lists_[index].first();
  }
}

void Slab::DoReset() {
  for (BlockList& list : lists_) {
    while (list.first() != nullptr) {
      Block* block = list.first();
      list.Remove(block);
      ReturnBlock(block);
    }
  }
  while (spare_.first() != nullptr) {
    Block* block = spare_.first();
    spare_.Remove(block);
    ReturnBlock(block);
  }
  spare_blocks_ = 0;
  tail_ = 0;
  live_ = {};
  active_ = nullptr;
}

void Slab::FillAccount(Account& account) const {
  account.tail = tail_;
  account.free = block_area() - account.live - account.tail;
}

void Slab::VerifyBlock(Block* block, size_t list_index, Walked& walked) const {
  const size_t free_before = walked.free_chunks;
  WalkBlock(block, walked, [this](std::byte* payload, size_t rounded) {
    CheckFreed(payload, rounded, LoadWord(payload));
  });
  const size_t freed = walked.free_chunks - free_before;
  const size_t uncarved = chunks_per_block_ - block->carved / stride();
  TUPLESTONE_CHECK_EQ(kM3, freed + uncarved, block->free_chunks);
  TUPLESTONE_CHECK_EQ(kM3, list_index, ListIndex(block->free_chunks));
  TUPLESTONE_CHECK(kM5, block->free_chunks < chunks_per_block_);
  size_t chained = 0;
  for (auto* payload = static_cast<std::byte*>(block->free_chunk); payload != nullptr;
       payload = reinterpret_cast<std::byte*>(LoadWord(payload))) {
    TUPLESTONE_CHECK(kM3, !LoadHeader(payload).IsLive());
    TUPLESTONE_CHECK(kM3, ++chained <= freed);  // a loop in the chain ends here
  }
  TUPLESTONE_CHECK_EQ(kM3, freed, chained);
}

void Slab::VerifyOwn() const {
  Walked walked;
  const Block* fullest = nullptr;
  for (size_t index = 0; index < kLists; ++index) {
    const Block* previous = nullptr;
    for (Block* block = lists_[index].first(); block != nullptr; block = block->next) {
      TUPLESTONE_CHECK(kM1, block->previous == previous);
      VerifyBlock(block, index, walked);
      previous = block;
    }
    if (index > 0 && fullest == nullptr) fullest = lists_[index].first();
  }
  TUPLESTONE_CHECK(kM9, active_ == fullest);
  const size_t tail = walked.tail;
  size_t free_bytes = walked.free_bytes;
  size_t spare_blocks = 0;
  for (Block* block = spare_.first(); block != nullptr; block = block->next) {
    free_bytes += block->area_bytes();
    walked.held += block->bytes;
    walked.guards += BlockGuardBytes(block);
    ++walked.blocks;
    ++spare_blocks;
  }
  VerifyWalked(walked, ContextBytes<Slab>());
  const Account now = account();
  TUPLESTONE_CHECK_EQ(kM3, spare_blocks, spare_blocks_);
  TUPLESTONE_CHECK_EQ(kM3, tail, now.tail);
  TUPLESTONE_CHECK_EQ(kM3, free_bytes, now.free);
}

}  // namespace tuplestone::memory
