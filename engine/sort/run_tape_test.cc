#include "engine/sort/run_tape.h"

#include <gtest/gtest.h>

#include <cstring>

#include "engine/base/block_store.h"
#include "engine/memory/alloc_set.h"
#include "engine/sort/invariants.h"
#include "engine/tuple/schema.h"
#include "engine/tuple/value.h"

namespace tuplestone::sort {
namespace {

using tuple::Value;

class RunTapeTest : public ::testing::Test {
 protected:
  RunTapeTest()
      : schema_(*tuple::Schema::Make({tuple::Type::kInt8, tuple::Type::kText})),
        context_(memory::AllocSet::Create(SystemBlockSource(), "test")),
        store_(kTapes.block_bytes),
        set_(store_, kTapes),
        tape_(*set_.Create()),
        budget_(1 << 20, {24, 16}, Limits()) {
    budget_.BeginMerge();
  }
  ~RunTapeTest() override { slot_.Release(SystemBlockSource(), budget_); }

  tuple::Tuple Row(int64_t number, absl::string_view text) {
    return tuple::Form(schema_, {Value::Int8(number), Value::Text(text)}, *context_);
  }
  ReadOptions Reading(bool random_access) {
    return {SystemBlockSource(), budget_, 100, random_access};
  }

  static constexpr tape::Limits kTapes{.block_bytes = 64};
  tuple::Schema schema_;
  memory::OwnedContext<> context_;
  MemoryBlockStore store_;
  tape::TapeSet set_;
  tape::Tape* tape_;
  Budget budget_;
  TupleSlot slot_;
};

TEST_F(RunTapeTest, ReadsWhatWasWritten) {
  const tuple::Tuple tuples[] = {Row(1, "a"), Row(-1, ""),
                                 Row(7, "quite a long text, for a block")};
  for (tuple::Tuple tuple : tuples) ASSERT_TRUE(WriteTuple(*tape_, tuple, false).ok());
  ASSERT_TRUE(WriteRunEnd(*tape_).ok());
  ASSERT_TRUE(tape_->Rewind().ok());
  for (tuple::Tuple tuple : tuples) {
    const auto read = ReadTuple(*tape_, slot_, Reading(false));
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(read->span(), tuple.span());
  }
  EXPECT_FALSE(*ReadTuple(*tape_, slot_, Reading(false)));
  // S2: what the slot took is charged.
  EXPECT_EQ(budget_.charged(), slot_.capacity());
}

// S9.
TEST_F(RunTapeTest, ReadsBackwardToo) {
  const tuple::Tuple tuples[] = {Row(1, "one"), Row(2, "two, which is longer than a block of 64")};
  for (tuple::Tuple tuple : tuples) ASSERT_TRUE(WriteTuple(*tape_, tuple, true).ok());
  ASSERT_TRUE(WriteRunEnd(*tape_).ok());
  ASSERT_TRUE(tape_->Freeze().ok());
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(ReadTuple(*tape_, slot_, Reading(true)).ok());
  for (int i = 1; i >= 0; --i) {
    const auto read = ReadTupleBackward(*tape_, slot_, Reading(true));
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(read->span(), tuples[i].span());
  }
  EXPECT_EQ(tape_->offset(), 0u);
}

TEST_F(RunTapeTest, ALengthThatNoTupleHasIsDamage) {
  for (uint32_t length : {1u, 9u, 95u, 0xffffffffu}) {
    tape::Tape* tape = *set_.Create();
    std::byte word[kRecordWordBytes];
    Store(word, length);
    ASSERT_TRUE(tape->Write(Bytes(word, sizeof(word))).ok());
    ASSERT_TRUE(tape->Rewind().ok());
    const auto read = ReadTuple(*tape, slot_, Reading(false));
    EXPECT_EQ(read.status().code(), absl::StatusCode::kDataLoss) << length;
  }
}

TEST_F(RunTapeTest, ARunWithoutEndIsDamage) {
  ASSERT_TRUE(WriteTuple(*tape_, Row(1, "a"), false).ok());
  ASSERT_TRUE(tape_->Rewind().ok());
  ASSERT_TRUE(ReadTuple(*tape_, slot_, Reading(false)).ok());
  EXPECT_EQ(ReadTuple(*tape_, slot_, Reading(false)).status().code(), absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace tuplestone::sort
