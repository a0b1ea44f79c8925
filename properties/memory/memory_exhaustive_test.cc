// A small world, whole: every program of five operations over two contexts, a root and a child of
// each kind, and three sizes: one that shares a block with others, one that fills a block, one that
// gets its own. TUPLESTONE_EXHAUSTIVE_OPERATIONS=6 is for the night.
// Not covered: faults, which memory_random_test.cc tries at every block request of long programs.
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "properties/kit/run.h"
#include "properties/memory/memory_tree_suite.h"

namespace tuplestone::properties {
namespace {

size_t OperationCount() {
  const char* set = std::getenv("TUPLESTONE_EXHAUSTIVE_OPERATIONS");
  return set == nullptr ? 5 : std::strtoul(set, nullptr, 10);
}

std::vector<MemoryTreeProgram::Operation> Alphabet() {
  std::vector<MemoryTreeProgram::Operation> alphabet;
  for (const uint64_t context : {0, 1}) {
    for (const uint64_t bytes : {8, 40, 200}) {
      alphabet.push_back(
          TreeAllocate{.context = context, .bytes = bytes, .alignment = 3, .fill = bytes});
    }
  }
  alphabet.push_back(TreeFree{.chunk = 0});
  alphabet.push_back(TreeFree{.chunk = 1});
  alphabet.push_back(TreeReallocate{.chunk = 0, .bytes = 41, .fill = 1});
  alphabet.push_back(TreeReset{.context = 1, .keep_children = false});
  return alphabet;
}

// M1 to M5. The suite checks after each operation, so the shorter programs are among the long ones.
class MemoryExhaustive : public testing::TestWithParam<MemoryKind> {};

TEST_P(MemoryExhaustive, EveryShortProgramOverTwoContextsAndThreeSizes) {
  const std::vector<MemoryTreeProgram::Operation> alphabet = Alphabet();
  MemoryTreeProgram program;
  program.head.grown = 1;  // blocks of 128 bytes, then 256
  program.head.growth = MemoryGrowth::kDoubling;
  program.head.spares = 1;
  program.head.slab_bytes = 40;
  program.operations = {TreeCreate{.kind = GetParam(), .parent = 0}};
  size_t programs = 0;
  const std::function<void(size_t)> extend = [&](size_t left) {
    if (left == 0) {
      kit::Run<MemoryTreeSuite>(program);
      ++programs;
      return;
    }
    for (const auto& operation : alphabet) {
      program.operations.push_back(operation);
      extend(left - 1);
      program.operations.pop_back();
    }
  };
  extend(OperationCount());
  size_t expected = 1;
  for (size_t i = 0; i < OperationCount(); ++i) expected *= alphabet.size();
  EXPECT_EQ(programs, expected);
}

INSTANTIATE_TEST_SUITE_P(Memory, MemoryExhaustive,
                         testing::Values(MemoryKind::kAllocSet, MemoryKind::kGeneration,
                                         MemoryKind::kSlab, MemoryKind::kBump),
                         [](const auto& kind) {
                           return std::string(kMemoryKindNames[static_cast<size_t>(kind.param)]);
                         });

}  // namespace
}  // namespace tuplestone::properties
