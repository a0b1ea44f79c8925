// Inputs run so that what a suite shows of itself comes back from the child.
#ifndef TUPLESTONE_FUZZ_CLI_SHOWN_H_
#define TUPLESTONE_FUZZ_CLI_SHOWN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "fuzz/cli/inputs.h"
#include "properties/kit/isolate.h"
#include "properties/kit/target.h"

namespace tuplestone::cli {

struct Shown {
  kit::Outcome outcome;
  std::vector<kit::States> states;  // before the operation, and when it died thereafter
};

// Runs `input` in a child that shows itself before `operation`.
Shown RunShown(const LoadedInput& input, uint32_t operation, const kit::IsolationLimits& limits);

// Sixteen hexadecimal digits of what an input did: which products its picks hit, which rare states
// it reached, what model and subject showed at the end. The same in every build and every run.
std::string TraceOf(const Shown& shown);

}  // namespace tuplestone::cli

#endif  // TUPLESTONE_FUZZ_CLI_SHOWN_H_
