// `tuplestone lab runs`: how many runs and passes a sort takes, by width, layout and memory,
// without sorting anything. The arithmetic of PostgreSQL's thread on Generation contexts in sorts,
// from 4 MB doubling to 16 GB as it was measured there.
#include <cstdint>
#include <cstdio>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "fuzz/cli/lab.h"
#include "fuzz/cli/lab_sizes.h"
#include "properties/sort/sort_model.h"

namespace tuplestone::cli {
namespace {

using properties::SortForecast;
using properties::SortSettings;

constexpr const char* kDetails =
    "  For each width of tuple, memory and layout: how many tuples the first run and each later "
    "one\n"
    "  hold, how many runs that makes, how many can be merged at once, how many passes over all "
    "data\n"
    "  are written before the last merge, and the bytes written. `*` marks where runs pass the "
    "merge\n"
    "  order: a little less memory a tuple would save a whole pass.\n";

constexpr sort::Layout kLayouts[] = {sort::Layout::kAllocSet, sort::Layout::kGeneration,
                                     sort::Layout::kCompact};

void PrintCase(uint64_t rows, uint64_t width, uint64_t work_mem, sort::Layout layout) {
  SortSettings settings;
  settings.budget_bytes = work_mem;
  settings.layout = layout;
  const SortForecast forecast = properties::ForecastSort(settings, rows, width);
  std::printf("%5d  %8s  %-10s  %11d  %11d  %7d  %5d%s  %6d  %9.2f\n", static_cast<int>(width),
              ShowSize(work_mem).c_str(), sort::LayoutName(layout),
              static_cast<int>(forecast.first_run), static_cast<int>(forecast.later_run),
              static_cast<int>(forecast.runs), static_cast<int>(forecast.order),
              forecast.runs > forecast.order ? "*" : " ", static_cast<int>(forecast.merges.passes),
              static_cast<double>(forecast.merges.bytes) / 1e9);
}

absl::StatusOr<int> RunRuns(const Arguments& arguments) {
  const bool small = arguments.Has(kSmallOption.name);
  const absl::StatusOr<double> rows =
      arguments.Number(kRowsOption.name, 1, 2e9, small ? 1'000'000 : kThreadRows);
  if (!rows.ok()) return rows.status();
  const absl::StatusOr<SizeRange> memory = ReadSizes(
      arguments, "--work-mem",
      {small ? size_t{4} << 20 : size_t{4} << 20, small ? size_t{16} << 20 : size_t{16} << 30});
  if (!memory.ok()) return memory.status();
  const absl::StatusOr<SizeRange> widths = ReadSizes(arguments, "--widths", {64, 72});
  if (!widths.ok()) return widths.status();
  if (memory->low < kBudgetMin || memory->high > kBudgetMax) {
    return absl::InvalidArgumentError("--work-mem takes 64kB to 1TB");
  }
  if (widths->low < 24 || widths->high > (1 << 20)) {
    return absl::InvalidArgumentError("--widths takes 24 to 1MB");
  }
  std::printf("%d rows\n\n", static_cast<int>(*rows));
  std::printf("%5s  %8s  %-10s  %11s  %11s  %7s  %5s   %6s  %9s\n", "width", "work_mem", "layout",
              "first run", "later runs", "runs", "order", "passes", "GB written");
  for (size_t width = widths->low; width <= widths->high; width += 8) {
    for (size_t bytes = memory->low; bytes <= memory->high; bytes *= 2) {
      for (sort::Layout layout : kLayouts) {
        PrintCase(static_cast<uint64_t>(*rows), width, bytes, layout);
      }
    }
  }
  return kDone;
}

}  // namespace

Experiment RunsExperiment() {
  return {"runs",
          "runs and passes of a sort, by width, memory and layout, from arithmetic alone.",
          kDetails,
          {kRowsOption, kWorkMemOption, {"--widths", "A-B", "bytes of a tuple, in steps of 8"}},
          &RunRuns};
}

}  // namespace tuplestone::cli
