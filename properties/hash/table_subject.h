// What a table suite needs of the thing under test, and the engine's table as its first subject.
#ifndef TUPLESTONE_PROPERTIES_HASH_TABLE_SUBJECT_H_
#define TUPLESTONE_PROPERTIES_HASH_TABLE_SUBJECT_H_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/block_source.h"
#include "engine/hash/tuple_table.h"
#include "engine/memory/alloc_set.h"
#include "engine/memory/bump.h"
#include "properties/hash/table_rows.h"

namespace tuplestone::properties {

struct TableTraits {
  bool survives_failures = true;  // an insertion without memory changes nothing
  bool counts_buckets = true;     // TableStats, accounts and the limit of buckets mean something
  bool shares = true;             // two tables of one space are reset together
};

// What a lookup found, or nothing.
struct TableView {
  bool found = false;
  bool is_new = false;
  std::string row;
  std::byte* additional = nullptr;  // null: there are none
};

struct TableWorldOptions {
  hash::TableOptions table;
  size_t block_bytes = 128;
  size_t tables = 1;
};

// `t` is which table. Insert gives nothing found when there was no memory or no room.
template <class S>
concept TableSubject =
    std::constructible_from<S, const TableWorldOptions&, TableRowMaker&, BlockSource&> &&
    requires(S& s, size_t t, const TableRow& row, const std::vector<TableRow>& rows, bool flag,
             std::function<bool(const TableView&)> visit) {
      { S::kTraits } -> std::convertible_to<TableTraits>;
      { s.Find(t, row, flag) } -> std::same_as<TableView>;
      { s.Insert(t, row, flag) } -> std::same_as<TableView>;
      { s.Batch(t, rows, flag, flag) } -> std::same_as<std::vector<TableView>>;
      { s.Erase(t, row) } -> std::same_as<bool>;
      s.Walk(t, visit);
      { s.Reset(t) } -> std::same_as<bool>;
      s.ResetSpace();
      s.Verify();
    };

class EngineTables {
 public:
  static constexpr TableTraits kTraits{};

  EngineTables(const TableWorldOptions& options, TableRowMaker& rows, BlockSource& source);

  // `as_tuple`: the row is looked up as a tuple, else as values.
  TableView Find(size_t t, const TableRow& row, bool as_tuple);
  TableView Insert(size_t t, const TableRow& row, bool as_tuple);
  // In batches; as values only to find.
  std::vector<TableView> Batch(size_t t, const std::vector<TableRow>& rows, bool insert,
                               bool as_tuple);
  bool Erase(size_t t, const TableRow& row);
  void Walk(size_t t, const std::function<bool(const TableView&)>& erase);
  bool Reset(size_t t) { return tables_[t]->Reset().ok(); }
  void ResetSpace() { space_->Reset(); }
  void Verify() const;

  hash::TupleTable& table(size_t t) { return *tables_[t]; }
  memory::Account tuples_account() const { return tuples_->account(); }
  memory::Account buckets_account() const { return buckets_->account(); }
  size_t TupleBytes(const TableRow& row) const;

 private:
  // Alive until the next call.
  tuple::Tuple TupleOf(const TableRow& row);
  TableView View(size_t t, const hash::Member& member);

  TableRowMaker& rows_;
  memory::OwnedContext<memory::Bump> tuples_;
  memory::OwnedContext<memory::AllocSet> buckets_;
  std::unique_ptr<hash::TupleSpace> space_;
  std::vector<std::unique_ptr<hash::TupleTable>> tables_;
  std::deque<std::vector<uint64_t>> scratch_;  // words, for their alignment
};

}  // namespace tuplestone::properties

#endif  // TUPLESTONE_PROPERTIES_HASH_TABLE_SUBJECT_H_
