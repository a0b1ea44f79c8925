// `tuplestone lab compact`: must compaction sort? The question of PostgreSQL's thread on
// compactify_tuples, asked again: tuples in the order of their line pointers or not, narrow and
// wide, by each way of compacting.
#include <cstdio>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"
#include "fuzz/cli/lab.h"
#include "properties/page/page_timing.h"

namespace tuplestone::cli {
namespace {

using properties::PhysicalOrder;
using properties::RepairTimes;

constexpr const char* kDetails =
    "  Heap pages full of tuples of 32 bytes (narrow) or 128 (wide), of which a tenth, half or "
    "nine\n"
    "  tenths have died, are repaired. Columns are nanoseconds a page, in the median of many "
    "rounds\n"
    "  over 256 different pages: the engine, without and with the check of the page before; sort "
    "by\n"
    "  offset and move one by one, as PostgreSQL did up to version 13; the order-aware way of\n"
    "  version 14 and later; one memcpy of the bytes that live, which nothing can beat.\n";

absl::StatusOr<int> RunCompact(const Arguments& arguments) {
  const bool small = arguments.Has(kSmallOption.name);
  const size_t page_count = small ? 16 : 256;
  const int round_count = small ? 3 : 101;
  std::printf("%s\n\n%d different pages in turn; nanoseconds a page, and the engine's share\n\n",
              properties::DescribeMachine().c_str(), static_cast<int>(page_count));
  std::printf("%-6s  %-8s  %5s  %7s  %7s  %14s  %12s  %7s  %8s  %8s\n", "tuples", "order", "dead",
              "engine", "+ Adopt", "sort and move", "order-aware", "memcpy", "of sort", "of aware");
  for (const auto& [name, bytes] : {std::pair("narrow", 32), std::pair("wide", 128)}) {
    for (PhysicalOrder order :
         {PhysicalOrder::kOrdered, PhysicalOrder::kReversed, PhysicalOrder::kShuffled}) {
      for (int dead : {10, 50, 90}) {
        const std::vector<properties::PageBytes> pages =
            properties::SyntheticPages(page_count, static_cast<size_t>(bytes), order, dead);
        RepairTimes times(pages);
        for (int round = 0; round < round_count; ++round) times.RunRound();
        std::printf("%-6s  %-8s  %4d%%  %7.0f  %7.0f  %14.0f  %12.0f  %7.0f  %8.2f  %8.2f\n", name,
                    properties::NameOf(order), dead, times.Nanoseconds(RepairTimes::kEngine),
                    times.Nanoseconds(RepairTimes::kEngineAdopting),
                    times.Nanoseconds(RepairTimes::kSortAndMove),
                    times.Nanoseconds(RepairTimes::kOrderAware),
                    times.Nanoseconds(RepairTimes::kFloor),
                    times.Ratio(RepairTimes::kEngine, RepairTimes::kSortAndMove),
                    times.Ratio(RepairTimes::kEngine, RepairTimes::kOrderAware));
      }
    }
  }
  return kDone;
}

}  // namespace

Experiment CompactExperiment() {
  return {"compact",
          "compaction with and without sorting, by width, order and dead.",
          kDetails,
          {},
          &RunCompact};
}

}  // namespace tuplestone::cli
