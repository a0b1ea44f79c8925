// Which blocks of a store are free, and the order of the others on their tapes. In memory, 4 bytes
// and a bit a block (a 2,000th of the data), so that neither closing a tape nor believing a block's
// pointers takes what lies on disk.
//
//   block    0    1    2    3    4    5    | high-water mark
//   next     2    free 4    -    -    free |              two tapes: 0 2 4, and 3
//   free set .    1    .    .    .    1    |              a bit a block; a bit a word of bits above
//
// Invariants: T1 (no block is free and on a tape, or on two), T4.
// What it does not do: shrink. The high-water mark only rises.
#ifndef TUPLESTONE_ENGINE_TAPE_BLOCK_MAP_H_
#define TUPLESTONE_ENGINE_TAPE_BLOCK_MAP_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/block_source.h"
#include "engine/tape/limits.h"

namespace tuplestone::tape {

class BlockMap {
 public:
  // Requires: `source` outlives the map.
  BlockMap(BlockSource& source, const Limits& limits);
  ~BlockMap();
  BlockMap(const BlockMap&) = delete;
  BlockMap& operator=(const BlockMap&) = delete;

  // Takes the lowest free block, else the one at the high-water mark; its next is kNoBlock.
  // ResourceExhausted without memory, or when all are in use; nothing changed then. O(1) amortised
  // where free blocks are dense, else O(high_water() / 4096).
  absl::StatusOr<uint32_t> Take();

  // Requires, as all that follow: the block is taken.
  void Release(uint32_t block);
  void SetNext(uint32_t block, uint32_t next);
  uint32_t Next(uint32_t block) const;

  // True of numbers below the high-water mark that are not free.
  bool IsTaken(uint32_t block) const;

  uint32_t high_water() const { return high_water_; }
  uint32_t free_count() const { return free_count_; }
  size_t obtained_bytes() const { return obtained_bytes_; }

  // Aborts unless free set, links and counts agree. O(high_water()).
  void Verify() const;

 private:
  absl::Status Grow();
  uint32_t LowestFree() const;

  static constexpr uint32_t kFree = 0xfffffffe;  // as a next

  BlockSource& source_;
  uint32_t blocks_max_;
  uint32_t map_blocks_;         // of the first map
  uint32_t room_ = 0;           // blocks that the arrays have room for
  uint32_t* next_ = nullptr;    // by block
  uint64_t* free_ = nullptr;    // a bit a block
  uint64_t* filled_ = nullptr;  // a bit a word of free_: not 0
  uint32_t high_water_ = 0;
  uint32_t free_count_ = 0;
  uint32_t filled_from_ = 0;  // no word of filled_ before this one has a bit
  size_t obtained_bytes_ = 0;
};

}  // namespace tuplestone::tape

#endif  // TUPLESTONE_ENGINE_TAPE_BLOCK_MAP_H_
