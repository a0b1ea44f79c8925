// How fast tuples are sorted, against what else sorts. Ratios are of runs of one process, in turns;
// the least of the rounds counts, since what disturbs only slows.
//
//   memory/ORDER/rows:N      put, sort and fetch in memory; `of_sort` is the sort phase, `of_all`
//                            all three, over std::sort of as many (key, pointer) pairs
//   tapes/ORDER/rows:N/mb:M  the same in M MB, tapes in a file; `of_memory` over the whole in
//   memory lines/rows:N             text lines from file to file, 64 MB, over `sort --parallel=1 -S
//   64M`
//
// Tuples are six int8 columns, 64 bytes. To run:
//   cmake --preset bench && cmake --build build/bench --target sort_bench
//   build/bench/properties/sort_bench
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/block_store.h"
#include "properties/sort/sort_timing.h"

namespace tuplestone::properties {
namespace {

bool IsSmall() { return std::getenv("TUPLESTONE_BENCH_SMALL") != nullptr; }
constexpr size_t kInMemory = size_t{4} << 30;

double Now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The shortest times of a sort, phase by phase.
struct Shortest {
  SortTimes times;
  bool any = false;

  void Run(const TimedSort& sort) {
    const absl::StatusOr<SortTimes> run = RunTimedSort(sort);
    if (!run.ok()) {
      std::fprintf(stderr, "sort_bench: %s\n", run.status().ToString().c_str());
      std::exit(2);
    }
    if (!any || run->total() < times.total()) times = *run;
    any = true;
  }
};

TimedSort Sort(InputOrder order, uint64_t rows, size_t budget_bytes, bool on_files) {
  TimedSort sort;
  sort.rows = rows;
  sort.order = order;
  sort.budget_bytes = budget_bytes;
  sort.on_files = on_files;
  return sort;
}

double PairsSeconds(InputOrder order, uint64_t rows) {
  std::vector<std::pair<int64_t, const void*>> pairs(rows);
  for (uint64_t i = 0; i < rows; ++i) pairs[i] = {KeyOfRow(order, i, rows), &pairs[i]};
  const double begin = Now();
  std::sort(pairs.begin(), pairs.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  const double end = Now();
  benchmark::DoNotOptimize(pairs.data());
  return end - begin;
}

double KeysSeconds(InputOrder order, uint64_t rows) {
  int64_t sum = 0;
  const double begin = Now();
  for (uint64_t i = 0; i < rows; ++i) sum += KeyOfRow(order, i, rows);
  benchmark::DoNotOptimize(sum);
  return Now() - begin;
}

void Memory(benchmark::State& state, InputOrder order, uint64_t rows) {
  Shortest ours;
  double pairs = 1e9;
  double keys = 1e9;
  for (auto unused : state) {
    ours.Run(Sort(order, rows, kInMemory, false));
    pairs = std::min(pairs, PairsSeconds(order, rows));
    keys = std::min(keys, KeysSeconds(order, rows));
  }
  // Making the keys is no work of the sort.
  state.counters["put"] = ours.times.put_seconds - keys;
  state.counters["sort"] = ours.times.sort_seconds;
  state.counters["fetch"] = ours.times.fetch_seconds;
  state.counters["pairs"] = pairs;
  state.counters["of_sort"] = ours.times.sort_seconds / pairs;
  state.counters["of_all"] = (ours.times.total() - keys) / pairs;
}

void Tapes(benchmark::State& state, InputOrder order, uint64_t rows, size_t megabytes) {
  Shortest ours;
  Shortest memory;
  double keys = 1e9;
  for (auto unused : state) {
    ours.Run(Sort(order, rows, megabytes << 20, true));
    memory.Run(Sort(order, rows, kInMemory, false));
    keys = std::min(keys, KeysSeconds(order, rows));
  }
  const double all = ours.times.total() - keys;
  state.counters["put"] = ours.times.put_seconds - keys;
  state.counters["sort"] = ours.times.sort_seconds;
  state.counters["fetch"] = ours.times.fetch_seconds;
  state.counters["ns_row"] = all / static_cast<double>(rows) * 1e9;
  state.counters["runs"] = static_cast<double>(ours.times.stats.runs);
  state.counters["passes"] = static_cast<double>(ours.times.stats.passes);
  state.counters["of_memory"] = all / (memory.times.total() - keys);
}

// A file of lines of 12 to 60 bytes.
void WriteLines(const std::string& path, uint64_t rows) {
  std::ofstream file(path);
  uint64_t state = 0x6c696e65;
  for (uint64_t i = 0; i < rows; ++i) {
    state = state * 6364136223846793005 + 1442695040888963407;
    std::string line = absl::StrCat(absl::Hex(state >> 16, absl::kZeroPad12));
    line.append((state >> 40) % 48, static_cast<char>('a' + i % 26));
    file << line << '\n';
  }
}

double OurLinesSeconds(const std::string& in, const std::string& out) {
  const double begin = Now();
  const tuple::Schema schema = *tuple::Schema::Make({tuple::Type::kText});
  auto store = FileBlockStore::Create(8192);
  sort::Options options;
  options.budget_bytes = size_t{64} << 20;
  sort::Sorter sorter(*tuple::Order::Make(schema, {tuple::SortKey{}}), **store, options);
  std::vector<char> buffer(1 << 20);
  std::FILE* file = std::fopen(in.c_str(), "r");
  std::setvbuf(file, buffer.data(), _IOFBF, buffer.size());
  char* line = nullptr;
  size_t room = 0;
  for (ssize_t n = getline(&line, &room, file); n > 0; n = getline(&line, &room, file)) {
    const absl::string_view text(line, static_cast<size_t>(n) - (line[n - 1] == '\n' ? 1 : 0));
    if (!sorter.Put({tuple::Value::Text(text)}).ok()) std::exit(2);
  }
  std::free(line);
  std::fclose(file);
  if (!sorter.Sort().ok()) std::exit(2);
  file = std::fopen(out.c_str(), "w");
  std::setvbuf(file, buffer.data(), _IOFBF, buffer.size());
  for (;;) {
    const absl::StatusOr<tuple::Tuple> tuple = sorter.Next();
    if (!tuple.ok()) std::exit(2);
    if (!*tuple) break;
    const Bytes text = tuple::Column(schema, *tuple, 0).AsBytes();
    std::fwrite(text.data(), 1, text.size(), file);
    std::fputc('\n', file);
  }
  std::fclose(file);
  return Now() - begin;
}

double Shell(const std::string& command) {
  const double begin = Now();
  if (std::system(command.c_str()) != 0) return -1;
  return Now() - begin;
}

void Lines(benchmark::State& state, uint64_t rows) {
  const char* folder = std::getenv("TMPDIR");
  const std::string base =
      absl::StrCat(folder == nullptr ? "/tmp" : folder, "/sort_bench.", getpid());
  WriteLines(base, rows);
  double ours = 1e9;
  double gnu = 1e9;
  for (auto unused : state) {
    ours = std::min(ours, OurLinesSeconds(base, base + ".ours"));
    gnu = std::min(
        gnu, Shell(absl::StrCat("LC_ALL=C sort --parallel=1 -S 64M ", base, " -o ", base, ".gnu")));
  }
  if (Shell(absl::StrCat("cmp -s ", base, ".ours ", base, ".gnu")) < 0) {
    state.SkipWithError("GNU sort gives something else");
  }
  for (const char* suffix : {"", ".ours", ".gnu"}) std::remove((base + suffix).c_str());
  state.counters["seconds"] = ours;
  state.counters["gnu"] = gnu;
  state.counters["of_gnu"] = ours / gnu;
}

template <class Function>
void Register(const std::string& name, Function function) {
  benchmark::RegisterBenchmark(name.c_str(), function)
      ->Iterations(IsSmall() ? 1 : 3)
      ->Unit(benchmark::kMillisecond);
}

void RegisterAll() {
  const std::vector<uint64_t> sizes =
      IsSmall() ? std::vector<uint64_t>{20'000} : std::vector<uint64_t>{1'000'000, 10'000'000};
  for (uint64_t rows : sizes) {
    for (InputOrder order :
         {InputOrder::kRandom, InputOrder::kAscending, InputOrder::kDescending}) {
      const std::string rest = absl::StrCat(NameOf(order), "/rows:", rows);
      Register("memory/" + rest, [=](benchmark::State& s) { Memory(s, order, rows); });
      for (size_t megabytes : {64, 4}) {
        Register(absl::StrCat("tapes/", rest, "/mb:", megabytes),
                 [=](benchmark::State& s) { Tapes(s, order, rows, megabytes); });
      }
    }
    Register(absl::StrCat("lines/rows:", rows), [=](benchmark::State& s) { Lines(s, rows); });
  }
}

}  // namespace
}  // namespace tuplestone::properties

int main(int argc, char** argv) {
  tuplestone::properties::RegisterAll();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
