// H1 to H6 by random programs. What holds after every operation is in the suite.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace tuplestone::properties
