// How fast pages are repaired, against what else is done. A row is a set of pages; its columns are
// nanoseconds a page of each subject, measured in turns within the row, and the engine's shares.
//
//   engine    Page::RepairFragmentation            adopting   with Page::Adopt before it
//   sort      sort by offset, move one by one      aware      PostgreSQL 14's way (the peer)
//   floor     one memcpy of as many bytes as live
//
// The real pages are those of corpus/relation_file/seed as VACUUM had marked them, and variants of
// which as many other line pointers died, so that 512 different ones come in turn; `one` repeats a
// single one. To run: cmake --preset bench && cmake --build build/bench --target page_bench, then
//
//   build/bench/properties/page_bench
//
// What it does not time: the other operations.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/page/page.h"
#include "engine/page/relation_file.h"
#include "properties/page/page_timing.h"
#include "properties/page/timed_pages.h"

namespace tuplestone::properties {
namespace {

bool IsSmall() { return std::getenv("TUPLESTONE_BENCH_SMALL") != nullptr; }
size_t PageCount() { return IsSmall() ? 8 : 512; }
int64_t RoundCount() { return IsSmall() ? 1 : 101; }

void Repair(benchmark::State& state, const std::vector<PageBytes>& pages) {
  RepairTimes times(pages);
  for (auto unused : state) times.RunRound();
  const auto column = [&](const char* name, double value) { state.counters[name] = value; };
  column("engine", times.Nanoseconds(RepairTimes::kEngine));
  column("adopting", times.Nanoseconds(RepairTimes::kEngineAdopting));
  column("sort", times.Nanoseconds(RepairTimes::kSortAndMove));
  column("aware", times.Nanoseconds(RepairTimes::kOrderAware));
  column("floor", times.Nanoseconds(RepairTimes::kFloor));
  column("of_sort", times.Ratio(RepairTimes::kEngine, RepairTimes::kSortAndMove));
  column("of_aware", times.Ratio(RepairTimes::kEngine, RepairTimes::kOrderAware));
}

// The pages of a relation file.
std::vector<PageBytes> ReadPages(const std::string& name) {
  const std::string path =
      absl::StrCat(TUPLESTONE_SOURCE_DIR, "/corpus/relation_file/seed/", name, ".rel");
  absl::StatusOr<page::RelationFile> file = page::RelationFile::Open(path, 0);
  if (!file.ok()) {
    std::fprintf(stderr, "page_bench: %s\n", file.status().ToString().c_str());
    std::exit(2);
  }
  std::vector<PageBytes> pages;
  PageBytes page;
  while (*file->Next(absl::MakeSpan(page))) pages.push_back(page);
  return pages;
}

bool InLineOrder(PageBytes page) {
  return page::Page::Adopt(absl::MakeSpan(page), page::PageKind::kHeap)->Stats().in_line_order;
}

// Pages of a relation whose data are in order or not, as asked, in the state before the repair:
// `count` of them, variants from the second round on. Requires: the relation has such.
std::vector<PageBytes> RealPages(const std::string& relation, bool ordered, size_t count) {
  const std::vector<PageBytes> before = ReadPages("before_" + relation);
  const std::vector<PageBytes> after = ReadPages("after_" + relation);
  std::vector<PageBytes> pages;
  for (uint64_t round = 0; pages.size() < count; ++round) {
    for (size_t i = 0; i < before.size() && pages.size() < count; ++i) {
      PageBytes page = round == 0 ? WhenMarked(before[i], after[i])
                                  : WhenOthersAreMarked(before[i], after[i], round * 1000 + i);
      if (InLineOrder(before[i]) == ordered) pages.push_back(page);
    }
  }
  return pages;
}

// `pages` is called when the row's turn comes.
template <class Pages>
void RegisterRepair(const std::string& name, Pages pages) {
  benchmark::RegisterBenchmark(name.c_str(), [pages](benchmark::State& state) {
    Repair(state, pages());
  })->Iterations(RoundCount());
}

void RegisterReal() {
  struct Rows {
    const char* relation;
    bool ordered;
  };
  for (const auto [relation, ordered] :
       {Rows{"narrow", true}, Rows{"wide", true}, Rows{"hot", true}, Rows{"ragged", true},
        Rows{"reused_narrow", false}, Rows{"reused_wide", true}, Rows{"reused_wide", false},
        Rows{"reused_ragged", true}, Rows{"reused_ragged", false}}) {
    RegisterRepair(absl::StrCat("real/", relation, ordered ? "/ordered" : "/unordered"),
                   [=] { return RealPages(relation, ordered, PageCount()); });
  }
  for (const char* relation : {"narrow", "wide"}) {
    RegisterRepair(absl::StrCat("one/", relation), [=] {
      return std::vector<PageBytes>(PageCount(), RealPages(relation, true, 1)[0]);
    });
  }
}

void RegisterSynthetic() {
  for (PhysicalOrder order :
       {PhysicalOrder::kOrdered, PhysicalOrder::kReversed, PhysicalOrder::kShuffled}) {
    for (size_t bytes : {16, 24, 32, 40, 64, 100, 128, 250, 500, 1000, 2000}) {
      for (int dead : {10, 50, 90}) {
        RegisterRepair(absl::StrCat("synthetic/", NameOf(order), "/bytes:", bytes, "/dead:", dead),
                       [=] { return SyntheticPages(PageCount(), bytes, order, dead); });
      }
    }
  }
}

// Reads every tuple of every page in the order of line pointers; more pages than caches hold.
void Scan(benchmark::State& state, bool compacted) {
  std::vector<PageBytes> pages =
      SyntheticPages(IsSmall() ? 16 : 16384, 32, PhysicalOrder::kShuffled, 10);
  std::vector<page::Page> views;
  for (PageBytes& bytes : pages) {
    views.push_back(*page::Page::Adopt(absl::MakeSpan(bytes), page::PageKind::kHeap));
    if (compacted) views.back().RepairFragmentation();
  }
  uint64_t sum = 0;
  for (auto unused : state) {
    for (const page::Page& view : views) {
      for (size_t line = 1; line <= view.line_count(); ++line) {
        const Bytes tuple = view.Tuple(static_cast<page::LineNumber>(line));
        for (size_t at = 0; at + 8 <= tuple.size(); at += 8) {
          sum += Load<uint64_t>(tuple.data() + at);
        }
      }
    }
    benchmark::DoNotOptimize(sum);
  }
  state.counters["pages"] = benchmark::Counter(
      static_cast<double>(pages.size()),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void RegisterScan() {
  benchmark::RegisterBenchmark("scan/shuffled", [](benchmark::State& s) { Scan(s, false); });
  benchmark::RegisterBenchmark("scan/compacted", [](benchmark::State& s) { Scan(s, true); });
}

}  // namespace
}  // namespace tuplestone::properties

int main(int argc, char** argv) {
  std::printf("%s\n", tuplestone::properties::DescribeMachine().c_str());
  tuplestone::properties::RegisterReal();
  tuplestone::properties::RegisterSynthetic();
  tuplestone::properties::RegisterScan();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
