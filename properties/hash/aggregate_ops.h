// The language of aggregations: rows go in, the input ends, groups come out. An operation that the
// state does not take is passed over.
#ifndef TUPLESTONE_PROPERTIES_HASH_AGGREGATE_OPS_H_
#define TUPLESTONE_PROPERTIES_HASH_AGGREGATE_OPS_H_

#include <array>

#include "properties/hash/table_ops.h"
#include "properties/kit/program.h"

namespace tuplestone::properties {

// The columns of the input; the key's are marked with k, the argument's with a.
enum class AggregateRows {
  kInt8,       // int8 ka
  kIntegers,   // int8 k, int4 a
  kTextFloat,  // float8 a, text k, of up to some kilobytes
  kMixed       // bool, int2 k, int8 a, text, float4 k
};
inline constexpr std::array kAggregateRowsNames = {"int8", "integers", "text_float", "mixed"};

// The first five are kit::StoreFault in its order.
enum class AggregateFault { kNoSpace, kShortWrite, kWriteError, kShortRead, kReadError };
inline constexpr std::array kAggregateFaultNames = {"no_space", "short_write", "write_error",
                                                    "short_read", "read_error"};

struct AggregateHead {
  static constexpr auto kText =
      kit::Text<0>("aggregate", "rows", "functions", "limit", "partitions", "levels", "unsplit",
                   "collide", "probe_max", "layout", "tape_block", "group_block", "history");
  static constexpr kit::Shape kShape{.head_bytes = 24, .record_bytes = 12, .operations_max = 128};
  kit::Choice<AggregateRows, kAggregateRowsNames> rows;
  kit::Byte functions;  // bits: rows, count, sum, min, max
  kit::Size<0, 1048576> limit;
  kit::Size<1, 5> partitions;  // the logarithm of the most a level has
  kit::Size<1, 6> levels;
  kit::Size<1, 3> unsplit;
  kit::Size<0, 32> collide;
  kit::Size<1, 512> probe_max;
  kit::Choice<TableLayout, kTableLayoutNames> layout;
  kit::Size<0, 5> tape_block;   // 64 << tape_block bytes
  kit::Size<0, 4> group_block;  // 128 << group_block bytes
  kit::Flag history;            // one by one, and walked checks of the limit
};

// One row of key number `key` and argument number `value`.
struct AggregateAdd {
  static constexpr auto kText = kit::Text<1>("add", "key", "value");
  static constexpr int kWeight = 2;
  kit::Size<0, 4000> key;
  kit::Byte value;
};
// Rows of keys `from`, from + step, ... modulo `keys`.
struct AggregateAddMany {
  static constexpr auto kText = kit::Text<2>("add_many", "from", "step", "keys", "count", "value");
  static constexpr int kWeight = 5;
  kit::Size<0, 1000> from;
  kit::Size<0, 31> step;
  kit::Size<1, 4000> keys;
  kit::Size<1, 600> count;
  kit::Byte value;
};
struct AggregateFinish {
  static constexpr auto kText = kit::Text<3>("finish");
};
struct AggregateNext {
  static constexpr auto kText = kit::Text<4>("next", "count");
  static constexpr int kWeight = 2;
  kit::Size<1, 5000> count;
};
struct AggregateReset {
  static constexpr auto kText = kit::Text<5>("reset");
};
struct AggregateFailMemory {
  static constexpr auto kText = kit::Text<6>("fail_memory", "after");
  kit::Size<0, 40> after;
};
// The call of a store after `after` more that the fault concerns fails.
struct AggregateFailStore {
  static constexpr auto kText = kit::Text<7>("fail_store", "after", "fault", "sort");
  kit::Size<0, 60> after;
  kit::Choice<AggregateFault, kAggregateFaultNames> fault;
  kit::Flag sort;  // the sorter's store
};
// Flips bits of the block of that number, modulo those ever written.
struct AggregateDamage {
  static constexpr auto kText = kit::Text<8>("damage", "block", "at", "flips", "sort");
  kit::Size<0, 255> block;
  kit::Size<0, 4095> at;
  kit::Byte flips;
  kit::Flag sort;
};

using AggregateProgram =
    kit::Program<AggregateHead, AggregateAdd, AggregateAddMany, AggregateFinish, AggregateNext,
                 AggregateReset, AggregateFailMemory, AggregateFailStore, AggregateDamage>;

}  // namespace tuplestone::properties

#endif  // TUPLESTONE_PROPERTIES_HASH_AGGREGATE_OPS_H_
