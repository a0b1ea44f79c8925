// The set: who owns which block, and the memory of all.
#include <new>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/align.h"
#include "engine/base/probe.h"
#include "engine/tape/tape.h"

namespace tuplestone::tape {

TapeSet::TapeSet(BlockStore& store, const Limits& limits, BlockSource& source)
    : store_(store), source_(source), limits_(limits), map_(source, limits) {
  TUPLESTONE_CHECK(kT7, limits.block_bytes >= kBlockBytesMin);
  TUPLESTONE_CHECK(kT7, IsAligned(limits.block_bytes, kMaxAlign));
  TUPLESTONE_CHECK_EQ(kT7, limits.block_bytes, store.block_bytes());
}

TapeSet::~TapeSet() {
  while (newest_ != nullptr) Close(newest_);
}

void* TapeSet::Obtain(size_t bytes, size_t alignment) {
  void* memory = source_.Obtain(bytes, alignment);
  if (memory != nullptr) obtained_bytes_ += bytes;
  return memory;
}

void TapeSet::Return(void* memory, size_t bytes, size_t alignment) {
  source_.Return(memory, bytes, alignment);
  obtained_bytes_ -= bytes;
}

absl::StatusOr<Tape*> TapeSet::Create() {
  void* memory = Obtain(sizeof(Tape), alignof(Tape));
  if (memory == nullptr) {
    TUPLESTONE_PROBE("tape.create_without_memory");
    return absl::ResourceExhaustedError("no memory for a tape");
  }
  Tape* tape = new (memory) Tape(*this, tapes_created_++, PayloadBytes(limits_));
  tape->older_ = newest_;
  if (newest_ != nullptr) newest_->newer_ = tape;
  newest_ = tape;
  ++tape_count_;
  return tape;
}

void TapeSet::Close(Tape* tape) {
  TUPLESTONE_CHECK(kT7, &tape->set_ == this);
  if (tape->first_ != kNoBlock && tape->state_ == TapeState::kReading) {
    TUPLESTONE_PROBE("tape.closed_unread");
  }
  for (uint32_t block = tape->first_; block != kNoBlock;) {
    const uint32_t next = map_.Next(block);
    map_.Release(block);
    block = next;
  }
  tape->ReturnBuffer();
  if (tape->older_ != nullptr) tape->older_->newer_ = tape->newer_;
  (tape->newer_ != nullptr ? tape->newer_->older_ : newest_) = tape->older_;
  --tape_count_;
  tape->~Tape();
  Return(tape, sizeof(Tape), alignof(Tape));
}

std::vector<uint32_t> TapeSet::FreeBlocks() const {
  std::vector<uint32_t> free;
  for (uint32_t block = 0; block < map_.high_water(); ++block) {
    if (!map_.IsTaken(block)) free.push_back(block);
  }
  return free;
}

TapeStats TapeSet::Stats() const {
  TapeStats stats;
  stats.tapes = tape_count_;
  stats.high_water_blocks = map_.high_water();
  stats.free_blocks = map_.free_count();
  for (Tape* tape = newest_; tape != nullptr; tape = tape->older_) {
    stats.owned_blocks += tape->block_count_;
  }
  stats.blocks_written = blocks_written_;
  stats.blocks_read = blocks_read_;
  stats.buffer_bytes = buffer_bytes_;
  stats.map_bytes = map_.obtained_bytes();
  stats.obtained_bytes = obtained_bytes_ + map_.obtained_bytes();
  return stats;
}

void TapeSet::Verify() const {
  map_.Verify();
  std::vector<bool> owned(map_.high_water(), false);
  size_t owned_count = 0;
  size_t tape_count = 0;
  size_t buffer_bytes = 0;
  for (const Tape* tape = newest_; tape != nullptr; tape = tape->older_) {
    tape->Verify();
    ++tape_count;
    if (tape->buffer_ != nullptr) buffer_bytes += limits_.block_bytes;
    for (uint32_t block : tape->Blocks()) {
      TUPLESTONE_CHECK(kT1, !owned[block]);
      owned[block] = true;
      ++owned_count;
    }
  }
  TUPLESTONE_CHECK_EQ(kT1, map_.high_water(), owned_count + map_.free_count());
  TUPLESTONE_CHECK_EQ(kT1, tape_count, tape_count_);
  TUPLESTONE_CHECK_EQ(kT1, buffer_bytes, buffer_bytes_);
  TUPLESTONE_CHECK_EQ(kT1, buffer_bytes + tape_count * sizeof(Tape), obtained_bytes_);
}

}  // namespace tuplestone::tape
