// `tuplestone lab`: the experiments behind the engine's design, as tables. One file an experiment.
#ifndef TUPLESTONE_FUZZ_CLI_LAB_H_
#define TUPLESTONE_FUZZ_CLI_LAB_H_

#include <vector>

#include "absl/status/statusor.h"
#include "fuzz/cli/arguments.h"

namespace tuplestone::cli {

// Every experiment takes it: the same table from little input, within seconds.
extern const Option kSmallOption;

struct Experiment {
  const char* name;
  const char* summary;          // one line
  const char* details;          // what is done, and what the columns are
  std::vector<Option> options;  // its own; a name that two experiments use means the same in both
  // Prints the table to standard output.
  absl::StatusOr<int> (*run)(const Arguments&);
};

Experiment AggregateExperiment();
Experiment CompactExperiment();
Experiment RunsExperiment();
Experiment SortExperiment();

}  // namespace tuplestone::cli

#endif  // TUPLESTONE_FUZZ_CLI_LAB_H_
