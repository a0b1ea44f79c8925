// The mutator: each mutation does what its name says, nothing leaves the legal programs.
#include "properties/kit/mutate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "properties/kit/languages_for_test.h"
#include "properties/kit/random.h"
#include "properties/kit/text.h"

namespace tuplestone::kit {
namespace {

using properties::ToyProgram;

constexpr const char* kThree =
    "canary death=none spare=50\nopen size=3\nload box=@0\nfire box=@0\n";

ToyProgram Toy(const std::string& text) { return *Parse<ToyProgram>(text); }

std::multiset<std::string> Lines(const ToyProgram& program) {
  std::multiset<std::string> lines;
  for (const auto& operation : program.operations) lines.insert(PrintOperation(operation));
  return lines;
}

// Applies `mutation` to kThree with many seeds; each result must pass `expect`. Returns the number
// of different results.
template <class Expectation>
size_t Results(Mutation mutation, const Expectation& expect) {
  std::set<std::string> results;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    ToyProgram program = Toy(kThree);
    EXPECT_TRUE(Apply(mutation, program, random));
    expect(program);
    results.insert(Print(program));
  }
  return results.size();
}

TEST(Mutate, InsertAddsOneOperationAnywhere) {
  std::set<size_t> kinds;
  std::set<size_t> places;
  const ToyProgram before = Toy(kThree);
  const size_t different = Results(Mutation::kInsert, [&](const ToyProgram& after) {
    ASSERT_EQ(after.operations.size(), 4u);
    size_t at = 0;
    while (at < 3 && ToyProgram::SameOperation(before.operations[at], after.operations[at])) ++at;
    places.insert(at);
    kinds.insert(after.operations[at].index());
    for (size_t i = at; i < 3; ++i) {
      ASSERT_TRUE(ToyProgram::SameOperation(before.operations[i], after.operations[i + 1]));
    }
  });
  EXPECT_GT(different, 50u);
  EXPECT_EQ(kinds.size(), ToyProgram::kKindCount);
  EXPECT_EQ(places.size(), 4u);
}

TEST(Mutate, DeleteDropsOneOperationAndKeepsTheOthers) {
  const size_t different = Results(Mutation::kDelete, [&](const ToyProgram& after) {
    ASSERT_EQ(after.operations.size(), 2u);
    const auto before = Lines(Toy(kThree));
    const auto left = Lines(after);
    EXPECT_TRUE(std::includes(before.begin(), before.end(), left.begin(), left.end()));
  });
  EXPECT_EQ(different, 3u);
}

TEST(Mutate, DuplicateRepeatsAnOperation) {
  const size_t different = Results(Mutation::kDuplicate, [&](const ToyProgram& after) {
    ASSERT_EQ(after.operations.size(), 4u);
    const auto lines = Lines(after);
    EXPECT_EQ(std::set<std::string>(lines.begin(), lines.end()).size(), 3u);
  });
  EXPECT_GE(different, 9u);
}

TEST(Mutate, SwapExchangesTwoOperations) {
  const size_t different = Results(Mutation::kSwap, [&](const ToyProgram& after) {
    EXPECT_EQ(Lines(after), Lines(Toy(kThree)));
    EXPECT_FALSE(after == Toy(kThree));
  });
  EXPECT_EQ(different, 3u);
}

TEST(Mutate, ChangeFieldKeepsKindsAndChangesValues) {
  const ToyProgram before = Toy(kThree);
  const size_t different = Results(Mutation::kChangeField, [&](const ToyProgram& after) {
    ASSERT_EQ(after.operations.size(), 3u);
    EXPECT_TRUE(SameFields(after.head, before.head));
    size_t changed = 0;
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(after.operations[i].index(), before.operations[i].index());
      changed += !ToyProgram::SameOperation(after.operations[i], before.operations[i]);
    }
    EXPECT_LE(changed, 1u);
  });
  EXPECT_GT(different, 50u);
}

TEST(Mutate, ChangeHeadKeepsTheOperations) {
  std::set<uint64_t> deaths;
  std::set<uint64_t> spares;
  Results(Mutation::kChangeHead, [&](const ToyProgram& after) {
    EXPECT_EQ(Lines(after), Lines(Toy(kThree)));
    deaths.insert(after.head.death.ToRaw());
    spares.insert(after.head.spare);
  });
  EXPECT_EQ(deaths.size(), 8u);
  EXPECT_GT(spares.size(), 20u);
}

TEST(Mutate, WhatCannotBeDoneLeavesTheProgram) {
  Random random(1);
  ToyProgram empty = Toy("canary\n");
  for (Mutation mutation :
       {Mutation::kDelete, Mutation::kDuplicate, Mutation::kSwap, Mutation::kChangeField}) {
    EXPECT_FALSE(Apply(mutation, empty, random));
    EXPECT_TRUE(empty == Toy("canary\n"));
  }
  ToyProgram one = Toy("canary\nwait\n");
  EXPECT_FALSE(Apply(Mutation::kSwap, one, random));
  EXPECT_FALSE(Apply(Mutation::kChangeField, one, random)) << "wait has no field";
  ToyProgram full = Toy("canary\n");
  full.operations.resize(ToyProgram::kShape.operations_max, properties::ToyWait{});
  const ToyProgram before = full;
  EXPECT_FALSE(Apply(Mutation::kInsert, full, random));
  EXPECT_FALSE(Apply(Mutation::kDuplicate, full, random));
  EXPECT_TRUE(full == before);
}

TEST(Mutate, SpliceIsFirstThenSecondThenFirst) {
  ToyProgram first = Toy("canary death=leak\n");
  ToyProgram second = Toy("canary death=none\n");
  for (uint64_t i = 1; i <= 20; ++i) {
    first.operations.push_back(properties::ToyOpen{.size = i});
    second.operations.push_back(properties::ToyOpen{.size = 100 + i});
  }
  size_t mixed = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const ToyProgram child = Splice(first, second, random);
    EXPECT_TRUE(SameFields(child.head, first.head));
    size_t from_second = 0;
    uint64_t last_first = 0;
    uint64_t last_second = 0;
    for (const auto& operation : child.operations) {
      const uint64_t size = std::get<properties::ToyOpen>(operation).size;
      uint64_t& last = size > 100 ? last_second : last_first;
      EXPECT_GT(size, last) << "each side keeps its order";
      last = size;
      from_second += size > 100;
    }
    mixed += from_second > 0 && from_second < child.operations.size();
  }
  EXPECT_GT(mixed, 100u);
}

size_t FlipFirst(uint8_t* data, size_t size, size_t) {
  if (size > 0) data[0] ^= 0xff;
  return size;
}

TEST(Mutate, InputsStayWithinTheirRoomAndLegal) {
  std::set<std::vector<uint8_t>> results;
  for (size_t size_max : {0u, 1u, 7u, 8u, 15u, 16u, 17u, 40u, 4096u}) {
    for (uint64_t seed = 0; seed < 200; ++seed) {
      std::vector<uint8_t> data(size_max + 8, 0xee);  // what lies behind must not change
      const std::string text = kThree;
      const size_t size = std::min(size_max, text.size());
      std::memcpy(data.data(), text.data(), size);
      const size_t mutated = MutateInput<ToyProgram>(data.data(), size, size_max, seed, &FlipFirst);
      ASSERT_LE(mutated, size_max);
      for (size_t i = size_max; i < data.size(); ++i) ASSERT_EQ(data[i], 0xee);
      if (size_max < ToyProgram::kShape.head_bytes) continue;
      ASSERT_EQ((mutated - 8) % 8, 0u) << "a head and whole records";
      results.insert({data.begin(), data.begin() + static_cast<std::ptrdiff_t>(mutated)});
    }
  }
  EXPECT_GT(results.size(), 300u);
}

TEST(Mutate, TheFuzzersOwnMutationIsUsedNowAndThen) {
  int flipped = 0;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    std::vector<uint8_t> data(4096);
    const size_t size = MutateInput<ToyProgram>(data.data(), 8, data.size(), seed, &FlipFirst);
    flipped += size == 8 && data[0] == 0xff;
  }
  EXPECT_GT(flipped, 20);
  EXPECT_LT(flipped, 100);
}

TEST(Mutate, TheSameSeedMutatesTheSame) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    std::vector<uint8_t> first(512, 1);
    std::vector<uint8_t> second(512, 1);
    ASSERT_EQ(MutateInput<WideProgram>(first.data(), 300, 512, seed, &FlipFirst),
              MutateInput<WideProgram>(second.data(), 300, 512, seed, &FlipFirst));
    ASSERT_EQ(first, second);
  }
}

TEST(Mutate, SplicesStayWithinTheirRoom) {
  const std::vector<std::byte> first = Encode(Toy(kThree));
  std::vector<std::byte> second(8 + 8 * 64, std::byte{5});  // a full program of waits
  for (size_t size_max : {0u, 7u, 8u, 16u, 100u, 4096u}) {
    for (uint64_t seed = 0; seed < 100; ++seed) {
      std::vector<uint8_t> out(size_max + 8, 0xee);
      const size_t size = SpliceInputs<ToyProgram>(first, second, out.data(), size_max, seed);
      ASSERT_LE(size, size_max);
      for (size_t i = size_max; i < out.size(); ++i) ASSERT_EQ(out[i], 0xee);
    }
  }
}

}  // namespace
}  // namespace tuplestone::kit
