// Runs on tapes: how tuples are written and read.
//
//   run     | tuple | tuple | .. | 0 |                          a word of 0 ends it
//   tuple   | length 4 | bytes 10 .. t_len of the tuple | length 4 |   the last for random access
//   only
//
// The length counts itself and the bytes, t_len - 6: the tuple's own length word and its six bytes
// of padding are left out.
//
// What is read is what was written, or the tape says that it is damaged (tape/block_format.h). A
// length that no tuple of this sort had is DataLoss all the same; bytes forged under a fitting
// checksum are believed.
#ifndef TUPLESTONE_ENGINE_SORT_RUN_TAPE_H_
#define TUPLESTONE_ENGINE_SORT_RUN_TAPE_H_

#include <cstddef>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/block_source.h"
#include "engine/sort/budget.h"
#include "engine/sort/limits.h"
#include "engine/tape/tape.h"
#include "engine/tuple/minimal_tuple.h"

namespace tuplestone::sort {

constexpr size_t RecordBytes(size_t tuple_bytes, bool random_access) {
  return tuple_bytes - kTuplePadBytes + (random_access ? kRecordWordBytes : 0);
}

absl::Status WriteTuple(tape::Tape& tape, tuple::Tuple tuple, bool random_access);
absl::Status WriteRunEnd(tape::Tape& tape);

// Memory for tuples that are read, charged and obtained as they need it.
class TupleSlot {
 public:
  std::byte* data() const { return data_; }
  size_t capacity() const { return capacity_; }

  // Room for `bytes`; what it held is gone. False: no memory, and the slot is empty.
  bool Reserve(size_t bytes, BlockSource& source, Budget& budget);
  void Release(BlockSource& source, Budget& budget);

 private:
  std::byte* data_ = nullptr;
  size_t capacity_ = 0;
};

// What readers have in common.
struct ReadOptions {
  BlockSource& source;
  Budget& budget;
  size_t tuple_bytes_max;
  bool random_access;
};

// The next tuple of the run, in `slot` until the slot is used again; none at the run's end, which
// is passed over.
absl::StatusOr<tuple::Tuple> ReadTuple(tape::Tape& tape, TupleSlot& slot,
                                       const ReadOptions& options);

// The tuple that ends where the tape stands; the tape then stands where it begins. Requires:
// frozen, random access, and there is one.
absl::StatusOr<tuple::Tuple> ReadTupleBackward(tape::Tape& tape, TupleSlot& slot,
                                               const ReadOptions& options);

}  // namespace tuplestone::sort

#endif  // TUPLESTONE_ENGINE_SORT_RUN_TAPE_H_
