#include "properties/tape/tape_model.h"

#include <algorithm>

namespace tuplestone::properties {

void TapeModel::Close(size_t id) {
  for (uint32_t block : tapes_.at(id).blocks) free_.insert(block);
  tapes_.erase(id);
}

void TapeModel::TakeBlock(ModelTape* tape) {
  if (free_.empty()) {
    tape->blocks.push_back(high_water_++);
  } else {
    tape->blocks.push_back(*free_.begin());
    free_.erase(free_.begin());
  }
  if (++tape->blocks_taken > 1) ++blocks_written_;
}

bool TapeModel::HasRoom(size_t id, uint64_t bytes) const {
  const ModelTape& tape = tapes_.at(id);
  const uint64_t length = tape.data.size() + bytes;
  const uint64_t wanted = (length + payload_bytes_ - 1) / payload_bytes_ - tape.blocks_taken;
  return wanted <= free_.size() + (blocks_max_ - high_water_);
}

void TapeModel::Write(size_t id, const std::string& data) {
  ModelTape& tape = tapes_.at(id);
  for (char c : data) {
    if (tape.data.size() == tape.blocks_taken * payload_bytes_) TakeBlock(&tape);
    tape.data += c;
    tape.offset = tape.data.size();
  }
}

void TapeModel::EndWriting(ModelTape* tape) {
  if (!tape->data.empty()) ++blocks_written_;
  tape->offset = 0;
}

void TapeModel::Rewind(size_t id) {
  ModelTape& tape = tapes_.at(id);
  if (tape.state == ModelTape::State::kWriting) {
    EndWriting(&tape);
    tape.state = ModelTape::State::kReading;
  }
  tape.offset = 0;
}

void TapeModel::Freeze(size_t id) {
  EndWriting(&tapes_.at(id));
  tapes_.at(id).state = ModelTape::State::kFrozen;
}

std::string TapeModel::Read(size_t id, uint64_t bytes) {
  ModelTape& tape = tapes_.at(id);
  const std::string read = tape.data.substr(tape.offset, bytes);
  tape.offset += read.size();
  if (tape.state == ModelTape::State::kReading) {
    // A block is free once any byte of it has been read.
    const uint64_t touched = (tape.offset + payload_bytes_ - 1) / payload_bytes_;
    while (tape.blocks_taken - tape.blocks.size() < touched) {
      free_.insert(tape.blocks.front());
      tape.blocks.erase(tape.blocks.begin());
    }
  }
  return read;
}

uint64_t TapeModel::Backspace(size_t id, uint64_t bytes) {
  ModelTape& tape = tapes_.at(id);
  const uint64_t moved = std::min(bytes, tape.offset);
  tape.offset -= moved;
  return moved;
}

bool TapeModel::Fail(size_t id, const std::vector<uint32_t>& blocks,
                     const std::vector<uint32_t>& free, uint32_t high_water,
                     uint64_t blocks_written) {
  ModelTape& tape = tapes_.at(id);
  std::multiset<uint32_t> before(free_.begin(), free_.end());
  before.insert(tape.blocks.begin(), tape.blocks.end());
  for (uint32_t block = high_water_; block < high_water; ++block) before.insert(block);
  std::multiset<uint32_t> after(free.begin(), free.end());
  after.insert(blocks.begin(), blocks.end());
  const uint64_t taken = blocks.size() - std::min(blocks.size(), tape.blocks.size());
  const bool written =
      blocks_written >= blocks_written_ && blocks_written <= blocks_written_ + taken;
  blocks_written_ = blocks_written;
  tape.failed = true;
  tape.blocks = blocks;
  free_ = std::set<uint32_t>(free.begin(), free.end());
  high_water_ = high_water;
  return before == after && written;
}

}  // namespace tuplestone::properties
