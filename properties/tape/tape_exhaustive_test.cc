// Small worlds, whole: every length and every piece, every short program, and every damage to every
// block of generated stores.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "engine/tape/block_format.h"
#include "properties/kit/faulty_store.h"
#include "properties/kit/random.h"
#include "properties/kit/run.h"
#include "properties/tape/tape_suite.h"

namespace tuplestone::properties {
namespace {

constexpr tape::Limits kTiny{.block_bytes = 32, .map_blocks = 1};
constexpr size_t kPayload = tape::PayloadBytes(kTiny);

std::string Data(size_t bytes) {
  std::string data(bytes, '\0');
  for (size_t i = 0; i < bytes; ++i) data[i] = static_cast<char>(i * 7 + 3);
  return data;
}

void MustWrite(tape::Tape* tape, const std::string& data) {
  ASSERT_TRUE(
      tape->Write(Bytes(reinterpret_cast<const std::byte*>(data.data()), data.size())).ok());
}

std::string MustRead(tape::Tape* tape, size_t bytes) {
  std::string out(bytes, '\0');
  const auto count = tape->Read(MutableBytes(reinterpret_cast<std::byte*>(out.data()), bytes));
  EXPECT_TRUE(count.ok()) << count.status();
  return out.substr(0, count.ok() ? *count : 0);
}

// T2, T3: lengths of up to four blocks, written in pieces of every size up to two blocks, read in
// pieces of every size, forwards and backwards.
TEST(TapeExhaustive, EveryLengthInPiecesOfEverySize) {
  for (size_t length = 0; length <= 4 * kPayload + 1; ++length) {
    const std::string data = Data(length);
    for (size_t piece = 1; piece <= 2 * kPayload + 1; ++piece) {
      MemoryBlockStore store(kTiny.block_bytes);
      tape::TapeSet set(store, kTiny);
      tape::Tape* tape = *set.Create();
      for (size_t at = 0; at < length; at += piece) MustWrite(tape, data.substr(at, piece));
      ASSERT_TRUE(tape->Freeze().ok());
      std::vector<tape::TapePosition> places;
      for (size_t at = 0; at < length; at += piece) {
        places.push_back(tape->Tell());
        ASSERT_EQ(MustRead(tape, piece), data.substr(at, piece));
      }
      ASSERT_EQ(MustRead(tape, 1), "");
      for (size_t at = length; at > 0;) {
        const size_t step = std::min(piece, at);
        ASSERT_EQ(*tape->Backspace(piece), step);
        at -= step;
        ASSERT_EQ(MustRead(tape, step), data.substr(at, step));
        ASSERT_EQ(*tape->Backspace(step), step);
      }
      for (size_t i = places.size(); i-- > 0;) {
        ASSERT_TRUE(tape->Seek(places[i]).ok());
        ASSERT_EQ(MustRead(tape, piece), data.substr(i * piece, piece));
      }
      set.Verify();
    }
  }
}

// T1 to T7: every program of up to four operations on two tapes, from an alphabet that has each
// operation and each edge.
TEST(TapeExhaustive, EveryShortProgram) {
  const std::vector<TapeProgram::Operation> alphabet = {
      TapeWriteBlocks{.tape = 0, .blocks = 1, .edge = Edge::kAt, .fill = 1},
      TapeWriteBlocks{.tape = 0, .blocks = 2, .edge = Edge::kAfter, .fill = 2},
      TapeWrite{.tape = 1, .bytes = 1, .fill = 3},
      TapeRewind{.tape = 0},
      TapeFreeze{.tape = 0},
      TapeReadBlocks{.tape = 0, .blocks = 1, .edge = Edge::kAt},
      TapeRead{.tape = 0, .bytes = 1},
      TapeRead{.tape = 0, .bytes = 100},
      TapeBackspace{.tape = 0, .bytes = 1},
      TapeBackspaceBlocks{.tape = 0, .blocks = 1, .edge = Edge::kAt},
      TapeTell{.tape = 0},
      TapeSeek{.place = 0},
      TapeClose{.tape = 0},
      TapeDamage{.block = 0, .damage = BlockDamage::kFlip, .at = 3, .flips = 1, .other = 0},
      TapeFailStore{.after = 1, .fault = TapeFault::kNoSpace}};
  TapeProgram program;
  program.head.words = 4;
  size_t programs = 0;
  const std::function<void(size_t)> extend = [&](size_t left) {
    kit::Run<TapeSuite>(program);
    ++programs;
    if (left == 0) return;
    for (const auto& operation : alphabet) {
      program.operations.push_back(operation);
      extend(left - 1);
      program.operations.pop_back();
    }
  };
  program.operations = {TapeCreate{}, TapeCreate{}, alphabet[1]};
  extend(4);
  EXPECT_EQ(programs, 1u + 15 + 15 * 15 + 15 * 15 * 15 + 15 * 15 * 15 * 15);
}

// A store of three tapes whose blocks lie between one another, with old contents under some.
class Generated {
 public:
  explicit Generated(size_t block_bytes)
      : limits_{.block_bytes = block_bytes, .map_blocks = 4},
        store_(block_bytes),
        set_(store_, limits_) {
    const size_t payload = tape::PayloadBytes(limits_);
    tape::Tape* old = *set_.Create();
    MustWrite(old, Data(5 * payload));
    EXPECT_TRUE(old->Rewind().ok());
    MustRead(old, 5 * payload);
    for (int t = 0; t < 3; ++t) tapes_.push_back(*set_.Create());
    for (size_t turn = 0; turn < 3; ++turn) {
      for (tape::Tape* tape : tapes_) MustWrite(tape, Data(payload));
    }
    MustWrite(tapes_[0], Data(5));
    for (tape::Tape* tape : tapes_) EXPECT_TRUE(tape->Freeze().ok());
  }

  kit::FaultyStore& store() { return store_; }
  const tape::Limits& limits() const { return limits_; }

  // Reads every tape to its end. Expects an error that names `block`, or none at all for kNoBlock.
  void ExpectFound(uint32_t block) {
    size_t errors = 0;
    for (tape::Tape* tape : tapes_) {
      std::vector<std::byte> out(tape->length());
      const absl::Status status = tape->Read(absl::MakeSpan(out)).status();
      if (status.ok()) continue;
      ++errors;
      EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
      EXPECT_NE(status.message().find("block " + std::to_string(block) + ": "),
                absl::string_view::npos)
          << status << ", not block " << block;
    }
    EXPECT_EQ(errors, block == tape::kNoBlock ? 0u : 1u) << "block " << block;
  }

 private:
  tape::Limits limits_;
  kit::FaultyStore store_;
  tape::TapeSet set_;
  std::vector<tape::Tape*> tapes_;
};

constexpr size_t kDamageBlockBytes = 64;
constexpr uint32_t kDamageBlocks = 10;

// T5: each damage is found, and named by its block.
TEST(TapeDamage, EveryFlipOfEveryBlockIsFound) {
  Generated(kDamageBlockBytes).ExpectFound(tape::kNoBlock);
  for (uint32_t block = 0; block < kDamageBlocks; ++block) {
    for (size_t bit = 0; bit < 8 * kDamageBlockBytes; ++bit) {
      Generated generated(kDamageBlockBytes);
      ASSERT_TRUE(generated.store().Flip(block, bit, 1));
      generated.ExpectFound(block);
    }
  }
}

// T5: bursts of 2 to 32 bits from every bit on, with their ends set and three fillings between, by
// the checksum alone; and some of them through the tapes.
TEST(TapeDamage, EveryBurstOfUpTo32BitsIsFound) {
  kit::Random random(0x6275);
  for (uint32_t block = 0; block < kDamageBlocks; ++block) {
    std::vector<std::byte> bytes(kDamageBlockBytes);
    for (std::byte& b : bytes) b = static_cast<std::byte>(random.Next());
    const tape::BlockPlace place{block, random.Below(4), random.Below(4)};
    tape::SealBlock(place, {.previous = 1, .next = 2, .used = 3}, absl::MakeSpan(bytes));
    for (size_t bit = 0; bit < 8 * kDamageBlockBytes; ++bit) {
      for (size_t width = 2; width <= 32 && bit + width <= 8 * kDamageBlockBytes; ++width) {
        const uint32_t ends = 1u | uint32_t{1} << (width - 1);
        const uint32_t inner = (uint32_t{2} << (width - 1)) - 1;
        for (uint64_t filling : {uint64_t{0}, ~uint64_t{0}, random.Next()}) {
          std::vector<std::byte> burst = bytes;
          const uint64_t flips = ends | (filling & inner);
          for (size_t i = 0; i < width; ++i) {
            if ((flips >> i & 1) == 0) continue;
            burst[(bit + i) / 8] ^= static_cast<std::byte>(1 << ((bit + i) % 8));
          }
          ASSERT_NE(tape::BlockChecksum(place, burst), tape::StoredChecksum(burst))
              << "bit " << bit << " width " << width;
        }
      }
      if (bit % 16 != block) continue;
      Generated generated(kDamageBlockBytes);
      ASSERT_TRUE(generated.store().Flip(block, bit, static_cast<uint32_t>(random.Next()) | 1));
      generated.ExpectFound(block);
    }
  }
}

// T5: torn at every byte, with what the block held before, or nothing.
TEST(TapeDamage, EveryTornOrStaleBlockIsFound) {
  for (uint32_t block = 0; block < kDamageBlocks; ++block) {
    for (size_t from = 0; from < kDamageBlockBytes; ++from) {
      Generated generated(kDamageBlockBytes);
      const bool changed = generated.store().Tear(block, from);
      generated.ExpectFound(changed ? block : tape::kNoBlock);
      EXPECT_TRUE(changed || from > 0);
    }
  }
}

// T5: each pair, both ways.
TEST(TapeDamage, EverySwappedOrMisdirectedBlockIsFound) {
  for (uint32_t block = 0; block < kDamageBlocks; ++block) {
    for (uint32_t other = 0; other < kDamageBlocks; ++other) {
      if (other == block) continue;
      Generated misdirected(kDamageBlockBytes);
      ASSERT_TRUE(misdirected.store().Copy(other, block));
      misdirected.ExpectFound(block);
      // Of swapped blocks each is reported by the first tape that meets one.
      Generated swapped(kDamageBlockBytes);
      ASSERT_TRUE(swapped.store().Swap(other, block));
      std::vector<std::byte> bytes(kDamageBlockBytes);
      for (uint32_t half : {block, other}) {
        Generated one(kDamageBlockBytes);
        ASSERT_TRUE(one.store().Replace(half, swapped.store().Held(half)));
        one.ExpectFound(half);
      }
    }
  }
}

}  // namespace
}  // namespace tuplestone::properties
