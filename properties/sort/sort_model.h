// A sort as it should be. What comes out: std::stable_sort. What it costs: the budget, counted
// tuple by tuple from their lengths, as the thread's arithmetic goes; runs, tapes and passes,
// played through. Loops and vectors; nothing of the engine but plain figures of options.
#ifndef TUPLESTONE_PROPERTIES_SORT_SORT_MODEL_H_
#define TUPLESTONE_PROPERTIES_SORT_SORT_MODEL_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/sort/limits.h"

namespace tuplestone::properties {

struct SortSettings {
  uint64_t budget_bytes = 0;
  sort::Layout layout = sort::Layout::kCompact;
  uint64_t bound = 0;
  bool random_access = false;
  sort::Limits limits;
};

// A value of any type: as a number where it is one, else as bytes.
struct SortValue {
  enum class Kind { kNull, kInteger, kFloat, kBytes };
  Kind kind = Kind::kNull;
  int64_t integer = 0;
  double real = 0;
  std::string bytes;
};

struct SortModelKey {
  size_t column = 0;
  bool descending = false;
  bool nulls_first = false;
};

// Below, equal to, above 0. Nulls, then the values; NaN is the largest.
int CompareSortValues(const SortValue& a, const SortValue& b, const SortModelKey& key);

// What a tuple of that length takes of the budget while runs are built.
uint64_t ModelTupleSpace(const SortSettings& settings, uint64_t tuple_bytes);

// The budget while tuples come in.
class SortRunModel {
 public:
  explicit SortRunModel(const SortSettings& settings);

  void Charge(uint64_t space) { available_ -= static_cast<int64_t>(space); }
  void Refund(uint64_t space) { available_ += static_cast<int64_t>(space); }
  // Before a tuple is added to `count` others.
  void MakeRoom(uint64_t count);
  // Whether a run ends with `count` tuples in memory.
  bool EndsRun(uint64_t count) const { return count >= array_ || available_ < 0; }
  bool IsSpent() const { return available_ < 0; }
  // A run of tuples that took `space` is written.
  void EndRun(uint64_t space);

  uint64_t array() const { return array_; }
  uint64_t order() const { return order_; }
  uint64_t charged() const { return settings_.budget_bytes - static_cast<uint64_t>(available_); }

 private:
  uint64_t ArraySpace(uint64_t entries) const;

  SortSettings settings_;
  int64_t available_;
  uint64_t array_;
  uint64_t order_ = 0;
  bool growing_ = true;
  bool external_ = false;
};

struct SortModelRun {
  uint64_t tuples = 0;
  uint64_t bytes = 0;  // on tape, its end included
};

// What merging takes.
struct MergeForecast {
  uint64_t passes = 0;  // before the last merge
  uint64_t blocks = 0;  // written, those of the first runs included
  uint64_t bytes = 0;   // written
};
MergeForecast ForecastMerges(const SortSettings& settings, uint64_t order,
                             const std::vector<SortModelRun>& runs);

// A sort of `rows` tuples of one length.
struct SortForecast {
  uint64_t first_run = 0;  // tuples; all if nothing is written
  uint64_t later_run = 0;
  uint64_t runs = 0;  // 0: in memory
  uint64_t order = 0;
  MergeForecast merges;
};
SortForecast ForecastSort(const SortSettings& settings, uint64_t rows, uint64_t tuple_bytes);

struct SortRow {
  std::vector<SortValue> values;
  std::string tuple;  // its bytes
};

class SortModel {
 public:
  SortModel(const SortSettings& settings, std::vector<SortModelKey> keys);

  void Put(SortRow row);
  void Sort();

  bool IsBefore(const SortRow& a, const SortRow& b) const;
  // Tuples in memory.
  size_t in_memory() const { return memory_.size(); }
  size_t put() const { return rows_.size(); }
  const std::vector<SortModelRun>& runs() const { return runs_; }
  const SortRunModel& budget() const { return budget_; }
  bool is_heap() const { return is_heap_; }

  // Once sorted: what comes out, and what it took.
  size_t output_count() const { return output_.size(); }
  const std::string& output(size_t row) const { return rows_[output_[row]].tuple; }
  const MergeForecast& merges() const { return merges_; }
  const std::vector<SortRow>& input() const { return rows_; }

 private:
  uint64_t SpaceOf(size_t row) const { return ModelTupleSpace(settings_, rows_[row].tuple.size()); }
  void KeepFirst();
  void WriteRun();

  SortSettings settings_;
  std::vector<SortModelKey> keys_;
  std::vector<SortRow> rows_;
  std::vector<size_t> memory_;  // numbers of rows; in order once it is a heap
  bool is_heap_ = false;
  SortRunModel budget_;
  std::vector<SortModelRun> runs_;
  std::vector<size_t> output_;  // numbers of rows
  MergeForecast merges_;
};

}  // namespace tuplestone::properties

#endif  // TUPLESTONE_PROPERTIES_SORT_SORT_MODEL_H_
