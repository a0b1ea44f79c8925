// H1 to H12 by random programs. What holds after every operation is in the suite.
#include <gtest/gtest.h>

#include "properties/hash/aggregate_suite.h"
#include "properties/hash/table_peers.h"
#include "properties/hash/table_suite.h"
#include "properties/kit/property.h"

namespace tuplestone::properties {
namespace {

// Not covered: tables of more than some thousand buckets.
TEST(TupleTableProperty, EveryOperationDoesWhatTheModelSays) { kit::ForAll<TableSuite>(); }

// A map known to be good proves the suite.
TEST(TupleTableProperty, FlatHashMapPassesTheTableSuite) {
  kit::ForAll<TableSuiteOf<FlatHashMapTables>>();
}

TEST(TupleTableProperty, ProgramsReachEveryRareState) {
  kit::ExpectProbesReached(kit::ProgramTarget<TableSuite>(), "hash.table.", 20000);
}

// Not covered: inputs of more than some thousand rows; stores of files.
TEST(AggregateProperty, GroupsAreWhatTheModelSaysForEveryLimit) { kit::ForAll<AggregateSuite>(); }

TEST(AggregateProperty, ProgramsReachEveryRareState) {
  kit::ExpectProbesReached(kit::ProgramTarget<AggregateSuite>(), "hash.aggregation.", 20000);
}

}  // namespace
}  // namespace tuplestone::properties
