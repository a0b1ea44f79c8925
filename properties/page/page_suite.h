// Programs of page operations, run on a page and its model in step. CheckedPage says what must
// hold; this says which operation of the language is which call, and who is born and dies.
//
// PageSuite is the engine's. To try a page of your own, offer a subject (page_subjects.h) and use
// PageSuiteOf<YourPage>.
#ifndef TUPLESTONE_PROPERTIES_PAGE_PAGE_SUITE_H_
#define TUPLESTONE_PROPERTIES_PAGE_PAGE_SUITE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/page/classify.h"
#include "properties/kit/run.h"
#include "properties/kit/target.h"
#include "properties/page/checked_page.h"
#include "properties/page/page_drawing.h"
#include "properties/page/page_images.h"
#include "properties/page/page_ops.h"

namespace tuplestone::properties {

// The limits that a head asks for.
page::Limits LimitsOf(const PageHead& head);

// `bytes` bytes that differ from those of any other fill and from themselves elsewhere.
std::vector<std::byte> TupleBytes(size_t bytes, uint8_t fill);

// The lines from `from` to `count` whose bit, the number modulo 64, is set in `mask`.
std::vector<size_t> LinesOf(uint64_t mask, size_t from, size_t count);

// `lines` with one thing wrong about it. May stay right where it is too short to be wrong.
std::vector<size_t> WithFault(std::vector<size_t> lines, ListFault fault, size_t count);

// What an adopt_damaged asks for. `bytes` is a page of `line_count` line pointers.
void Damage(const PageAdoptDamaged& damage, size_t line_count, std::vector<std::byte>* bytes);
page::PageKind KindFor(AdoptedAs as, page::PageKind same);

template <class Subject>
class PageSuiteOf {
 public:
  using Program = PageProgram;
  static constexpr const char* kHeader = "properties/page/page_suite.h";

  PageSuiteOf(const PageHead& head, kit::Runner& run)
      : run_(run),
        page_(head.start == PageStart::kIndex ? page::PageKind::kIndex : page::PageKind::kHeap,
              head.special, LimitsOf(head)) {
    if (head.start != PageStart::kNewPage) return;
    page_.Replace(std::vector<std::byte>(page::kPageBytes), page::PageKind::kHeap);
  }

  void Step(const PageAdd& add) {
    size_t line = 0;
    if (page_.Add(TupleBytes(add.bytes, Fill(add.fill)), &line)) BornAt(line, false);
  }
  void Step(const PageAddAt& add) {
    const size_t line = add.line % (page_.line_count() + 3);
    const bool shift = add.shift && !is_heap();
    if (page_.AddAt(line, TupleBytes(add.bytes, Fill(add.fill)),
                    shift ? page::Placement::kShift : page::Placement::kOverwrite)) {
      BornAt(line, shift);
    }
  }
  void Step(const PageFill& fill) {
    page_.Together([&] {
      for (size_t i = 0; i < fill.count; ++i) {
        run_.SpendSteps(1);
        size_t line = 0;
        const size_t bytes = fill.bytes + i * fill.step;
        if (bytes > page::kTupleBytesMax) return;
        if (!page_.Add(TupleBytes(bytes, static_cast<uint8_t>(Fill(fill.fill) + i)), &line)) return;
        BornAt(line, false);
      }
    });
  }
  void Step(const PageDelete& one) {
    if (is_heap()) return;
    const size_t line = LineOf(one.line);
    if (page_.DeleteOne(line)) DiedAt(line);
  }
  void Step(const PageDeleteMany& many) {
    if (is_heap()) return;
    const std::vector<size_t> lines = WithFault(LinesOf(many.mask, many.from, page_.line_count()),
                                                many.fault, page_.line_count());
    if (!page_.DeleteMany(lines)) return;
    for (size_t i = lines.size(); i > 0; --i) DiedAt(lines[i - 1]);
  }
  void Step(const PageMarkDead& mark) { page_.MarkDead(LineOf(mark.line), mark.keep); }
  void Step(const PageMarkUnused& mark) { page_.MarkUnused(LineOf(mark.line)); }
  void Step(const PageMarkMany& mark) {
    page_.Together([&] {
      for (size_t line : LinesOf(mark.mask, mark.from, page_.line_count())) {
        run_.SpendSteps(1);
        if (mark.mark == LineMark::kUnused) {
          page_.MarkUnused(line);
        } else {
          page_.MarkDead(line, mark.mark == LineMark::kDeadKeeping);
        }
      }
    });
  }
  void Step(const PageRedirect& redirect) {
    if (is_index()) return;
    page_.Redirect(LineOf(redirect.line), LineOf(redirect.target));
  }
  void Step(const PageRepair&) {
    if (is_index()) {
      page_.DeleteMany({});
    } else {
      page_.Repair();
      while (births_.size() > page_.line_count()) DiedAt(births_.size());
    }
  }
  void Step(const PageOverwrite& overwrite) {
    page_.Overwrite(LineOf(overwrite.line), TupleBytes(overwrite.bytes, Fill(overwrite.fill)));
  }
  void Step(const PageFreeSpace& asked) { page_.CheckFreeSpace(asked.tuples, asked.bytes); }
  void Step(const PageSeal& seal) { page_.Seal(static_cast<uint32_t>(seal.block)); }
  void Step(const PageLoad& load) {
    const PageImage image = PageImageAt(load.image);
    if (!page_.Replace(image.bytes, page::KindOf(page::Classify(image.bytes)))) return;
    while (!births_.empty()) DiedAt(births_.size());
    while (births_.size() < page_.line_count()) BornAt(births_.size() + 1, false);
  }
  void Step(const PageAdoptDamaged& damage) {
    std::vector<std::byte> copy(page_.bytes().begin(), page_.bytes().end());
    Damage(damage, page_.line_count(), &copy);
    page_.ExpectAdoptedIfSound(std::move(copy), KindFor(damage.as, page_.model().kind()));
  }

  void Verify() { page_.Verify(); }
  void Finish() {
    if (is_index()) {
      page_.DeleteMany({});
    } else {
      page_.Repair();
    }
    page_.Verify();
  }

  std::string ShowModel() const { return DrawModel(page_.model()); }
  std::string ShowSubject() const { return DrawPage(page_.bytes()); }

  CheckedPage<Subject>& page() { return page_; }

 private:
  static uint8_t Fill(uint64_t fill) { return static_cast<uint8_t>(fill); }
  bool is_heap() const { return page_.model().kind() == page::PageKind::kHeap; }
  bool is_index() const { return page_.model().kind() == page::PageKind::kIndex; }

  // The line pointer that a pick names now, or 1 where it hit nothing.
  size_t LineOf(const kit::Pick<0>& pick) const {
    if (!pick.hit()) return 1;
    const auto at = std::find(births_.begin(), births_.end(), pick.birth());
    return static_cast<size_t>(at - births_.begin()) + 1;
  }
  // A tuple was stored under `line`; a new line pointer if it shifted the others or is the next.
  void BornAt(size_t line, bool shifted) {
    if (!shifted && line <= births_.size()) return;
    births_.insert(births_.begin() + static_cast<ptrdiff_t>(line - 1), run_.population(0).Born());
  }
  void DiedAt(size_t line) {
    run_.population(0).Died(births_[line - 1]);
    births_.erase(births_.begin() + static_cast<ptrdiff_t>(line - 1));
  }

  kit::Runner& run_;
  CheckedPage<Subject> page_;
  std::vector<size_t> births_;  // of line pointers 1, 2, ...
};

extern template class PageSuiteOf<EnginePage>;
extern template class PageSuiteOf<SortingPage>;
extern template class PageSuiteOf<OrderAwarePage>;

using PageSuite = PageSuiteOf<EnginePage>;

}  // namespace tuplestone::properties

namespace tuplestone::kit {
extern template class ProgramTarget<properties::PageSuite>;
}

#endif  // TUPLESTONE_PROPERTIES_PAGE_PAGE_SUITE_H_
