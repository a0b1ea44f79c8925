// A page under test and its model, in step: every operation runs on both, and everything that both
// can see is compared. Suites decide which operations run; what must hold is here.
//
//   after every operation   the model's refusal or none; the model's lower, upper, special,
//                           flags and free space;
//                           header, special area and hole untouched (P6, P7, P9, P10)
//   after a compaction      also P3, P4, P5, P8: the other compactions, run on copies, agree
//   Verify()                every line, the page's own Verify(), and P13: a copy is adopted
//
// It reads the page's bytes by itself where it can, so that a reader's fault hides nothing.
#ifndef TUPLESTONE_PROPERTIES_PAGE_CHECKED_PAGE_H_
#define TUPLESTONE_PROPERTIES_PAGE_CHECKED_PAGE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "engine/base/bytes.h"
#include "engine/page/checksum.h"
#include "engine/page/page.h"
#include "properties/kit/expect.h"
#include "properties/page/checksum_model.h"
#include "properties/page/page_model.h"
#include "properties/page/page_subjects.h"

namespace tuplestone::properties {

namespace checked_page_internal {

const char* NameOf(Refusal refusal);
Refusal RefusalOf(const absl::Status& status);  // kNone for OK; aborts on any other code

// Aborts with the first offset at which the two differ in [from, to).
void ExpectSameBytes(const Invariant& invariant, Bytes expected, Bytes actual, size_t from,
                     size_t to, const char* what);

// Aborts unless the line pointers, tuples, lower and upper in `page` are the model's.
void ExpectSameLines(const Invariant& invariant, const PageModel& model, Bytes page,
                     const char* what);

// Data descend in line-pointer order from special to upper without gaps. True for a new page.
bool IsCompact(Bytes page);
// Repair would find nothing to do: compact, no trailing unused line pointer, the hint right.
bool IsRepaired(Bytes page);

}  // namespace checked_page_internal

template <class Subject>
class CheckedPage {
 public:
  // An empty page. Requires: kind heap or index.
  CheckedPage(page::PageKind kind, size_t special_bytes, const page::Limits& limits)
      : limits_(limits),
        // Initialize owes nothing to what was there.
        bytes_(page::kPageBytes, std::byte{0xAB}),
        page_(Subject::Initialize(absl::MakeSpan(bytes_), kind, special_bytes, limits)),
        model_(kind, special_bytes, limits) {
    Compare();
  }

  // Replaces everything by `image`, of any size, taken for `kind`. False, and nothing is replaced,
  // if it is no sound page.
  bool Replace(Bytes image, page::PageKind kind) {
    std::vector<std::byte> bytes(image.begin(), image.end());
    absl::StatusOr<Subject> adopted = Adopt(bytes, kind);
    if (!adopted.ok()) return false;
    page_.reset();
    bytes_ = std::move(bytes);  // keeps its address, which the subject views
    page_.emplace(*std::move(adopted));
    model_ = PageModel::Read(bytes_, kind, limits_);
    Compare();
    return true;
  }

  // Adopts other bytes, of any size, which must be refused exactly if they are unsound and stay as
  // they are either way.
  void ExpectAdoptedIfSound(std::vector<std::byte> bytes, page::PageKind kind) const {
    (void)Adopt(bytes, kind);
  }

  const PageModel& model() const { return model_; }
  Subject& page() { return *page_; }
  Bytes bytes() const { return bytes_; }
  size_t line_count() const { return model_.lines().size(); }

  // Each says whether the operation was done.
  bool Add(const std::vector<std::byte>& tuple, size_t* line) {
    const bool fits = page_->Fits(tuple.size());
    size_t actual_line = 0;
    const Refusal refusal = model_.Add(tuple, line);
    const bool added = Do(page::kP7, refusal, [&](Subject& page) {
      absl::StatusOr<page::LineNumber> added_line = page.Add(tuple);
      if (added_line.ok()) actual_line = *added_line;
      return added_line.status();
    });
    kit::ExpectEqual(page::kP7, added, fits, "Fits() says whether Add() succeeds");
    if (added) kit::ExpectEqual(page::kP7, *line, actual_line, "the lowest unused line pointer");
    return added;
  }
  bool AddAt(size_t line, const std::vector<std::byte>& tuple, page::Placement placement) {
    const Refusal refusal = model_.AddAt(line, tuple, placement == page::Placement::kShift);
    return Do(page::kP7, refusal, [&](Subject& page) {
      return page.AddAt(static_cast<page::LineNumber>(line), tuple, placement);
    });
  }
  bool Overwrite(size_t line, const std::vector<std::byte>& tuple) {
    return Do(page::kP7, model_.Overwrite(line, tuple), [&](Subject& page) {
      return page.Overwrite(static_cast<page::LineNumber>(line), tuple);
    });
  }
  bool DeleteOne(size_t line) {
    return Do(page::kP5, model_.DeleteOne(line),
              [&](Subject& page) { return page.DeleteOne(static_cast<page::LineNumber>(line)); });
  }
  bool DeleteMany(const std::vector<size_t>& lines) {
    const bool idle = lines.empty() && checked_page_internal::IsCompact(bytes_);
    const std::vector<page::LineNumber> numbers(lines.begin(), lines.end());
    return Compact(idle, model_.DeleteMany(lines),
                   [&](auto& page) { return page.DeleteMany(numbers); });
  }
  bool MarkDead(size_t line, bool keep_storage) {
    return Do(page::kP11, model_.MarkDead(line, keep_storage), [&](Subject& page) {
      return page.MarkDead(static_cast<page::LineNumber>(line),
                           keep_storage ? page::DeadStorage::kKeep : page::DeadStorage::kDrop);
    });
  }
  bool MarkUnused(size_t line) {
    return Do(page::kP11, model_.MarkUnused(line),
              [&](Subject& page) { return page.MarkUnused(static_cast<page::LineNumber>(line)); });
  }
  bool Redirect(size_t line, size_t target) {
    return Do(page::kP11, model_.Redirect(line, target), [&](Subject& page) {
      return page.Redirect(static_cast<page::LineNumber>(line),
                           static_cast<page::LineNumber>(target));
    });
  }
  void Repair() {
    const bool idle = checked_page_internal::IsRepaired(bytes_);
    model_.Repair();
    Compact(idle, Refusal::kNone, [](auto& page) {
      page.RepairFragmentation();
      return absl::OkStatus();
    });
  }
  void Seal(uint32_t block) {
    Do(page::kP9, Refusal::kNone, [&](Subject& page) {
      page.Seal(block);
      return absl::OkStatus();
    });
    kit::Expect(page::kP14, page_->ChecksumMatches(block), "a sealed page's checksum matches");
    if (model_.kind() == page::PageKind::kNew) return;
    kit::ExpectEqual(page::kP14, ModelChecksum(bytes_, block),
                     Load<uint16_t>(bytes_.data() + page::kChecksumAt), "the checksum");
  }

  // Runs f, whose calls add or mark, as one operation: each is compared in its outcome, and a
  // refusal to the byte; what none of them touches, and the figures, once at the end. A page full
  // of tuples takes hundreds of calls.
  template <class F>
  void Together(F f) {
    const std::vector<std::byte> before = bytes_;
    together_ = true;
    f();
    together_ = false;
    Compare();
    CheckQuietBytes(before);
  }

  // P7, for figures that an operation chooses.
  void CheckFreeSpace(size_t tuple_count, size_t tuple_bytes) {
    kit::ExpectEqual(page::kP7, model_.FreeSpaceForTuples(tuple_count),
                     page_->FreeSpaceForTuples(tuple_count), "free space for several tuples");
    kit::ExpectEqual(page::kP7, model_.Fits(tuple_bytes), page_->Fits(tuple_bytes), "Fits()");
  }

  // Every line, the page's own walk, and the adoption of a copy. O(page bytes).
  void Verify() {
    page_->Verify();
    CompareLines();
    CompareStats();
    std::vector<std::byte> copy = bytes_;
    const page::PageKind kind = model_.kind();
    kit::ExpectOk(page::kP13, Adopt(copy, kind).status(), "a page of the engine's own is sound");
  }

 private:
  // P9, P13.
  absl::StatusOr<Subject> Adopt(std::vector<std::byte>& bytes, page::PageKind kind) const {
    const std::vector<std::byte> before = bytes;
    absl::StatusOr<Subject> adopted = Subject::Adopt(absl::MakeSpan(bytes), kind, limits_);
    checked_page_internal::ExpectSameBytes(page::kP9, before, bytes, 0, before.size(),
                                           "adopting changes no byte");
    const std::string why = WhyUnsound(before, kind, limits_);
    kit::ExpectEqual(page::kP13, why.empty() ? "sound" : why.c_str(),
                     adopted.ok()  ? "sound"
                     : why.empty() ? adopted.status().ToString()
                                   : why);
    if (!adopted.ok()) {
      kit::Expect(page::kP13, absl::IsDataLoss(adopted.status()), "refused as DataLoss");
    }
    return adopted;
  }

  // Runs `operation` and compares its refusal with the model's.
  template <class Operation>
  bool Do(const Invariant& invariant, Refusal refusal, Operation operation) {
    namespace internal = checked_page_internal;
    if (!together_ || refusal != Refusal::kNone) before_ = bytes_;
    const absl::Status status = operation(*page_);
    const Refusal actual = internal::RefusalOf(status);
    if (actual != refusal) {
      kit::ExpectEqual(invariant, std::string(internal::NameOf(refusal)),
                       std::string(internal::NameOf(actual)));
    }
    if (!status.ok()) {
      internal::ExpectSameBytes(page::kP9, before_, bytes_, 0, page::kPageBytes,
                                "a refused operation changes no byte");
      return false;
    }
    if (together_) return true;
    Compare();
    CheckQuietBytes(before_);
    return true;
  }

  // What no operation touches: the header but for its moving fields, the special area, the hole.
  void CheckQuietBytes(Bytes before) const {
    const auto same = [&](const Invariant& invariant, size_t from, size_t to, const char* what) {
      checked_page_internal::ExpectSameBytes(invariant, before, bytes_, from, to, what);
    };
    same(page::kP1, 0, page::kChecksumAt, "the log position stays");
    same(page::kP1, page::kSpecialAt, page::kHeaderBytes, "special, version and prune xid stay");
    same(page::kP10, model_.special(), page::kPageBytes, "the special area stays");
    if (Subject::kKeepsHole) {
      same(page::kP6, model_.lower(), model_.upper(), "the hole stays");
    }
  }

  // The header and free space. O(lines).
  void Compare() const {
    const std::byte* header = bytes_.data();
    kit::ExpectEqual(page::kP5, model_.lower(), Load<uint16_t>(header + page::kLowerAt), "lower");
    kit::ExpectEqual(page::kP4, model_.upper(), Load<uint16_t>(header + page::kUpperAt), "upper");
    kit::ExpectEqual(page::kP10, model_.special(), Load<uint16_t>(header + page::kSpecialAt),
                     "special");
    kit::ExpectEqual(page::kP6, model_.flags(), Load<uint16_t>(header + page::kFlagsAt), "flags");
    kit::ExpectEqual(page::kP5, model_.lines().size(), page_->line_count(), "line count");
    kit::ExpectEqual(page::kP7, model_.FreeSpaceExact(), page_->FreeSpaceExact(), "the hole");
    kit::ExpectEqual(page::kP7, model_.FreeSpace(), page_->FreeSpace(), "free space");
    if (model_.kind() == page::PageKind::kHeap) {
      kit::ExpectEqual(page::kP7, model_.FreeSpaceHeap(), page_->FreeSpaceHeap(),
                       "heap free space");
    }
  }

  void CompareLines() {
    checked_page_internal::ExpectSameLines(page::kP3, model_, bytes_, "line pointers and tuples");
    for (size_t line = 1; line <= model_.lines().size(); ++line) {
      const ModelLine& expected = model_.lines()[line - 1];
      const auto number = static_cast<page::LineNumber>(line);
      kit::ExpectEqual(page::kP3, Bytes(expected.tuple), page_->Tuple(number), "Tuple()");
      kit::ExpectEqual(page::kP3, expected.state, page_->State(number), "State()");
    }
  }

  void CompareStats() const {
    const page::PageStats stats = page_->Stats();
    size_t tuple_bytes = 0;
    size_t storing = 0;
    for (const ModelLine& line : model_.lines()) {
      tuple_bytes += line.tuple.size();
      storing += line.tuple.empty() ? 0 : 1;
    }
    kit::ExpectEqual(page::kP2, tuple_bytes, stats.tuple_bytes, "bytes of tuples");
    kit::ExpectEqual(page::kP2, storing, stats.normal + stats.dead_with_storage, "stored tuples");
    kit::ExpectEqual(page::kP11, model_.lines().size(),
                     storing + stats.unused + stats.redirect + stats.dead_without_storage,
                     "line pointers by state");
    if (model_.kind() == page::PageKind::kNew) return;
    kit::ExpectEqual(page::kP1, page::kPageBytes,
                     page::kHeaderBytes + stats.line_pointer_bytes + stats.hole_bytes +
                         stats.stored_bytes + stats.gap_bytes + stats.special_bytes,
                     "every byte of the page is accounted for");
  }

  // Runs a compacting operation. `idle`: it has nothing to do.
  template <class Operation>
  bool Compact(bool idle, Refusal refusal, Operation operation) {
    const std::vector<std::byte> before = bytes_;
    if (!Do(page::kP5, refusal, operation)) return false;
    CompareLines();
    if (idle) {
      checked_page_internal::ExpectSameBytes(page::kP6, before, bytes_, 0, page::kPageBytes,
                                             "with nothing to move nothing changes");
    }
    if (Subject::kLineOrder) {
      kit::Expect(page::kP4, checked_page_internal::IsCompact(bytes_),
                  "data descend in line-pointer order without gaps");
    }
    ExpectPeerAgrees<SortingPage>(before, operation, "sort-and-slide agrees");
    ExpectPeerAgrees<OrderAwarePage>(before, operation, "the order-aware compaction agrees");
    return true;
  }

  // P8: another subject does the same to a copy of what was there before.
  template <class Peer, class Operation>
  void ExpectPeerAgrees(std::vector<std::byte> before, Operation operation, const char* what) {
    absl::StatusOr<Peer> peer = Peer::Adopt(absl::MakeSpan(before), model_.kind(), limits_);
    kit::ExpectOk(page::kP13, peer.status(), what);
    kit::ExpectOk(page::kP8, operation(*peer), what);
    checked_page_internal::ExpectSameLines(page::kP8, model_, before, what);
  }

  page::Limits limits_;
  std::vector<std::byte> bytes_;
  std::optional<Subject> page_;
  PageModel model_;
  std::vector<std::byte> before_;  // the page before the operation that is being checked
  bool together_ = false;
};

}  // namespace tuplestone::properties

#endif  // TUPLESTONE_PROPERTIES_PAGE_CHECKED_PAGE_H_
