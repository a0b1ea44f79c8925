#include "properties/page/page_timing.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>

#include "absl/strings/str_format.h"
#include "absl/types/span.h"
#include "engine/base/check.h"
#include "properties/page/page_subjects.h"

namespace tuplestone::properties {
namespace {

using page::kPageBytes;

// The page that is repaired, and where the floor copies to.
PageBytes g_page;
PageBytes g_floor;

constexpr size_t kBlockPages = 64;

// Makes the compiler believe that memory is read and written here, the frames too.
void Clobber() { asm volatile("" : : "r"(&g_page), "r"(&g_floor) : "memory"); }

double Seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Nanoseconds of restoring each page from `first` on, up to `last`, and calling f(its index).
template <class F>
double TimeEach(const std::vector<PageBytes>& pages, size_t first, size_t last, F f) {
  const double from = Seconds();
  for (size_t i = first; i < last; ++i) {
    std::memcpy(g_page.data(), pages[i].data(), kPageBytes);
    Clobber();
    f(i);
    Clobber();
  }
  return (Seconds() - from) * 1e9;
}

template <class Subject>
Subject Adopt() {
  absl::StatusOr<Subject> page = Subject::Adopt(absl::MakeSpan(g_page), page::PageKind::kHeap, {});
  TUPLESTONE_CHECK(page::kP13, page.ok());
  return *page;
}

// All pages are heap pages with the same limits, so that what viewed one views the next.
template <class Subject>
double TimeRepair(const std::vector<PageBytes>& pages, size_t first, size_t last) {
  g_page = pages[first];
  Subject page = Adopt<Subject>();
  return TimeEach(pages, first, last, [&](size_t) { page.RepairFragmentation(); });
}

double GigabytesASecond(size_t up_by) {
  constexpr size_t kBytes = kPageBytes - 64;
  constexpr int kTimes = 20000;
  double best = 1e9;
  for (int round = 0; round < 5; ++round) {
    const double from = Seconds();
    for (int i = 0; i < kTimes; ++i) {
      if (up_by == 0) {
        std::memcpy(g_floor.data(), g_page.data(), kBytes);
      } else {
        std::memmove(g_page.data() + up_by, g_page.data(), kBytes);
      }
      Clobber();
    }
    best = std::min(best, Seconds() - from);
  }
  return kBytes * static_cast<double>(kTimes) / best / 1e9;
}

std::string Processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

}  // namespace

RepairTimes::RepairTimes(const std::vector<PageBytes>& pages) : pages_(pages) {
  for (const PageBytes& page : pages) {
    g_page = page;
    live_bytes_.push_back(Adopt<EnginePage>().Stats().stored_bytes);
  }
}

void RepairTimes::RunBlock(size_t first, size_t last,
                           std::array<double, kSubjectCount>* nanoseconds) const {
  (void)TimeEach(pages_, first, last, [](size_t) {});  // into the cache
  const double restore = TimeEach(pages_, first, last, [](size_t) {});
  const auto took = [&](Subject subject, double time) {
    (*nanoseconds)[subject] += subject == kRestore ? time : time - restore;
  };
  took(kRestore, restore);
  took(kEngine, TimeRepair<EnginePage>(pages_, first, last));
  took(kSortAndMove, TimeRepair<SortingPage>(pages_, first, last));
  took(kOrderAware, TimeRepair<OrderAwarePage>(pages_, first, last));
  took(kEngineAdopting,
       TimeEach(pages_, first, last, [](size_t) { Adopt<EnginePage>().RepairFragmentation(); }));
  took(kFloor, TimeEach(pages_, first, last, [&](size_t i) {
         const size_t from = kPageBytes - live_bytes_[i];
         std::memcpy(g_floor.data() + from, g_page.data() + from, live_bytes_[i]);
       }));
}

void RepairTimes::RunRound() {
  std::array<double, kSubjectCount> nanoseconds = {};
  for (size_t first = 0; first < pages_.size(); first += kBlockPages) {
    RunBlock(first, std::min(first + kBlockPages, pages_.size()), &nanoseconds);
  }
  for (size_t i = 0; i < kSubjectCount; ++i) {
    rounds_[i].push_back(nanoseconds[i] / static_cast<double>(pages_.size()));
  }
}

double RepairTimes::Nanoseconds(Subject subject) const {
  std::vector<double> rounds = rounds_[subject];
  const auto middle = rounds.begin() + static_cast<ptrdiff_t>(rounds.size() / 2);
  std::nth_element(rounds.begin(), middle, rounds.end());
  return *middle;
}

std::string DescribeMachine() {
  return absl::StrFormat(
      "processor: %s; 8 kB by memcpy at %.0f GB/s, by memmove up by 64 bytes at %.0f GB/s",
      Processor(), GigabytesASecond(0), GigabytesASecond(64));
}

}  // namespace tuplestone::properties
