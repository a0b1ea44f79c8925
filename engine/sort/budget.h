// What a sort may use, and what of it is charged: the arithmetic that decides how many tuples a run
// holds, and so how many runs there are.
//
//   | array | tuples ........................ | tapes | available |     charged = budget -
//   available
//
// A sort begins with the first array charged. Each tuple takes its space; a run ends when available
// is below 0 or the array is full. The array doubles while no more is used than available, then
// grows a last time to what the tuples so far let hope for. Going external charges a block for each
// tape that a merge will have, unless that and the array would be all there is.
//
// Invariants: S1, S2 (invariants.h). Obtains nothing; says what may be obtained.
#ifndef TUPLESTONE_ENGINE_SORT_BUDGET_H_
#define TUPLESTONE_ENGINE_SORT_BUDGET_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/sort/limits.h"

namespace tuplestone::sort {

class Budget {
 public:
  // Requires: bytes < 2^62.
  Budget(size_t bytes, ArrayCost cost, const Limits& limits);

  // As new.
  void Begin();

  void ChargeTuple(size_t space) {
    available_ -= static_cast<int64_t>(space);
    tuple_bytes_ += space;
    tuple_bytes_max_ = std::max(tuple_bytes_max_, space);
  }
  void RefundTuple(size_t space) {
    available_ += static_cast<int64_t>(space);
    tuple_bytes_ -= space;
  }
  void RefundTuples() { RefundTuple(tuple_bytes_); }

  // The size of array that may be obtained now, or 0: then it never grows again.
  size_t NextArray();
  void ChargeArray(size_t entries);
  void StopGrowing() { growing_ = false; }

  // Going external: true when the tapes' blocks are charged, false when they would be all.
  bool ChargeTapes(size_t order);

  // Runs are built: nothing of them is charged any more.
  void BeginMerge();
  void ChargeMerge(size_t bytes) { available_ -= static_cast<int64_t>(bytes); }
  void RefundMerge(size_t bytes) { available_ += static_cast<int64_t>(bytes); }

  bool IsSpent() const { return available_ < 0; }
  size_t bytes() const { return bytes_; }
  size_t charged() const { return static_cast<size_t>(static_cast<int64_t>(bytes_) - available_); }
  size_t tuple_bytes() const { return tuple_bytes_; }
  size_t tuple_bytes_max() const { return tuple_bytes_max_; }  // of one tuple, since Begin
  size_t tape_bytes() const { return tape_bytes_; }
  size_t array_entries() const { return array_entries_; }
  size_t array_bytes() const { return array_entries_ == 0 ? 0 : cost_.Space(array_entries_); }

  // Aborts unless the charges add up, and, while runs are built, to what S1 allows.
  void Verify(bool building, bool run_written) const;

 private:
  size_t bytes_;
  ArrayCost cost_;
  Limits limits_;
  int64_t available_ = 0;
  size_t tuple_bytes_ = 0;
  size_t tuple_bytes_max_ = 0;
  size_t tape_bytes_ = 0;
  size_t array_entries_ = 0;
  bool growing_ = true;
};

}  // namespace tuplestone::sort

#endif  // TUPLESTONE_ENGINE_SORT_BUDGET_H_
