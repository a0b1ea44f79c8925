// Pages under test. A subject offers what engine/page/page.h offers; what differs between ours is
// the compaction:
//
//   EnginePage      line-pointer order through a workspace, no sorting
//   SortingPage     the textbook: sort by offset, slide each tuple up. Known to be right, so it
//                   proves the suite; and the baseline of seed 2's experiment
//   OrderAwarePage  PostgreSQL 14 and later: data already in order slide up in batches, others go
//                   through a copy. The peer to be measured against
//
// To test a page of your own, offer the same members and instantiate PageSuite with it. The two
// constants say what the suite may check.
#ifndef TUPLESTONE_PROPERTIES_PAGE_PAGE_SUBJECTS_H_
#define TUPLESTONE_PROPERTIES_PAGE_PAGE_SUBJECTS_H_

#include <cstddef>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "engine/base/bytes.h"
#include "engine/page/page.h"

namespace tuplestone::properties {

enum class Compaction { kSortAndSlide, kOrderAware };

class EnginePage : public page::Page {
 public:
  static constexpr bool kLineOrder = true;  // compacted data are in line-pointer order (P4)
  static constexpr bool kKeepsHole = true;  // no operation writes to the hole (P6)

  static absl::StatusOr<EnginePage> Adopt(MutableBytes bytes, page::PageKind kind,
                                          const page::Limits& limits) {
    absl::StatusOr<page::Page> page = page::Page::Adopt(bytes, kind, limits);
    if (!page.ok()) return page.status();
    return EnginePage(*page);
  }
  static EnginePage Initialize(MutableBytes bytes, page::PageKind kind, size_t special_bytes,
                               const page::Limits& limits) {
    return EnginePage(page::Page::Initialize(bytes, kind, special_bytes, limits));
  }

 private:
  explicit EnginePage(const page::Page& page) : page::Page(page) {}
};

// The engine's page with another compaction.
template <Compaction kCompaction>
class PageCompactedBy : public page::Page {
 public:
  static constexpr bool kLineOrder = kCompaction == Compaction::kOrderAware;
  static constexpr bool kKeepsHole = true;

  static absl::StatusOr<PageCompactedBy> Adopt(MutableBytes bytes, page::PageKind kind,
                                               const page::Limits& limits) {
    absl::StatusOr<page::Page> page = page::Page::Adopt(bytes, kind, limits);
    if (!page.ok()) return page.status();
    return PageCompactedBy(*page, bytes);
  }
  static PageCompactedBy Initialize(MutableBytes bytes, page::PageKind kind, size_t special_bytes,
                                    const page::Limits& limits) {
    return PageCompactedBy(page::Page::Initialize(bytes, kind, special_bytes, limits), bytes);
  }

  void RepairFragmentation();
  absl::Status DeleteMany(absl::Span<const page::LineNumber> lines);

 private:
  PageCompactedBy(const page::Page& page, MutableBytes bytes)
      : page::Page(page), mutable_bytes_(bytes) {}

  MutableBytes mutable_bytes_;
};

using SortingPage = PageCompactedBy<Compaction::kSortAndSlide>;
using OrderAwarePage = PageCompactedBy<Compaction::kOrderAware>;

extern template class PageCompactedBy<Compaction::kSortAndSlide>;
extern template class PageCompactedBy<Compaction::kOrderAware>;

}  // namespace tuplestone::properties

#endif  // TUPLESTONE_PROPERTIES_PAGE_PAGE_SUBJECTS_H_
