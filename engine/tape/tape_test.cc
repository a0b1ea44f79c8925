#include "engine/tape/tape.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "engine/tape/block_format.h"

namespace tuplestone::tape {
namespace {

constexpr Limits kSmall{.block_bytes = 128, .map_blocks = 4};
constexpr size_t kPayload = PayloadBytes(kSmall);

std::string Pattern(size_t bytes, int seed) {
  std::string text(bytes, '\0');
  for (size_t i = 0; i < bytes; ++i) text[i] = static_cast<char>(i * 31 + i / 112 + seed);
  return text;
}

absl::Status Write(Tape* tape, const std::string& text) {
  return tape->Write(Bytes(reinterpret_cast<const std::byte*>(text.data()), text.size()));
}

std::string Read(Tape* tape, size_t bytes) {
  std::string text(bytes, '\0');
  const auto count =
      tape->Read(MutableBytes(reinterpret_cast<std::byte*>(text.data()), text.size()));
  EXPECT_TRUE(count.ok()) << count.status();
  text.resize(count.ok() ? *count : 0);
  return text;
}

class TapeTest : public testing::Test {
 protected:
  Tape* Create() { return *set_.Create(); }
  Tape* Written(const std::string& text) {
    Tape* tape = Create();
    EXPECT_TRUE(Write(tape, text).ok());
    return tape;
  }
  void Damage(uint32_t block, size_t at) {
    std::vector<std::byte> bytes(128);
    ASSERT_TRUE(store_.Read(block, absl::MakeSpan(bytes)).ok());
    bytes[at] ^= std::byte{0x10};
    ASSERT_TRUE(store_.Write(block, bytes).ok());
  }

  MemoryBlockStore store_{128};
  TapeSet set_{store_, kSmall};
};

TEST_F(TapeTest, GivesBackWhatWasWrittenAtEveryEdgeOfABlock) {  // T2
  for (size_t length : {size_t{0}, size_t{1}, kPayload - 1, kPayload, kPayload + 1, 2 * kPayload,
                        3 * kPayload - 1, 3 * kPayload, 3 * kPayload + 1}) {
    Tape* tape = Written(Pattern(length, 1));
    EXPECT_EQ(tape->Blocks().size(), (length + kPayload - 1) / kPayload) << length;
    ASSERT_TRUE(tape->Rewind().ok());
    EXPECT_EQ(Read(tape, 1000), Pattern(length, 1));
    EXPECT_EQ(Read(tape, 1), "");
    set_.Verify();
    EXPECT_EQ(set_.Stats().owned_blocks, 0u);
    set_.Close(tape);
  }
  EXPECT_EQ(set_.Stats().high_water_blocks, 4u);
}

// T2: pieces that lie in one block are written and read in place, the others as always.
TEST_F(TapeTest, AppendsAndPeeksWithinABlock) {
  Tape* tape = Create();
  const std::string text = Pattern(3 * kPayload, 1);
  size_t in_place = 0;
  for (size_t at = 0; at + 7 <= text.size(); at += 7) {
    std::byte* to = tape->Append(7);
    if (to == nullptr) {
      ASSERT_TRUE(Write(tape, text.substr(at, 7)).ok());
      continue;
    }
    std::memcpy(to, text.data() + at, 7);
    ++in_place;
  }
  EXPECT_GT(in_place, 2 * kPayload / 7);
  EXPECT_EQ(tape->Peek(1), nullptr);
  ASSERT_TRUE(tape->Rewind().ok());
  EXPECT_EQ(tape->Append(1), nullptr);
  EXPECT_EQ(tape->Peek(1), nullptr);  // nothing is loaded yet
  in_place = 0;
  for (size_t at = 0; at + 7 <= text.size(); at += 7) {
    const std::byte* from = tape->Peek(7);
    if (from == nullptr) {
      ASSERT_EQ(Read(tape, 7), text.substr(at, 7));
      continue;
    }
    ASSERT_EQ(std::memcmp(from, text.data() + at, 7), 0);
    tape->Skip(7);
    ++in_place;
  }
  EXPECT_GT(in_place, 2 * kPayload / 7);
  EXPECT_EQ(Read(tape, 1), "");
  set_.Verify();
  EXPECT_EQ(set_.Stats().buffer_bytes, 0u);
}

TEST_F(TapeTest, RecyclesABlockAsSoonAsItIsRead) {  // T1, T4
  Tape* input = Written(Pattern(5 * kPayload, 1));
  ASSERT_TRUE(input->Rewind().ok());
  Tape* output = Create();
  for (int i = 0; i < 5; ++i) {
    const std::string piece = Read(input, kPayload);
    ASSERT_TRUE(Write(output, piece).ok());
    set_.Verify();
  }
  EXPECT_EQ(output->Blocks(), (std::vector<uint32_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(set_.Stats().high_water_blocks, 5u);
  ASSERT_TRUE(output->Freeze().ok());
  EXPECT_EQ(Read(output, 1000), Pattern(5 * kPayload, 1));
}

TEST_F(TapeTest, ClosingReturnsWhatIsUnread) {  // T6
  Tape* writing = Written(Pattern(3 * kPayload, 1));
  Tape* reading = Written(Pattern(3 * kPayload, 2));
  Tape* frozen = Written(Pattern(3 * kPayload, 3));
  ASSERT_TRUE(reading->Rewind().ok());
  Read(reading, kPayload + 1);
  ASSERT_TRUE(frozen->Freeze().ok());
  EXPECT_EQ(set_.Stats().free_blocks, 2u);
  for (Tape* tape : {writing, reading, frozen}) {
    set_.Close(tape);
    set_.Verify();
  }
  EXPECT_EQ(set_.Stats().free_blocks, 9u);
  EXPECT_EQ(set_.Stats().buffer_bytes, 0u);
}

TEST_F(TapeTest, MovesOverAFrozenTapeInBothDirections) {  // T2, T3
  const std::string text = Pattern(4 * kPayload, 7);
  Tape* tape = Written(text);
  ASSERT_TRUE(tape->Freeze().ok());
  const TapePosition start = tape->Tell();
  EXPECT_EQ(Read(tape, 2 * kPayload), text.substr(0, 2 * kPayload));
  const TapePosition middle = tape->Tell();
  EXPECT_EQ(Read(tape, 9999), text.substr(2 * kPayload));
  const TapePosition end = tape->Tell();
  EXPECT_EQ(end.offset(), text.size());
  EXPECT_EQ(*tape->Backspace(3 * kPayload), 3 * kPayload);
  EXPECT_EQ(Read(tape, 9999), text.substr(kPayload));
  ASSERT_TRUE(tape->Seek(middle).ok());
  EXPECT_EQ(*tape->Backspace(1), 1u);
  EXPECT_EQ(Read(tape, 3), text.substr(2 * kPayload - 1, 3));
  ASSERT_TRUE(tape->Seek(end).ok());
  EXPECT_EQ(Read(tape, 1), "");
  EXPECT_EQ(*tape->Backspace(99999), text.size());
  EXPECT_EQ(tape->offset(), 0u);
  ASSERT_TRUE(tape->Seek(start).ok());
  EXPECT_EQ(Read(tape, 5), text.substr(0, 5));
  ASSERT_TRUE(tape->Rewind().ok());
  EXPECT_EQ(Read(tape, 9999), text);
  set_.Verify();
  EXPECT_EQ(set_.Stats().owned_blocks, 4u);
}

TEST_F(TapeTest, AFrozenEmptyTapeIsEmpty) {  // T2
  Tape* tape = Create();
  ASSERT_TRUE(tape->Freeze().ok());
  EXPECT_EQ(Read(tape, 1), "");
  EXPECT_EQ(*tape->Backspace(1), 0u);
  ASSERT_TRUE(tape->Seek(tape->Tell()).ok());
  EXPECT_EQ(Read(tape, 1), "");
}

TEST_F(TapeTest, DamageNamesTapeAndBlockAndFailsTheTapeAlone) {  // T5
  Tape* harmed = Written(Pattern(3 * kPayload, 1));
  Tape* other = Written(Pattern(3 * kPayload, 2));
  ASSERT_TRUE(harmed->Rewind().ok());
  ASSERT_TRUE(other->Rewind().ok());
  Damage(1, 5);
  EXPECT_EQ(Read(harmed, kPayload), Pattern(3 * kPayload, 1).substr(0, kPayload));
  std::vector<std::byte> out(kPayload);
  const absl::Status status = harmed->Read(absl::MakeSpan(out)).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(status.message().find("tape 0: block 1: damaged"), 0u) << status;
  EXPECT_EQ(harmed->Read(absl::MakeSpan(out)).status(), status);
  set_.Verify();
  EXPECT_EQ(Read(other, 9999), Pattern(3 * kPayload, 2));
  set_.Close(harmed);
  set_.Verify();
  EXPECT_EQ(set_.Stats().free_blocks, 6u);
}

TEST_F(TapeTest, ASealedForgeryIsFoundByWhatIsKnown) {  // T5
  for (int what = 0; what < 3; ++what) {
    Tape* tape = Written(Pattern(3 * kPayload, 1));
    ASSERT_TRUE(tape->Freeze().ok());
    const uint32_t block = tape->Blocks()[1];
    std::vector<std::byte> bytes(128);
    ASSERT_TRUE(store_.Read(block, absl::MakeSpan(bytes)).ok());
    Trailer trailer = ReadTrailer(bytes);
    (what == 0 ? trailer.previous : what == 1 ? trailer.next : trailer.used) ^= 1;
    SealBlock({block, tape->number(), 1}, trailer, absl::MakeSpan(bytes));
    ASSERT_TRUE(store_.Write(block, bytes).ok());
    std::vector<std::byte> out(3 * kPayload);
    const absl::Status status = tape->Read(absl::MakeSpan(out)).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
    EXPECT_NE(status.message().find("not what was written"), absl::string_view::npos) << status;
    set_.Close(tape);
  }
}

TEST(Tape, WithoutBlocksTheTapeFailsAndClosingGivesAllBack) {  // T6
  MemoryBlockStore store(128);
  TapeSet set(store, {.block_bytes = 128, .blocks_max = 2});
  Tape* tape = *set.Create();
  const absl::Status status = Write(tape, Pattern(2 * kPayload + 1, 1));
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(status.message(), "tape 0: all of 2 blocks are in use");
  EXPECT_EQ(tape->Rewind(), status);
  set.Verify();
  set.Close(tape);
  EXPECT_EQ(set.Stats().free_blocks, 2u);
  EXPECT_EQ((*set.Create())->number(), 1u);  // numbers are never reused
}

TEST(TapeDeathTest, CallersKeepToTheStates) {  // T7
  MemoryBlockStore store(128);
  TapeSet set(store, kSmall);
  Tape* writing = *set.Create();
  Tape* reading = *set.Create();
  Tape* frozen = *set.Create();
  ASSERT_TRUE(reading->Rewind().ok());
  ASSERT_TRUE(frozen->Freeze().ok());
  EXPECT_DEATH((void)writing->Read({}), "T7 broken");
  EXPECT_DEATH((void)writing->Tell(), "T7 broken");
  EXPECT_DEATH((void)writing->Backspace(0), "T7 broken");
  EXPECT_DEATH((void)reading->Write({}), "T7 broken");
  EXPECT_DEATH((void)reading->Rewind(), "T7 broken");
  EXPECT_DEATH((void)reading->Freeze(), "T7 broken");
  EXPECT_DEATH((void)frozen->Write({}), "T7 broken");
  EXPECT_DEATH((void)frozen->Seek(TapePosition()), "T7 broken");
  EXPECT_DEATH(TapeSet(store, {.block_bytes = 136}), "T7 broken");
}

}  // namespace
}  // namespace tuplestone::tape
