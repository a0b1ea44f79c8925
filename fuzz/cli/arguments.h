// What a command of `tuplestone` is, and how its words are read.
//
//   tuplestone shrink FILE [--seconds N]        Command: name, operands, options, help
//   `--name value`, `--name=value`, `--switch`; `--` ends the options
//
// Abseil's flags are not used: they are global, know no commands, and end a wrong usage with the
// status of a death.
#ifndef TUPLESTONE_FUZZ_CLI_ARGUMENTS_H_
#define TUPLESTONE_FUZZ_CLI_ARGUMENTS_H_

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace tuplestone::cli {

// Exit statuses of every command.
inline constexpr int kDone = 0;
inline constexpr int kSaysNo = 1;    // replay: an input died; shrink: it does not die; keep: taken
inline constexpr int kBadUsage = 2;  // wrong words, or a file that cannot be read or written

struct Option {
  const char* name;   // with its dashes
  const char* value;  // what it takes, in a word; null for a switch
  const char* help;
};

// The words after the command's name.
class Arguments {
 public:
  bool Has(const std::string& option) const { return options_.count(option) != 0; }
  std::optional<std::string> Text(const std::string& option) const;
  // The option as a number from `low` to `high`, `otherwise` where it is not given.
  absl::StatusOr<double> Number(const std::string& option, double low, double high,
                                double otherwise) const;
  const std::vector<std::string>& operands() const { return operands_; }

 private:
  friend struct Command;
  std::map<std::string, std::string> options_;
  std::vector<std::string> operands_;
};

struct Command {
  const char* name;
  const char* operands;  // as usage shows them
  const char* summary;   // one line
  const char* details;   // what it does, statuses, examples
  std::vector<Option> options;
  size_t operands_min;
  size_t operands_max;
  // The exit status, or what was wrong with words or files.
  absl::StatusOr<int> (*run)(const Arguments&);

  absl::StatusOr<Arguments> Read(const std::vector<std::string>& words) const;
  std::string Usage() const;
  std::string Help() const;
};

}  // namespace tuplestone::cli

#endif  // TUPLESTONE_FUZZ_CLI_ARGUMENTS_H_
