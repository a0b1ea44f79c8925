#include "engine/memory/bump.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "engine/base/check.h"
#include "engine/base/probe.h"
#include "engine/memory/options_check.h"
#include "engine/memory/size_class.h"

namespace tuplestone::memory {
namespace {

// The word behind a piece in guarded builds: 27 bits of slack behind what was asked for, 5 of
// alignment, 32 of canary.
struct Trailer {
  uint64_t word;

  static Trailer Of(size_t slack, size_t alignment) {
    const uint64_t low = slack | (static_cast<uint64_t>(std::countr_zero(alignment)) << 27);
    return {low | (Canary(low) << 32)};
  }
  bool IsWhole() const { return (Canary(word & UINT32_MAX) << 32) == (word >> 32 << 32); }
  size_t slack() const { return word & ((1 << 27) - 1); }
  size_t alignment() const { return size_t{1} << ((word >> 27) & 31); }
};

[[noreturn]] void DieOfBumpFree() {
  FailCheck(TUPLESTONE_CHECK_SITE_(kMisuseBumpFree, "the kind has headers"), "");
}

}  // namespace

Bump* Bump::Create(BlockSource& source, std::string_view name, const Options& options) {
  return Create(nullptr, source, name, options);
}

Bump* Bump::Create(Context& parent, std::string_view name, const Options& options) {
  return Create(&parent, parent.source(), name, options);
}

Bump* Bump::Create(Context* parent, BlockSource& source, std::string_view name,
                   const Options& options) {
  CheckOptions(options);
  const size_t bytes = options.limits.block_initial_bytes;
  return Make<Bump>(parent, source, name, bytes, BumpGuardBytes(bytes), options);
}

Bump::Bump(BlockSource& source, std::string_view name, const Options& options)
    : Context(Kind::kBump, source, name),
      growth_(options),
      chunk_limit_(ChunkLimit(options.limits, 0, kBlockHeaderBytes)),
      in_block_alignment_max_(options.limits.in_block_alignment_max),
      request_bytes_max_(options.limits.request_bytes_max),
      ref_units_max_(options.limits.ref_units_max) {
  const Limits& limits = options.limits;
  // The first block takes one granule, so that it needs no directory of its own.
  granule_bytes_ = std::bit_ceil(std::max(
      limits.block_initial_bytes, std::min(limits.block_max_bytes, limits.ref_granule_bytes)));
  granule_shift_ = static_cast<uint32_t>(std::countr_zero(granule_bytes_ / 8));
  TUPLESTONE_CHECK(kMisuseOptions, granule_bytes_ / 8 <= ref_units_max_);
  fast_limit_ = static_cast<uint32_t>(chunk_limit_);
}

bool Bump::IsRefused(size_t bytes, size_t alignment) const {
  TUPLESTONE_CHECK(kMisuseAlignment, IsPowerOfTwo(alignment));
  TUPLESTONE_CHECK(kMisuseAlignment, alignment <= kAlignmentCeiling);
  if (bytes <= request_bytes_max_) return false;
  TUPLESTONE_PROBE("memory.context.request_too_large");
  return true;
}

void* Bump::DoAllocate(size_t bytes, size_t alignment) {
  Block* block = nullptr;
  return AllocateIn(bytes, alignment, &block);
}

void* Bump::AllocateIn(size_t bytes, size_t alignment, Block** block) {
  if (IsRefused(bytes, alignment)) return nullptr;
  alignment = std::max(alignment, kMaxAlign);
  const size_t padded = PaddedBytes(bytes, alignment);
  if (padded > chunk_limit_ || alignment > in_block_alignment_max_) {
    return AllocateDedicated(bytes, alignment, block);
  }
  const size_t rounded = MaxAlign(padded);
  if (room() < rounded && !StartBlock(rounded)) return nullptr;
  std::byte* start = next_;
  next_ += rounded * kBumpStretch;
  end_ += rounded * (kBumpStretch - 1);
  *block = active_;
  return HandOut(active_, start, rounded, bytes, alignment);
}

void* Bump::HandOut(Block* block, std::byte* start, size_t rounded, size_t bytes,
                    size_t alignment) {
  std::byte* p = AlignPointer(start, alignment);
  ++live_.given.chunks;
  live_.given.requested += bytes;
  if constexpr (kGuarded) {
    std::byte* end = start + rounded;
    MarkStart(block, start, end + kRedZoneBytes);
    Unpoison(p, bytes);
    FillSlack(p + bytes, end);
    StoreWord(end, Trailer::Of(static_cast<size_t>(end - p) - bytes, alignment).word);
  }
  return p;
}

void* Bump::AllocateDedicated(size_t bytes, size_t alignment, Block** block) {
  const size_t rounded = MaxAlign(PaddedBytes(bytes, alignment));
  *block = ObtainReferable(kBlockHeaderBytes + rounded, DedicatedGuardBytes(), true);
  if (*block == nullptr) return nullptr;
  TUPLESTONE_PROBE("memory.bump.dedicated_block");
  (*block)->carved = (*block)->area_bytes();
  dedicated_.PushFront(*block);
  return HandOut(*block, (*block)->area(), rounded, bytes, alignment);
}

// A block with Refs of its own, or null with nothing changed.
Block* Bump::ObtainReferable(size_t bytes, size_t guard_bytes, bool dedicated) {
  const uint64_t units = uint64_t{granules_ + GranulesOf(bytes)} << granule_shift_;
  if (units > ref_units_max_) {
    TUPLESTONE_PROBE("memory.bump.refs_exhausted");
    return nullptr;
  }
  Block* block = ObtainBlock(bytes, guard_bytes, dedicated);
  if (block == nullptr) return nullptr;
  if (GiveRefs(block)) return block;
  TUPLESTONE_PROBE("memory.bump.directory_refused");
  ReturnBlock(block);
  return nullptr;
}

// Gives `block` the next granules. False, and nothing changed, without memory for the directory.
bool Bump::GiveRefs(Block* block) {
  const size_t needed = granules_ + GranulesOf(block->bytes);
  if (needed > directory_capacity_) {
    const size_t capacity = std::max(needed, 2 * directory_capacity_);
    void* memory = ObtainOverhead(capacity * sizeof(uintptr_t));
    if (memory == nullptr) return false;
    TUPLESTONE_PROBE("memory.bump.directory_grown");
    std::memcpy(memory, directory_, granules_ * sizeof(uintptr_t));
    if (directory_ != inline_directory_.data()) {
      ReturnOverhead(directory_, directory_capacity_ * sizeof(uintptr_t));
    }
    directory_ = static_cast<uintptr_t*>(memory);
    directory_capacity_ = capacity;
  }
  block->first_unit = granules_ << granule_shift_;
  const uintptr_t origin = reinterpret_cast<uintptr_t>(block) - block->first_unit * kUnitBytes;
  std::fill(directory_ + granules_, directory_ + needed, origin);
  granules_ = needed;
  return true;
}

bool Bump::StartBlock(size_t rounded) {
  const size_t bytes = growth_.NextBytes(regular_bytes_, kBlockHeaderBytes + rounded);
  Block* block = ObtainReferable(bytes, BumpGuardBytes(bytes), false);
  if (block == nullptr) return false;
  TUPLESTONE_PROBE("memory.bump.new_block");
  growth_.Commit();
  SyncActive();
  retired_tail_ += room();
  regular_bytes_ += bytes;
  Activate(block);
  return true;
}

// Fills `block`, which is empty and in no list, from now on.
void Bump::Activate(Block* block) {
  blocks_.PushFront(block);
  active_ = block;
  block->carved = 0;
  next_ = block->area();
  end_ = next_ + block->area_bytes();
}

void Bump::SyncActive() const { active_->carved = active_->area_bytes() - room(); }

void Bump::DoFree(void*) { DieOfBumpFree(); }

void* Bump::DoReallocate(void*, size_t) { DieOfBumpFree(); }

size_t Bump::DoChunkSpace(const void*) const { DieOfBumpFree(); }

size_t Bump::DoChunkSpaceFor(size_t bytes, size_t alignment) const {
  if (IsRefused(bytes, alignment)) return 0;
  return MaxAlign(PaddedBytes(bytes, std::max(alignment, kMaxAlign)));
}

void Bump::DoAdoptFirstBlock(Block* block) {
  GiveRefs(block);
  regular_bytes_ = block->bytes;
  Activate(block);
}

void Bump::DoReset() {
  for (BlockList* list : {&blocks_, &dedicated_}) {
    while (list->first() != nullptr) {
      Block* block = list->first();
      list->Remove(block);
      if (block != first_block()) ReturnBlock(block);
    }
  }
  if (directory_ != inline_directory_.data()) {
    ReturnOverhead(directory_, directory_capacity_ * sizeof(uintptr_t));
    directory_ = inline_directory_.data();
    directory_capacity_ = kInlineGranules;
  }
  GuardEmptyBlock(first_block());
  growth_.Reset();
  live_ = {};
  granules_ = 0;
  retired_tail_ = 0;
  DoAdoptFirstBlock(first_block());
}

void Bump::FillAccount(Account& account) const {
  account.tail = retired_tail_ + room();
  account.live = block_area() - account.tail;
}

// Guarded builds: the Ref is of a block of this context, and of a place handed out in it.
void Bump::CheckRef(Ref ref) const {
  const size_t granule = ref.units >> granule_shift_;
  TUPLESTONE_MISUSE_CHECK(kMisuseForeignRef, granule < granules_, this);
  const uintptr_t address = directory_[granule] + uintptr_t{ref.units} * kUnitBytes;
  const auto* p = reinterpret_cast<const void*>(address);
  Block* block = FindBlock(guard_, p);
  TUPLESTONE_MISUSE_CHECK(kMisuseForeignRef, block != nullptr, p);
  TUPLESTONE_MISUSE_CHECK(kMisuseForeignRef, p < HighWater(block), p);
}

// Guarded builds: adds the pieces of `block` as their trailers tell them, and checks their
// canaries.
void Bump::VerifyPieces(Block* block, Live& live) const {
  size_t carved = 0;
  std::byte* start = block->area();
  while (carved < block->carved) {
    std::byte* next = IsDedicatedBlock(block) ? nullptr : NextStart(block, start + 8);
    const size_t rounded =
        next == nullptr ? block->carved - carved : static_cast<size_t>(next - start) / kBumpStretch;
    const std::byte* end = start + rounded;
    const Trailer trailer{LoadWord(end)};
    TUPLESTONE_MISUSE_CHECK(kMisuseStompedCanary, trailer.IsWhole(), start);
    TUPLESTONE_MISUSE_CHECK(kMisuseStompedCanary, IsSlackWhole(end - trailer.slack(), end), start);
    const std::byte* p = AlignPointer(start, trailer.alignment());
    live.Add(rounded, static_cast<size_t>(end - p) - trailer.slack());
    carved += rounded;
    start += rounded * kBumpStretch;
  }
  TUPLESTONE_CHECK_EQ(kM1, block->carved, carved);
}

// Adds a list's blocks to the sums and returns how many they are.
size_t Bump::VerifyList(const BlockList& list, size_t& held, size_t& guards, size_t& tail,
                        Live& live) const {
  size_t blocks = 0;
  const Block* previous = nullptr;
  for (Block* block = list.first(); block != nullptr; block = block->next) {
    TUPLESTONE_CHECK(kM1, block->context == this);
    TUPLESTONE_CHECK(kM1, block->previous == previous);
    for (size_t granule = 0; granule < GranulesOf(block->bytes); ++granule) {
      const uintptr_t origin = directory_[(block->first_unit >> granule_shift_) + granule];
      TUPLESTONE_CHECK(
          kM1, origin + block->first_unit * kUnitBytes == reinterpret_cast<uintptr_t>(block));
    }
    held += block->bytes;
    guards += BlockGuardBytes(block);
    tail += block->tail_bytes();
    if constexpr (kGuarded) {
      VerifyPieces(block, live);
    } else {
      live.bytes += block->carved;
    }
    ++blocks;
    previous = block;
  }
  return blocks;
}

void Bump::VerifyOwn() const {
  SyncActive();
  size_t held = 0;
  size_t guards = 0;
  size_t tail = 0;
  Live live;
  size_t blocks = VerifyList(blocks_, held, guards, tail, live);
  blocks += VerifyList(dedicated_, held, guards, tail, live);
  const size_t directory_bytes =
      directory_ == inline_directory_.data() ? 0 : directory_capacity_ * sizeof(uintptr_t);
  VerifyBlocks(held, guards, blocks, ContextBytes<Bump>() + directory_bytes);
  const Account now = account();
  TUPLESTONE_CHECK_EQ(kM3, live.bytes, now.live);
  TUPLESTONE_CHECK_EQ(kM3, tail, now.tail);
  if constexpr (kGuarded) {
    // Without guards no piece can be told from the next.
    TUPLESTONE_CHECK_EQ(kM3, live.chunks, live_.chunks());
    TUPLESTONE_CHECK_EQ(kM3, live.requested, live_.requested());
  }
}

}  // namespace tuplestone::memory
