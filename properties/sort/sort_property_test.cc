// Sort programs. What holds after every operation is in the suite; the properties here add what
// only a whole sort can say.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/base/block_store.h"
#include "properties/kit/expect.h"
#include "properties/kit/property.h"
#include "properties/sort/sort_suite.h"

namespace tuplestone::properties {
namespace {

// S1 to S12, over all layouts. Not covered: budgets above 64 kB, more than some ten thousand rows.
TEST(SortProperty, EveryOperationDoesWhatTheModelSays) { kit::ForAll<SortSuite>(); }

// S5: the same rows, sorted again in memory by the same engine, come out the same.
TEST(SortProperty, TapesAndMemoryGiveTheSame) {
  kit::ForAll<SortSuite>([](SortSuite& suite) {
    if (!suite.Sort() || suite.sorter().row() != 0) return;
    MemoryBlockStore store(8192);
    sort::Options options;
    options.budget_bytes = 64 << 20;
    options.bound = suite.settings().bound;
    sort::Sorter in_memory(suite.sorter().order(), store, options);
    for (const SortRow& row : suite.model().input()) {
      kit::ExpectOk(sort::kS5, in_memory.Put(suite.rows().Values(row)));
    }
    kit::ExpectOk(sort::kS5, in_memory.Sort());
    kit::ExpectEqual(sort::kS5, sort::State::kSortedInMemory, in_memory.state());
    for (const std::string& row : suite.FetchAll()) {
      const absl::StatusOr<tuple::Tuple> tuple = in_memory.Next();
      kit::ExpectOk(sort::kS5, tuple.status());
      kit::ExpectEqual(sort::kS5, Bytes(reinterpret_cast<const std::byte*>(row.data()), row.size()),
                       tuple->span(), "tapes and memory give the same");
    }
  });
}

TEST(SortProperty, ProgramsReachEveryRareState) {
  kit::ExpectProbesReached(kit::ProgramTarget<SortSuite>(), "sort.", 20000);
}

}  // namespace
}  // namespace tuplestone::properties
