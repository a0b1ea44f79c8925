// Programs of tape operations, on a tape set and its model in step. After every operation all that
// can be seen is compared: states, lengths, which tape owns which block, the free set, buffers and
// memory to the byte. Every wrong answer of the store must come back as an error that names tape,
// block and cause, and no other error may appear.
#ifndef TUPLESTONE_PROPERTIES_TAPE_TAPE_SUITE_H_
#define TUPLESTONE_PROPERTIES_TAPE_TAPE_SUITE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "engine/base/block_store.h"
#include "engine/tape/tape.h"
#include "properties/kit/faulty_source.h"
#include "properties/kit/faulty_store.h"
#include "properties/kit/run.h"
#include "properties/kit/target.h"
#include "properties/tape/tape_model.h"
#include "properties/tape/tape_ops.h"

namespace tuplestone::properties {

class TapeSuite {
 public:
  using Program = TapeProgram;
  static constexpr const char* kHeader = "properties/tape/tape_suite.h";

  TapeSuite(const TapeHead& head, kit::Runner& run);

  void Step(const TapeCreate&);
  void Step(const TapeWrite& write);
  void Step(const TapeWriteBlocks& write);
  void Step(const TapeRewind& rewind);
  void Step(const TapeFreeze& freeze);
  void Step(const TapeRead& read);
  void Step(const TapeReadBlocks& read);
  void Step(const TapeBackspace& back);
  void Step(const TapeBackspaceBlocks& back);
  void Step(const TapeTell& tell);
  void Step(const TapeSeek& seek);
  void Step(const TapeClose& close);
  void Step(const TapeFailStore& fail);
  void Step(const TapeFailMemory& fail);
  void Step(const TapeDamage& damage);
  void Compare();
  void Verify() { set_->Verify(); }
  // Reads all that is left on every tape, backwards too where it is frozen; closes; counts.
  void Finish();

  std::string ShowModel() const;
  std::string ShowSubject() const;

  tape::TapeSet& set() { return *set_; }
  const TapeModel& model() const { return model_; }
  kit::FaultyStore* faulty_store() { return faulty_; }

 private:
  struct LiveTape {
    tape::Tape* tape = nullptr;
    absl::Status error;          // the first, which all later calls must give
    bool frozen_buffer = false;  // a block was read since it was frozen
  };
  struct Place {
    size_t tape;
    tape::TapePosition position;
  };

  // What the engine is about to be asked: notes what could go wrong.
  void Ask();
  // Judges the answer. True if it is OK and nothing was to go wrong. Otherwise the tape is failed
  // in the model, too; `exhausted` says that the model ran out of blocks.
  bool Judge(size_t id, const absl::Status& status, bool exhausted = false);
  void JudgeError(size_t id, const absl::Status& status, bool exhausted);
  bool GivesItsError(size_t id, const absl::Status& status);

  void Write(size_t id, uint64_t bytes, uint8_t fill);
  void Rewind(size_t id);
  bool AppendInPlace(size_t id, const std::string& data);
  bool PeekInPlace(size_t id, uint64_t bytes);
  void Read(size_t id, uint64_t bytes);
  void Backspace(size_t id, uint64_t bytes);
  void Close(size_t id);
  void CompareTape(size_t id, const LiveTape& live);
  void Forge(uint32_t block, size_t field, uint32_t flips);
  bool IsIn(size_t id, ModelTape::State state) const { return model_.tape(id).state == state; }
  // How far it is to the edge of the block `blocks` further on (back), or to beside it.
  uint64_t ToEdge(uint64_t offset, uint64_t blocks, Edge edge) const;
  uint64_t BackToEdge(uint64_t offset, uint64_t blocks, Edge edge) const;

  kit::Runner& run_;
  tape::Limits limits_;
  TapeModel model_;
  kit::FaultySource source_;
  std::unique_ptr<BlockStore> store_;
  kit::FaultyStore* faulty_ = nullptr;     // store_, if it is one
  MemoryBlockStore* in_memory_ = nullptr;  // store_, if it is one
  std::optional<tape::TapeSet> set_;
  std::map<size_t, LiveTape> tapes_;  // by birth
  std::map<size_t, Place> places_;    // by birth
  uint64_t failures_before_ = 0;      // of the source
  uint64_t reads_before_ = 0;         // of blocks
};

}  // namespace tuplestone::properties

namespace tuplestone::kit {
extern template class ProgramTarget<properties::TapeSuite>;
}

#endif  // TUPLESTONE_PROPERTIES_TAPE_TAPE_SUITE_H_
