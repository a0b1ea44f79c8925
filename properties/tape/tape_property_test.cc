// Tape programs. What holds after every operation is in the suite; the properties here add what
// only a whole set can say.
#include <gtest/gtest.h>

#include "properties/kit/expect.h"
#include "properties/kit/property.h"
#include "properties/tape/tape_suite.h"

namespace tuplestone::properties {
namespace {

// T1 to T7, over the three stores. Not covered: stores of more than a few thousand blocks; damage
// in the middle of one call.
TEST(TapeProperty, EveryOperationDoesWhatTheModelSays) { kit::ForAll<TapeSuite>(); }

// T1, T4: whatever happened, new tapes fill all holes before the store grows.
TEST(TapeProperty, NewTapesFillTheHolesFirst) {
  kit::ForAll<TapeSuite>([](TapeSuite& suite) {
    const uint32_t high_water = suite.set().Stats().high_water_blocks;
    const size_t holes = suite.set().FreeBlocks().size();
    suite.Step(TapeCreate{});
    if (suite.model().tapes().empty()) return;
    const size_t id = suite.model().tapes().rbegin()->first;
    if (suite.model().tape(id).state != ModelTape::State::kWriting) return;
    if (suite.model().tape(id).failed) return;
    for (size_t i = 0; i < holes; ++i) {
      suite.Step(TapeWriteBlocks{.tape = id, .blocks = 1, .edge = Edge::kAt, .fill = 7});
      suite.Compare();
    }
    kit::ExpectEqual(tape::kT4, high_water, suite.set().Stats().high_water_blocks,
                     "holes are filled before the store grows");
  });
}

TEST(TapeProperty, ProgramsReachEveryRareState) {
  kit::ExpectProbesReached(kit::ProgramTarget<TapeSuite>(), "tape.", 20000);
}

}  // namespace
}  // namespace tuplestone::properties
