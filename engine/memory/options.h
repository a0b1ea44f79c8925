// How a context lays out memory: limits, and the layouts that history has known.
//
//              header   classes                growth of blocks
//   compact    8        steps of 8 to 1 kB     a sixteenth of what the context has   (default)
//   aset 14    16       powers of two          doubling
//   gen. 15    24       none                   doubling
//
// Plain figures: a model may include this file.
#ifndef TUPLESTONE_ENGINE_MEMORY_OPTIONS_H_
#define TUPLESTONE_ENGINE_MEMORY_OPTIONS_H_

#include <cstddef>
#include <cstdint>

namespace tuplestone::memory {

enum class Kind : uint8_t { kAllocSet = 1, kGeneration = 2, kSlab = 3, kBump = 4 };

// "AllocSet", "Generation", "Slab", "Bump".
constexpr const char* KindName(Kind kind) {
  constexpr const char* kNames[] = {"", "AllocSet", "Generation", "Slab", "Bump"};
  return kNames[static_cast<size_t>(kind)];
}

// Bounds no option may pass. Bytes.
inline constexpr size_t kBlockBytesFloor = 128;
inline constexpr size_t kBlockBytesCeiling = size_t{1} << 29;
inline constexpr size_t kChunkLimitCeiling = size_t{1} << 25;
inline constexpr size_t kRequestBytesCeiling = SIZE_MAX / 4;
inline constexpr size_t kAlignmentCeiling = size_t{1} << 26;  // larger ones are a caller's mistake

// Every constant that decides a change of state.
struct Limits {
  size_t block_initial_bytes = 8 << 10;  // first block, its header included; multiple of 8
  size_t block_max_bytes = 8 << 20;      // a regular block is at most this
  size_t chunk_limit_bytes = 8 << 10;    // larger requests get a block of their own...
  size_t chunk_limit_divisor = 8;        // ...as do those over block_max_bytes divided by this
  size_t request_bytes_max = (size_t{1} << 30) - 1;  // larger requests fail
  size_t in_block_alignment_max = 4096;              // larger alignments get a block of their own
  size_t growth_divisor = 16;                        // compact growth: held / this
  size_t spare_blocks_max = 1;          // empty blocks kept: Generation at most 1, Slab any number
  size_t slab_block_bytes = 8 << 10;    // Slab only
  size_t ref_granule_bytes = 64 << 10;  // Bump: bytes an entry of the block directory covers
  uint64_t ref_units_max = uint64_t{1} << 32;  // Bump: 8-byte units a Ref can tell apart
};

enum class ClassRule : uint8_t {
  kSteps,        // 8 bytes to 1 kB, then eight classes a doubling
  kPowersOfTwo,  // 8, 16, 32...
};

enum class Growth : uint8_t { kCompact, kDoubling };

struct Layout {
  size_t header_bytes = 8;                // 8, 16 or 24; Bump has none
  ClassRule classes = ClassRule::kSteps;  // AllocSet; the others round to a multiple of 8
  Growth growth = Growth::kCompact;
};

// AllocSet, Generation and Bump.
struct Options {
  Limits limits;
  Layout layout;

  // PostgreSQL 14's AllocSet: a 64-byte tuple takes 80 bytes, a 72-byte one 144.
  static Options HistoricalAllocSet() {
    Options options;
    options.layout = {16, ClassRule::kPowersOfTwo, Growth::kDoubling};
    options.limits.chunk_limit_divisor = 4;
    return options;
  }
  // PostgreSQL 15's Generation: a 64-byte tuple takes 88 bytes, a 72-byte one 96.
  static Options HistoricalGeneration() {
    Options options;
    options.layout = {24, ClassRule::kSteps, Growth::kDoubling};
    options.limits.chunk_limit_bytes = 1 << 19;
    return options;
  }
};

// A Slab serves requests of up to `chunk_bytes` at up to `alignment`, all as one size.
struct SlabOptions {
  size_t chunk_bytes = 64;
  size_t alignment = 8;
  size_t header_bytes = 8;  // 8, 16 or 24
  Limits limits;
};

}  // namespace tuplestone::memory

#endif  // TUPLESTONE_ENGINE_MEMORY_OPTIONS_H_
