#include "properties/tape/tape_suite.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "engine/base/probe.h"
#include "engine/tape/block_format.h"
#include "properties/kit/expect.h"

namespace tuplestone::properties {
namespace {

using kit::Expect;
using kit::ExpectEqual;
using State = ModelTape::State;

tape::Limits LimitsOf(const TapeHead& head) {
  return {.block_bytes = 8 * head.words,
          .blocks_max = head.blocks == 0 ? tape::kBlocksMax : static_cast<uint32_t>(head.blocks),
          .map_blocks = static_cast<uint32_t>(head.map_blocks)};
}

// Bytes that differ from those of another fill, and from themselves a block further on.
std::string Data(uint64_t offset, uint64_t bytes, uint8_t fill) {
  std::string data(bytes, '\0');
  for (size_t i = 0; i < bytes; ++i) {
    const uint64_t at = offset + i;
    data[i] = static_cast<char>(fill + at * 37 + at / 251);
  }
  return data;
}

Bytes AsBytes(const std::string& data) {
  return Bytes(reinterpret_cast<const std::byte*>(data.data()), data.size());
}

tape::TapeState EngineState(State state) {
  switch (state) {
    case State::kWriting:
      return tape::TapeState::kWriting;
    case State::kReading:
      return tape::TapeState::kReading;
    case State::kFrozen:
      return tape::TapeState::kFrozen;
  }
  return tape::TapeState::kWriting;
}

}  // namespace

TapeSuite::TapeSuite(const TapeHead& head, kit::Runner& run)
    : run_(run), limits_(LimitsOf(head)), model_(limits_) {
  switch (head.store) {
    case StoreKind::kFaulty:
      store_ = std::make_unique<kit::FaultyStore>(limits_.block_bytes);
      faulty_ = static_cast<kit::FaultyStore*>(store_.get());
      break;
    case StoreKind::kMemory:
      store_ = std::make_unique<MemoryBlockStore>(limits_.block_bytes, source_);
      in_memory_ = static_cast<MemoryBlockStore*>(store_.get());
      break;
    case StoreKind::kFile: {
      auto file = FileBlockStore::Create(limits_.block_bytes);
      kit::ExpectOk(kB1, file.status(), "the temporary folder takes a file");
      store_ = *std::move(file);
      break;
    }
  }
  set_.emplace(*store_, limits_, source_);
}

void TapeSuite::Ask() {
  failures_before_ = source_.failures();
  reads_before_ = set_->Stats().blocks_read;
  if (faulty_ != nullptr) Expect(tape::kT5, !faulty_->TakeWrongAnswer(), "nobody reads unasked");
}

bool TapeSuite::Judge(size_t id, const absl::Status& status, bool exhausted) {
  if (!status.ok()) {
    JudgeError(id, status, exhausted);
    return false;
  }
  Expect(tape::kT1, !exhausted, "no more blocks are used than there may be");
  ExpectEqual(tape::kT5, failures_before_, source_.failures(), "missing memory is reported");
  if (faulty_ != nullptr) {
    Expect(tape::kT5, !faulty_->TakeWrongAnswer(), "every wrong answer of the store is reported");
  }
  return true;
}

void TapeSuite::JudgeError(size_t id, const absl::Status& status, bool exhausted) {
  LiveTape& live = tapes_.at(id);
  const std::string text(status.message());
  const std::string name = absl::StrCat("tape ", live.tape->number(), ": ");
  ExpectEqual(tape::kT5, name, text.substr(0, name.size()), "an error names its tape");
  const auto wrong = faulty_ == nullptr ? std::nullopt : faulty_->TakeWrongAnswer();
  if (wrong.has_value()) {
    const absl::StatusCode expected =
        wrong->code == absl::StatusCode::kOk ? absl::StatusCode::kDataLoss : wrong->code;
    ExpectEqual(tape::kT5, expected, status.code(), "an error says what kind it is");
    const std::string block = absl::StrCat("block ", wrong->block, ": ");
    ExpectEqual(tape::kT5, block, text.substr(name.size(), block.size()),
                "an error names its block");
  } else {
    ExpectEqual(tape::kT5, absl::StatusCode::kResourceExhausted, status.code(),
                "an error has a cause");
    Expect(tape::kT5, exhausted || source_.failures() > failures_before_, "an error has a cause");
  }
  live.error = status;
  const tape::TapeStats stats = set_->Stats();
  Expect(tape::kT1,
         model_.Fail(id, live.tape->Blocks(), set_->FreeBlocks(), stats.high_water_blocks,
                     stats.blocks_written),
         "a failure neither loses nor makes blocks");
}

bool TapeSuite::GivesItsError(size_t id, const absl::Status& status) {
  if (!model_.tape(id).failed) return false;
  ExpectEqual(tape::kT5, tapes_.at(id).error.ToString(), status.ToString(),
              "a failed tape gives its first error");
  ExpectEqual(tape::kT5, reads_before_, set_->Stats().blocks_read, "a failed tape reads nothing");
  return true;
}

void TapeSuite::Step(const TapeCreate&) {
  Ask();
  const auto tape = set_->Create();
  if (!tape.ok()) {
    ExpectEqual(tape::kT5, absl::StatusCode::kResourceExhausted, tape.status().code());
    Expect(tape::kT5, source_.failures() > failures_before_, "an error has a cause");
    return;
  }
  const size_t id = run_.population(0).Born();
  ExpectEqual(tape::kT7, id, (*tape)->number(), "tapes are numbered by creation");
  tapes_[id].tape = *tape;
  model_.Create(id);
}

void TapeSuite::Write(size_t id, uint64_t bytes, uint8_t fill) {
  if (!IsIn(id, State::kWriting)) return;
  run_.SpendBytes(bytes);
  const std::string data = Data(model_.tape(id).offset, bytes, fill);
  if (fill % 2 == 1 && AppendInPlace(id, data)) return;
  Ask();
  const absl::Status status = tapes_.at(id).tape->Write(AsBytes(data));
  if (GivesItsError(id, status)) return;
  if (Judge(id, status, /*exhausted=*/!model_.HasRoom(id, bytes))) model_.Write(id, data);
}

// As Write, where the block has room; elsewhere false, with nothing done.
bool TapeSuite::AppendInPlace(size_t id, const std::string& data) {
  const ModelTape& tape = model_.tape(id);
  const uint64_t at = tape.offset % model_.payload_bytes();
  if (data.empty()) return false;
  const bool fits = !tape.failed && at > 0 && at + data.size() <= model_.payload_bytes();
  std::byte* to = tapes_.at(id).tape->Append(data.size());
  ExpectEqual(tape::kT2, fits, to != nullptr, "there is room in place exactly if the block has it");
  if (to == nullptr) return false;
  std::memcpy(to, data.data(), data.size());
  model_.Write(id, data);
  return true;
}

// As Read, where the bytes, an odd number, are in the buffer; elsewhere false, with nothing done.
bool TapeSuite::PeekInPlace(size_t id, uint64_t bytes) {
  tape::Tape& tape = *tapes_.at(id).tape;
  const uint64_t left = model_.tape(id).data.size() - model_.tape(id).offset;
  Expect(tape::kT2, tape.Peek(left + 1) == nullptr, "nothing is seen beyond the end");
  const std::byte* from = bytes % 2 == 0 ? nullptr : tape.Peek(bytes);
  if (from == nullptr) return false;
  Expect(tape::kT5, !model_.tape(id).failed, "a failed tape shows nothing");
  const std::string expected = model_.Read(id, bytes);
  ExpectEqual(tape::kT2, AsBytes(expected), Bytes(from, bytes), "what is seen is what was written");
  tape.Skip(bytes);
  return true;
}

void TapeSuite::Step(const TapeWrite& write) {
  if (write.tape.hit()) Write(write.tape.birth(), write.bytes, static_cast<uint8_t>(write.fill));
}

void TapeSuite::Step(const TapeWriteBlocks& write) {
  if (!write.tape.hit()) return;
  const size_t id = write.tape.birth();
  Write(id, ToEdge(model_.tape(id).offset, write.blocks, write.edge),
        static_cast<uint8_t>(write.fill));
}

uint64_t TapeSuite::ToEdge(uint64_t offset, uint64_t blocks, Edge edge) const {
  const uint64_t payload = model_.payload_bytes();
  const uint64_t target = (offset / payload + blocks) * payload + (edge == Edge::kAfter ? 1 : 0) -
                          (edge == Edge::kBefore ? 1 : 0);
  return target - offset;
}

uint64_t TapeSuite::BackToEdge(uint64_t offset, uint64_t blocks, Edge edge) const {
  const uint64_t payload = model_.payload_bytes();
  const uint64_t block = (offset + payload - 1) / payload;
  uint64_t target = block < blocks ? 0 : (block - blocks) * payload;
  if (edge == Edge::kAfter) ++target;
  if (edge == Edge::kBefore && target > 0) --target;
  return offset - std::min(offset, target);
}

void TapeSuite::Rewind(size_t id) {
  if (IsIn(id, State::kReading)) return;
  Ask();
  const absl::Status status = tapes_.at(id).tape->Rewind();
  if (!GivesItsError(id, status) && Judge(id, status)) model_.Rewind(id);
}

void TapeSuite::Step(const TapeRewind& rewind) {
  if (rewind.tape.hit()) Rewind(rewind.tape.birth());
}

void TapeSuite::Step(const TapeFreeze& freeze) {
  if (!freeze.tape.hit()) return;
  const size_t id = freeze.tape.birth();
  if (!IsIn(id, State::kWriting)) return;
  Ask();
  const absl::Status status = tapes_.at(id).tape->Freeze();
  if (!GivesItsError(id, status) && Judge(id, status)) model_.Freeze(id);
}

void TapeSuite::Read(size_t id, uint64_t bytes) {
  if (IsIn(id, State::kWriting)) return;
  run_.SpendBytes(bytes);
  if (PeekInPlace(id, bytes)) return;
  std::string out(bytes, '\0');
  Ask();
  LiveTape& live = tapes_.at(id);
  const auto count =
      live.tape->Read(MutableBytes(reinterpret_cast<std::byte*>(out.data()), out.size()));
  if (GivesItsError(id, count.status()) || !Judge(id, count.status())) return;
  const size_t blocks_before = model_.tape(id).blocks.size();
  const std::string expected = model_.Read(id, bytes);
  ExpectEqual(tape::kT2, expected.size(), *count, "as much is read as there is");
  out.resize(*count);
  ExpectEqual(tape::kT2, AsBytes(expected), AsBytes(out), "what is read is what was written");
  const uint64_t loads = set_->Stats().blocks_read - reads_before_;
  if (IsIn(id, State::kReading)) {
    ExpectEqual(tape::kT2, blocks_before - model_.tape(id).blocks.size(), loads,
                "a block is read once");
  } else {
    Expect(tape::kT2, loads <= expected.size() / model_.payload_bytes() + 2,
           "no more blocks are read than the bytes lie in");
    live.frozen_buffer |= loads > 0;
  }
}

void TapeSuite::Step(const TapeRead& read) {
  if (read.tape.hit()) Read(read.tape.birth(), read.bytes);
}

void TapeSuite::Step(const TapeReadBlocks& read) {
  if (!read.tape.hit()) return;
  const size_t id = read.tape.birth();
  Read(id, ToEdge(model_.tape(id).offset, read.blocks, read.edge));
}

void TapeSuite::Backspace(size_t id, uint64_t bytes) {
  if (!IsIn(id, State::kFrozen)) return;
  Ask();
  LiveTape& live = tapes_.at(id);
  const auto moved = live.tape->Backspace(bytes);
  if (GivesItsError(id, moved.status()) || !Judge(id, moved.status())) return;
  ExpectEqual(tape::kT2, model_.Backspace(id, bytes), *moved, "backspace says how far it moved");
  live.frozen_buffer |= set_->Stats().blocks_read > reads_before_;
}

void TapeSuite::Step(const TapeBackspace& back) {
  if (back.tape.hit()) Backspace(back.tape.birth(), back.bytes);
}

void TapeSuite::Step(const TapeBackspaceBlocks& back) {
  if (!back.tape.hit()) return;
  const size_t id = back.tape.birth();
  Backspace(id, BackToEdge(model_.tape(id).offset, back.blocks, back.edge));
}

void TapeSuite::Step(const TapeTell& tell) {
  if (!tell.tape.hit() || !IsIn(tell.tape.birth(), State::kFrozen)) return;
  const size_t id = tell.tape.birth();
  const tape::TapePosition position = tapes_.at(id).tape->Tell();
  if (!model_.tape(id).failed) {
    ExpectEqual(tape::kT3, model_.tape(id).offset, position.offset(), "tell gives the offset");
  }
  places_[run_.population(1).Born()] = {id, position};
}

void TapeSuite::Step(const TapeSeek& seek) {
  if (!seek.place.hit()) return;
  const Place& place = places_.at(seek.place.birth());
  Ask();
  const absl::Status status = tapes_.at(place.tape).tape->Seek(place.position);
  if (GivesItsError(place.tape, status) || !Judge(place.tape, status)) return;
  ExpectEqual(tape::kT3, reads_before_, set_->Stats().blocks_read, "seek reads nothing");
  model_.Seek(place.tape, place.position.offset());
}

void TapeSuite::Close(size_t id) {
  Ask();
  set_->Close(tapes_.at(id).tape);
  ExpectEqual(tape::kT6, reads_before_, set_->Stats().blocks_read, "closing reads nothing");
  tapes_.erase(id);
  model_.Close(id);
}

void TapeSuite::Step(const TapeClose& close) {
  if (!close.tape.hit()) return;
  const size_t id = close.tape.birth();
  Close(id);
  run_.population(0).Died(id);
  for (auto place = places_.begin(); place != places_.end();) {
    if (place->second.tape == id) {
      run_.population(1).Died(place->first);
      place = places_.erase(place);
    } else {
      ++place;
    }
  }
}

void TapeSuite::Step(const TapeFailStore& fail) {
  if (faulty_ == nullptr) return;
  faulty_->FailAfter(fail.after, static_cast<kit::StoreFault>(fail.fault.ToRaw()));
}

void TapeSuite::Step(const TapeFailMemory& fail) { source_.FailAfter(fail.after); }

// A trailer that is wrong, under a checksum that is right, in a block that a tape will read.
void TapeSuite::Forge(uint32_t block, size_t field, uint32_t flips) {
  for (const auto& [id, tape] : model_.tapes()) {
    if (tape.state == State::kWriting) continue;
    const auto at = std::find(tape.blocks.begin(), tape.blocks.end(), block);
    if (at == tape.blocks.end()) continue;
    const uint64_t position = tape.blocks_taken - static_cast<uint64_t>(tape.blocks.end() - at);
    std::vector<std::byte> bytes = faulty_->Held(block);
    tape::Trailer trailer = tape::ReadTrailer(bytes);
    (field == 0 ? trailer.previous : field == 1 ? trailer.next : trailer.used) ^= flips;
    tape::SealBlock({block, tapes_.at(id).tape->number(), position}, trailer,
                    absl::MakeSpan(bytes));
    faulty_->Replace(block, bytes);
  }
}

void TapeSuite::Step(const TapeDamage& damage) {
  if (faulty_ == nullptr || faulty_->Numbers().empty()) return;
  const std::vector<uint32_t> numbers = faulty_->Numbers();
  const uint32_t block = numbers[damage.block % numbers.size()];
  const uint32_t other = numbers[damage.other % numbers.size()];
  const auto flips = static_cast<uint32_t>(damage.flips);
  switch (damage.damage) {
    case BlockDamage::kFlip:
      faulty_->Flip(block, damage.at % (8 * limits_.block_bytes), flips);
      break;
    case BlockDamage::kTorn:
      faulty_->Tear(block, damage.at % limits_.block_bytes);
      break;
    case BlockDamage::kStale:
      faulty_->MakeStale(block);
      break;
    case BlockDamage::kSwapped:
      faulty_->Swap(block, other);
      break;
    case BlockDamage::kMisdirected:
      faulty_->Copy(other, block);
      break;
    case BlockDamage::kForged:
      Forge(block, damage.at % 3, flips);
      break;
  }
}

void TapeSuite::CompareTape(size_t id, const LiveTape& live) {
  const ModelTape& expected = model_.tape(id);
  ExpectEqual(expected.state == State::kWriting ? tape::kT4 : tape::kT1, expected.blocks,
              live.tape->Blocks(), "a tape owns the blocks that it should, in order");
  if (expected.failed) return;
  ExpectEqual(tape::kT2, EngineState(expected.state), live.tape->state());
  ExpectEqual(tape::kT2, expected.data.size(), live.tape->length(),
              "the length is what was written");
  ExpectEqual(tape::kT3, expected.offset, live.tape->offset(), "the offset is where it should be");
}

void TapeSuite::Compare() {
  const tape::TapeStats stats = set_->Stats();
  ExpectEqual(tape::kT1, model_.high_water(), stats.high_water_blocks, "the high-water mark");
  const std::vector<uint32_t> free(model_.free().begin(), model_.free().end());
  ExpectEqual(tape::kT1, free, set_->FreeBlocks(), "the free set");
  ExpectEqual(tape::kT1, free.size(), stats.free_blocks, "the free set's size");
  ExpectEqual(tape::kT1, tapes_.size(), stats.tapes, "the number of tapes");
  ExpectEqual(tape::kT1, model_.blocks_written(), stats.blocks_written, "blocks written");
  size_t owned = 0;
  size_t buffers = 0;
  size_t doubtful_buffers = 0;
  for (const auto& [id, live] : tapes_) {
    CompareTape(id, live);
    const ModelTape& tape = model_.tape(id);
    owned += tape.blocks.size();
    doubtful_buffers += tape.failed ? 1 : 0;
    if (tape.failed) continue;
    buffers += tape.state == State::kWriting   ? !tape.data.empty()
               : tape.state == State::kReading ? tape.offset > 0 && tape.offset < tape.data.size()
                                               : live.frozen_buffer;
  }
  ExpectEqual(tape::kT1, owned, stats.owned_blocks, "owned blocks");
  const size_t least = buffers * limits_.block_bytes;
  Expect(tape::kT1, stats.buffer_bytes >= least, "every tape in use has a buffer");
  Expect(tape::kT1, stats.buffer_bytes <= least + doubtful_buffers * limits_.block_bytes,
         "no other tape has a buffer");
  const size_t in_store = in_memory_ == nullptr ? 0 : in_memory_->obtained_bytes();
  ExpectEqual(tape::kT1, source_.lent_bytes(), stats.obtained_bytes + in_store,
              "memory is counted to the byte");
}

void TapeSuite::Finish() {
  if (faulty_ != nullptr) faulty_->FailNever();
  source_.FailNever();
  std::vector<size_t> ids;
  for (const auto& [id, live] : tapes_) ids.push_back(id);
  for (size_t id : ids) {
    if (!model_.tape(id).failed && IsIn(id, State::kWriting)) Rewind(id);
    const uint64_t length = model_.tape(id).data.size();
    if (!model_.tape(id).failed) Read(id, length + 1);
    while (!model_.tape(id).failed && IsIn(id, State::kFrozen) && model_.tape(id).offset > 0) {
      run_.SpendSteps(1);
      const uint64_t step = std::min(model_.tape(id).offset, model_.payload_bytes() + 1);
      Backspace(id, step);
      Read(id, step);
      Backspace(id, step);
    }
  }
  Compare();
  for (size_t id : ids) Close(id);
  Compare();
  set_->Verify();
  ExpectEqual(tape::kT6, size_t{model_.high_water()}, model_.free().size(),
              "closed tapes own nothing");
  set_.reset();
  const size_t in_store = in_memory_ == nullptr ? 0 : in_memory_->obtained_bytes();
  ExpectEqual(tape::kT6, in_store, source_.lent_bytes(), "a set gives all its memory back");
}

std::string TapeSuite::ShowModel() const {
  constexpr const char* kStates[] = {"writing", "reading", "frozen"};
  std::string text;
  for (const auto& [id, tape] : model_.tapes()) {
    absl::StrAppend(&text, "tape @", id, " ", kStates[static_cast<int>(tape.state)], " at ",
                    tape.offset, " of ", tape.data.size(), " bytes, blocks ",
                    absl::StrJoin(tape.blocks, " "), tape.failed ? ", failed\n" : "\n");
  }
  return absl::StrCat(text, "free blocks ", absl::StrJoin(model_.free(), " "), ", high water ",
                      model_.high_water(), "\n");
}

std::string TapeSuite::ShowSubject() const {
  const tape::TapeStats stats = set_->Stats();
  return absl::StrCat(stats.tapes, " tapes, free blocks ", absl::StrJoin(set_->FreeBlocks(), " "),
                      ", high water ", stats.high_water_blocks, "\n", stats.owned_blocks,
                      " blocks owned, ", stats.blocks_written, " written, ", stats.blocks_read,
                      " read, ", stats.obtained_bytes, " bytes obtained\n");
}

}  // namespace tuplestone::properties

namespace tuplestone::kit {
template class ProgramTarget<properties::TapeSuite>;
}
