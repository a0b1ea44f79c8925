// Properties: RapidCheck draws programs in the parent, they run in a child, and a death is shrunk
// to a minimal program.
//
//   TEST(PageProperty, RepairKeepsEveryLinePointerAndEveryByte) {  // P3
//     kit::ForAll<PageSuite>([](PageSuite& suite) { ... });
//   }
//
//   1  all programs run in one child              nothing died: passed, at the price of one fork
//   2  the one that died runs again, alone        RapidCheck draws the same and shrinks it
//   3  no single program dies alone: the shortest prefix that does, saved whole, to be replayed
//      together
//
// TUPLESTONE_SEED=0x... and TUPLESTONE_PROGRAMS=n change what is drawn; the default seed is fixed.
// TUPLESTONE_REPLAY=file runs that input in place of drawn ones, in this process; a folder, its
// files in order. TUPLESTONE_FAILURES names the folder where minimal programs are saved (default:
// the temporary folder).
#ifndef TUPLESTONE_PROPERTIES_KIT_PROPERTY_H_
#define TUPLESTONE_PROPERTIES_KIT_PROPERTY_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "properties/kit/isolate.h"
#include "properties/kit/target.h"

namespace tuplestone::kit {

struct PropertyOptions {
  uint64_t seed = 0x7470;
  uint64_t programs = 1000;
  size_t operations_max = 60;        // at the largest size; programs grow towards it
  uint64_t candidates_max = 20'000;  // of shrinking; then the best so far is reported
  IsolationLimits limits;
};

struct PropertyResult {
  bool held = true;
  uint64_t programs = 0;    // that were run
  uint64_t candidates = 0;  // tried while shrinking
  Death death;
  Input minimal;       // a program that dies by `death`; empty where only several together die
  std::string saved;   // where it lies
  std::string report;  // for people; ends with the line to paste
};

// Draws and runs. What ForAll is made of, and what tests of the kit look at. `same_as_replay`: the
// command line's replay shows the same failure, so that the report may name it.
PropertyResult CheckProperty(const Target& target, const PropertyOptions& options,
                             bool same_as_replay);

// The first phase without a child: what the others are measured against. A death ends the process.
void CheckInThisProcess(const Target& target, const PropertyOptions& options);

// The options with what the environment says. Ends the process with status 2 where that makes no
// sense.
PropertyOptions OptionsFromEnvironment(PropertyOptions options);

// True when TUPLESTONE_REPLAY was set: then its inputs were run, in one child, and a death was
// printed and fails the test.
bool ReplayedInstead(const Target& target, const IsolationLimits& limits);

// Fails the running GoogleTest test with the report.
void ReportToTest(const PropertyResult& result);

// For every program of the suite: it runs without breaking a check, and `after`, which sees the
// suite when the program has run, breaks none either.
template <class Suite>
void ForAll(std::function<void(Suite&)> after = nullptr,
            PropertyOptions options = PropertyOptions()) {
  const bool suite_alone = after == nullptr;
  const ProgramTarget<Suite> target(std::move(after));
  if (ReplayedInstead(target, options.limits)) return;
  ReportToTest(CheckProperty(target, OptionsFromEnvironment(options), suite_alone));
}

// Fails the running test unless every probe whose name starts with `prefix` is reached by programs
// of `target`, drawn with one seed after the other until all are or `programs_max` have run. Names
// those that were not.
void ExpectProbesReached(const Target& target, const std::string& prefix, uint64_t programs_max);

}  // namespace tuplestone::kit

#endif  // TUPLESTONE_PROPERTIES_KIT_PROPERTY_H_
