// A hash map known to be good as a subject of the table suite: it proves the suite. And an example
// of how little it takes to test one's own.
#ifndef TUPLESTONE_PROPERTIES_HASH_TABLE_PEERS_H_
#define TUPLESTONE_PROPERTIES_HASH_TABLE_PEERS_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "engine/base/align.h"
#include "properties/hash/table_subject.h"

namespace tuplestone::properties {

class FlatHashMapTables {
 public:
  static constexpr TableTraits kTraits{
      .survives_failures = false, .counts_buckets = false, .shares = false};

  FlatHashMapTables(const TableWorldOptions& options, TableRowMaker&, BlockSource&)
      : additional_words_(MaxAlign(options.table.additional_bytes) / 8), maps_(options.tables) {}

  TableView Find(size_t t, const TableRow& row, bool) {
    const auto found = maps_[t].find(row.key);
    if (found == maps_[t].end()) return {};
    return View(found->second, false);
  }
  TableView Insert(size_t t, const TableRow& row, bool) {
    const auto [at, is_new] = maps_[t].try_emplace(row.key);
    if (is_new) at->second = {row.text, std::make_unique<uint64_t[]>(additional_words_)};
    return View(at->second, is_new);
  }
  std::vector<TableView> Batch(size_t t, const std::vector<TableRow>& rows, bool insert, bool) {
    std::vector<TableView> views;
    for (const TableRow& row : rows) {
      views.push_back(insert ? Insert(t, row, false) : Find(t, row, false));
    }
    return views;
  }
  bool Erase(size_t t, const TableRow& row) { return maps_[t].erase(row.key) > 0; }
  void Walk(size_t t, const std::function<bool(const TableView&)>& erase) {
    absl::erase_if(maps_[t], [&](auto& entry) { return erase(View(entry.second, false)); });
  }
  bool Reset(size_t t) {
    maps_[t].clear();
    return true;
  }
  void ResetSpace() {
    for (auto& map : maps_) map.clear();
  }
  void Verify() const {}

 private:
  struct Held {
    std::string row;
    std::unique_ptr<uint64_t[]> additional;
  };
  TableView View(Held& held, bool is_new) {
    return {true, is_new, held.row, reinterpret_cast<std::byte*>(held.additional.get())};
  }

  size_t additional_words_;
  std::vector<absl::flat_hash_map<std::string, Held>> maps_;
};

}  // namespace tuplestone::properties

#endif  // TUPLESTONE_PROPERTIES_HASH_TABLE_PEERS_H_
