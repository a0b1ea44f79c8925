#include "properties/kit/faulty_source.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

#include "engine/base/align.h"

namespace tuplestone::kit {
namespace {

TEST(FaultySource, CountsWhatIsLentAndFillsIt) {
  FaultySource source;
  auto* block = static_cast<unsigned char*>(source.Obtain(100, 8));
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(block[0], 0xa7);
  EXPECT_EQ(block[99], 0xa7);
  void* aligned = source.Obtain(50, 4096);
  EXPECT_TRUE(IsAligned(aligned, 4096));
  EXPECT_EQ(source.lent_bytes(), 150u);
  EXPECT_EQ(source.lent_blocks(), 2u);
  source.Return(block, 100, 8);
  source.Return(aligned, 50, 4096);
  EXPECT_EQ(source.lent_bytes(), 0u);
  EXPECT_EQ(source.lent_bytes_peak(), 150u);
  EXPECT_EQ(source.requests(), 2u);
}

TEST(FaultySource, FailsExactlyTheRequestsItWasTold) {
  FaultySource source;
  source.FailAfter(1, 2);
  void* first = source.Obtain(10, 8);
  EXPECT_NE(first, nullptr);
  EXPECT_EQ(source.Obtain(10, 8), nullptr);
  EXPECT_EQ(source.Obtain(10, 8), nullptr);
  void* last = source.Obtain(10, 8);
  EXPECT_NE(last, nullptr);
  EXPECT_EQ(source.failures(), 2u);
  source.Return(first, 10, 8);
  source.Return(last, 10, 8);
}

TEST(FaultySource, CapsTheSumAndHugeSizesWithoutWrapping) {
  FaultySource source;
  source.SetCap(100);
  void* block = source.Obtain(60, 8);
  EXPECT_NE(block, nullptr);
  EXPECT_EQ(source.Obtain(41, 8), nullptr);
  EXPECT_EQ(source.Obtain(SIZE_MAX, 8), nullptr);
  void* rest = source.Obtain(40, 8);
  EXPECT_NE(rest, nullptr);
  source.Return(block, 60, 8);
  source.Return(rest, 40, 8);
}

TEST(FaultySource, LendsAddressesWithoutMemory) {
  FaultySource source;
  source.SetReserveOnly(size_t{1} << 30);
  constexpr size_t kBytes = size_t{64} << 30;
  auto* block = static_cast<unsigned char*>(source.Obtain(kBytes, 8));
  ASSERT_NE(block, nullptr);
  block[0] = 1;
  block[kBytes - 1] = 2;
  source.Return(block, kBytes, 8);
}

TEST(FaultySourceDeathTest, NamesWrongReturnsAndLostBlocks) {
  EXPECT_DEATH(
      {
        FaultySource source;
        source.Return(source.Obtain(10, 8), 11, 8);
      },
      "F5 broken");
  EXPECT_DEATH(
      {
        FaultySource source;
        void* block = source.Obtain(10, 8);
        source.Return(block, 10, 16);
      },
      "F5 broken");
  EXPECT_DEATH(
      {
        FaultySource source;
        void* block = source.Obtain(10, 8);
        source.Return(block, 10, 8);
        source.Return(block, 10, 8);
      },
      "F5 broken");
  EXPECT_DEATH(
      {
        FaultySource source;
        static_cast<void>(source.Obtain(10, 8));
      },
      "F6 broken");
}

}  // namespace
}  // namespace tuplestone::kit
