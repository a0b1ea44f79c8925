#include "properties/hash/table_subject.h"

#include <algorithm>
#include <array>

namespace tuplestone::properties {
namespace {

constexpr uint64_t kSeed = 0x5eed;

memory::Options BlocksOf(size_t bytes) {
  memory::Options options;
  options.limits.block_initial_bytes = bytes;
  options.limits.block_max_bytes = 16 * bytes;
  return options;
}

}  // namespace

EngineTables::EngineTables(const TableWorldOptions& options, TableRowMaker& rows,
                           BlockSource& source)
    : rows_(rows),
      tuples_(memory::Bump::Create(source, "tuples", BlocksOf(options.block_bytes))),
      buckets_(memory::AllocSet::Create(source, "buckets")),
      space_(std::make_unique<hash::TupleSpace>(*tuples_)) {
  const tuple::Hasher hasher = *tuple::Hasher::Make(rows.schema(), rows.keys(), kSeed);
  for (size_t t = 0; t < options.tables; ++t) {
    tables_.push_back(
        std::make_unique<hash::TupleTable>(hasher, *space_, *buckets_, options.table));
  }
}

size_t EngineTables::TupleBytes(const TableRow& row) const {
  return tuple::FormedBytesOrDie(rows_.schema(), row.values);
}

tuple::Tuple EngineTables::TupleOf(const TableRow& row) {
  const size_t bytes = TupleBytes(row);
  scratch_.emplace_back(bytes / sizeof(uint64_t) + 1);
  auto* to = reinterpret_cast<std::byte*>(scratch_.back().data());
  tuple::FormInto(rows_.schema(), row.values, to, bytes);
  return tuple::Tuple(to);
}

TableView EngineTables::View(size_t t, const hash::Member& member) {
  if (!member) return {};
  const bool has = tables_[t]->additional_bytes() > 0;
  return {true, member.is_new, tuple::ToString(rows_.schema(), member.tuple),
          has ? tables_[t]->Additional(member) : nullptr};
}

TableView EngineTables::Find(size_t t, const TableRow& row, bool as_tuple) {
  scratch_.clear();
  const absl::Span<const tuple::Value> values(row.values);
  return View(t, as_tuple ? tables_[t]->Find(TupleOf(row)) : tables_[t]->Find(values));
}

TableView EngineTables::Insert(size_t t, const TableRow& row, bool as_tuple) {
  scratch_.clear();
  const absl::Span<const tuple::Value> values(row.values);
  return View(t,
              as_tuple ? tables_[t]->FindOrInsert(TupleOf(row)) : tables_[t]->FindOrInsert(values));
}

std::vector<TableView> EngineTables::Batch(size_t t, const std::vector<TableRow>& rows, bool insert,
                                           bool as_tuple) {
  scratch_.clear();
  std::array<hash::Member, hash::kBatchMax> found;
  const absl::Span<hash::Member> members(found.data(), rows.size());
  if (as_tuple || insert) {
    std::vector<tuple::Tuple> tuples;
    for (const TableRow& row : rows) tuples.push_back(TupleOf(row));
    if (insert) {
      tables_[t]->FindOrInsertBatch(tuples, members);
    } else {
      tables_[t]->FindBatch(tuples, members);
    }
  } else {
    std::vector<tuple::Value> values;
    std::vector<uint32_t> hashes;
    for (const TableRow& row : rows) {
      values.insert(values.end(), row.values.begin(), row.values.end());
      hashes.push_back(tables_[t]->Hash(absl::MakeConstSpan(row.values)));
    }
    tables_[t]->FindBatch(values, static_cast<size_t>(rows_.schema().columns()), hashes, members);
  }
  std::vector<TableView> views;
  for (const hash::Member& member : members) views.push_back(View(t, member));
  return views;
}

bool EngineTables::Erase(size_t t, const TableRow& row) {
  scratch_.clear();
  const hash::Member member = tables_[t]->Find(TupleOf(row));
  if (member) tables_[t]->Erase(member);
  return static_cast<bool>(member);
}

void EngineTables::Walk(size_t t, const std::function<bool(const TableView&)>& erase) {
  hash::TupleTable::Iterator it(*tables_[t]);
  while (const hash::Member member = it.Next()) {
    if (erase(View(t, member))) it.EraseCurrent();
  }
}

void EngineTables::Verify() const {
  for (const auto& table : tables_) table->Verify();
  tuples_->Verify();
  buckets_->Verify();
}

}  // namespace tuplestone::properties
