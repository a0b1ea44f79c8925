// One block of a tape, as bytes in a store.
//
//   0                payload_bytes   +4      +8      +12     block_bytes = payload_bytes + 16
//   | payload, used bytes of it | 0.. | previous | next | used | checksum |
//
// previous and next are block numbers, kNoBlock at the tape's ends. The checksum is a CRC-32C over
//   block number (8), tape number (8), position in the tape (8), then the block up to the checksum,
// so that a block is good only in its place. Tape numbers are never reused within a store, and a
// position of a tape is written once: a good block is the newest, too.
//
// In that order a change of up to 32 neighbouring bits is always found, as is one of the numbers
// alone; anything else with a probability of 1 - 2^-32.
#ifndef TUPLESTONE_ENGINE_TAPE_BLOCK_FORMAT_H_
#define TUPLESTONE_ENGINE_TAPE_BLOCK_FORMAT_H_

#include <cstddef>
#include <cstdint>

#include "engine/base/bytes.h"
#include "engine/tape/limits.h"

namespace tuplestone::tape {

// Where a block belongs.
struct BlockPlace {
  uint32_t block = 0;
  uint64_t tape = 0;
  uint64_t position = 0;  // blocks of the tape before this one
};

struct Trailer {
  uint32_t previous = kNoBlock;
  uint32_t next = kNoBlock;
  uint32_t used = 0;  // payload bytes that are data
};

// Writes trailer and checksum. Requires: block.size() > kTrailerBytes.
void SealBlock(const BlockPlace& place, const Trailer& trailer, MutableBytes block);

// The checksum that the block should have in `place`, and the one it has.
uint32_t BlockChecksum(const BlockPlace& place, Bytes block);
uint32_t StoredChecksum(Bytes block);

Trailer ReadTrailer(Bytes block);

}  // namespace tuplestone::tape

#endif  // TUPLESTONE_ENGINE_TAPE_BLOCK_FORMAT_H_
