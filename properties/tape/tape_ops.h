// The language of tapes. Tapes are the products of population 0, places that tell returned those of
// population 1; a place dies with its tape. An operation on a tape in a state that does not take it
// is passed over.
#ifndef TUPLESTONE_PROPERTIES_TAPE_TAPE_OPS_H_
#define TUPLESTONE_PROPERTIES_TAPE_TAPE_OPS_H_

#include <array>

#include "properties/kit/program.h"

namespace tuplestone::properties {

enum class StoreKind { kFaulty, kMemory, kFile };
inline constexpr std::array kStoreKindNames = {"faulty", "memory", "file"};

// Which byte beside the edge of a block.
enum class Edge { kAt, kBefore, kAfter };
inline constexpr std::array kEdgeNames = {"at", "before", "after"};

// The first five are kit::StoreFault in its order.
enum class TapeFault { kNoSpace, kShortWrite, kWriteError, kShortRead, kReadError };
inline constexpr std::array kTapeFaultNames = {"no_space", "short_write", "write_error",
                                               "short_read", "read_error"};

enum class BlockDamage { kFlip, kTorn, kStale, kSwapped, kMisdirected, kForged };
inline constexpr std::array kBlockDamageNames = {"flip",    "torn",        "stale",
                                                 "swapped", "misdirected", "forged"};

// Blocks are of `words` times 8 bytes. `blocks` 0 is no limit.
struct TapeHead {
  static constexpr auto kText =
      kit::Text<0>("tape_program", "store", "words", "blocks", "map_blocks");
  static constexpr kit::Shape kShape{.head_bytes = 16, .record_bytes = 16, .operations_max = 256};
  kit::Choice<StoreKind, kStoreKindNames> store;
  kit::Size<4, 64> words;
  kit::Size<0, 200> blocks;
  kit::Size<1, 64> map_blocks;
};

struct TapeCreate {
  static constexpr auto kText = kit::Text<1>("create");
  static constexpr int kWeight = 2;
};
struct TapeWrite {
  static constexpr auto kText = kit::Text<2>("write", "tape", "bytes", "fill");
  static constexpr int kWeight = 2;
  kit::Pick<0> tape;
  kit::Size<0, 2000> bytes;
  kit::Byte fill;
};
// Writes to the edge of the block `blocks` further on, or beside it.
struct TapeWriteBlocks {
  static constexpr auto kText = kit::Text<3>("write_blocks", "tape", "blocks", "edge", "fill");
  static constexpr int kWeight = 4;
  kit::Pick<0> tape;
  kit::Size<1, 12> blocks;
  kit::Choice<Edge, kEdgeNames> edge;
  kit::Byte fill;
};
struct TapeRewind {
  static constexpr auto kText = kit::Text<4>("rewind", "tape");
  static constexpr int kWeight = 2;
  kit::Pick<0> tape;
};
struct TapeFreeze {
  static constexpr auto kText = kit::Text<5>("freeze", "tape");
  kit::Pick<0> tape;
};
struct TapeRead {
  static constexpr auto kText = kit::Text<6>("read", "tape", "bytes");
  static constexpr int kWeight = 2;
  kit::Pick<0> tape;
  kit::Size<0, 2000> bytes;
};
struct TapeReadBlocks {
  static constexpr auto kText = kit::Text<7>("read_blocks", "tape", "blocks", "edge");
  static constexpr int kWeight = 3;
  kit::Pick<0> tape;
  kit::Size<1, 12> blocks;
  kit::Choice<Edge, kEdgeNames> edge;
};
struct TapeBackspace {
  static constexpr auto kText = kit::Text<8>("backspace", "tape", "bytes");
  kit::Pick<0> tape;
  kit::Size<0, 2000> bytes;
};
// Back to the edge of the block `blocks` before, or beside it.
struct TapeBackspaceBlocks {
  static constexpr auto kText = kit::Text<9>("backspace_blocks", "tape", "blocks", "edge");
  kit::Pick<0> tape;
  kit::Size<1, 12> blocks;
  kit::Choice<Edge, kEdgeNames> edge;
};
struct TapeTell {
  static constexpr auto kText = kit::Text<10>("tell", "tape");
  kit::Pick<0> tape;
};
struct TapeSeek {
  static constexpr auto kText = kit::Text<11>("seek", "place");
  kit::Pick<1> place;
};
struct TapeClose {
  static constexpr auto kText = kit::Text<12>("close", "tape");
  kit::Pick<0> tape;
};
// The call of the store after `after` more that the fault concerns fails. Faulty stores only.
struct TapeFailStore {
  static constexpr auto kText = kit::Text<13>("fail_store", "after", "fault");
  kit::Size<0, 15> after;
  kit::Choice<TapeFault, kTapeFaultNames> fault;
};
struct TapeFailMemory {
  static constexpr auto kText = kit::Text<14>("fail_memory", "after");
  kit::Size<0, 15> after;
};
// Damages the block of that number, modulo those ever written. Faulty stores only. A flip changes
// the bits `flips` from `at` (in bits) on; torn is from byte `at` on; swapped and misdirected are
// with, and from, the block `other`; forged has a trailer that is wrong in one place, by `flips`,
// and a checksum that fits.
struct TapeDamage {
  static constexpr auto kText = kit::Text<15>("damage", "block", "damage", "at", "flips", "other");
  kit::Size<0, 255> block;
  kit::Choice<BlockDamage, kBlockDamageNames> damage;
  kit::Size<0, 4095> at;
  kit::Bits<32> flips;
  kit::Size<0, 255> other;
};
using TapeProgram =
    kit::Program<TapeHead, TapeCreate, TapeWrite, TapeWriteBlocks, TapeRewind, TapeFreeze, TapeRead,
                 TapeReadBlocks, TapeBackspace, TapeBackspaceBlocks, TapeTell, TapeSeek, TapeClose,
                 TapeFailStore, TapeFailMemory, TapeDamage>;

}  // namespace tuplestone::properties

#endif  // TUPLESTONE_PROPERTIES_TAPE_TAPE_OPS_H_
