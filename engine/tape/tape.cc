// The life of a tape: writing, ending, reading, moving.
#include "engine/tape/tape.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/base/probe.h"
#include "engine/tape/block_format.h"

namespace tuplestone::tape {
namespace {

constexpr size_t kBufferAlignment = 64;

}  // namespace

absl::Status Tape::Fail(const absl::Status& status) {
  error_ = absl::Status(status.code(), absl::StrCat("tape ", number_, ": ", status.message()));
  return error_;
}

absl::Status Tape::ObtainBuffer() {
  if (buffer_ != nullptr) return absl::OkStatus();
  const size_t bytes = set_.limits_.block_bytes;
  buffer_ = static_cast<std::byte*>(set_.Obtain(bytes, kBufferAlignment));
  if (buffer_ == nullptr) {
    TUPLESTONE_PROBE("tape.buffer_without_memory");
    return absl::ResourceExhaustedError(absl::StrFormat("no memory for a buffer, %d bytes", bytes));
  }
  set_.buffer_bytes_ += bytes;
  return absl::OkStatus();
}

void Tape::ReturnBuffer() {
  loaded_ = false;
  if (buffer_ == nullptr) return;
  set_.Return(buffer_, set_.limits_.block_bytes, kBufferAlignment);
  set_.buffer_bytes_ -= set_.limits_.block_bytes;
  buffer_ = nullptr;
}

absl::Status Tape::StartBlock() {
  absl::Status buffer = ObtainBuffer();
  if (!buffer.ok()) return buffer;
  absl::StatusOr<uint32_t> taken = set_.map_.Take();
  if (!taken.ok()) return taken.status();
  ++block_count_;
  if (block_ == kNoBlock) {
    first_ = *taken;
  } else {
    set_.map_.SetNext(block_, *taken);
    absl::Status flushed = FlushBlock(*taken);
    if (!flushed.ok()) return flushed;
    ++ordinal_;
  }
  previous_ = block_;
  block_ = *taken;
  return absl::OkStatus();
}

absl::Status Tape::FlushBlock(uint32_t next) {
  const size_t payload_bytes = PayloadBytes(set_.limits_);
  const size_t used = length_ - ordinal_ * payload_bytes;
  std::memset(buffer_ + used, 0, payload_bytes - used);
  const MutableBytes block(buffer_, set_.limits_.block_bytes);
  SealBlock({block_, number_, ordinal_},
            {.previous = previous_, .next = next, .used = static_cast<uint32_t>(used)}, block);
  absl::Status written = set_.store_.Write(block_, block);
  if (written.ok()) ++set_.blocks_written_;
  return written;
}

absl::Status Tape::Write(Bytes data) {
  TUPLESTONE_CHECK(kT7, state_ == TapeState::kWriting);
  if (!error_.ok()) return error_;
  const size_t payload_bytes = PayloadBytes(set_.limits_);
  while (!data.empty()) {
    size_t at = length_ - ordinal_ * payload_bytes;
    if (block_ == kNoBlock || at == payload_bytes) {
      absl::Status started = StartBlock();
      if (!started.ok()) return Fail(started);
      at = 0;
    }
    const size_t count = std::min(data.size(), payload_bytes - at);
    std::memcpy(buffer_ + at, data.data(), count);
    length_ += count;
    offset_ = length_;
    data.remove_prefix(count);
  }
  return absl::OkStatus();
}

absl::Status Tape::EndWriting() {
  if (block_ != kNoBlock) {
    absl::Status flushed = FlushBlock(kNoBlock);
    if (!flushed.ok()) return Fail(flushed);
    if (length_ % PayloadBytes(set_.limits_) == 0) TUPLESTONE_PROBE("tape.ends_with_block");
  } else {
    TUPLESTONE_PROBE("tape.ends_empty");
  }
  ReturnBuffer();
  return absl::OkStatus();
}

absl::Status Tape::Rewind() {
  TUPLESTONE_CHECK(kT7, state_ != TapeState::kReading);
  if (!error_.ok()) return error_;
  if (state_ == TapeState::kWriting) {
    absl::Status ended = EndWriting();
    if (!ended.ok()) return ended;
    state_ = TapeState::kReading;
  }
  if (ordinal_ != 0) loaded_ = false;
  offset_ = 0;
  ordinal_ = 0;
  block_ = first_;
  previous_ = kNoBlock;
  return absl::OkStatus();
}

absl::Status Tape::Freeze() {
  TUPLESTONE_CHECK(kT7, state_ == TapeState::kWriting);
  if (!error_.ok()) return error_;
  absl::Status ended = EndWriting();
  if (!ended.ok()) return ended;
  state_ = TapeState::kFrozen;
  return Rewind();
}

size_t Tape::UsedOf(uint64_t ordinal) const {
  const size_t payload_bytes = PayloadBytes(set_.limits_);
  return std::min<uint64_t>(payload_bytes, length_ - ordinal * payload_bytes);
}

// The block in the buffer is the one that was written there, or a DataLoss says what it is not. A
// checksum made to fit does not help a forger: all that the trailer says is known.
absl::Status Tape::CheckBlock(uint32_t block) const {
  const Bytes bytes(buffer_, set_.limits_.block_bytes);
  const BlockPlace place{block, number_, ordinal_};
  const uint32_t expected = BlockChecksum(place, bytes);
  if (expected != StoredChecksum(bytes)) {
    TUPLESTONE_PROBE("tape.damage_found");
    return absl::DataLossError(absl::StrFormat(
        "block %d: damaged, stale, or not block %d of the tape: checksum %#x, not %#x", block,
        ordinal_, StoredChecksum(bytes), expected));
  }
  const Trailer trailer = ReadTrailer(bytes);
  const uint32_t next = set_.map_.Next(block);
  const size_t used = UsedOf(ordinal_);
  // Where nobody remembers the block before, the map tells whether it is the one.
  const bool from_previous =
      previous_ != kNoBlock || ordinal_ == 0
          ? trailer.previous == previous_
          : set_.map_.IsTaken(trailer.previous) && set_.map_.Next(trailer.previous) == block;
  if (trailer.next != next || trailer.used != used || !from_previous) {
    TUPLESTONE_PROBE("tape.forgery_found");
    return absl::DataLossError(
        absl::StrFormat("block %d: not what was written: previous %d, next %d (is %d), used %d (is "
                        "%d)",
                        block, trailer.previous, trailer.next, next, trailer.used, used));
  }
  return absl::OkStatus();
}

absl::Status Tape::LoadBlock() {
  absl::Status buffer = ObtainBuffer();
  if (!buffer.ok()) return buffer;
  absl::Status read = set_.store_.Read(block_, MutableBytes(buffer_, set_.limits_.block_bytes));
  if (!read.ok()) return read;
  ++set_.blocks_read_;
  absl::Status checked = CheckBlock(block_);
  if (!checked.ok()) return checked;
  loaded_ = true;
  previous_ = ReadTrailer(Bytes(buffer_, set_.limits_.block_bytes)).previous;
  if (state_ == TapeState::kReading) {
    first_ = set_.map_.Next(block_);
    set_.map_.Release(block_);
    --block_count_;
  }
  return absl::OkStatus();
}

void Tape::Advance() {
  previous_ = block_;
  block_ = state_ == TapeState::kReading ? first_ : set_.map_.Next(block_);
  ++ordinal_;
  loaded_ = false;
}

absl::StatusOr<size_t> Tape::Read(MutableBytes out) {
  TUPLESTONE_CHECK(kT7, state_ != TapeState::kWriting);
  if (!error_.ok()) return error_;
  const size_t payload_bytes = PayloadBytes(set_.limits_);
  size_t done = 0;
  while (done < out.size() && offset_ < length_) {
    size_t at = offset_ - ordinal_ * payload_bytes;
    if (at == payload_bytes) {
      Advance();
      at = 0;
    }
    if (!loaded_) {
      absl::Status loaded = LoadBlock();
      if (!loaded.ok()) return Fail(loaded);
    }
    const size_t count = std::min(out.size() - done, UsedOf(ordinal_) - at);
    std::memcpy(out.data() + done, buffer_ + at, count);
    done += count;
    offset_ += count;
  }
  if (offset_ == length_ && state_ == TapeState::kReading) ReturnBuffer();
  return done;
}

absl::StatusOr<uint64_t> Tape::Backspace(uint64_t bytes) {
  TUPLESTONE_CHECK(kT7, state_ == TapeState::kFrozen);
  if (!error_.ok()) return error_;
  const uint64_t moved = std::min(bytes, offset_);
  const uint64_t target = offset_ - moved;
  const size_t payload_bytes = PayloadBytes(set_.limits_);
  while (target < ordinal_ * payload_bytes) {
    if (!loaded_) {
      absl::Status loaded = LoadBlock();
      if (!loaded.ok()) return Fail(loaded);
    }
    TUPLESTONE_PROBE("tape.backspace_over_edge");
    block_ = previous_;
    previous_ = kNoBlock;
    --ordinal_;
    loaded_ = false;
  }
  offset_ = target;
  return moved;
}

TapePosition Tape::Tell() const {
  TUPLESTONE_CHECK(kT7, state_ == TapeState::kFrozen);
  TapePosition position;
  position.tape_ = number_;
  position.offset_ = offset_;
  position.ordinal_ = ordinal_;
  position.block_ = block_;
  return position;
}

absl::Status Tape::Seek(const TapePosition& position) {
  TUPLESTONE_CHECK(kT7, state_ == TapeState::kFrozen);
  TUPLESTONE_CHECK_EQ(kT7, number_, position.tape_);
  if (!error_.ok()) return error_;
  if (position.ordinal_ != ordinal_) {
    loaded_ = false;
    previous_ = kNoBlock;
  }
  offset_ = position.offset_;
  ordinal_ = position.ordinal_;
  block_ = position.block_;
  return absl::OkStatus();
}

std::vector<uint32_t> Tape::Blocks() const {
  std::vector<uint32_t> blocks;
  for (uint32_t block = first_; block != kNoBlock; block = set_.map_.Next(block)) {
    TUPLESTONE_CHECK(kT1, blocks.size() < block_count_);  // else a chain without end
    blocks.push_back(block);
  }
  return blocks;
}

void Tape::Verify() const {
  const size_t payload_bytes = PayloadBytes(set_.limits_);
  const std::vector<uint32_t> blocks = Blocks();
  TUPLESTONE_CHECK_EQ(kT1, blocks.size(), block_count_);
  TUPLESTONE_CHECK(kT1, offset_ <= length_);
  if (!error_.ok()) return;  // what follows holds of tapes that work
  const uint64_t ever = (length_ + payload_bytes - 1) / payload_bytes;
  const bool releases = state_ == TapeState::kReading;
  const uint64_t released = releases ? ordinal_ + (loaded_ || offset_ == length_ ? 1 : 0) : 0;
  TUPLESTONE_CHECK_EQ(kT1, ever - std::min(ever, released), blocks.size());
  TUPLESTONE_CHECK(kT3, ordinal_ * payload_bytes <= offset_);
  TUPLESTONE_CHECK(kT3, offset_ <= (ordinal_ + 1) * payload_bytes);
  if (state_ == TapeState::kFrozen && !blocks.empty()) {
    TUPLESTONE_CHECK_EQ(kT3, blocks[ordinal_], block_);
  }
}

}  // namespace tuplestone::tape
