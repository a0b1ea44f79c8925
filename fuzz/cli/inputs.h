// Files as inputs of targets.
//
// Whose input a file is: what --target says; else, of .ops and .hex files, their first word (`bytes
// NAME` for a listing); else the nearest folder above whose name is a target; else the first word
// again. A .hex file, and a .ops file of a program target, must be text to its end; all others are
// what the target's fuzzer takes them for.
#ifndef TUPLESTONE_FUZZ_CLI_INPUTS_H_
#define TUPLESTONE_FUZZ_CLI_INPUTS_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "fuzz/cli/arguments.h"
#include "properties/kit/target.h"

namespace tuplestone::cli {

extern const Option kTargetOption;

struct LoadedInput {
  std::string path;
  const kit::Target* target;
  kit::Input bytes;  // as the file has them
};

// Errors name the file and what is wrong with it.
absl::StatusOr<LoadedInput> LoadInput(const std::string& path, const Arguments& arguments);

// What --target names; null where it is not given.
absl::StatusOr<const kit::Target*> GivenTarget(const Arguments& arguments);

// `path` with what it says of its form (.ops, .hex) replaced by `ending`; a folder stays.
std::string WithEnding(const std::string& path, absl::string_view ending);

// The ending of the target's text: ".ops", or ".hex" for a listing.
const char* TextEnding(const kit::Target& target);

// True when both name one file, which a command that reads the one may not write.
bool SameFile(const std::string& a, const std::string& b);

}  // namespace tuplestone::cli

#endif  // TUPLESTONE_FUZZ_CLI_INPUTS_H_
