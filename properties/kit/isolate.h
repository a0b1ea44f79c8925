// Running something in a child process, so that the parent lives to tell how it died.
#ifndef TUPLESTONE_PROPERTIES_KIT_ISOLATE_H_
#define TUPLESTONE_PROPERTIES_KIT_ISOLATE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "properties/kit/journal.h"

namespace tuplestone::kit {

struct Death {
  DeathKind kind = DeathKind::kNone;
  std::string signature;

  bool happened() const { return kind != DeathKind::kNone; }
  // The same bug, as far as one can tell: kind, and where or which check. Shrinking keeps this.
  friend bool operator==(const Death& a, const Death& b) = default;
  std::string ToString() const;
};

// What a run left in the journal: where it was, and what shrinking needs to know of it.
struct RunTrace {
  uint32_t operation = kBeforeOperations;
  uint32_t case_index = 0;
  std::vector<std::vector<uint32_t>> births_before;  // [operation][population]
  std::vector<std::vector<uint16_t>> picks;          // [operation][pick in field order]
};

struct Outcome {
  Death death;
  RunTrace trace;
  std::string output;  // what the child wrote to standard error
};

struct IsolationLimits {
  double cpu_seconds = 10;   // a hang; time of the processor, so that a busy machine is none
  double wall_seconds = 60;  // stands behind it, for a child that sleeps
  size_t resident_bytes = size_t{2} << 30;
  size_t output_bytes = size_t{1} << 20;  // of standard error that is kept
  bool leaks = true;  // look for leaks at the end (about 10 ms with a sanitizer)
};

// Forks; the child runs `body`, adds its probe hits to the parent's and leaves by _exit. The
// child's standard error is caught, its standard output closed. The calling process must be
// single-threaded.
Outcome Isolate(const std::function<void()>& body, const IsolationLimits& limits);

// In a child that runs several programs: `seconds` of the processor from now on, then a hang (by
// SIGPROF).
void RestartCpuLimit(double seconds);

}  // namespace tuplestone::kit

#endif  // TUPLESTONE_PROPERTIES_KIT_ISOLATE_H_
