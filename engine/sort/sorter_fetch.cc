// Tuples out.
#include "engine/sort/sorter.h"

namespace tuplestone::sort {

absl::StatusOr<tuple::Tuple> Sorter::NextOf() {
  switch (state_) {
    case State::kSortedInMemory:
      return buffer_->At(row_);
    case State::kMerging:
      return merger_->Next();
    default:
      return ReadTuple(*run_tapes_[0].tape, slot_, Reading());
  }
}

absl::StatusOr<tuple::Tuple> Sorter::Next() {
  if (state_ == State::kFailed) return error_;
  TUPLESTONE_CHECK(kS12, IsSorted());
  if (row_ == rows_) return tuple::Tuple();
  absl::StatusOr<tuple::Tuple> tuple = NextOf();
  if (!tuple.ok()) return Fail(tuple.status());
  if (!*tuple) return Fail(absl::DataLossError("the tapes end before all that was written"));
  ++row_;
  return tuple;
}

absl::StatusOr<tuple::Tuple> Sorter::Previous() {
  if (state_ == State::kFailed) return error_;
  TUPLESTONE_CHECK(kS12, IsSorted());
  TUPLESTONE_CHECK(kS12, options_.random_access);
  if (row_ == 0) return tuple::Tuple();
  if (state_ == State::kSortedInMemory) return buffer_->At(--row_);
  absl::StatusOr<tuple::Tuple> tuple = ReadTupleBackward(*run_tapes_[0].tape, slot_, Reading());
  if (!tuple.ok()) return Fail(tuple.status());
  --row_;
  return tuple;
}

absl::Status Sorter::Rewind() {
  if (state_ == State::kFailed) return error_;
  TUPLESTONE_CHECK(kS12, IsSorted());
  TUPLESTONE_CHECK(kS12, options_.random_access);
  if (state_ == State::kSortedOnTape) {
    absl::Status rewound = run_tapes_[0].tape->Rewind();
    if (!rewound.ok()) return Fail(rewound);
  }
  row_ = 0;
  return absl::OkStatus();
}

absl::Status Sorter::Mark() {
  if (state_ == State::kFailed) return error_;
  TUPLESTONE_CHECK(kS12, IsSorted());
  TUPLESTONE_CHECK(kS12, options_.random_access);
  if (state_ == State::kSortedOnTape) mark_ = run_tapes_[0].tape->Tell();
  mark_row_ = row_;
  return absl::OkStatus();
}

absl::Status Sorter::Restore() {
  if (state_ == State::kFailed) return error_;
  TUPLESTONE_CHECK(kS12, IsSorted());
  TUPLESTONE_CHECK(kS12, options_.random_access);
  if (state_ == State::kSortedOnTape) {
    absl::Status sought = run_tapes_[0].tape->Seek(mark_);
    if (!sought.ok()) return Fail(sought);
  }
  row_ = mark_row_;
  return absl::OkStatus();
}

}  // namespace tuplestone::sort
