// `tuplestone lab sort`: the sort of PostgreSQL's thread on Generation contexts in sorts, really
// run: 140,247,142 rows of six int8 columns, ten gigabytes, in 64 MB.
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "fuzz/cli/lab.h"
#include "fuzz/cli/lab_sizes.h"
#include "fuzz/cli/report.h"
#include "properties/sort/sort_timing.h"

namespace tuplestone::cli {
namespace {

using properties::InputOrder;
using properties::SortTimes;
using properties::TimedSort;

constexpr const char* kDetails =
    "  Rows of int8 columns are put into the sorter, sorted and fetched; tapes lie in an unnamed\n"
    "  file in TMPDIR, which takes about the size of the data. The output is checked. Columns:\n"
    "  seconds of put (with the runs written meanwhile), sort (the last run, passes) and fetch "
    "(with\n"
    "  the last merge); runs, merge order, passes before the last merge, gigabytes written in "
    "blocks;\n"
    "  the peaks of what the budget was charged and of what was really held, in megabytes.\n";

absl::StatusOr<std::vector<sort::Layout>> ReadLayouts(const Arguments& arguments) {
  const std::string text = arguments.Text("--layout").value_or("all");
  std::vector<sort::Layout> layouts;
  for (sort::Layout layout :
       {sort::Layout::kAllocSet, sort::Layout::kGeneration, sort::Layout::kCompact}) {
    if (text == "all" || text == sort::LayoutName(layout)) layouts.push_back(layout);
  }
  if (layouts.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--layout takes compact, alloc_set, generation or all, not '", text, "'"));
  }
  return layouts;
}

absl::StatusOr<InputOrder> ReadOrder(const Arguments& arguments) {
  const std::string text = arguments.Text("--order").value_or("ascending");
  for (InputOrder order : {InputOrder::kRandom, InputOrder::kAscending, InputOrder::kDescending}) {
    if (text == properties::NameOf(order)) return order;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("--order takes ascending, descending or random, not '", text, "'"));
}

void PrintRow(const SortTimes& times, sort::Layout layout) {
  const sort::SortStats& stats = times.stats;
  std::printf("%-10s  %7.1f  %7.1f  %7.1f  %7.1f  %6d  %5d  %6d  %9.2f  %10.1f  %7.1f\n",
              sort::LayoutName(layout), times.put_seconds, times.sort_seconds, times.fetch_seconds,
              times.total(), static_cast<int>(stats.runs), static_cast<int>(stats.order),
              static_cast<int>(stats.passes),
              static_cast<double>(stats.blocks_written) * 8192 / 1e9,
              static_cast<double>(stats.charged_peak) / (1 << 20),
              static_cast<double>(stats.held_peak) / (1 << 20));
  std::fflush(stdout);
}

absl::StatusOr<int> RunSort(const Arguments& arguments) {
  const bool small = arguments.Has(kSmallOption.name);
  const auto rows = arguments.Number(kRowsOption.name, 1, 2e9, small ? 100'000 : kThreadRows);
  if (!rows.ok()) return rows.status();
  const auto columns = arguments.Number("--columns", 1, 100, 6);
  if (!columns.ok()) return columns.status();
  const size_t usual = small ? size_t{1} << 20 : size_t{64} << 20;
  const auto memory = ReadSizes(arguments, "--work-mem", {usual, usual});
  if (!memory.ok()) return memory.status();
  if (memory->low != memory->high || memory->low < kBudgetMin || memory->high > kBudgetMax) {
    return absl::InvalidArgumentError("--work-mem takes one size, 64kB to 1TB");
  }
  const auto layouts = ReadLayouts(arguments);
  if (!layouts.ok()) return layouts.status();
  const auto order = ReadOrder(arguments);
  if (!order.ok()) return order.status();

  TimedSort sort;
  sort.rows = static_cast<uint64_t>(*rows);
  sort.columns = static_cast<int>(*columns);
  sort.order = *order;
  sort.budget_bytes = memory->low;
  sort.on_files = true;
  std::printf("%d rows of %d int8 columns, %s, %s\n\n", static_cast<int>(sort.rows), sort.columns,
              properties::NameOf(sort.order), ShowSize(sort.budget_bytes).c_str());
  std::printf("%-10s  %7s  %7s  %7s  %7s  %6s  %5s  %6s  %9s  %10s  %7s\n", "layout", "put s",
              "sort s", "fetch s", "total s", "runs", "order", "passes", "GB out", "charged MB",
              "held MB");
  Progress progress;
  uint64_t polls = 0;
  sort.progress = [&](const tuplestone::sort::Progress& now) {
    if (++polls % 64 == 0) {
      progress.Show(absl::StrFormat("%s: %d runs, %d tuples in runs, %d passes",
                                    tuplestone::sort::PhaseName(now.phase), now.runs, now.tuples,
                                    now.passes));
    }
    return true;
  };
  for (tuplestone::sort::Layout layout : *layouts) {
    sort.layout = layout;
    const absl::StatusOr<SortTimes> times = properties::RunTimedSort(sort);
    progress.Clear();
    if (!times.ok()) return times.status();
    PrintRow(*times, layout);
  }
  return kDone;
}

}  // namespace

Experiment SortExperiment() {
  return {"sort",
          "the thread's ten gigabytes, sorted in each layout.",
          kDetails,
          {kRowsOption,
           kWorkMemOption,
           {"--columns", "N", "int8 columns (6)"},
           {"--order", "ORDER", "ascending, descending or random (ascending)"},
           {"--layout", "LAYOUT", "compact, alloc_set, generation or all (all)"}},
          &RunSort};
}

}  // namespace tuplestone::cli
