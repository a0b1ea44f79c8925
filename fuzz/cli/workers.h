// The same work for many items, in several child processes at once.
//
//   parent   done(0) done(1) done(2) ...                 in order, as soon as they can be told
//   workers  work(0) work(2) ... | work(1) work(3) ...   whoever is free takes the next
//
// A worker may fork children that run programs: it has a journal of its own.
#ifndef TUPLESTONE_FUZZ_CLI_WORKERS_H_
#define TUPLESTONE_FUZZ_CLI_WORKERS_H_

#include <cstddef>
#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "fuzz/cli/arguments.h"

namespace tuplestone::cli {

extern const Option kJobsOption;

// --jobs, or as many as the machine has cores.
absl::StatusOr<int> JobsOf(const Arguments& arguments);

// Whether InWorkers takes any: one item or one job is done in this process.
inline bool TakesWorkers(size_t count, int jobs) { return count > 1 && jobs > 1; }

// Calls work(i) for each i < count in a worker, and done(i, its result) here. Of a worker that was
// killed, the item it had gives "".
void InWorkers(size_t count, int jobs, const std::function<std::string(size_t)>& work,
               const std::function<void(size_t, const std::string&)>& done);

}  // namespace tuplestone::cli

#endif  // TUPLESTONE_FUZZ_CLI_WORKERS_H_
