// Programs against tuple tables: the engine's, or any other that fits the concept in
// table_subject.h.
//
// Checked after each operation: what was found and what not (H1), the row and the additional bytes
// a member was born with (H3), what a walk visits (H4), that a failure changed nothing (H5), the
// number of buckets to the one (H6), and what the tuples take to the byte.
#ifndef TUPLESTONE_PROPERTIES_HASH_TABLE_SUITE_H_
#define TUPLESTONE_PROPERTIES_HASH_TABLE_SUITE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/base/align.h"
#include "engine/hash/invariants.h"
#include "properties/hash/table_model.h"
#include "properties/hash/table_rows.h"
#include "properties/hash/table_subject.h"
#include "properties/kit/expect.h"
#include "properties/kit/faulty_source.h"
#include "properties/kit/run.h"
#include "properties/kit/target.h"

namespace tuplestone::properties {

TableWorldOptions TableOptionsOf(const TableHead& head);

template <TableSubject Subject>
class TableSuiteOf {
 public:
  using Program = TableProgram;

  TableSuiteOf(const TableHead& head, kit::Runner& run)
      : run_(run),
        options_(TableOptionsOf(head)),
        rows_(head.rows),
        subject_(std::in_place, options_, rows_, source_),
        models_(options_.tables, TableModel(options_.table.limits)) {}

  void Step(const TableInsert& op) { Insert(Which(op.other), op.row, IsTuple(op.as), op.fill); }
  void Step(const TableFind& op) {
    const TableRow row = rows_.Row(op.row);
    ExpectFound(Which(op.other), row, subject_->Find(Which(op.other), row, IsTuple(op.as)));
  }
  void Step(const TableErase& op);
  void Step(const TableBatch& op);
  void Step(const TableFill& op) {
    run_.SpendSteps(op.count);
    for (uint64_t i = 0; i < op.count; ++i) {
      Insert(Which(op.other), op.from + i, i % 2 == 0, op.fill + i);
    }
  }
  void Step(const TableWalk& op) { Walk(Which(op.other), op.of, op.keep); }
  void Step(const TableReset& op);
  void Step(const TableResetSpace&);
  void Step(const TableFailMemory& op) {
    if (Subject::kTraits.survives_failures) source_.FailAfter(op.after, op.failures);
  }
  void Compare();
  void Verify() { subject_->Verify(); }
  void Finish();

  Subject& subject() { return *subject_; }

 private:
  static bool IsTuple(RowAs as) { return as == RowAs::kTuple; }
  size_t Which(bool other) const { return other && options_.tables > 1 ? 1 : 0; }
  size_t additional() const { return MaxAlign(options_.table.additional_bytes); }

  void Insert(size_t t, uint64_t number, bool as_tuple, uint64_t fill);
  void Inserted(size_t t, const TableRow& row, const TableView& view, uint64_t failures_before);
  void ExpectFound(size_t t, const TableRow& row, const TableView& view);
  void ExpectMember(const ModelMember& expected, const TableView& view);
  void Walk(size_t t, uint64_t of, uint64_t keep);
  void SetFill(size_t t, const TableRow& row, const TableView& view, uint64_t fill);

  kit::Runner& run_;
  TableWorldOptions options_;
  kit::FaultySource source_;
  TableRowMaker rows_;
  std::optional<Subject> subject_;
  std::vector<TableModel> models_;
  size_t space_bytes_ = 0;  // pieces inserted since the space was last reset
};

template <TableSubject Subject>
void TableSuiteOf<Subject>::ExpectMember(const ModelMember& expected, const TableView& view) {
  kit::ExpectEqual(hash::kH1, expected.row, view.row, "a member keeps the row it was born with");
  if (additional() == 0) return;
  kit::Expect(hash::kH3, IsAligned(view.additional, kMaxAlign), "additional bytes are aligned");
  const std::vector<std::byte> filled(additional(), static_cast<std::byte>(expected.fill));
  kit::ExpectEqual(hash::kH3, Bytes(filled), Bytes(view.additional, additional()),
                   "additional bytes are what was written");
}

template <TableSubject Subject>
void TableSuiteOf<Subject>::ExpectFound(size_t t, const TableRow& row, const TableView& view) {
  const ModelMember* expected = models_[t].Find(row.key);
  kit::ExpectEqual(hash::kH1, expected != nullptr, view.found, "it is found if it was inserted");
  if (expected != nullptr) ExpectMember(*expected, view);
}

template <TableSubject Subject>
void TableSuiteOf<Subject>::SetFill(size_t t, const TableRow& row, const TableView& view,
                                    uint64_t fill) {
  std::fill_n(view.additional, additional(), static_cast<std::byte>(fill));
  models_[t].Fill(row.key, static_cast<uint8_t>(fill));
}

// What the insertion of `row` into the model's table has to have done.
template <TableSubject Subject>
void TableSuiteOf<Subject>::Inserted(size_t t, const TableRow& row, const TableView& view,
                                     uint64_t failures_before) {
  TableModel& model = models_[t];
  if (model.Find(row.key) != nullptr) {
    kit::Expect(hash::kH1, !view.is_new, "what is there is not inserted again");
    return ExpectFound(t, row, view);
  }
  if (!view.found) {
    const bool full = Subject::kTraits.counts_buckets && !model.HasRoom();
    kit::Expect(hash::kH5, full || source_.failures() > failures_before,
                "an insertion fails for want of memory or room only");
    return;
  }
  if constexpr (Subject::kTraits.counts_buckets) {
    kit::Expect(hash::kH6, model.HasRoom(), "the limit of buckets holds");
    const size_t bytes = MaxAlign(subject_->TupleBytes(row));
    const bool in_front = options_.table.layout != hash::Layout::kSeparate;
    space_bytes_ += bytes + (in_front ? additional() : 0);
  }
  kit::Expect(hash::kH1, view.is_new, "what was not there is new");
  model.Insert(row.key, {.row = row.text});
  ExpectMember(*model.Find(row.key), view);  // additional bytes are zero at birth
}

template <TableSubject Subject>
void TableSuiteOf<Subject>::Insert(size_t t, uint64_t number, bool as_tuple, uint64_t fill) {
  const TableRow row = rows_.Row(number);
  const uint64_t failures = source_.failures();
  const TableView view = subject_->Insert(t, row, as_tuple);
  Inserted(t, row, view, failures);
  if (view.found) SetFill(t, row, view, fill);
}

template <TableSubject Subject>
void TableSuiteOf<Subject>::Step(const TableErase& op) {
  const size_t t = Which(op.other);
  const TableRow row = rows_.Row(op.row);
  kit::ExpectEqual(hash::kH1, models_[t].Find(row.key) != nullptr, subject_->Erase(t, row),
                   "what is there is erased");
  models_[t].Erase(row.key);
}

template <TableSubject Subject>
void TableSuiteOf<Subject>::Step(const TableBatch& op) {
  const size_t t = Which(op.other);
  std::vector<TableRow> rows;
  for (uint64_t i = 0; i < op.count; ++i) rows.push_back(rows_.Row(op.from + i * op.step));
  const uint64_t failures = source_.failures();
  const std::vector<TableView> views = subject_->Batch(t, rows, op.insert, IsTuple(op.as));
  for (size_t i = 0; i < rows.size(); ++i) {
    if (op.insert) {
      Inserted(t, rows[i], views[i], failures);
    } else {
      ExpectFound(t, rows[i], views[i]);
    }
  }
  for (size_t i = 0; i < rows.size(); ++i) {
    if (op.insert && views[i].found) SetFill(t, rows[i], views[i], op.fill);
  }
}

template <TableSubject Subject>
void TableSuiteOf<Subject>::Walk(size_t t, uint64_t of, uint64_t keep) {
  std::multiset<std::string> seen;
  std::multiset<std::string> expected;
  std::set<std::string> gone;
  for (const auto& [key, member] : models_[t].members()) expected.insert(member.row);
  uint64_t visited = 0;
  subject_->Walk(t, [&](const TableView& view) {
    run_.SpendSteps(1);
    seen.insert(view.row);
    const bool erase = of > 0 && visited++ % of != keep;
    if (erase) gone.insert(view.row);
    return erase;
  });
  kit::ExpectEqual(hash::kH4, expected, seen, "a walk visits each member once");
  const std::map<std::string, ModelMember> before = models_[t].members();
  for (const auto& [key, member] : before) {
    if (gone.contains(member.row)) models_[t].Erase(key);
  }
}

template <TableSubject Subject>
void TableSuiteOf<Subject>::Step(const TableReset& op) {
  const bool shared = options_.tables > 1 && Subject::kTraits.shares;
  kit::ExpectEqual(hash::kH11, !shared, subject_->Reset(Which(op.other)),
                   "a table of a shared space is not reset alone");
  if (shared) return;
  models_[Which(op.other)].Reset();
  space_bytes_ = 0;
}

template <TableSubject Subject>
void TableSuiteOf<Subject>::Step(const TableResetSpace&) {
  subject_->ResetSpace();
  for (TableModel& model : models_) model.Reset();
  space_bytes_ = 0;
}

template <TableSubject Subject>
void TableSuiteOf<Subject>::Compare() {
  if constexpr (Subject::kTraits.counts_buckets) {
    size_t bucket_bytes = 0;
    size_t separate = 0;
    for (size_t t = 0; t < models_.size(); ++t) {
      const hash::TableStats stats = subject_->table(t).Stats();
      kit::ExpectEqual(hash::kH1, models_[t].members().size(), stats.members, "members");
      kit::ExpectEqual(hash::kH6, models_[t].buckets(), stats.buckets, "buckets");
      kit::ExpectEqual(hash::kH6, models_[t].most(), stats.members_most, "most members");
      kit::Expect(
          hash::kH6,
          stats.buckets <= std::max<uint64_t>(models_[t].buckets_first(), 20 * models_[t].most()),
          "buckets are in proportion to members");
      bucket_bytes += stats.buckets > 0 ? 1 : 0;
      separate += models_[t].members().size();
    }
    if (options_.table.layout != hash::Layout::kSeparate || additional() == 0) separate = 0;
    kit::ExpectEqual(hash::kH5, space_bytes_, subject_->tuples_account().live,
                     "the space holds the pieces inserted and nothing else");
    kit::ExpectEqual(hash::kH5, bucket_bytes + separate, subject_->buckets_account().live_chunks,
                     "nothing but arrays, and separate additional bytes, lies beside");
  }
}

template <TableSubject Subject>
void TableSuiteOf<Subject>::Finish() {
  source_.FailNever();
  for (size_t t = 0; t < models_.size(); ++t) {
    for (uint64_t n = 0; n < 256; ++n) {
      const TableRow row = rows_.Row(n);
      ExpectFound(t, row, subject_->Find(t, row, n % 2 == 0));
    }
    Walk(t, 0, 0);
  }
  Step(TableResetSpace{});
  Compare();
  Verify();
  subject_.reset();
  kit::ExpectEqual(hash::kH5, size_t{0}, source_.lent_bytes(), "all memory is given back");
}

using TableSuite = TableSuiteOf<EngineTables>;
extern template class TableSuiteOf<EngineTables>;

}  // namespace tuplestone::properties

namespace tuplestone::kit {
extern template class ProgramTarget<properties::TableSuite>;
}

#endif  // TUPLESTONE_PROPERTIES_HASH_TABLE_SUITE_H_
