// Page programs, on each subject. What holds after every operation is in checked_page.h; the
// properties here add what only a whole page can say.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "properties/kit/property.h"
#include "properties/page/page_suite.h"

namespace tuplestone::properties {
namespace {

// P1 to P13, P8 by all compactions on the same pages. Not covered: opaque pages, whose bytes are a
// matter of the page_image target.
TEST(PageProperty, EveryOperationDoesWhatTheModelSays) { kit::ForAll<PageSuite>(); }

// P3, P4: compacting twice is compacting once.
TEST(PageProperty, RepairingAgainChangesNothing) {
  kit::ForAll<PageSuite>([](PageSuite& suite) {
    if (suite.page().model().kind() != page::PageKind::kHeap) return;
    suite.page().Repair();
    const std::vector<std::byte> once(suite.page().page().bytes().begin(),
                                      suite.page().page().bytes().end());
    suite.page().Repair();
    kit::ExpectEqual(page::kP6, Bytes(once), suite.page().page().bytes());
  });
}

// P7: however a page was used, it can be filled to the last byte that its figures promise.
TEST(PageProperty, FreeSpaceIsWhatCanBeAdded) {
  kit::ForAll<PageSuite>([](PageSuite& suite) {
    while (suite.page().page().FreeSpace() >= 8) {
      size_t line = 0;
      const size_t bytes = suite.page().page().FreeSpace() / 8 * 8;
      if (!suite.page().Add(TupleBytes(std::min(bytes, page::kTupleBytesMax), 1), &line)) break;
    }
    kit::Expect(page::kP7, suite.page().page().FreeSpace() < 8 || !suite.page().page().Fits(1),
                "the page is full, or out of line pointers");
  });
}

// The suite on compactions that are known to be right.
TEST(PageProperty, SortAndSlidePasses) { kit::ForAll<PageSuiteOf<SortingPage>>(); }
TEST(PageProperty, TheOrderAwareCompactionPasses) { kit::ForAll<PageSuiteOf<OrderAwarePage>>(); }

TEST(PageProperty, ProgramsReachEveryRareState) {
  kit::ExpectProbesReached(kit::ProgramTarget<PageSuite>(), "page.", 20000);
}

}  // namespace
}  // namespace tuplestone::properties
