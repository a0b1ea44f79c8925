#include "engine/sort/merger.h"

#include <new>

#include "absl/strings/str_format.h"
#include "engine/base/probe.h"
#include "engine/sort/invariants.h"

namespace tuplestone::sort {

absl::Status Merger::Reserve(size_t inputs, size_t block_bytes) {
  TUPLESTONE_CHECK_EQ(kS12, 0, reserved_);
  const size_t bytes = inputs * (sizeof(Input) + sizeof(Contender));
  void* memory = read_.source.Obtain(bytes, alignof(Input));
  if (memory == nullptr) {
    TUPLESTONE_PROBE("sort.merge_without_memory");
    return absl::ResourceExhaustedError(
        absl::StrFormat("no memory for a merge of %d runs, %d bytes", inputs, bytes));
  }
  inputs_ = static_cast<Input*>(memory);
  nodes_ = reinterpret_cast<Contender*>(inputs_ + inputs);
  for (size_t i = 0; i < inputs; ++i) new (&inputs_[i]) Input{};
  reserved_ = inputs;
  buffer_bytes_ = inputs * block_bytes;
  read_.budget.ChargeMerge(buffer_bytes_);
  return absl::OkStatus();
}

void Merger::Release() {
  if (reserved_ == 0) return;
  for (size_t i = 0; i < reserved_; ++i) inputs_[i].slot.Release(read_.source, read_.budget);
  read_.source.Return(inputs_, overhead_bytes(), alignof(Input));
  read_.budget.RefundMerge(buffer_bytes_);
  tree_.reset();
  inputs_ = nullptr;
  reserved_ = 0;
  buffer_bytes_ = 0;
  count_ = 0;
}

bool Merger::BeforeInTie(uint32_t a, uint32_t b) const {
  const int order = order_.Compare(inputs_[a].tuple, inputs_[b].tuple);
  return order != 0 ? order < 0 : a < b;
}

absl::Status Merger::Advance(Input& input) {
  absl::StatusOr<tuple::Tuple> tuple = ReadTuple(*input.tape, input.slot, read_);
  if (!tuple.ok()) return tuple.status();
  input.tuple = *tuple;
  return absl::OkStatus();
}

Contender Merger::ContenderOf(size_t input) const {
  const tuple::Tuple tuple = inputs_[input].tuple;
  if (!tuple) return {UINT64_MAX, static_cast<uint32_t>(input), true};
  return {order_.Prefix(tuple), static_cast<uint32_t>(input), false};
}

absl::Status Merger::Begin(size_t inputs) {
  TUPLESTONE_CHECK(kS12, inputs > 0);
  TUPLESTONE_CHECK(kS12, inputs <= reserved_);
  for (size_t i = 0; i < inputs; ++i) {
    absl::Status read = Advance(inputs_[i]);
    if (!read.ok()) return read;
  }
  count_ = inputs;
  tree_.emplace(nodes_, inputs, Tie{this});
  tree_->Build([this](size_t input) { return ContenderOf(input); });
  returned_ = false;
  return absl::OkStatus();
}

absl::StatusOr<tuple::Tuple> Merger::Next() {
  const uint32_t winner = tree_->winner().input;
  if (returned_) {
    returned_ = false;
    absl::Status read = Advance(inputs_[winner]);
    if (!read.ok()) return read;
    tree_->Replace(ContenderOf(winner));
  }
  if (poll_.Step()) return absl::CancelledError("cancelled while merging");
  if (tree_->winner().done) return tuple::Tuple();
  returned_ = true;
  return inputs_[tree_->winner().input].tuple;
}

size_t Merger::slot_bytes() const {
  size_t bytes = 0;
  for (size_t i = 0; i < reserved_; ++i) bytes += inputs_[i].slot.capacity();
  return bytes;
}

void Merger::Verify() const {
  if (!tree_.has_value()) return;
  const Contender winner = tree_->winner();
  for (size_t i = 0; i < count_; ++i) {
    if (i == winner.input) continue;
    TUPLESTONE_CHECK(kS4, tree_->Before(winner, ContenderOf(i)));
  }
}

}  // namespace tuplestone::sort
