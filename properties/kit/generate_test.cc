// Drawing: some kinds are off, weights count, sizes are bounded, the state decides alone.
#include "properties/kit/generate.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>

#include "properties/kit/codec.h"
#include "properties/kit/languages_for_test.h"
#include "properties/kit/random.h"

namespace tuplestone::kit {
namespace {

using properties::ToyProgram;

struct HeavyWait {
  static constexpr auto kText = Text<5>("wait");
  static constexpr int kWeight = 20;
};
using HeavyProgram = Program<properties::ToyHead, properties::ToyFire, HeavyWait>;

template <class P>
std::set<size_t> KindsOf(const P& program) {
  std::set<size_t> kinds;
  for (const auto& operation : program.operations) kinds.insert(operation.index());
  return kinds;
}

TEST(Generate, EachDrawSwitchesSomeKindsOff) {
  Random random(1);
  constexpr int kDraws = 2000;
  std::array<int, ToyProgram::kKindCount> off{};
  int all_on = 0;
  for (int i = 0; i < kDraws; ++i) {
    const SwarmWeights<ToyProgram> weights = DrawSwarm<ToyProgram>(random);
    int on = 0;
    for (size_t kind = 0; kind < weights.size(); ++kind) {
      off[kind] += weights[kind] == 0;
      on += weights[kind] != 0;
    }
    ASSERT_GE(on, 1);
    all_on += on == static_cast<int>(weights.size());
  }
  for (int count : off) {
    EXPECT_GT(count, kDraws / 6);  // a quarter in the mean
    EXPECT_LT(count, kDraws / 3);
  }
  EXPECT_GT(all_on, kDraws / 8);
}

TEST(Generate, LongProgramsOfFewKindsAreDrawn) {
  Random random(1);
  int one_kind = 0;
  int every_kind = 0;
  for (int i = 0; i < 2000; ++i) {
    const ToyProgram program = DrawProgram<ToyProgram>(random, 60);
    if (program.operations.size() < 30) continue;
    const size_t kinds = KindsOf(program).size();
    one_kind += kinds == 1;
    every_kind += kinds == ToyProgram::kKindCount;
  }
  EXPECT_GT(one_kind, 0);
  EXPECT_GT(every_kind, 50);
}

TEST(Generate, AKindThatIsOffIsNeverDrawn) {
  Random random(1);
  const SwarmWeights<ToyProgram> weights = {1, 0, 3, 0, 0};
  std::array<int, ToyProgram::kKindCount> drawn{};
  for (int i = 0; i < 4000; ++i) ++drawn[DrawOperation<ToyProgram>(random, weights).index()];
  EXPECT_EQ(drawn[1] + drawn[3] + drawn[4], 0);
  EXPECT_GT(drawn[0], 800);
  EXPECT_GT(drawn[2], 2700);
}

TEST(Generate, AWeightMakesAKindThatMuchMoreFrequent) {
  Random random(1);
  int waits = 0;
  int fires = 0;
  for (int i = 0; i < 500; ++i) {
    for (const auto& operation : DrawProgram<HeavyProgram>(random, 40).operations) {
      (operation.index() == 1 ? waits : fires) += 1;
    }
  }
  EXPECT_GT(waits, 2 * fires);
}

TEST(Generate, ProgramsHaveEveryLengthUpToTheLimit) {
  Random random(1);
  std::set<size_t> lengths;
  for (int i = 0; i < 2000; ++i) {
    lengths.insert(DrawProgram<ToyProgram>(random, 20).operations.size());
  }
  EXPECT_EQ(lengths.size(), 21u);
  EXPECT_EQ(*lengths.rbegin(), 20u);
  for (int i = 0; i < 200; ++i) {  // the language's own limit stands above
    EXPECT_LE(DrawProgram<ToyProgram>(random, 1000).operations.size(), 64u);
  }
}

TEST(Generate, TheStateDecidesAlone) {
  Random first(42);
  Random second(42);
  Random third(43);
  int different = 0;
  for (int i = 0; i < 20; ++i) {
    const auto a = Encode(DrawProgram<WideProgram>(first, 30));
    EXPECT_EQ(a, Encode(DrawProgram<WideProgram>(second, 30)));
    different += a != Encode(DrawProgram<WideProgram>(third, 30));
  }
  EXPECT_GT(different, 15);
}

TEST(Generate, EveryFieldOfEveryKindIsDrawn) {
  Random random(3);
  std::set<uint64_t> full;
  std::set<uint64_t> births;
  std::set<uint64_t> colours;
  for (int i = 0; i < 500; ++i) {
    const WideProgram program = DrawProgram<WideProgram>(random, 20);
    colours.insert(program.head.colour.ToRaw());
    for (const auto& operation : program.operations) {
      if (const auto* numbers = std::get_if<WideNumbers>(&operation)) full.insert(numbers->full);
      if (const auto* use = std::get_if<WideUse>(&operation)) births.insert(use->last.ToRaw());
    }
  }
  EXPECT_EQ(colours.size(), 3u);
  EXPECT_GT(full.size(), 100u);
  for (uint64_t birth : {0, 1, 2, 3}) EXPECT_TRUE(births.count(birth)) << birth;
  EXPECT_GT(births.size(), 100u);
}

}  // namespace
}  // namespace tuplestone::kit
