// How fast tables are, against others on the same keys, and what spilling costs. A row's columns
// are nanoseconds a lookup or a group, measured in turns within the row, and ratios.
//
//   lookup/int8/hits/1000     single, batched, flat (absl::flat_hash_map), unordered
//                             (std::unordered_map); of_flat and batched_of_flat; bytes a group
//   lookup/text/...           the same with texts of 20 bytes
//   build                     nanoseconds a group from nothing
//   aggregate/...             count and sum over int8 pairs: nanoseconds a row in memory, with a
//                             tenth of what that held, and their ratio
//
// To run: cmake --preset bench && cmake --build build/bench --target hash_bench, then
//
//   build/bench/properties/hash_bench
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "properties/hash/hash_timing.h"

namespace tuplestone::properties {
namespace {

bool IsSmall() { return std::getenv("TUPLESTONE_BENCH_SMALL") != nullptr; }

void Lookup(benchmark::State& state, TimedKeys keys, size_t groups, bool hits) {
  LookupTimes times;
  for (auto unused : state) times = TimeLookups(keys, groups, hits, IsSmall() ? 1 : 11);
  state.counters["single"] = times.single;
  state.counters["batched"] = times.batched;
  state.counters["flat"] = times.flat;
  state.counters["unordered"] = times.unordered;
  state.counters["of_flat"] = times.single / times.flat;
  state.counters["batched_of_flat"] = times.batched / times.flat;
  state.counters["build"] = times.build;
  state.counters["build_flat"] = times.build_flat;
  state.counters["bytes"] = times.group_bytes;
}

void Aggregate(benchmark::State& state, size_t rows, size_t groups) {
  TimedAggregation timed(TimedAggregation::Input::kInt8Pair, TimedAggregation::Query::kCountAndSum,
                         rows, groups);
  hash::AggregationOptions roomy;
  roomy.limit_bytes = size_t{4} << 30;
  hash::AggregationStats in_memory;
  hash::AggregationStats spilled;
  std::vector<double> roomy_times;
  std::vector<double> tight_times;
  for (auto unused : state) {
    for (int round = 0; round < (IsSmall() ? 1 : 5); ++round) {
      roomy_times.push_back(timed.Run(roomy, &in_memory));
      hash::AggregationOptions tight;
      tight.limit_bytes = in_memory.held_peak / 10;
      tight_times.push_back(timed.Run(tight, &spilled));
    }
  }
  const double scale = 1e9 / static_cast<double>(rows);
  state.counters["in_memory"] = MedianOf(roomy_times) * scale;
  state.counters["spilling"] = MedianOf(tight_times) * scale;
  state.counters["ratio"] = MedianOf(tight_times) / MedianOf(roomy_times);
  state.counters["rows_spilled"] = static_cast<double>(spilled.rows_spilled);
  state.counters["levels"] = static_cast<double>(spilled.levels);
}

void RegisterAll() {
  const std::vector<size_t> sizes = IsSmall()
                                        ? std::vector<size_t>{1000}
                                        : std::vector<size_t>{1000, 100'000, 1'000'000, 10'000'000};
  for (const auto& [name, keys] :
       {std::pair("int8", TimedKeys::kInt8), std::pair("text", TimedKeys::kText)}) {
    for (const bool hits : {true, false}) {
      for (const size_t groups : sizes) {
        if (keys == TimedKeys::kText && groups > 1'000'000) continue;
        const std::string row = absl::StrCat("lookup/", name, hits ? "/hits/" : "/misses/", groups);
        benchmark::RegisterBenchmark(row.c_str(), [=](benchmark::State& state) {
          Lookup(state, keys, groups, hits);
        })->Iterations(1);
      }
    }
  }
  for (const size_t groups : sizes) {
    if (groups > 1'000'000) continue;
    const size_t rows = std::max<size_t>(groups, IsSmall() ? 2000 : 4'000'000);
    benchmark::RegisterBenchmark(absl::StrCat("aggregate/", rows, "/", groups).c_str(),
                                 [=](benchmark::State& state) { Aggregate(state, rows, groups); })
        ->Iterations(1);
  }
}

}  // namespace
}  // namespace tuplestone::properties

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  tuplestone::properties::RegisterAll();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
