// The small world, whole: every input of up to six rows over three values, with every option.
#include <gtest/gtest.h>

#include <vector>

#include "properties/kit/run.h"
#include "properties/sort/sort_suite.h"

namespace tuplestone::properties {
namespace {

// 3 layouts, bounds that keep nothing back, one, some, or as many as there are; memory that holds
// two, all; both directions; read forward, and both ways.
std::vector<SortHead> Heads() {
  std::vector<SortHead> heads;
  for (sort::Layout layout :
       {sort::Layout::kCompact, sort::Layout::kAllocSet, sort::Layout::kGeneration}) {
    for (uint64_t bound : {0, 1, 2, 6}) {
      for (bool random_access : {false, true}) {
        for (uint64_t ways : {0, 1}) {
          SortHead head;
          head.layout = layout;
          head.budget = 2;
          head.array = 2;
          head.words = 16;
          head.order = 2;
          head.bound = bound;
          head.random_access = random_access;
          head.first = SortType::kInt4;
          head.by = SortBy::kFirst;
          head.ways = ways;
          heads.push_back(head);
        }
      }
    }
  }
  return heads;
}

// S4 to S9. `pad` decides how many rows memory holds.
void RunEveryInput(const SortHead& head, uint64_t pad, size_t rows_max, size_t* inputs) {
  size_t count = 1;
  for (size_t rows = 0; rows <= rows_max; ++rows, count *= 3) {
    for (size_t input = 0; input < count; ++input) {
      SortProgram program;
      program.head = head;
      size_t digits = input;
      for (size_t i = 0; i < rows; ++i, digits /= 3) {
        program.operations.push_back(SortPut{.first = digits % 3, .second = 0, .pad = pad});
      }
      program.operations.push_back(SortSort{});
      program.operations.push_back(SortNext{.count = 3});
      program.operations.push_back(SortMark{});
      program.operations.push_back(SortNext{.count = 10});
      program.operations.push_back(SortPrevious{.count = 10});
      program.operations.push_back(SortRestore{});
      kit::Run<SortSuite>(program);
      ++*inputs;
    }
  }
}

TEST(SortExhaustive, EveryInputInMemory) {
  size_t inputs = 0;
  for (const SortHead& head : Heads()) RunEveryInput(head, 0, 6, &inputs);
  EXPECT_EQ(inputs, 48u * 1093);
}

// Rows of 600 bytes: two or three fill the budget, so there are runs, and passes over them.
TEST(SortExhaustive, EveryInputOnTapes) {
  size_t inputs = 0;
  for (const SortHead& head : Heads()) RunEveryInput(head, 600, 6, &inputs);
  EXPECT_EQ(inputs, 48u * 1093);
}

}  // namespace
}  // namespace tuplestone::properties
