#include "engine/memory/chunked_context.h"

#include <algorithm>
#include <cstring>

#include "engine/base/check.h"
#include "engine/base/probe.h"

namespace tuplestone::memory {
namespace {

// The chunk's own payload and header, from the pointer handed out.
std::byte* PayloadOf(const void* p, ChunkHeader* header) {
  auto* payload = static_cast<std::byte*>(const_cast<void*>(p));
  *header = LoadHeader(payload);
  if (header->IsRedirect()) {
    payload -= header->distance();
    *header = LoadHeader(payload);
  }
  return payload;
}

Block* BlockAt(std::byte* payload, ChunkHeader header) {
  return reinterpret_cast<Block*>(payload - header.offset());
}

[[maybe_unused]] uint64_t CanaryOf(ChunkHeader header, size_t requested) {
  return Canary(header.word ^ (static_cast<uint64_t>(requested) << 1));
}

}  // namespace

Context* ContextOf(const void* p) {
  ChunkHeader header;
  std::byte* payload = PayloadOf(p, &header);
  return BlockAt(payload, header)->context;
}

ChunkedContext::ChunkedContext(Kind kind, BlockSource& source, std::string_view name,
                               size_t header_bytes, const Limits& limits)
    : Context(kind, source, name), request_bytes_max_(limits.request_bytes_max) {
  header_bytes_ = static_cast<uint32_t>(header_bytes);
}

bool ChunkedContext::IsRefused(size_t bytes, size_t alignment) const {
  TUPLESTONE_CHECK(kMisuseAlignment, IsPowerOfTwo(alignment));
  TUPLESTONE_CHECK(kMisuseAlignment, alignment <= kAlignmentCeiling);
  if (bytes <= request_bytes_max_) return false;
  TUPLESTONE_PROBE("memory.context.request_too_large");
  return true;
}

size_t ChunkedContext::RoundedOf(ChunkHeader header, size_t requested) const {
  const size_t padded = PaddedBytes(requested, header.alignment());
  return header.IsDedicated() ? MaxAlign(padded) : RoundedBytes(padded);
}

void* ChunkedContext::HandOut(Block* block, std::byte* payload, size_t rounded,
                              const Request& request, bool dedicated) {
  std::byte* p = AlignPointer(payload, request.alignment);
  const size_t noted = dedicated ? 0 : request.bytes;
  ChunkHeader header =
      ChunkHeader::Live(kind(), static_cast<size_t>(payload - block->start()), noted)
          .WithAlignment(request.alignment);
  if (dedicated) header.word |= ChunkHeader::kDedicated;
  StoreHeader(payload, header);
  if (p != payload) {
    TUPLESTONE_PROBE("memory.context.redirected");
    StoreHeader(p, ChunkHeader::Redirect(static_cast<size_t>(p - payload)));
  }
  live_.Add(header_bytes_ + rounded, request.bytes);
  if constexpr (kGuarded) {
    MarkStart(block, p, payload + rounded + kRedZoneBytes);
    Unpoison(p, request.bytes);
    Seal({block, payload, header, request.bytes, rounded, header_bytes_ + rounded}, p);
  }
  return p;
}

ChunkedContext::Chunk ChunkedContext::Find(const void* p) const {
  if constexpr (kGuarded) CheckHandedOut(FindBlock(guard_, p), p);
  Chunk chunk;
  chunk.payload = PayloadOf(p, &chunk.header);
  TUPLESTONE_CHECK_EQ(kMisuseForeignKind, static_cast<uint64_t>(kind()), chunk.header.kind_code());
  chunk.block = BlockAt(chunk.payload, chunk.header);
  chunk.requested = chunk.header.IsDedicated() ? chunk.block->requested : chunk.header.requested();
  chunk.rounded = RoundedOf(chunk.header, chunk.requested);
  chunk.space = header_bytes_ + chunk.rounded;
  CheckWhole(chunk, p);
  return chunk;
}

void ChunkedContext::TakeBack(const Chunk& chunk, void* p) {
  live_.Remove(chunk.space, chunk.requested);
  StoreHeader(chunk.payload, {chunk.header.word & ~ChunkHeader::kLive});
  if constexpr (kGuarded) {
    ClearStart(chunk.block, p);
    Poison(chunk.payload, chunk.rounded);
  }
}

// Guarded builds: `p` came from this context and was not given back, told without touching its
// memory; then, that its header is as it was written.
void ChunkedContext::CheckHandedOut(Block* block, const void* p) const {
  if (block == nullptr || !IsStart(block, p)) JudgePointer(block, p);
  auto* payload = static_cast<std::byte*>(const_cast<void*>(p));
  ChunkHeader header = LoadHeader(payload);
  if (header.IsRedirect()) {
    TUPLESTONE_MISUSE_CHECK(kMisuseStompedHeader,
                            header.word == ChunkHeader::Redirect(header.distance()).word, p);
    TUPLESTONE_MISUSE_CHECK(
        kMisuseStompedHeader,
        header.distance() + header_bytes_ <= static_cast<size_t>(payload - block->area()), p);
    payload -= header.distance();
    header = LoadHeader(payload);
  }
  const auto offset = static_cast<size_t>(payload - block->start());
  TUPLESTONE_MISUSE_CHECK(kMisuseStompedHeader, header.kind_code() == static_cast<uint64_t>(kind()),
                          p);
  TUPLESTONE_MISUSE_CHECK(kMisuseStompedHeader, header.IsLive(), p);
  TUPLESTONE_MISUSE_CHECK(kMisuseStompedHeader, header.offset() == offset, p);
  TUPLESTONE_MISUSE_CHECK(kMisuseStompedHeader, header.IsDedicated() == IsDedicatedBlock(block), p);
}

// Names what is wrong with a pointer that is no live chunk's.
void ChunkedContext::JudgePointer(Block* block, const void* p) const {
  if (block == nullptr || p >= HighWater(block)) {
    TUPLESTONE_MISUSE_CHECK(kMisuseDoubleFree, !WasGivenBack(p), p);
    DieOfMisuse(TUPLESTONE_CHECK_SITE_(kMisuseForeignPointer, "p lies in a chunk"), p);
  }
  TUPLESTONE_MISUSE_CHECK(kMisuseInteriorPointer, !IsDedicatedBlock(block), p);
  std::byte* payload = block->area() + header_bytes_;
  while (payload < HighWater(block)) {
    const ChunkHeader header = LoadHeader(payload);
    const bool is_this = p == AlignPointer(payload, header.alignment());
    TUPLESTONE_MISUSE_CHECK(kMisuseDoubleFree, !is_this || header.IsLive(), p);
    payload += RoundedOf(header, header.requested()) + header_bytes_ + kRedZoneBytes;
  }
  DieOfMisuse(TUPLESTONE_CHECK_SITE_(kMisuseInteriorPointer, "a chunk starts at p"), p);
}

void ChunkedContext::Seal(const Chunk& chunk, void* p) const {
  if constexpr (kHardened) {
    std::byte* end = chunk.payload + chunk.rounded;
    FillSlack(static_cast<std::byte*>(p) + chunk.requested, end);
    StoreWord(end, CanaryOf(chunk.header, chunk.requested));
  }
}

void ChunkedContext::CheckWhole(const Chunk& chunk, const void* p) const {
  if constexpr (kHardened) {
    const auto* start = static_cast<const std::byte*>(p);
    const std::byte* end = chunk.payload + chunk.rounded;
    // A stomped header may name any size: no byte is looked at before the size is believable.
    TUPLESTONE_MISUSE_CHECK(kMisuseStompedHeader,
                            start == AlignPointer(chunk.payload, chunk.header.alignment()), p);
    TUPLESTONE_MISUSE_CHECK(kMisuseStompedHeader, end + kRedZoneBytes <= HighWater(chunk.block), p);
    TUPLESTONE_MISUSE_CHECK(kMisuseStompedHeader, start + chunk.requested <= end, p);
    TUPLESTONE_MISUSE_CHECK(kMisuseStompedCanary, IsSlackWhole(start + chunk.requested, end), p);
    TUPLESTONE_MISUSE_CHECK(kMisuseStompedCanary,
                            LoadWord(end) == CanaryOf(chunk.header, chunk.requested), p);
  }
}

void ChunkedContext::SealFreed(std::byte* payload, size_t rounded, uint64_t link) const {
  if constexpr (kHardened) {
    StoreWord(payload + rounded, Canary(LoadHeader(payload).word ^ link));
  }
}

void ChunkedContext::CheckFreed(std::byte* payload, size_t rounded, uint64_t link) const {
  if constexpr (kHardened) {
    TUPLESTONE_MISUSE_CHECK(kMisuseWriteAfterFree,
                            LoadWord(payload + rounded) == Canary(LoadHeader(payload).word ^ link),
                            payload);
  }
}

void* ChunkedContext::DoReallocate(void* p, size_t bytes) {
  const Chunk chunk = Find(p);
  const Request request{bytes, chunk.header.alignment()};
  if (IsRefused(bytes, request.alignment)) return nullptr;
  const bool dedicated = !SharesBlock(request);
  const size_t rounded = dedicated ? MaxAlign(request.padded()) : RoundedBytes(request.padded());
  if (dedicated == chunk.header.IsDedicated() && rounded == chunk.rounded) {
    TUPLESTONE_PROBE("memory.context.reallocated_in_place");
    live_.Remove(chunk.space, chunk.requested);
    if (dedicated) chunk.block->requested = bytes;
    Poison(chunk.payload, chunk.rounded);
    return HandOut(chunk.block, chunk.payload, rounded, request, dedicated);
  }
  void* moved = DoAllocate(bytes, request.alignment);
  if (moved == nullptr) return nullptr;
  std::memcpy(moved, p, std::min(bytes, chunk.requested));
  DoFree(p);
  return moved;
}

size_t ChunkedContext::DoChunkSpace(const void* p) const { return Find(p).space; }

size_t ChunkedContext::DoChunkSpaceFor(size_t bytes, size_t alignment) const {
  const Request request{bytes, std::max(alignment, kMaxAlign)};
  if (IsRefused(bytes, request.alignment)) return 0;
  return header_bytes_ +
         (SharesBlock(request) ? RoundedBytes(request.padded()) : MaxAlign(request.padded()));
}

void* ChunkedContext::AllocateDedicated(const Request& request) {
  const size_t rounded = MaxAlign(request.padded());
  Block* block =
      ObtainBlock(kBlockHeaderBytes + header_bytes_ + rounded, DedicatedGuardBytes(), true);
  if (block == nullptr) return nullptr;
  TUPLESTONE_PROBE("memory.context.dedicated_block");
  block->requested = request.bytes;
  block->carved = block->area_bytes();
  dedicated_.PushFront(block);
  return HandOut(block, block->area() + header_bytes_, rounded, request, true);
}

void ChunkedContext::ReturnDedicated(Block* block) {
  dedicated_.Remove(block);
  ReturnBlock(block);
}

void ChunkedContext::ReturnAllDedicated() {
  while (dedicated_.first() != nullptr) ReturnDedicated(dedicated_.first());
}

void ChunkedContext::Activate(Block* block) {
  active_ = block;
  block->carved = 0;
  next_ = block->area();
  end_ = next_ + block->area_bytes();
}

void ChunkedContext::SyncActive() const {
  if (active_ != nullptr) active_->carved = active_->area_bytes() - room();
}

void ChunkedContext::WalkDedicated(Walked& walked) const {
  const Block* previous = nullptr;
  for (Block* block = dedicated_.first(); block != nullptr; block = block->next) {
    std::byte* payload = block->area() + header_bytes_;
    const ChunkHeader header = LoadHeader(payload);
    const size_t rounded = RoundedOf(header, block->requested);
    const Chunk chunk{block, payload, header, block->requested, rounded, header_bytes_ + rounded};
    TUPLESTONE_CHECK(kM1, block->context == this);
    TUPLESTONE_CHECK(kM1, block->previous == previous);
    TUPLESTONE_CHECK_EQ(kWalked, static_cast<uint64_t>(kind()), header.kind_code());
    TUPLESTONE_CHECK_EQ(kWalked, static_cast<size_t>(payload - block->start()), header.offset());
    TUPLESTONE_CHECK(kWalked, header.IsDedicated());
    TUPLESTONE_CHECK(kWalked, header.IsLive());
    TUPLESTONE_CHECK_EQ(kWalked, block->area_bytes(), chunk.space);
    CheckWhole(chunk, AlignPointer(payload, header.alignment()));
    walked.live.Add(chunk.space, block->requested);
    walked.held += block->bytes;
    walked.guards += BlockGuardBytes(block);
    ++walked.blocks;
    previous = block;
  }
}

void ChunkedContext::VerifyWalked(const Walked& walked, size_t own_overhead) const {
  VerifyBlocks(walked.held, walked.guards, walked.blocks, own_overhead);
  TUPLESTONE_CHECK_EQ(kM3, walked.live.bytes, live_.bytes());
  TUPLESTONE_CHECK_EQ(kM3, walked.live.chunks, live_.chunks());
  TUPLESTONE_CHECK_EQ(kM3, walked.live.requested, live_.requested());
}

}  // namespace tuplestone::memory
