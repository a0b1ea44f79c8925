// The suite in builds without RapidCheck: fixed seeds, and the same figures in every build.
#include "properties/memory/memory_suite.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "properties/kit/generate.h"
#include "properties/kit/random.h"
#include "properties/kit/run.h"
#include "properties/memory/memory_tree_suite.h"

namespace tuplestone::properties {
namespace {

// All that a context's account says, guards left out, mixed into one number.
class Trace {
 public:
  void Note(const memory::Account& a) {
    for (const size_t figure : {a.held(), a.overhead, a.live, a.free, a.dead, a.tail, a.requested,
                                a.live_chunks, a.blocks}) {
      sum_ = (sum_ ^ figure) * 0x100000001B3;
    }
  }
  uint64_t sum() const { return sum_; }

 private:
  uint64_t sum_ = 0xCBF29CE484222325;
};

// Notes the account after each operation.
template <class Suite>
class Traced : public Suite {
 public:
  using Suite::Suite;
  void Compare() {
    Suite::Compare();
    trace.Note(this->heap().context().account());
  }
  static inline Trace trace;
};

// Runs 300 programs as a suite.
template <class Suite>
uint64_t TraceOfPrograms() {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    kit::Random random(seed);
    kit::Run<Traced<Suite>>(kit::DrawProgram<typename Suite::Program>(random, 60));
  }
  return Traced<Suite>::trace.sum();
}

// M3, M7: the golden numbers are those of the build without guards. A change of layout changes
// them, and only that.
TEST(MemorySuite, AccountsLessGuardsAreTheSameInEveryBuild) {
  EXPECT_EQ(TraceOfPrograms<MemoryAllocSetSuite>(), 0x1B606CC70189D0C9u);
  EXPECT_EQ(TraceOfPrograms<MemoryGenerationSuite>(), 0x4EAE8A0B123DF0D0u);
  EXPECT_EQ(TraceOfPrograms<MemorySlabSuite>(), 0xD1787B037A45FB6Au);
  EXPECT_EQ(TraceOfPrograms<MemoryBumpSuite>(), 0x4BCE8D63BA42F0A4u);
}

TEST(MemorySuite, TreeProgramsOfFixedSeedsRun) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    kit::Random random(seed);
    kit::Run<MemoryTreeSuite>(kit::DrawProgram<MemoryTreeProgram>(random, 60));
  }
}

}  // namespace
}  // namespace tuplestone::properties
