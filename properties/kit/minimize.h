// The smallest input that dies in the same way: tries simpler inputs, each in a child, and keeps
// those that die so too.
#ifndef TUPLESTONE_PROPERTIES_KIT_MINIMIZE_H_
#define TUPLESTONE_PROPERTIES_KIT_MINIMIZE_H_

#include <cstddef>
#include <cstdint>
#include <functional>

#include "properties/kit/isolate.h"
#include "properties/kit/target.h"

namespace tuplestone::kit {

// Limits for trying simpler inputs than one that ended so: leaks are looked for only if they are
// the death, a hang is believed after a quarter of a second of the processor and a want of memory
// at 256 MB, and nobody gets much more of the processor than the input itself took.
IsolationLimits CandidateLimits(const Outcome& outcome, IsolationLimits limits);

// Runs the simpler inputs of one input, several in a child: those that hold cost no fork. A death
// that is looked for counts only if the input dies so alone (unless it is one that takes long).
class Attempts {
 public:
  // `limits` are CandidateLimits. Requires: `target` outlives this.
  Attempts(const Target& target, SimplerInputs simpler, const Death& wanted,
           const IsolationLimits& limits);

  size_t count() const { return simpler_.count; }
  Input at(size_t i) const { return simpler_.at(i); }

  // How input i ends. Quick when they are tried in order. Requires: i < count().
  Outcome Try(size_t i);

 private:
  void RunFrom(size_t first);

  const Target& target_;
  const SimplerInputs simpler_;
  const Death wanted_;
  const IsolationLimits limits_;
  size_t held_first_ = 0;  // those from here
  size_t held_end_ = 0;    // to here held, and this one died as follows, unless that is no death
  Outcome died_;
};

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
