#include "properties/kit/faulty_store.h"

#include <gtest/gtest.h>

#include <vector>

namespace tuplestone::kit {
namespace {

std::vector<std::byte> Filled(int value) {
  return std::vector<std::byte>(16, static_cast<std::byte>(value));
}

std::vector<std::byte> ReadBack(FaultyStore& store, uint32_t number) {
  std::vector<std::byte> bytes(16);
  EXPECT_TRUE(store.Read(number, absl::MakeSpan(bytes)).ok());
  return bytes;
}

TEST(FaultyStore, IsAGoodStoreUntilToldOtherwise) {
  FaultyStore store(16);
  ASSERT_TRUE(store.Write(3, Filled(1)).ok());
  ASSERT_TRUE(store.Write(3, Filled(2)).ok());
  ASSERT_TRUE(store.Write(9, Filled(3)).ok());
  EXPECT_EQ(ReadBack(store, 3), Filled(2));
  EXPECT_EQ(store.Numbers(), (std::vector<uint32_t>{3, 9}));
  EXPECT_FALSE(store.TakeWrongAnswer().has_value());
}

TEST(FaultyStore, FailsTheCallThatItWasToldToFailAndNoOther) {
  for (StoreFault fault : {StoreFault::kNoSpace, StoreFault::kShortWrite, StoreFault::kWriteError,
                           StoreFault::kShortRead, StoreFault::kReadError}) {
    FaultyStore store(16);
    ASSERT_TRUE(store.Write(0, Filled(1)).ok());
    store.FailAfter(1, fault);
    std::vector<std::byte> bytes(16);
    int failed = 0;
    for (int i = 0; i < 4; ++i) {
      const absl::Status wrote = store.Write(0, Filled(1));
      const absl::Status read = store.Read(0, absl::MakeSpan(bytes));
      if (wrote.ok() && read.ok()) continue;
      ++failed;
      EXPECT_EQ(i, 1);
      const auto answer = store.TakeWrongAnswer();
      ASSERT_TRUE(answer.has_value());
      EXPECT_EQ(answer->block, 0u);
      EXPECT_EQ(answer->code, wrote.ok() ? read.code() : wrote.code());
    }
    EXPECT_EQ(failed, 1);
  }
}

TEST(FaultyStore, KnowsThatItGaveDamagedBytes) {
  FaultyStore store(16);
  ASSERT_TRUE(store.Write(0, Filled(1)).ok());
  ASSERT_TRUE(store.Write(0, Filled(2)).ok());
  ASSERT_TRUE(store.Write(1, Filled(3)).ok());
  EXPECT_TRUE(store.Tear(0, 10));
  EXPECT_EQ(ReadBack(store, 0)[10], std::byte{1});
  EXPECT_EQ(ReadBack(store, 0)[9], std::byte{2});
  const auto answer = store.TakeWrongAnswer();
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->code, absl::StatusCode::kOk);
  EXPECT_TRUE(store.Copy(1, 0));
  EXPECT_EQ(ReadBack(store, 0), Filled(3));
  EXPECT_FALSE(store.Copy(1, 0));
  EXPECT_TRUE(store.Flip(1, 9, 0x80000001));
  EXPECT_EQ(ReadBack(store, 1)[1], std::byte{3 ^ 2});
  EXPECT_EQ(ReadBack(store, 1)[5], std::byte{3 ^ 1});
  EXPECT_FALSE(store.Flip(1, 127, 0xfffffffe));
  EXPECT_TRUE(store.Swap(0, 1));
  EXPECT_TRUE(store.IsGood(1));  // what was copied to 0 came back
  EXPECT_FALSE(store.IsGood(0));
  ASSERT_TRUE(store.Write(0, Filled(4)).ok());
  EXPECT_TRUE(store.IsGood(0));
  EXPECT_FALSE(store.MakeStale(7));
}

}  // namespace
}  // namespace tuplestone::kit
