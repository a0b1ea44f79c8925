// `tuplestone lab aggregate`: what the entries of a hash table cost. The question of PostgreSQL's
// thread on TupleHashEntryData, asked again: a small query run many times, with one step of the
// thread after the other taken; then what an aggregation takes and spills by its limit.
#include <cstdio>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"
#include "fuzz/cli/lab.h"
#include "properties/hash/hash_timing.h"

namespace tuplestone::cli {
namespace {

using hash::AggregationOptions;
using hash::AggregationStats;
using properties::MedianOf;
using properties::TimedAggregation;

constexpr const char* kDetails =
    "  First the thread's query, select a, count(*) group by a over 1,000 rows of as many groups,\n"
    "  as queries a second: as PostgreSQL 10 to 17 does it, then with one step after the other,\n"
    "  beside the thread's own figures where it has some (its whole server, another machine). "
    "Then\n"
    "  --rows rows (default 4,000,000) over --groups groups (1,000,000) of int8, counted and "
    "summed,\n"
    "  with less and less memory: nanoseconds a row, bytes a group, bytes held at most, and what "
    "was\n"
    "  spilled.\n";

const Option kRows = {"--rows", "N", "rows of the second table"};
const Option kGroups = {"--groups", "N", "groups of the second table"};

struct Step {
  const char* name;
  const char* thread;  // the thread's queries a second
  AggregationOptions options;
  TimedAggregation::Input input = TimedAggregation::Input::kInt4Pair;
};

std::vector<Step> Steps() {
  std::vector<Step> steps;
  AggregationOptions options;
  options.table.layout = hash::Layout::kSeparate;
  options.table.copies_minimal = true;
  options.table.forms_elsewhere = true;
  options.one_by_one = true;
  options.walks_contexts = true;
  steps.push_back({"24-byte entries, walked check", "3654", options});
  options.table.layout = hash::Layout::kInFront;
  steps.push_back({"16 bytes, additional in front", "", options});
  options.table.copies_minimal = false;
  steps.push_back({"copy-free fetch", "3912", options});
  options.table.forms_elsewhere = false;
  steps.push_back({"formed in place", "", options});
  options.walks_contexts = false;
  steps.push_back({"constant-time memory check", "4049", options});
  options.table.layout = hash::Layout::kCompact;
  steps.push_back({"8-byte entries", "", options});
  options.one_by_one = false;
  steps.push_back({"batched", "", options});
  steps.push_back({"rows that are keys, as they are", "", options, TimedAggregation::Input::kInt4});
  return steps;
}

void PrintSteps(bool small) {
  constexpr size_t kQueryRows = 1000;
  const int rounds = small ? 3 : 201;
  const int queries = small ? 1 : 10;  // of a round
  const std::vector<Step> steps = Steps();
  std::vector<TimedAggregation> inputs;
  for (const Step& step : steps) {
    inputs.emplace_back(step.input, TimedAggregation::Query::kCount, kQueryRows, kQueryRows);
  }
  std::vector<std::vector<double>> times(steps.size());
  std::vector<AggregationStats> stats(steps.size());
  for (int round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < steps.size(); ++i) {
      double seconds = 0;
      for (int q = 0; q < queries; ++q) seconds += inputs[i].Run(steps[i].options, &stats[i]);
      times[i].push_back(seconds / queries);
    }
  }
  std::printf("1,000 rows, 1,000 groups, %d rounds of %d queries each\n\n", rounds, queries);
  std::printf("%-32s  %9s  %7s  %6s  %13s  %10s\n", "with", "queries/s", "ns a row", "gain",
              "bytes a group", "the thread");
  const double first = MedianOf(times[0]);
  for (size_t i = 0; i < steps.size(); ++i) {
    const double time = MedianOf(times[i]);
    std::printf("%-32s  %9.0f  %8.1f  %+5.1f%%  %13.1f  %10s\n", steps[i].name, 1 / time,
                time * 1e9 / kQueryRows, 100 * (first / time - 1), stats[i].group_bytes,
                steps[i].thread);
  }
}

void PrintLimits(size_t rows, size_t groups, int rounds) {
  TimedAggregation timed(TimedAggregation::Input::kInt8Pair, TimedAggregation::Query::kCountAndSum,
                         rows, groups);
  AggregationOptions options;
  options.limit_bytes = size_t{1} << 40;
  AggregationStats stats;
  timed.Run(options, &stats);
  const size_t whole = stats.held_peak;
  std::printf("\n%s rows, %s groups\n\n", absl::StrFormat("%d", rows).c_str(),
              absl::StrFormat("%d", groups).c_str());
  std::printf("%-10s  %12s  %8s  %13s  %12s  %10s  %10s  %6s  %6s\n", "limit", "bytes", "ns a row",
              "bytes a group", "held peak", "spilled", "partitions", "levels", "sorted");
  double in_memory = 0;
  for (const size_t part : {0, 2, 10, 100, 1000}) {
    options.limit_bytes = part == 0 ? size_t{1} << 40 : whole / part;
    std::vector<double> times;
    for (int round = 0; round < rounds; ++round) times.push_back(timed.Run(options, &stats));
    const double ns = MedianOf(times) * 1e9 / static_cast<double>(rows);
    if (part == 0) in_memory = ns;
    const std::string name = part == 0 ? "none" : absl::StrFormat("1/%d", part);
    std::printf("%-10s  %12s  %8.1f  %13.1f  %12d  %10d  %10d  %6d  %6d   %.2f of in memory\n",
                name.c_str(), part == 0 ? "" : absl::StrFormat("%d", stats.limit).c_str(), ns,
                stats.group_bytes, static_cast<int>(stats.held_peak),
                static_cast<int>(stats.rows_spilled), static_cast<int>(stats.partitions),
                static_cast<int>(stats.levels), static_cast<int>(stats.sorted), ns / in_memory);
  }
}

absl::StatusOr<int> RunAggregate(const Arguments& arguments) {
  const bool small = arguments.Has(kSmallOption.name);
  const auto rows = arguments.Number(kRows.name, 1, 1e8, small ? 4000 : 4e6);
  if (!rows.ok()) return rows.status();
  const auto groups = arguments.Number(kGroups.name, 1, 1e8, small ? 1000 : 1e6);
  if (!groups.ok()) return groups.status();
  PrintSteps(small);
  PrintLimits(static_cast<size_t>(*rows), static_cast<size_t>(*groups), small ? 1 : 5);
  return kDone;
}

}  // namespace

Experiment AggregateExperiment() {
  return {"aggregate",
          "hash aggregation: entries, copies, checks; and by the limit of memory.",
          kDetails,
          {kRows, kGroups},
          &RunAggregate};
}

}  // namespace tuplestone::cli
