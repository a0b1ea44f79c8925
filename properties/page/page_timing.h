// How `page_bench` and `tuplestone lab compact` time the subjects that repair pages, side by side.
//
// Each page is copied to one and the same place in memory before it is repaired; what the copying
// takes is measured by itself and taken off. That place begins at a multiple of 4,096, and so does
// what the floor copies to: copies between addresses that differ a little modulo that are slow on
// some processors, whoever makes them.
//
// A round is every subject over all pages, one after the other, so that a slow moment hits all; the
// median of the rounds counts.
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
  const std::vector<PageBytes>& pages_;
  std::vector<size_t> live_bytes_;  // of each page
  std::array<std::vector<double>, kSubjectCount> rounds_;
};

// "AMD EPYC; 8 kB by memcpy 60.1 GB/s, by memmove up by 64 bytes 50.2 GB/s"
std::string DescribeMachine();

}  // namespace tuplestone::properties

#endif  // TUPLESTONE_PROPERTIES_PAGE_PAGE_TIMING_H_
