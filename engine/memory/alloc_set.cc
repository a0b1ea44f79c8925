#include "engine/memory/alloc_set.h"

#include <algorithm>

#include "engine/base/check.h"
#include "engine/base/probe.h"
#include "engine/memory/options_check.h"

namespace tuplestone::memory {

AllocSet* AllocSet::Create(BlockSource& source, std::string_view name, const Options& options) {
  return Create(nullptr, source, name, options);
}

AllocSet* AllocSet::Create(Context& parent, std::string_view name, const Options& options) {
  return Create(&parent, parent.source(), name, options);
}

AllocSet* AllocSet::Create(Context* parent, BlockSource& source, std::string_view name,
                           const Options& options) {
  CheckOptions(options);
  const size_t bytes = options.limits.block_initial_bytes;
  return Make<AllocSet>(parent, source, name, bytes,
                        GuardBytes(bytes, options.layout.header_bytes + 8), options);
}

AllocSet::AllocSet(BlockSource& source, std::string_view name, const Options& options)
    : ChunkedContext(Kind::kAllocSet, source, name, options.layout.header_bytes, options.limits),
      growth_(options),
      chunk_limit_(
          FloorToClass(options.layout.classes,
                       ChunkLimit(options.limits, options.layout.header_bytes, kBlockHeaderBytes))),
      in_block_alignment_max_(options.limits.in_block_alignment_max),
      classes_(options.layout.classes) {
  if (classes_ == ClassRule::kSteps) {
    fast_limit_ = static_cast<uint32_t>(std::min(kStepBytesMax, chunk_limit_));
  }
}

bool AllocSet::SharesBlock(const Request& request) const {
  return request.padded() <= chunk_limit_ && request.alignment <= in_block_alignment_max_;
}

void* AllocSet::DoAllocate(size_t bytes, size_t alignment) {
  if (IsRefused(bytes, alignment)) return nullptr;
  const Request request{bytes, std::max(alignment, kMaxAlign)};
  if (!SharesBlock(request)) return AllocateDedicated(request);
  const size_t rounded = RoundedBytes(request.padded());
  std::byte* payload = PopFree(rounded);
  if (payload != nullptr) {
    TUPLESTONE_PROBE("memory.alloc_set.class_reuse");
    auto* block = reinterpret_cast<Block*>(payload - LoadHeader(payload).offset());
    return HandOut(block, payload, rounded, request);
  }
  if (room() < header_bytes_ + rounded && !StartBlock(header_bytes_ + rounded)) return nullptr;
  return HandOut(active_, Carve(rounded), rounded, request);
}

void AllocSet::DoFree(void* p) {
  const Chunk chunk = Find(p);
  TakeBack(chunk, p);
  if (chunk.header.IsDedicated()) {
    ReturnDedicated(chunk.block);
  } else {
    PushFree(chunk.payload, chunk.rounded);
  }
}

void AllocSet::PushFree(std::byte* payload, size_t rounded) {
  std::byte*& list = free_lists_[ClassIndex(classes_, rounded)];
  const auto link = reinterpret_cast<uint64_t>(list);
  StoreWord(payload, link);
  SealFreed(payload, rounded, link);
  list = payload;
}

std::byte* AllocSet::PopFree(size_t rounded) {
  std::byte*& list = free_lists_[ClassIndex(classes_, rounded)];
  std::byte* payload = list;
  if (payload == nullptr) return nullptr;
  const uint64_t link = LoadWord(payload);
  CheckFreed(payload, rounded, link);
  list = reinterpret_cast<std::byte*>(link);
  return payload;
}

// Obtains the next block and fills it from now on. False, and nothing changed, without memory.
bool AllocSet::StartBlock(size_t stride) {
  const size_t bytes = growth_.NextBytes(regular_bytes_, kBlockHeaderBytes + stride);
  Block* block = ObtainBlock(bytes, GuardBytes(bytes, smallest_stride()), false);
  if (block == nullptr) return false;
  TUPLESTONE_PROBE("memory.alloc_set.new_block");
  CutTail();
  growth_.Commit();
  blocks_.PushFront(block);
  regular_bytes_ += bytes;
  Activate(block);
  return true;
}

// Cuts what is left of the active block into free chunks, the largest that fit first.
void AllocSet::CutTail() {
  while (room() >= smallest_stride()) {
    TUPLESTONE_PROBE("memory.alloc_set.tail_cut");
    const size_t rounded = FloorToClass(classes_, std::min(room() - header_bytes_, chunk_limit_));
    std::byte* payload = Carve(rounded);
    const auto offset = static_cast<size_t>(payload - active_->start());
    StoreHeader(payload, {ChunkHeader::Live(kind(), offset, rounded).word & ~ChunkHeader::kLive});
    PushFree(payload, rounded);
  }
  SyncActive();
  retired_tail_ += room();
}

void AllocSet::DoAdoptFirstBlock(Block* block) {
  blocks_.PushFront(block);
  regular_bytes_ = block->bytes;
  Activate(block);
}

void AllocSet::DoReset() {
  free_lists_ = {};
  ReturnAllDedicated();
  while (blocks_.first() != first_block()) {
    Block* block = blocks_.first();
    blocks_.Remove(block);
    ReturnBlock(block);
  }
  GuardEmptyBlock(first_block());
  growth_.Reset();
  live_ = {};
  retired_tail_ = 0;
  regular_bytes_ = first_block()->bytes;
  Activate(first_block());
}

void AllocSet::FillAccount(Account& account) const {
  account.tail = retired_tail_ + room();
  account.free = block_area() - account.live - account.tail;
}

void AllocSet::VerifyOwn() const {
  SyncActive();
  Walked walked;
  const Block* previous = nullptr;
  size_t regular_bytes = 0;
  for (Block* block = blocks_.first(); block != nullptr; block = block->next) {
    TUPLESTONE_CHECK(kM1, block->previous == previous);
    WalkBlock(block, walked, [this](std::byte* payload, size_t rounded) {
      CheckFreed(payload, rounded, LoadWord(payload));
    });
    // What could have been a chunk is not left behind as tail.
    TUPLESTONE_CHECK(kM3, block == active_ || block->tail_bytes() < smallest_stride());
    regular_bytes += block->bytes;
    previous = block;
  }
  TUPLESTONE_CHECK_EQ(kM3, regular_bytes, regular_bytes_);
  WalkDedicated(walked);
  VerifyWalked(walked, ContextBytes<AllocSet>());
  const Account now = account();
  TUPLESTONE_CHECK_EQ(kM3, walked.free_bytes, now.free);
  TUPLESTONE_CHECK_EQ(kM3, walked.tail, now.tail);
  TUPLESTONE_CHECK_EQ(kM3, 0, now.dead);
  VerifyFreeLists(walked.free_chunks, walked.free_bytes);
}

// Each freed chunk is in the list of its class, once.
void AllocSet::VerifyFreeLists(size_t free_chunks, size_t free_bytes) const {
  size_t listed_chunks = 0;
  size_t listed_bytes = 0;
  for (size_t index = 0; index < kClassCount; ++index) {
    std::byte* payload = free_lists_[index];
    while (payload != nullptr) {
      const ChunkHeader header = LoadHeader(payload);
      const size_t padded = PaddedBytes(header.requested(), header.alignment());
      TUPLESTONE_CHECK(kM3, !header.IsLive());
      TUPLESTONE_CHECK_EQ(kM3, index, ClassIndex(classes_, padded));
      ++listed_chunks;
      listed_bytes += header_bytes_ + RoundedBytes(padded);
      TUPLESTONE_CHECK(kM3, listed_chunks <= free_chunks);  // a loop in a list ends here
      payload = reinterpret_cast<std::byte*>(LoadWord(payload));
    }
  }
  TUPLESTONE_CHECK_EQ(kM3, free_chunks, listed_chunks);
  TUPLESTONE_CHECK_EQ(kM3, free_bytes, listed_bytes);
}

}  // namespace tuplestone::memory
