#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "engine/base/align.h"
#include "engine/base/block_source.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/probe.h"

namespace tuplestone {
namespace {

constexpr Invariant kX1{"X1", "a made-up invariant"};

TEST(Align, RoundsUpToTheNextMultipleAndKeepsMultiples) {
  EXPECT_EQ(MaxAlign(0), 0u);
  EXPECT_EQ(MaxAlign(1), 8u);
  EXPECT_EQ(MaxAlign(8), 8u);
  EXPECT_EQ(AlignUp(4097, 4096), 8192u);
  EXPECT_EQ(AlignDown(4097, 4096), 4096u);
}

TEST(Bytes, LoadAndStoreAreLittleEndianAtOddAddresses) {
  std::byte bytes[5] = {};
  Store<uint32_t>(bytes + 1, 0x01020304);
  EXPECT_EQ(bytes[1], std::byte{4});
  EXPECT_EQ(bytes[4], std::byte{1});
  EXPECT_EQ(Load<uint16_t>(bytes + 1), 0x0304);
}

TEST(CheckDeathTest, NamesInvariantSentenceConditionAndPlace) {
  EXPECT_DEATH(TUPLESTONE_CHECK(kX1, 1 > 2),
               "X1 broken: a made-up invariant\n.*1 > 2\n.*base_test.cc");
}

TEST(CheckDeathTest, EqualityGivesBothFigures) {
  EXPECT_DEATH(TUPLESTONE_CHECK_EQ(kX1, 3, 4), "expected  3\n.*actual    4");
}

TEST(CheckDeathTest, HookSeesTheBrokenCheckBeforeTheAbort) {
  EXPECT_DEATH(
      {
        SetBrokenCheckHook([](const BrokenCheck& broken) {
          std::fprintf(stderr, "hook saw %s\n", broken.site->invariant->id);
        });
        TUPLESTONE_CHECK(kX1, false);
      },
      "hook saw X1");
}

TEST(Probe, IsKnownBeforeItIsReachedAndSameNamesAreOneProbe) {
  auto find = []() {
    for (Probe* probe : AllProbes()) {
      if (std::string(probe->name()) == "base.test") return probe;
    }
    return static_cast<Probe*>(nullptr);
  };
  ASSERT_NE(find(), nullptr);
  EXPECT_EQ(find()->hits(), 0u);
  TUPLESTONE_PROBE("base.test");
  TUPLESTONE_PROBE("base.test");
  EXPECT_EQ(find()->hits(), 2u);
}

TEST(BlockSource, HonoursLargeAlignmentsAndRefusesWhatWouldWrap) {
  BlockSource& source = SystemBlockSource();
  void* block = source.Obtain(100, 4096);
  ASSERT_NE(block, nullptr);
  EXPECT_TRUE(IsAligned(block, 4096));
  source.Return(block, 100, 4096);
  EXPECT_EQ(source.Obtain(SIZE_MAX - 10, 4096), nullptr);
}

TEST(BlockSource, LendsBlocksOfHugePagesWhole) {
  BlockSource& source = SystemBlockSource();
  for (size_t bytes : {size_t{2} << 20, (size_t{2} << 20) + 8, (size_t{5} << 20) - 8}) {
    auto* block = static_cast<std::byte*>(source.Obtain(bytes, 64));
    ASSERT_NE(block, nullptr);
    EXPECT_TRUE(IsAligned(block, 64));
    std::memset(block, 1, bytes);
    source.Return(block, bytes, 64);
  }
}

}  // namespace
}  // namespace tuplestone
