// The small world of tables, whole: every program of a few operations on tables of two to eight
// buckets, with hashes that differ and that do not.
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "properties/hash/table_suite.h"
#include "properties/kit/run.h"

namespace tuplestone::properties {
namespace {

// H1, H3, H4, H5: after two members, every program of three operations from eleven.
TEST(HashExhaustive, EveryShortProgramOnASmallTable) {
  const std::vector<TableProgram::Operation> alphabet = {
      TableInsert{.row = 0, .as = RowAs::kTuple, .fill = 1, .other = false},
      TableInsert{.row = 1, .as = RowAs::kValues, .fill = 2, .other = false},
      TableInsert{.row = 2, .as = RowAs::kTuple, .fill = 3, .other = false},
      TableInsert{.row = 3, .as = RowAs::kTuple, .fill = 4, .other = false},
      TableErase{.row = 0, .other = false},
      TableErase{.row = 1, .other = false},
      TableErase{.row = 3, .other = false},
      TableWalk{.of = 2, .keep = 0, .other = false},
      TableWalk{.of = 3, .keep = 1, .other = false},
      TableReset{.other = false},
      TableFailMemory{.after = 0, .failures = 1}};
  TableProgram program;
  program.head.additional = 8;
  program.head.load = 95;
  program.head.buckets_max = 4;
  size_t programs = 0;
  const std::function<void(size_t)> extend = [&](size_t left) {
    kit::Run<TableSuite>(program);
    ++programs;
    if (left == 0) return;
    for (const auto& operation : alphabet) {
      program.operations.push_back(operation);
      extend(left - 1);
      program.operations.pop_back();
    }
  };
  for (const uint64_t collide : {0, 31, 32}) {
    program.head.collide = collide;
    program.operations = {alphabet[0], alphabet[3]};
    extend(3);
  }
  EXPECT_EQ(programs, 3 * (1u + 11 + 11 * 11 + 11 * 11 * 11));
}

// H1, H4: every subset of six rows inserted and every subset of those erased, in a table of eight
// buckets, with sixteen, two and one hash.
TEST(HashExhaustive, EverySubsetInsertedAndErased) {
  constexpr size_t kRows = 6;
  for (uint64_t collide : {28, 31, 32}) {
    for (unsigned inserted = 0; inserted < 1u << kRows; ++inserted) {
      for (unsigned erased = 0; erased < 1u << kRows; ++erased) {
        if ((erased & ~inserted) != 0) continue;
        TableProgram program;
        program.head.collide = collide;
        program.head.buckets_min = 3;
        program.head.load = 95;
        for (size_t row = 0; row < kRows; ++row) {
          if ((inserted >> row & 1) == 0) continue;
          program.operations.push_back(
              TableInsert{.row = row, .as = RowAs::kTuple, .fill = 1, .other = false});
        }
        for (size_t row = 0; row < kRows; ++row) {
          if ((erased >> row & 1) == 0) continue;
          program.operations.push_back(TableErase{.row = row, .other = false});
        }
        kit::Run<TableSuite>(program);
      }
    }
  }
}

}  // namespace
}  // namespace tuplestone::properties
