// Programs of sorts, on a sorter and its model in step. Every tuple that comes out is the one that
// std::stable_sort puts there, to the byte; every figure that the model predicts from the lengths
// of tuples is the sorter's: tuples in memory, array, charge, runs, passes, blocks. Every fault of
// store, memory or caller comes back as the error it should, and leaves nothing behind.
#ifndef TUPLESTONE_PROPERTIES_SORT_SORT_SUITE_H_
#define TUPLESTONE_PROPERTIES_SORT_SORT_SUITE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "engine/sort/sorter.h"
#include "properties/kit/faulty_source.h"
#include "properties/kit/faulty_store.h"
#include "properties/kit/run.h"
#include "properties/kit/target.h"
#include "properties/sort/sort_model.h"
#include "properties/sort/sort_ops.h"
#include "properties/sort/sort_rows.h"

namespace tuplestone::properties {

SortSettings SettingsOf(const SortHead& head);

class SortSuite {
 public:
  using Program = SortProgram;

  SortSuite(const SortHead& head, kit::Runner& run);

  void Step(const SortPut& put);
  void Step(const SortPutMany& put);
  void Step(const SortPutWrong& put);
  void Step(const SortSort&);
  void Step(const SortNext& next);
  void Step(const SortPrevious& previous);
  void Step(const SortMark&);
  void Step(const SortRestore&);
  void Step(const SortRewind&);
  void Step(const SortReset&);
  void Step(const SortFailStore& fail);
  void Step(const SortFailMemory& fail);
  void Step(const SortCancel& cancel);
  void Step(const SortDamageBlock& damage);
  void Compare();
  void Verify();
  // Sorts, fetches what is left, resets, counts.
  void Finish();

  const sort::Sorter& sorter() const { return *sorter_; }
  const SortModel& model() const { return *model_; }
  const SortRowMaker& rows() const { return maker_; }
  const SortSettings& settings() const { return settings_; }
  bool failed() const { return failed_; }
  // Sorts, if that was not done yet. False: it failed.
  bool Sort();
  // The rows that come out, from where the sort stands to the end.
  std::vector<std::string> FetchAll();

 private:
  void Ask();
  // Whether the answer to what was asked is OK, after checking that it should be.
  bool Judge(const absl::Status& status);
  bool MayBeCancelled(const sort::Progress& progress);
  void Put(SortRow row);
  void CheckRow(const absl::StatusOr<tuple::Tuple>& tuple, size_t row);
  void CompareWhileBuilding(const sort::SortStats& stats);
  void ExpectNothingLeft();

  kit::Runner& run_;
  SortSettings settings_;
  SortRowMaker maker_;
  kit::FaultySource source_;
  kit::FaultyStore store_;
  std::optional<sort::Sorter> sorter_;
  std::optional<SortModel> model_;

  bool sorted_ = false;
  bool failed_ = false;
  absl::Status error_;
  size_t row_ = 0;
  size_t mark_ = 0;
  int64_t number_ = 0;
  uint64_t failures_before_ = 0;
  std::optional<uint64_t> cancel_after_;
  bool cancelled_ = false;
  tuple::Tuple returned_;
  std::string returned_bytes_;
};

}  // namespace tuplestone::properties

namespace tuplestone::kit {
extern template class ProgramTarget<properties::SortSuite>;
}

#endif  // TUPLESTONE_PROPERTIES_SORT_SORT_SUITE_H_
