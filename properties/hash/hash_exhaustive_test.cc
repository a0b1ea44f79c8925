// Small worlds, whole. Of tables: every program of a few operations on tables of two to eight
// buckets, with hashes that differ and that do not. Of aggregations: every short input with the
// smallest limit, and every single fault of memory and stores at every moment.
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "properties/hash/aggregate_suite.h"
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

// Limit, blocks and buffers as small as they may be.
AggregateHead SmallestHead(AggregateRows rows) {
  AggregateHead head;
  head.rows = rows;
  head.functions = 0x1f;
  head.levels = 6;
  head.unsplit = 2;
  head.probe_max = 512;
  return head;
}

// H9, H10: every input of up to four rows from six, of three keys, behind enough groups that what
// comes is spilled.
TEST(HashExhaustive, EveryShortInputWithTheSmallestLimit) {
  AggregateProgram program;
  size_t programs = 0;
  const std::function<void(size_t)> extend = [&](size_t left) {
    kit::Run<AggregateSuite>(program);
    ++programs;
    if (left == 0) return;
    for (const uint64_t key : {20, 21, 22}) {
      for (const uint64_t value : {7, 120}) {
        program.operations.push_back(AggregateAdd{.key = key, .value = value});
        extend(left - 1);
        program.operations.pop_back();
      }
    }
  };
  for (const uint64_t collide : {0, 32}) {
    program.head = SmallestHead(AggregateRows::kIntegers);
    program.head.collide = collide;
    program.operations = {
        AggregateAddMany{.from = 0, .step = 1, .keys = 20, .count = 20, .value = 0}};
    extend(4);
  }
  EXPECT_EQ(programs, 2 * (1u + 6 + 36 + 216 + 1296));
}

// Every request for memory fails once, and every call of each store in each way: a status that says
// so, nothing left behind, and a new start that succeeds.
TEST(HashExhaustive, EveryFaultAtEveryMoment) {
  const AggregateAddMany rows{.from = 0, .step = 1, .keys = 60, .count = 100, .value = 0};
  for (const uint64_t collide : {0, 32}) {
    AggregateProgram program;
    program.head = SmallestHead(AggregateRows::kIntegers);
    program.head.collide = collide;
    for (uint64_t after = 0; after <= 60; ++after) {
      const auto run = [&](const AggregateProgram::Operation& fault, bool at_once) {
        program.operations = {
            fault, rows, AggregateFinish{}, AggregateNext{.count = 5000}, AggregateReset{}, rows};
        if (!at_once) std::swap(program.operations[0], program.operations[1]);
        kit::Run<AggregateSuite>(program);
      };
      for (const bool at_once : {true, false}) {
        if (after <= 40) run(AggregateFailMemory{.after = after}, at_once);
        for (uint64_t fault = 0; fault < kit::kStoreFaultCount; ++fault) {
          for (const bool sort : {false, true}) {
            run(
                AggregateFailStore{
                    .after = after, .fault = static_cast<AggregateFault>(fault), .sort = sort},
                at_once);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace tuplestone::properties
