// The smallest input that dies in the same way: tries simpler inputs, each in a child, and keeps
// those that die so too.
#ifndef TUPLESTONE_PROPERTIES_KIT_MINIMIZE_H_
#define TUPLESTONE_PROPERTIES_KIT_MINIMIZE_H_

#include <cstdint>
#include <functional>

#include "properties/kit/isolate.h"
#include "properties/kit/target.h"

namespace tuplestone::kit {

// Limits for trying simpler inputs than one that died by `death`: leaks are looked for only if they
// are the death, and a hang is believed after a quarter of a second of the processor.
IsolationLimits CandidateLimits(const Death& death, IsolationLimits limits);

struct MinimizeProgress {
  uint64_t candidates = 0;
  uint64_t accepted = 0;
};

struct Minimized {
  Input input;           // dies by `death`
  Outcome outcome;       // its run
  bool minimal = false;  // no candidate was left; false when stopped
  MinimizeProgress progress;
};

// Requires: `outcome` is how `input` ended, and it died. `go_on` is asked before each candidate;
// when it says no, the best so far is returned. Deterministic but for hangs and memory, which
// depend on the machine.
Minimized Minimize(const Target& target, const Input& input, const Outcome& outcome,
                   const IsolationLimits& limits,
                   const std::function<bool(const MinimizeProgress&)>& go_on);

}  // namespace tuplestone::kit

#endif  // TUPLESTONE_PROPERTIES_KIT_MINIMIZE_H_
