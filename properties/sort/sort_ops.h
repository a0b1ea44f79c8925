// The language of sorts. Rows are (first, second, number, pad): `first` and, unless it is none,
// `second` are of the types that the head names, `number` counts rows, `pad` is a text that makes
// the tuple longer. A value is named by a small number (sort_rows.h).
//
// Rows are taken until `sort`, tuples are fetched from then on; what comes at another time is
// passed over.
#ifndef TUPLESTONE_PROPERTIES_SORT_SORT_OPS_H_
#define TUPLESTONE_PROPERTIES_SORT_SORT_OPS_H_

#include <array>

#include "engine/sort/limits.h"
#include "properties/kit/program.h"

namespace tuplestone::properties {

inline constexpr std::array kSortLayoutNames = {"compact", "alloc_set", "generation"};

// A column's type; those of engine/tuple/type.h in its order, behind `none`.
enum class SortType { kNone, kBool, kInt2, kInt4, kInt8, kFloat4, kFloat8, kText, kBytea };
inline constexpr std::array kSortTypeNames = {"none",   "bool",   "int2", "int4", "int8",
                                              "float4", "float8", "text", "bytea"};

enum class SortBy { kFirst, kSecond, kFirstSecond, kSecondFirst, kNothing };
inline constexpr std::array kSortByNames = {"first", "second", "first_second", "second_first",
                                            "nothing"};

// How the numbers of values go on from row to row.
enum class SortPattern { kRandom, kAscending, kDescending, kEqual, kPipe, kAlternating };
inline constexpr std::array kSortPatternNames = {"random", "ascending", "descending",
                                                 "equal",  "pipe",      "alternating"};

enum class SortRowFault { kTooFew, kTooMany, kWrongType };
inline constexpr std::array kSortRowFaultNames = {"too_few", "too_many", "wrong_type"};

// kit::StoreFault in its order.
enum class SortStoreFault { kNoSpace, kShortWrite, kWriteError, kShortRead, kReadError };
inline constexpr std::array kSortStoreFaultNames = {"no_space", "short_write", "write_error",
                                                    "short_read", "read_error"};

enum class SortDamage { kFlip, kTorn, kStale };
inline constexpr std::array kSortDamageNames = {"flip", "torn", "stale"};

// The budget is `budget` kB, the first array has `array` entries, blocks of tapes are `words` times
// 8 bytes, merges are of `order` to `order` + 4 runs, blocks of tuples of up to 512 << `blocks`
// bytes. Bits 0 and 1 of `ways` are descending and nulls first of the first key, 2 and 3 of the
// second; bits 4 and 5 are the depth of quicksort.
struct SortHead {
  static constexpr auto kText =
      kit::Text<0>("sort_program", "layout", "budget", "array", "words", "order", "blocks", "bound",
                   "random_access", "first", "second", "by", "ways");
  static constexpr kit::Shape kShape{.head_bytes = 24, .record_bytes = 16, .operations_max = 100};
  kit::Choice<sort::Layout, kSortLayoutNames> layout;
  kit::Size<2, 64> budget;
  kit::Size<2, 64> array;
  kit::Size<4, 64> words;
  kit::Size<2, 8> order;
  kit::Size<0, 4> blocks;
  kit::Size<0, 300> bound;
  kit::Flag random_access;
  kit::Choice<SortType, kSortTypeNames> first;
  kit::Choice<SortType, kSortTypeNames> second;
  kit::Choice<SortBy, kSortByNames> by;
  kit::Bits<8> ways;
};

struct SortPut {
  static constexpr auto kText = kit::Text<1>("put", "first", "second", "pad");
  static constexpr int kWeight = 2;
  kit::Size<0, 255> first;
  kit::Size<0, 255> second;
  kit::Size<0, 3000> pad;
};
// `keys` different values of the first column; `pad` is the longest, half of the rows have none.
struct SortPutMany {
  static constexpr auto kText = kit::Text<2>("put_many", "count", "pattern", "keys", "pad", "seed");
  static constexpr int kWeight = 6;
  kit::Size<1, 150> count;
  kit::Choice<SortPattern, kSortPatternNames> pattern;
  kit::Size<1, 1000> keys;
  kit::Size<0, 200> pad;
  kit::Bits<16> seed;
};
struct SortPutWrong {
  static constexpr auto kText = kit::Text<3>("put_wrong", "fault");
  kit::Choice<SortRowFault, kSortRowFaultNames> fault;
};
struct SortSort {
  static constexpr auto kText = kit::Text<4>("sort");
  static constexpr int kWeight = 2;
};
struct SortNext {
  static constexpr auto kText = kit::Text<5>("next", "count");
  static constexpr int kWeight = 2;
  kit::Size<1, 500> count;
};
struct SortPrevious {
  static constexpr auto kText = kit::Text<6>("previous", "count");
  static constexpr int kWeight = 2;
  kit::Size<1, 500> count;
};
struct SortMark {
  static constexpr auto kText = kit::Text<7>("mark");
};
struct SortRestore {
  static constexpr auto kText = kit::Text<8>("restore");
};
struct SortRewind {
  static constexpr auto kText = kit::Text<9>("rewind");
};
struct SortReset {
  static constexpr auto kText = kit::Text<10>("reset");
};
// The call of the store after `after` more that the fault concerns fails.
struct SortFailStore {
  static constexpr auto kText = kit::Text<11>("fail_store", "after", "fault");
  kit::Size<0, 100> after;
  kit::Choice<SortStoreFault, kSortStoreFaultNames> fault;
};
struct SortFailMemory {
  static constexpr auto kText = kit::Text<12>("fail_memory", "after");
  kit::Size<0, 40> after;
};
// The question after `after` more is answered by no.
struct SortCancel {
  static constexpr auto kText = kit::Text<13>("cancel", "after");
  kit::Size<0, 200> after;
};
// Damages the block of that number, modulo those ever written: `flips` from bit `at` on, or all
// from byte `at` on is old, or the whole block.
struct SortDamageBlock {
  static constexpr auto kText = kit::Text<14>("damage", "block", "damage", "at", "flips");
  kit::Size<0, 255> block;
  kit::Choice<SortDamage, kSortDamageNames> damage;
  kit::Size<0, 4095> at;
  kit::Bits<32> flips;
};
using SortProgram = kit::Program<SortHead, SortPut, SortPutMany, SortPutWrong, SortSort, SortNext,
                                 SortPrevious, SortMark, SortRestore, SortRewind, SortReset,
                                 SortFailStore, SortFailMemory, SortCancel, SortDamageBlock>;

}  // namespace tuplestone::properties

#endif  // TUPLESTONE_PROPERTIES_SORT_SORT_OPS_H_
