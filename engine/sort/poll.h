// Progress, and the question whether to go on: asked once in so many tuples or comparisons.
#ifndef TUPLESTONE_ENGINE_SORT_POLL_H_
#define TUPLESTONE_ENGINE_SORT_POLL_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

namespace tuplestone::sort {

enum class Phase : uint8_t { kPut, kSortRun, kWriteRun, kMerge };

constexpr const char* PhaseName(Phase phase) {
  constexpr const char* kNames[] = {"put", "sort run", "write run", "merge"};
  return kNames[static_cast<size_t>(phase)];
}

struct Progress {
  Phase phase = Phase::kPut;
  uint64_t steps = 0;  // tuples and comparisons so far, of all phases
  uint64_t tuples = 0;
  uint64_t runs = 0;
  uint64_t passes = 0;
};

// False cancels: the call that asked, and every later one, gives Cancelled.
using ProgressFunction = std::function<bool(const Progress&)>;

class Poll {
 public:
  Poll(ProgressFunction function, uint64_t stride)
      : function_(std::move(function)), stride_(stride), left_(stride) {}

  // Counts a tuple or comparison. True once the caller has cancelled.
  bool Step() {
    if (--left_ == 0) [[unlikely]] {
      Ask();
    }
    return cancelled_;
  }
  // The same for a few of them.
  bool Steps(uint64_t steps) {
    if (left_ > steps) [[likely]] {
      left_ -= steps;
    } else {
      Ask();
    }
    return cancelled_;
  }
  bool cancelled() const { return cancelled_; }
  uint64_t stride() const { return stride_; }
  uint64_t polls() const { return polls_; }
  Progress& progress() { return progress_; }
  void Begin() { cancelled_ = false; }

 private:
  void Ask() {
    progress_.steps += stride_;
    left_ = stride_;
    ++polls_;
    // A no is final.
    if (!cancelled_ && function_ != nullptr) cancelled_ = !function_(progress_);
  }

  ProgressFunction function_;
  uint64_t stride_;
  uint64_t left_;
  uint64_t polls_ = 0;
  bool cancelled_ = false;
  Progress progress_;
};

}  // namespace tuplestone::sort

#endif  // TUPLESTONE_ENGINE_SORT_POLL_H_
