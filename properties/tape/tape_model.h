// Tapes as they should be: strings, and sets of block numbers. Knows nothing of bytes in blocks, of
// buffers or of stores.
#ifndef TUPLESTONE_PROPERTIES_TAPE_TAPE_MODEL_H_
#define TUPLESTONE_PROPERTIES_TAPE_TAPE_MODEL_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/tape/limits.h"

namespace tuplestone::properties {

struct ModelTape {
  enum class State { kWriting, kReading, kFrozen };
  State state = State::kWriting;
  std::string data;
  uint64_t offset = 0;
  std::vector<uint32_t> blocks;  // owned, in order
  uint64_t blocks_taken = 0;     // ever
  bool failed = false;
};

class TapeModel {
 public:
  explicit TapeModel(const tape::Limits& limits)
      : payload_bytes_(tape::PayloadBytes(limits)), blocks_max_(limits.blocks_max) {}

  void Create(size_t id) { tapes_[id]; }
  void Close(size_t id);

  // Whether there are blocks enough to write that much more.
  bool HasRoom(size_t id, uint64_t bytes) const;
  // Requires: HasRoom.
  void Write(size_t id, const std::string& data);
  void Rewind(size_t id);
  void Freeze(size_t id);
  // What is read; moves on.
  std::string Read(size_t id, uint64_t bytes);
  uint64_t Backspace(size_t id, uint64_t bytes);
  void Seek(size_t id, uint64_t offset) { tapes_.at(id).offset = offset; }

  // The engine could not do it. The tape's blocks are what the engine says from now on, as long as
  // that gives and takes nothing: true if tape and free set together own what they owned before,
  // and what was taken above the high-water mark, and no
  // more blocks were written than taken.
  bool Fail(size_t id, const std::vector<uint32_t>& blocks, const std::vector<uint32_t>& free,
            uint32_t high_water, uint64_t blocks_written);

  const std::map<size_t, ModelTape>& tapes() const { return tapes_; }
  const ModelTape& tape(size_t id) const { return tapes_.at(id); }
  const std::set<uint32_t>& free() const { return free_; }
  uint32_t high_water() const { return high_water_; }
  size_t payload_bytes() const { return payload_bytes_; }
  // Blocks whose contents are complete: one less than were taken while a tape is written.
  uint64_t blocks_written() const { return blocks_written_; }

 private:
  void TakeBlock(ModelTape* tape);
  void EndWriting(ModelTape* tape);

  size_t payload_bytes_;
  uint32_t blocks_max_;
  std::map<size_t, ModelTape> tapes_;
  std::set<uint32_t> free_;
  uint32_t high_water_ = 0;
  uint64_t blocks_written_ = 0;
};

}  // namespace tuplestone::properties

#endif  // TUPLESTONE_PROPERTIES_TAPE_TAPE_MODEL_H_
