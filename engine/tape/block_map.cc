#include "engine/tape/block_map.h"

#include <algorithm>
#include <bit>

#include "absl/strings/str_format.h"
#include "engine/base/align.h"
#include "engine/base/probe.h"
#include "engine/tape/invariants.h"

namespace tuplestone::tape {
namespace {

constexpr size_t Words(size_t bits) { return (bits + 63) / 64; }

// Where the three arrays of a map for `room` blocks lie, in one piece of memory.
struct Parts {
  explicit Parts(size_t room)
      : free_at(MaxAlign(room * sizeof(uint32_t))),
        filled_at(free_at + Words(room) * sizeof(uint64_t)),
        bytes(filled_at + Words(Words(room)) * sizeof(uint64_t)) {}
  size_t free_at;
  size_t filled_at;
  size_t bytes;
};

void SetBit(uint64_t* words, uint32_t bit) { words[bit / 64] |= uint64_t{1} << (bit % 64); }
void ClearBit(uint64_t* words, uint32_t bit) { words[bit / 64] &= ~(uint64_t{1} << (bit % 64)); }
bool HasBit(const uint64_t* words, uint32_t bit) {
  return (words[bit / 64] >> (bit % 64) & 1) != 0;
}

}  // namespace

BlockMap::BlockMap(BlockSource& source, const Limits& limits)
    : source_(source), blocks_max_(limits.blocks_max), map_blocks_(limits.map_blocks) {
  TUPLESTONE_CHECK(kT7, blocks_max_ <= kBlocksMax);
  TUPLESTONE_CHECK(kT7, map_blocks_ > 0);
}

BlockMap::~BlockMap() {
  if (next_ != nullptr) source_.Return(next_, obtained_bytes_, kMaxAlign);
}

absl::Status BlockMap::Grow() {
  const uint64_t wanted = room_ == 0 ? map_blocks_ : uint64_t{room_} * 2;
  const auto room = static_cast<uint32_t>(std::min<uint64_t>(wanted, blocks_max_));
  const Parts parts(room);
  auto* memory = static_cast<std::byte*>(source_.Obtain(parts.bytes, kMaxAlign));
  if (memory == nullptr) {
    TUPLESTONE_PROBE("tape.map_without_memory");
    return absl::ResourceExhaustedError(
        absl::StrFormat("no memory for a map of %d blocks, %d bytes", room, parts.bytes));
  }
  auto* next = reinterpret_cast<uint32_t*>(memory);
  auto* free = reinterpret_cast<uint64_t*>(memory + parts.free_at);
  auto* filled = reinterpret_cast<uint64_t*>(memory + parts.filled_at);
  std::fill_n(free, Words(room), 0);
  std::fill_n(filled, Words(Words(room)), 0);
  if (next_ != nullptr) {
    TUPLESTONE_PROBE("tape.map_grows");
    std::copy_n(next_, room_, next);
    std::copy_n(free_, Words(room_), free);
    std::copy_n(filled_, Words(Words(room_)), filled);
    source_.Return(next_, obtained_bytes_, kMaxAlign);
  }
  next_ = next;
  free_ = free;
  filled_ = filled;
  room_ = room;
  obtained_bytes_ = parts.bytes;
  return absl::OkStatus();
}

uint32_t BlockMap::LowestFree() const {
  uint32_t at = filled_from_;
  while (filled_[at] == 0) ++at;
  const uint32_t word = at * 64 + static_cast<uint32_t>(std::countr_zero(filled_[at]));
  return word * 64 + static_cast<uint32_t>(std::countr_zero(free_[word]));
}

absl::StatusOr<uint32_t> BlockMap::Take() {
  uint32_t block = high_water_;
  if (free_count_ > 0) {
    TUPLESTONE_PROBE("tape.block_recycled");
    block = LowestFree();
    ClearBit(free_, block);
    if (free_[block / 64] == 0) ClearBit(filled_, block / 64);
    filled_from_ = block / 4096;
    --free_count_;
  } else {
    if (high_water_ == blocks_max_) {
      TUPLESTONE_PROBE("tape.blocks_exhausted");
      return absl::ResourceExhaustedError(
          absl::StrFormat("all of %d blocks are in use", blocks_max_));
    }
    if (high_water_ == room_) {
      absl::Status grown = Grow();
      if (!grown.ok()) return grown;
    }
    ++high_water_;
  }
  next_[block] = kNoBlock;
  return block;
}

void BlockMap::Release(uint32_t block) {
  TUPLESTONE_CHECK(kT1, IsTaken(block));
  next_[block] = kFree;
  SetBit(free_, block);
  SetBit(filled_, block / 64);
  filled_from_ = free_count_ == 0 ? block / 4096 : std::min(filled_from_, block / 4096);
  ++free_count_;
}

void BlockMap::SetNext(uint32_t block, uint32_t next) {
  TUPLESTONE_CHECK(kT1, IsTaken(block));
  next_[block] = next;
}

uint32_t BlockMap::Next(uint32_t block) const {
  TUPLESTONE_CHECK(kT1, IsTaken(block));
  return next_[block];
}

bool BlockMap::IsTaken(uint32_t block) const {
  return block < high_water_ && next_[block] != kFree;
}

void BlockMap::Verify() const {
  TUPLESTONE_CHECK(kT1, high_water_ <= room_);
  uint32_t free_count = 0;
  for (uint32_t block = 0; block < room_; ++block) {
    const bool free = block < high_water_ && next_[block] == kFree;
    TUPLESTONE_CHECK_EQ(kT1, free, HasBit(free_, block));
    free_count += free ? 1 : 0;
  }
  TUPLESTONE_CHECK_EQ(kT1, free_count, free_count_);
  for (uint32_t word = 0; word < Words(room_); ++word) {
    TUPLESTONE_CHECK_EQ(kT4, free_[word] != 0, HasBit(filled_, word));
  }
  for (uint32_t at = 0; at < filled_from_; ++at) TUPLESTONE_CHECK_EQ(kT4, 0, filled_[at]);
}

}  // namespace tuplestone::tape
