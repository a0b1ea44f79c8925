// Running something in a child process, so that the parent lives to tell how it died.
//
// What makes this quick, because shrinking does it thousands of times:
//   several bodies share a child until one dies: only a death costs a fork;
//   the fork runs no handlers: AddressSanitizer's walks a table of a million stacks;
//   leaks are looked for only where a body did not free as many blocks as it allocated.
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
  std::string output;      // what the child wrote to standard error
  double cpu_seconds = 0;  // of the processor, for the whole child
};

struct IsolationLimits {
  double cpu_seconds = 10;   // a hang; time of the processor, so that a busy machine is none
  double wall_seconds = 60;  // stands behind it, for a child that sleeps
  size_t resident_bytes = size_t{1} << 30;  // beyond what the parent held at the fork
  size_t output_bytes = size_t{1} << 20;    // of standard error that is kept
  bool leaks = true;                        // look for leaks at the end of each body
};

// Forks; the child runs `body`, adds its probe hits to the parent's and leaves by _exit. The
// child's standard error is caught, its standard output closed. An exception that leaves `body` is
// an abort. The calling process must be single-threaded.
Outcome Isolate(const std::function<void()>& body, const IsolationLimits& limits);

// The same for body(0), body(1) ... body(count - 1) in one child, which the first death ends; the
// trace's case_index says whose it is. The limits are of each body. What one body leaves behind the
// next one sees.
Outcome IsolateEach(size_t count, const std::function<void(size_t)>& body,
                    const IsolationLimits& limits);

// In a child that runs several programs: `seconds` of the processor from now on, then a hang (by
// SIGPROF). 0: no limit.
void RestartCpuLimit(double seconds);

}  // namespace tuplestone::kit

#endif  // TUPLESTONE_PROPERTIES_KIT_ISOLATE_H_
