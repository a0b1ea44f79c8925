#include "properties/tape/tape_image_suite.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "engine/base/block_store.h"
#include "engine/tape/block_format.h"
#include "engine/tape/tape.h"
#include "properties/kit/expect.h"

namespace tuplestone::properties {
namespace {

using kit::Expect;
using kit::ExpectEqual;

constexpr size_t kHeadBytes = 8;
constexpr size_t kTapesMax = 4;

// How a block came out of the change.
enum class Fate { kGood, kResealed, kBad };

struct ImageTape {
  tape::Tape* tape = nullptr;
  std::string data;              // as it should be read
  std::vector<uint32_t> blocks;  // as they were after writing
  size_t good_blocks = 0;        // before the first bad one
};

Bytes AsBytes(const std::string& data) {
  return Bytes(reinterpret_cast<const std::byte*>(data.data()), data.size());
}

struct Image {
  size_t tape_count;
  tape::Limits limits;
  uint8_t frozen;
  size_t piece;
  size_t lengths[kTapesMax];
  Bytes changes;
  bool reseals;
};

Image ParseImage(Bytes input) {
  uint8_t head[kHeadBytes] = {};
  const size_t mode_bytes = input.size() > kHeadBytes ? 1 : 0;
  for (size_t i = 0; i < std::min(input.size(), kHeadBytes); ++i) {
    head[i] = static_cast<uint8_t>(input[i]);
  }
  Image image;
  image.tape_count = head[0] % kTapesMax + 1;
  image.limits = {.block_bytes = 8 * (4 + size_t{head[1]} % 16), .map_blocks = 4};
  image.frozen = head[2];
  image.piece = size_t{head[3]} + 1;
  for (size_t t = 0; t < kTapesMax; ++t) {
    image.lengths[t] = size_t{head[4 + t]} * 4 % (7 * image.limits.block_bytes + 1);
  }
  image.changes = Bytes();
  image.reseals = false;
  if (mode_bytes == 1) {
    image.changes = input.subspan(kHeadBytes, input.size() - kHeadBytes - mode_bytes);
    image.reseals = (static_cast<uint8_t>(input.back()) & 1) != 0;
  }
  return image;
}

// Written in turns, so that the blocks of tapes lie between one another.
void WriteTapes(const Image& image, std::vector<ImageTape>* tapes) {
  const size_t payload = tape::PayloadBytes(image.limits);
  bool more = true;
  while (more) {
    more = false;
    for (size_t t = 0; t < tapes->size(); ++t) {
      ImageTape& tape = (*tapes)[t];
      const size_t left = image.lengths[t] - tape.data.size();
      std::string piece(std::min(left, payload + t), '\0');
      for (size_t i = 0; i < piece.size(); ++i) {
        piece[i] = static_cast<char>((tape.data.size() + i) * 13 + t * 64);
      }
      kit::ExpectOk(tape::kT2, tape.tape->Write(AsBytes(piece)));
      tape.data += piece;
      more |= tape.data.size() < image.lengths[t];
    }
  }
  for (size_t t = 0; t < tapes->size(); ++t) {
    ImageTape& tape = (*tapes)[t];
    const bool frozen = (image.frozen >> t & 1) != 0;
    kit::ExpectOk(tape::kT2, frozen ? tape.tape->Freeze() : tape.tape->Rewind());
    tape.blocks = tape.tape->Blocks();
    tape.good_blocks = tape.blocks.size();
  }
}

Fate ChangeBlock(const Image& image, const tape::BlockPlace& place, BlockStore& store,
                 std::vector<std::byte>* bytes) {
  const size_t size = image.limits.block_bytes;
  bytes->resize(size);
  kit::ExpectOk(tape::kT2, store.Read(place.block, absl::MakeSpan(*bytes)));
  const std::vector<std::byte> was = *bytes;
  for (size_t i = 0; i < size; ++i) {
    const size_t at = place.block * size + i;
    if (at < image.changes.size()) (*bytes)[i] ^= image.changes[at];
  }
  if (*bytes == was) return Fate::kGood;
  Fate fate = Fate::kBad;
  if (image.reseals) {
    const size_t payload = tape::PayloadBytes(image.limits);
    const bool same_trailer =
        std::equal(was.begin() + static_cast<ptrdiff_t>(payload), was.end() - 4,
                   bytes->begin() + static_cast<ptrdiff_t>(payload));
    fate = same_trailer ? Fate::kResealed : Fate::kBad;
    tape::SealBlock(place, tape::ReadTrailer(*bytes), absl::MakeSpan(*bytes));
  }
  kit::ExpectOk(tape::kT2, store.Write(place.block, *bytes));
  return fate;
}

void ChangeStore(const Image& image, BlockStore& store, std::vector<ImageTape>* tapes) {
  const size_t payload = tape::PayloadBytes(image.limits);
  for (ImageTape& tape : *tapes) {
    for (size_t i = 0; i < tape.blocks.size(); ++i) {
      std::vector<std::byte> bytes;
      const Fate fate = ChangeBlock(image, {tape.blocks[i], tape.tape->number(), i}, store, &bytes);
      if (fate == Fate::kBad) tape.good_blocks = std::min(tape.good_blocks, i);
      if (fate != Fate::kResealed) continue;
      const size_t used = std::min(payload, tape.data.size() - i * payload);
      tape.data.replace(i * payload, used, reinterpret_cast<const char*>(bytes.data()), used);
    }
  }
}

void ReadTape(const Image& image, const ImageTape& tape) {
  const size_t good =
      std::min(tape.data.size(), tape.good_blocks * tape::PayloadBytes(image.limits));
  std::string out(image.piece, '\0');
  size_t at = 0;
  while (at < tape.data.size()) {
    const auto count =
        tape.tape->Read(MutableBytes(reinterpret_cast<std::byte*>(out.data()), out.size()));
    const size_t wanted = std::min(out.size(), tape.data.size() - at);
    if (at + wanted > good) {
      ExpectEqual(tape::kT5, absl::StatusCode::kDataLoss, count.status().code(),
                  "a changed block is reported");
      const std::string names = absl::StrCat("tape ", tape.tape->number(), ": block ",
                                             tape.blocks[tape.good_blocks], ": ");
      Expect(tape::kT5, absl::StartsWith(count.status().message(), names),
             "the report names tape and block");
      return;
    }
    kit::ExpectOk(tape::kT5, count.status(), "a good block is read");
    ExpectEqual(tape::kT2, AsBytes(tape.data).subspan(at, wanted), AsBytes(out).first(*count));
    at += *count;
  }
}

// From the end of a frozen tape back to its beginning, by its pointers.
void ReadBackwards(const Image& image, const ImageTape& tape) {
  if (tape.tape->state() != tape::TapeState::kFrozen || !tape.tape->error().ok()) return;
  std::string out(image.piece, '\0');
  for (size_t at = tape.data.size(); at > 0;) {
    const auto moved = tape.tape->Backspace(image.piece);
    kit::ExpectOk(tape::kT5, moved.status(), "good blocks are walked backwards");
    at -= *moved;
    const auto count =
        tape.tape->Read(MutableBytes(reinterpret_cast<std::byte*>(out.data()), *moved));
    kit::ExpectOk(tape::kT5, count.status(), "good blocks are read again");
    ExpectEqual(tape::kT2, AsBytes(tape.data).subspan(at, *moved), AsBytes(out).first(*count));
    kit::ExpectOk(tape::kT5, tape.tape->Backspace(*count).status());
  }
}

}  // namespace

void TapeImageSuite::Run(Bytes input) {
  const Image image = ParseImage(input);
  MemoryBlockStore store(image.limits.block_bytes);
  tape::TapeSet set(store, image.limits);
  std::vector<ImageTape> tapes(image.tape_count);
  for (ImageTape& tape : tapes) tape.tape = *set.Create();
  WriteTapes(image, &tapes);
  ChangeStore(image, store, &tapes);
  for (const ImageTape& tape : tapes) {
    ReadTape(image, tape);
    ReadBackwards(image, tape);
    set.Verify();
  }
  for (const ImageTape& tape : tapes) set.Close(tape.tape);
  set.Verify();
  ExpectEqual(tape::kT6, uint32_t{0}, set.Stats().owned_blocks, "closed tapes own nothing");
}

}  // namespace tuplestone::properties
