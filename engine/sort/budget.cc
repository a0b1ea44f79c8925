#include "engine/sort/budget.h"

#include "absl/numeric/int128.h"
#include "engine/base/probe.h"
#include "engine/sort/invariants.h"

namespace tuplestone::sort {

Budget::Budget(size_t bytes, ArrayCost cost, const Limits& limits)
    : bytes_(bytes), cost_(cost), limits_(limits) {
  TUPLESTONE_CHECK(kS12, bytes < size_t{1} << 62);
  TUPLESTONE_CHECK(kS12, limits.array_entries >= 2);
  TUPLESTONE_CHECK(kS12, limits.array_entries <= limits.array_entries_max);
  TUPLESTONE_CHECK(kS12, limits.array_entries_max <= UINT32_MAX);
  TUPLESTONE_CHECK(kS12, cost.Space(limits.array_entries) <= bytes);
  Begin();
}

void Budget::Begin() {
  available_ = static_cast<int64_t>(bytes_);
  tuple_bytes_ = 0;
  tuple_bytes_max_ = 0;
  tape_bytes_ = 0;
  array_entries_ = 0;
  growing_ = true;
  ChargeArray(limits_.array_entries);
}

size_t Budget::NextArray() {
  if (!growing_) return 0;
  const size_t used = charged();
  const size_t free = bytes_ - std::min(bytes_, used);
  size_t next = array_entries_ * 2;
  if (used > free) {
    TUPLESTONE_PROBE("sort.last_array_growth");
    growing_ = false;
    // The array and the tuples keep their proportion.
    next = static_cast<size_t>(absl::uint128(array_entries_) * bytes_ / used);
  }
  next = std::min(next, limits_.array_entries_max);
  const bool larger = next > array_entries_;
  if (!larger || (next - array_entries_) * cost_.entry_bytes > free) {
    TUPLESTONE_PROBE("sort.array_stays");
    growing_ = false;
    return 0;
  }
  return next;
}

void Budget::ChargeArray(size_t entries) {
  available_ += static_cast<int64_t>(array_bytes());
  array_entries_ = entries;
  available_ -= static_cast<int64_t>(array_bytes());
}

bool Budget::ChargeTapes(size_t order) {
  const size_t bytes = order * limits_.block_bytes;
  if (bytes + array_bytes() >= bytes_) {
    TUPLESTONE_PROBE("sort.tapes_uncharged");
    return false;
  }
  tape_bytes_ = bytes;
  available_ -= static_cast<int64_t>(bytes);
  return true;
}

void Budget::BeginMerge() {
  RefundTuples();
  ChargeArray(0);
  available_ += static_cast<int64_t>(tape_bytes_);
  tape_bytes_ = 0;
}

void Budget::Verify(bool building, bool run_written) const {
  if (!building) return;
  TUPLESTONE_CHECK_EQ(kS1, tuple_bytes_ + tape_bytes_ + array_bytes(), charged());
  const size_t on_top = run_written ? 0 : tape_bytes_;
  TUPLESTONE_CHECK(kS1, charged() <= bytes_ + tuple_bytes_max_ + on_top);
}

}  // namespace tuplestone::sort
