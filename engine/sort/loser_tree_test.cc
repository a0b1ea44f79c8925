#include "engine/sort/loser_tree.h"

#include <gtest/gtest.h>

#include <vector>

namespace tuplestone::sort {
namespace {

struct ByInput {
  bool operator()(uint32_t a, uint32_t b) const { return a < b; }
};

// S4: lists of many lengths, for every number of inputs up to 20; ties go to the earlier input.
TEST(LoserTree, MergesAnyNumberOfInputs) {
  for (size_t k = 1; k <= 20; ++k) {
    std::vector<std::vector<uint64_t>> lists(k);
    size_t total = 0;
    for (size_t i = 0; i < k; ++i) {
      for (size_t j = 0; j < (i * 7) % 5; ++j) lists[i].push_back(j * 3 + i % 3);
      total += lists[i].size();
    }
    std::vector<size_t> at(k);
    const auto head = [&](size_t i) -> Contender {
      const auto input = static_cast<uint32_t>(i);
      if (at[i] == lists[i].size()) return {UINT64_MAX, input, true};
      return {lists[i][at[i]], input, false};
    };
    std::vector<Contender> nodes(k);
    LoserTree<ByInput> tree(nodes.data(), k, ByInput());
    tree.Build(head);
    Contender last{0, 0, false};
    for (size_t taken = 0; taken < total; ++taken) {
      const Contender winner = tree.winner();
      ASSERT_FALSE(winner.done);
      ASSERT_TRUE(taken == 0 || last.prefix < winner.prefix ||
                  (last.prefix == winner.prefix && last.input <= winner.input));
      last = winner;
      ++at[winner.input];
      tree.Replace(head(winner.input));
    }
    EXPECT_TRUE(tree.winner().done);
  }
}

TEST(LoserTree, ALargestHeadIsNotTheEnd) {
  std::vector<Contender> nodes(2);
  LoserTree<ByInput> tree(nodes.data(), 2, ByInput());
  tree.Build([](size_t i) { return Contender{UINT64_MAX, static_cast<uint32_t>(i), i == 0}; });
  EXPECT_EQ(tree.winner().input, 1u);
}

}  // namespace
}  // namespace tuplestone::sort
