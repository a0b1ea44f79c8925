// The targets by name.
#ifndef TUPLESTONE_FUZZ_CLI_TARGETS_H_
#define TUPLESTONE_FUZZ_CLI_TARGETS_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "properties/kit/target.h"

namespace tuplestone::cli {

// In a fixed order. They live as long as the process.
const std::vector<std::unique_ptr<kit::Target>>& AllTargets();

// Null when there is none.
const kit::Target* FindTarget(absl::string_view name);

// "canary, page_program, ..."
std::string TargetNames();

}  // namespace tuplestone::cli

#endif  // TUPLESTONE_FUZZ_CLI_TARGETS_H_
