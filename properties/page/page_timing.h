// How `page_bench` and `tuplestone lab compact` time the subjects that repair pages, side by side.
//
// Each page is copied to one and the same place before it is repaired; what the copying takes is
// measured by itself and taken off. The subjects take turns over a few dozen pages each, which the
// processor's second cache holds, so that a slow moment hits all and copying costs little; a round
// is all pages, and the median of the rounds counts.
//
// What it does not do: look at results, which are the suite's matter.
#ifndef TUPLESTONE_PROPERTIES_PAGE_PAGE_TIMING_H_
#define TUPLESTONE_PROPERTIES_PAGE_PAGE_TIMING_H_

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "properties/page/timed_pages.h"

namespace tuplestone::properties {

class RepairTimes {
 public:
  enum Subject {
    kEngine,
    kEngineAdopting,  // Adopt() in the timed part
    kSortAndMove,
    kOrderAware,
    kFloor,  // one memcpy of as many bytes as live
    kRestore,
    kSubjectCount,
  };

  // Requires: sound heap pages, which stay where they are.
  explicit RepairTimes(const std::vector<PageBytes>& pages);

  void RunRound();
  // Of a page, in the median of the rounds; without the restoring. Requires: a round has run.
  double Nanoseconds(Subject subject) const;
  double Ratio(Subject subject, Subject to) const { return Nanoseconds(subject) / Nanoseconds(to); }

 private:
  // Of all pages from `first` on, up to `last`.
  void RunBlock(size_t first, size_t last, std::array<double, kSubjectCount>* nanoseconds) const;

  const std::vector<PageBytes>& pages_;
  std::vector<size_t> live_bytes_;  // of each page
  std::array<std::vector<double>, kSubjectCount> rounds_;
};

// "AMD EPYC; 8 kB by memcpy 60.1 GB/s, by memmove up by 64 bytes 50.2 GB/s"
std::string DescribeMachine();

}  // namespace tuplestone::properties

#endif  // TUPLESTONE_PROPERTIES_PAGE_PAGE_TIMING_H_
