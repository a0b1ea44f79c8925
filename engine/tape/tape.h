// Logical tapes: many byte strings, each written once from front to back, in the blocks of one
// store. The obvious design, a file a tape, needs twice the space of its data when tapes are merged
// into another: inputs last until they have been read to the end. Here a block is free as soon as
// it has been read, and the lowest free block is the next to be written, so a merge of any number
// of tapes needs the space of its data once, and the store stays short.
//
//   store    | 0: A | 1: B | 2: A | 3 free | 4: B |        tape A: 0 -> 2, tape B: 1 -> 4
//
//              Write            Rewind           Read
//   Create --> [writing] ------------> [reading] ---> each block is free once it was read
//                 |  Freeze
//                 '------------------> [frozen]       keeps its blocks: Read, Backspace, Tell,
//                                                     Seek, Rewind, as often as one likes
//
// A tape of n bytes owns ceil(n / payload) blocks: an empty tape none, and a tape that ends with a
// block no empty one behind it. A block is written when the next byte does not fit, or at the end.
//
// Invariants (invariants.h):
//   T1  every block below the high-water mark is owned once, by the free set or by a tape
//   T2  what is read is what was written, forwards and backwards
//   T3  seek returns to where tell was, in the last block too
//   T4  the lowest free block is taken first
//   T5  damage is reported, never returned as data (block_format.h says how it is found)
//   T6  closing a tape returns the blocks it still owns, read or not
//   T7  callers keep to what an operation requires
//
// Errors name tape, block and cause ("tape 3: block 7: read: ..."): ResourceExhausted without
// memory, space or blocks; DataLoss for a block that is damaged, not the one that was written, or
// gone; else what the store said. After an error the tape is failed: every call but Close gives
// that error. The other tapes go on.
//
// A buffer of one block is obtained at the first byte written or read, and returned when a tape has
// been written to its end, read to its end, or closed.
//
// Not thread-safe. What it does not do: append to a tape that has been rewound; read ahead; shrink
// the store.
#ifndef TUPLESTONE_ENGINE_TAPE_TAPE_H_
#define TUPLESTONE_ENGINE_TAPE_TAPE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/block_source.h"
#include "engine/base/block_store.h"
#include "engine/base/bytes.h"
#include "engine/tape/block_map.h"
#include "engine/tape/invariants.h"
#include "engine/tape/limits.h"

namespace tuplestone::tape {

class TapeSet;

enum class TapeState : uint8_t { kWriting, kReading, kFrozen };

// A place on a frozen tape. Only Tell makes one.
class TapePosition {
 public:
  TapePosition() = default;  // on no tape
  uint64_t offset() const { return offset_; }

 private:
  friend class Tape;
  uint64_t tape_ = UINT64_MAX;
  uint64_t offset_ = 0;
  uint64_t ordinal_ = 0;
  uint32_t block_ = kNoBlock;
};

class Tape {
 public:
  Tape(const Tape&) = delete;
  Tape& operator=(const Tape&) = delete;

  // Counted from 0 in the order of creation; never reused within a set.
  uint64_t number() const { return number_; }
  TapeState state() const { return state_; }
  uint64_t length() const { return length_; }  // bytes written
  uint64_t offset() const { return offset_; }  // of the next byte to write or read
  const absl::Status& error() const { return error_; }

  // Appends. O(bytes). Requires: writing.
  absl::Status Write(Bytes data);

  // Room for the next `bytes` in the block that is being written, and counted as written: the
  // caller fills all of it before the next call. Null, and nothing changed, where the block ends
  // sooner, or the tape is failed or not writing: that is for Write. Requires: bytes > 0.
  std::byte* Append(size_t bytes) {
    const size_t at = length_ - ordinal_ * payload_bytes_;
    if (state_ != TapeState::kWriting || block_ == kNoBlock || at + bytes > payload_bytes_ ||
        !error_.ok()) {
      return nullptr;
    }
    length_ += bytes;
    offset_ = length_;
    return buffer_ + at;
  }

  // From writing: the end of the tape; reading starts at its beginning and frees what it has read.
  // On a frozen tape: back to the beginning. Requires: not reading.
  absl::Status Rewind();
  // The end of the tape; its blocks stay until it is closed. Requires: writing.
  absl::Status Freeze();

  // Copies the next bytes to `out` and returns how many: fewer than asked for only at the end.
  // Requires: not writing.
  absl::StatusOr<size_t> Read(MutableBytes out);

  // The next `bytes`, to be looked at until the next call. Null where the block that is loaded ends
  // sooner, or none is, or the tape is failed or writing: that is for Read.
  const std::byte* Peek(size_t bytes) const {
    const uint64_t block_begin = ordinal_ * payload_bytes_;
    const uint64_t block_end = std::min<uint64_t>(block_begin + payload_bytes_, length_);
    if (!loaded_ || offset_ + bytes > block_end || !error_.ok()) return nullptr;
    return buffer_ + (offset_ - block_begin);
  }
  // Passes over bytes that Peek showed.
  void Skip(size_t bytes) {
    offset_ += bytes;
    if (offset_ == length_ && state_ == TapeState::kReading) ReturnBuffer();
  }

  // Moves back by `bytes`, or to the beginning if it is nearer, and returns by how many. Reads each
  // block that it leaves, for its pointer. Requires: frozen.
  absl::StatusOr<uint64_t> Backspace(uint64_t bytes);
  // O(1), no reading. Requires: frozen, and a position that Tell() of this tape returned.
  TapePosition Tell() const;
  absl::Status Seek(const TapePosition& position);

  // The blocks it owns, in order. O(blocks).
  std::vector<uint32_t> Blocks() const;

 private:
  friend class TapeSet;

  Tape(TapeSet& set, uint64_t number, size_t payload_bytes)
      : set_(set), number_(number), payload_bytes_(payload_bytes) {}

  absl::Status Fail(const absl::Status& status);  // prefixes the tape and remembers
  absl::Status ObtainBuffer();
  void ReturnBuffer();
  absl::Status StartBlock();               // the next block of the chain becomes the one written
  absl::Status FlushBlock(uint32_t next);  // writes the current one
  absl::Status EndWriting();
  size_t UsedOf(uint64_t ordinal) const;  // payload bytes that are data
  absl::Status LoadBlock();               // the block at the cursor
  absl::Status CheckBlock(uint32_t block) const;
  void Advance();  // the cursor to the next block
  void Verify() const;

  TapeSet& set_;
  uint64_t number_;
  size_t payload_bytes_;  // of a block
  TapeState state_ = TapeState::kWriting;
  absl::Status error_;
  uint64_t length_ = 0;
  uint64_t offset_ = 0;
  std::byte* buffer_ = nullptr;  // one block, or null

  // The chain of owned blocks, and the cursor. offset_ is in the block `ordinal_`, or at its end.
  uint32_t first_ = kNoBlock;
  uint32_t block_count_ = 0;      // owned
  uint64_t ordinal_ = 0;          // of the block at the cursor
  uint32_t block_ = kNoBlock;     // its number; kNoBlock if there is none
  uint32_t previous_ = kNoBlock;  // the number of the one before, as far as it is known
  bool loaded_ = false;           // reading: the buffer holds the block at the cursor

  Tape* older_ = nullptr;  // in the set's list
  Tape* newer_ = nullptr;
};

// What a set holds and has done. Blocks below the high-water mark = free + owned.
struct TapeStats {
  size_t tapes = 0;
  uint32_t high_water_blocks = 0;
  uint32_t free_blocks = 0;
  uint32_t owned_blocks = 0;
  uint64_t blocks_written = 0;  // successfully, as the next
  uint64_t blocks_read = 0;
  size_t buffer_bytes = 0;
  size_t map_bytes = 0;
  size_t obtained_bytes = 0;  // buffers, map and tapes: what the source lent
};

class TapeSet {
 public:
  // Requires: `store` and `source` outlive the set, nobody else uses the store; blocks of the
  // limits are the store's.
  explicit TapeSet(BlockStore& store, const Limits& limits = {},
                   BlockSource& source = SystemBlockSource());
  // Closes all tapes.
  ~TapeSet();
  TapeSet(const TapeSet&) = delete;
  TapeSet& operator=(const TapeSet&) = delete;

  // A new tape, empty and writing. ResourceExhausted without memory, and nothing changed.
  absl::StatusOr<Tape*> Create();
  // Ends a tape in any state. O(owned blocks), and nothing is read. Requires: a tape of this set.
  void Close(Tape* tape);

  const Limits& limits() const { return limits_; }
  // O(high-water mark).
  std::vector<uint32_t> FreeBlocks() const;
  TapeStats Stats() const;  // O(tapes)
  // Aborts on the first broken invariant, naming it. Reads nothing. O(high-water mark + tapes).
  void Verify() const;

 private:
  friend class Tape;

  void* Obtain(size_t bytes, size_t alignment);
  void Return(void* memory, size_t bytes, size_t alignment);

  BlockStore& store_;
  BlockSource& source_;
  Limits limits_;
  BlockMap map_;
  Tape* newest_ = nullptr;
  size_t tape_count_ = 0;
  uint64_t tapes_created_ = 0;
  uint64_t blocks_written_ = 0;
  uint64_t blocks_read_ = 0;
  size_t buffer_bytes_ = 0;
  size_t obtained_bytes_ = 0;  // without the map
};

}  // namespace tuplestone::tape

#endif  // TUPLESTONE_ENGINE_TAPE_TAPE_H_
