#include "engine/sort/run_tape.h"

#include <cstring>

#include "absl/strings/str_format.h"
#include "engine/base/align.h"
#include "engine/base/bytes.h"
#include "engine/base/probe.h"
#include "engine/sort/invariants.h"

namespace tuplestone::sort {
namespace {

constexpr size_t kWord = kRecordWordBytes;
// Where the bytes that are written begin in a tuple.
constexpr size_t kBodyAt = tuple::kInfomask2At;
static_assert(kBodyAt == kWord + kTuplePadBytes);

absl::Status Damaged(const tape::Tape& tape, uint64_t offset, const char* what) {
  return absl::DataLossError(absl::StrFormat("tape %d: byte %d: %s", tape.number(), offset, what));
}

// All of `out`, or an error.
absl::Status ReadExactly(tape::Tape& tape, MutableBytes out) {
  const uint64_t offset = tape.offset();
  const absl::StatusOr<size_t> count = tape.Read(out);
  if (!count.ok()) return count.status();
  if (*count != out.size()) return Damaged(tape, offset, "the run has no end");
  return absl::OkStatus();
}

absl::StatusOr<uint32_t> ReadWord(tape::Tape& tape) {
  std::byte word[kWord];
  absl::Status read = ReadExactly(tape, MutableBytes(word, kWord));
  if (!read.ok()) return read;
  return Load<uint32_t>(word);
}

bool IsLength(size_t length, const ReadOptions& options) {
  const size_t bytes = length + kTuplePadBytes;
  return bytes >= tuple::kDataAtWithoutNulls && bytes <= options.tuple_bytes_max;
}

absl::Status ReserveSlot(size_t bytes, TupleSlot& slot, const ReadOptions& options) {
  if (slot.Reserve(bytes, options.source, options.budget)) return absl::OkStatus();
  TUPLESTONE_PROBE("sort.slot_without_memory");
  return absl::ResourceExhaustedError(absl::StrFormat("no memory for a tuple of %d bytes", bytes));
}

// What is not on the tape: the tuple's length and its padding.
void StoreHead(std::byte* tuple, size_t bytes) {
  Store(tuple, static_cast<uint32_t>(bytes));
  std::memset(tuple + kWord, 0, kTuplePadBytes);
}

// A tuple that lies in the loaded block as a whole; none: it does not, or is no tuple.
absl::StatusOr<tuple::Tuple> ReadWithinBlock(tape::Tape& tape, TupleSlot& slot,
                                             const ReadOptions& options) {
  const std::byte* record = tape.Peek(kWord);
  if (record == nullptr) return tuple::Tuple();
  const size_t length = Load<uint32_t>(record);
  if (!IsLength(length, options)) return tuple::Tuple();
  const size_t copy_bytes = options.random_access ? kWord : 0;
  record = tape.Peek(length + copy_bytes);
  if (record == nullptr) return tuple::Tuple();
  if (options.random_access && Load<uint32_t>(record + length) != length) return tuple::Tuple();
  const size_t bytes = length + kTuplePadBytes;
  if (bytes > slot.capacity()) {
    absl::Status reserved = ReserveSlot(bytes, slot, options);
    if (!reserved.ok()) return reserved;
  }
  StoreHead(slot.data(), bytes);
  std::memcpy(slot.data() + kBodyAt, record + kWord, length - kWord);
  tape.Skip(length + copy_bytes);
  return tuple::Tuple(slot.data());
}

// The tuple whose length word has been read.
absl::StatusOr<tuple::Tuple> ReadBody(tape::Tape& tape, size_t length, TupleSlot& slot,
                                      const ReadOptions& options) {
  if (!IsLength(length, options)) {
    return Damaged(tape, tape.offset() - kWord, "a length that no tuple has");
  }
  const size_t bytes = length + kTuplePadBytes;
  absl::Status reserved = ReserveSlot(bytes, slot, options);
  if (!reserved.ok()) return reserved;
  StoreHead(slot.data(), bytes);
  absl::Status read = ReadExactly(tape, MutableBytes(slot.data() + kBodyAt, bytes - kBodyAt));
  if (!read.ok()) return read;
  return tuple::Tuple(slot.data());
}

}  // namespace

absl::Status WriteTuple(tape::Tape& tape, tuple::Tuple tuple, bool random_access) {
  const size_t bytes = tuple.bytes();
  const size_t body = bytes - kBodyAt;
  if (std::byte* to = tape.Append(RecordBytes(bytes, random_access)); to != nullptr) {
    Store(to, static_cast<uint32_t>(kWord + body));
    std::memcpy(to + kWord, tuple.data() + kBodyAt, body);
    if (random_access) Store(to + kWord + body, static_cast<uint32_t>(kWord + body));
    return absl::OkStatus();
  }
  std::byte word[kWord];
  Store(word, static_cast<uint32_t>(kWord + body));
  absl::Status written = tape.Write(Bytes(word, kWord));
  if (written.ok()) written = tape.Write(Bytes(tuple.data() + kBodyAt, body));
  if (written.ok() && random_access) written = tape.Write(Bytes(word, kWord));
  return written;
}

absl::Status WriteRunEnd(tape::Tape& tape) {
  const std::byte word[kWord] = {};
  return tape.Write(Bytes(word, kWord));
}

bool TupleSlot::Reserve(size_t bytes, BlockSource& source, Budget& budget) {
  if (bytes <= capacity_) return true;
  Release(source, budget);
  const size_t capacity = MaxAlign(bytes);
  data_ = static_cast<std::byte*>(source.Obtain(capacity, kMaxAlign));
  if (data_ == nullptr) return false;
  capacity_ = capacity;
  budget.ChargeMerge(capacity_);
  return true;
}

void TupleSlot::Release(BlockSource& source, Budget& budget) {
  if (data_ == nullptr) return;
  source.Return(data_, capacity_, kMaxAlign);
  budget.RefundMerge(capacity_);
  data_ = nullptr;
  capacity_ = 0;
}

absl::StatusOr<tuple::Tuple> ReadTuple(tape::Tape& tape, TupleSlot& slot,
                                       const ReadOptions& options) {
  absl::StatusOr<tuple::Tuple> tuple = ReadWithinBlock(tape, slot, options);
  if (!tuple.ok() || *tuple) return tuple;
  const absl::StatusOr<uint32_t> length = ReadWord(tape);
  if (!length.ok()) return length.status();
  if (*length == 0) return tuple::Tuple();
  tuple = ReadBody(tape, *length, slot, options);
  if (!tuple.ok() || !options.random_access) return tuple;
  const uint64_t offset = tape.offset();
  const absl::StatusOr<uint32_t> copy = ReadWord(tape);
  if (!copy.ok()) return copy.status();
  if (*copy != *length) return Damaged(tape, offset, "the lengths of a tuple differ");
  return tuple;
}

absl::StatusOr<tuple::Tuple> ReadTupleBackward(tape::Tape& tape, TupleSlot& slot,
                                               const ReadOptions& options) {
  const uint64_t end = tape.offset();
  absl::StatusOr<uint64_t> moved = tape.Backspace(kWord);
  if (!moved.ok()) return moved.status();
  const absl::StatusOr<uint32_t> length = ReadWord(tape);
  if (!length.ok()) return length.status();
  const uint64_t record = uint64_t{*length} + kWord;
  if (record > end) return Damaged(tape, end - kWord, "a length that no tuple has");
  moved = tape.Backspace(record);
  if (!moved.ok()) return moved.status();
  const absl::StatusOr<tuple::Tuple> tuple = ReadTuple(tape, slot, options);
  if (!tuple.ok()) return tuple;
  moved = tape.Backspace(record);
  if (!moved.ok()) return moved.status();
  TUPLESTONE_CHECK_EQ(kS9, end - record, tape.offset());
  return tuple;
}

}  // namespace tuplestone::sort
