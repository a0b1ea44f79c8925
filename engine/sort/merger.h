// One merge of k runs, a tuple at a time.
//
//   tape 0 -> slot 0 --.
//   tape 1 -> slot 1 --+--> loser tree --> the least tuple, in its slot until the next is asked for
//   tape 2 -> slot 2 --'
//
// An input holds its next tuple in a slot of its own, which grows to the largest that passed. Ties
// go to the earlier input, so a merge of neighbouring runs is stable (merge_plan.h).
//
// Charged: the slots, and a block for each input's buffer. Held beyond that: inputs and nodes.
#ifndef TUPLESTONE_ENGINE_SORT_MERGER_H_
#define TUPLESTONE_ENGINE_SORT_MERGER_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/sort/budget.h"
#include "engine/sort/loser_tree.h"
#include "engine/sort/poll.h"
#include "engine/sort/run_tape.h"
#include "engine/tape/tape.h"
#include "engine/tuple/order.h"

namespace tuplestone::sort {

class Merger {
 public:
  // Requires: all outlive it.
  Merger(const tuple::Order& order, const ReadOptions& read, Poll& poll)
      : order_(order), read_(read), poll_(poll) {}
  ~Merger() { Release(); }
  Merger(const Merger&) = delete;
  Merger& operator=(const Merger&) = delete;

  // Room for merges of up to `inputs` runs, whose buffers are charged. ResourceExhausted without
  // memory. Requires: nothing is reserved.
  absl::Status Reserve(size_t inputs, size_t block_bytes);
  void Release();

  // Input i is `tape`, which stands where a run begins. Requires: i below what is reserved.
  void SetInput(size_t i, tape::Tape* tape) { inputs_[i].tape = tape; }
  // Reads the first tuple of inputs 0 to `inputs` - 1.
  absl::Status Begin(size_t inputs);
  // The next tuple, valid until the next call; none at the end.
  absl::StatusOr<tuple::Tuple> Next();

  // Bytes that are not charged.
  size_t overhead_bytes() const { return reserved_ * (sizeof(Input) + sizeof(Contender)); }
  // Bytes of the slots; the blocks of buffers are charged, and held by the tapes.
  size_t slot_bytes() const;
  void Verify() const;

 private:
  struct Input {
    tape::Tape* tape;
    TupleSlot slot;
    tuple::Tuple tuple;  // none: the run is done
  };
  struct Tie {
    const Merger* merger;
    bool operator()(uint32_t a, uint32_t b) const { return merger->BeforeInTie(a, b); }
  };

  bool BeforeInTie(uint32_t a, uint32_t b) const;
  absl::Status Advance(Input& input);
  Contender ContenderOf(size_t input) const;

  const tuple::Order& order_;
  ReadOptions read_;
  Poll& poll_;
  Input* inputs_ = nullptr;
  Contender* nodes_ = nullptr;
  size_t reserved_ = 0;
  size_t buffer_bytes_ = 0;
  size_t count_ = 0;  // inputs of the running merge
  std::optional<LoserTree<Tie>> tree_;
  bool returned_ = false;  // the winner was handed out; its input moves on at the next call
};

}  // namespace tuplestone::sort

#endif  // TUPLESTONE_ENGINE_SORT_MERGER_H_
