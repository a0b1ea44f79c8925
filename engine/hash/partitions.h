// Rows of an aggregation on tapes: a level's partitions while they are written, and one partition
// while it is read.
//
//   tape     | length 4 | hash 4 | tuple from byte 10 on | length 4 | hash 4 | ...
//
// The length is the tuple's; the six bytes of padding behind it are left out.
//
// A row's partition is a function of its hash, the level and the seed: another level mixes the hash
// anew, so what one level left together the next one parts, unless the hashes are equal.
//
// Invariants (invariants.h):
//   H10  Partitions of a level are disjoint, and rows are conserved.
#ifndef TUPLESTONE_ENGINE_HASH_PARTITIONS_H_
#define TUPLESTONE_ENGINE_HASH_PARTITIONS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "engine/hash/limits.h"
#include "engine/memory/context.h"
#include "engine/tape/tape.h"
#include "engine/tuple/hash.h"
#include "engine/tuple/minimal_tuple.h"

namespace tuplestone::hash {

inline constexpr size_t kSpilledHeadBytes = 8;               // length and hash
inline constexpr size_t kSpilledFrom = tuple::kInfomask2At;  // of a tuple

// Requires: partitions a power of two.
inline uint32_t PartitionOf(uint32_t hash, uint32_t level, uint32_t partitions, uint64_t seed) {
  const uint64_t salt = seed + (level + 1) * uint64_t{0xD1B54A32D192ED03};
  return tuple::FinishHash(tuple::MixWord(salt, hash)) & (partitions - 1);
}

// Rows that wait on a tape. `index` of `partitions` at `level` is where their hashes belong.
struct Partition {
  tape::Tape* tape = nullptr;  // null: no rows
  uint64_t rows = 0;
  uint32_t level = 0;  // that wrote it, from 0
  uint32_t index = 0;
  uint32_t partitions = 1;
  uint32_t unsplit = 0;  // levels in a row, this included, that left all their rows in one
};

// The partitions that one level writes. Tapes are made when the first row comes.
class PartitionWriter {
 public:
  PartitionWriter(tape::TapeSet& tapes, uint64_t seed) : tapes_(tapes), seed_(seed) {}

  // Requires: nothing is being written.
  void Begin(uint32_t level, uint32_t partitions);
  // `tuple` is of the plan's row schema.
  absl::Status Write(uint32_t hash, tuple::Tuple tuple);
  // Ends writing and appends the partitions that have rows to `done`, which owns their tapes then.
  // `unsplit` is the parent's figure.
  absl::Status End(uint32_t unsplit, std::vector<Partition>* done);
  // Closes what is open.
  void Abandon();

  uint64_t rows() const { return rows_; }  // of the level so far
  size_t open_tapes() const { return open_; }

 private:
  tape::TapeSet& tapes_;
  uint64_t seed_;
  uint32_t level_ = 0;
  std::vector<Partition> parts_;
  uint64_t rows_ = 0;
  size_t open_ = 0;
};

// A row read back; valid until the next batch.
struct SpilledRow {
  uint32_t hash = 0;
  tuple::Tuple tuple;
};

// Reads a partition in batches that lie in one piece of memory, which grows to the longest row.
class PartitionReader {
 public:
  // Requires: `context` can free, and outlives the reader.
  PartitionReader(memory::Context& context, size_t buffer_bytes)
      : context_(context), buffer_bytes_(buffer_bytes) {}
  ~PartitionReader() { Release(); }
  PartitionReader(const PartitionReader&) = delete;
  PartitionReader& operator=(const PartitionReader&) = delete;

  void Begin(tape::Tape& tape) { tape_ = &tape; }
  // Up to rows.size() rows; 0 at the end. DataLoss where the tape ends within a row, or a length is
  // none of a tuple.
  absl::StatusOr<size_t> ReadBatch(absl::Span<SpilledRow> rows);
  void Release();
  size_t buffer_bytes() const { return capacity_; }

 private:
  absl::Status ReadHeader();
  bool Reserve(size_t bytes);

  memory::Context& context_;
  size_t buffer_bytes_;  // obtained at first
  std::byte* buffer_ = nullptr;
  size_t capacity_ = 0;
  tape::Tape* tape_ = nullptr;
  bool has_header_ = false;  // of the next row, whose place was not there yet
  uint32_t next_hash_ = 0;
  uint32_t next_bytes_ = 0;
};

}  // namespace tuplestone::hash

#endif  // TUPLESTONE_ENGINE_HASH_PARTITIONS_H_
