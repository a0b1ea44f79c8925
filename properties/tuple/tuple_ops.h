// The language of rows. A program fills in a row, column by column, and adds it to the others,
// which are the products of population 0.
#ifndef TUPLESTONE_PROPERTIES_TUPLE_TUPLE_OPS_H_
#define TUPLESTONE_PROPERTIES_TUPLE_TUPLE_OPS_H_

#include <array>

#include "properties/kit/program.h"

namespace tuplestone::properties {

enum class ColumnType { kNone, kBool, kInt2, kInt4, kInt8, kFloat4, kFloat8, kText, kBytea };
inline constexpr std::array kColumnTypeNames = {"none",   "bool",   "int2", "int4", "int8",
                                                "float4", "float8", "text", "bytea"};

// Values where something changes; what each type makes of them says EdgeValue in tuple_suite.cc.
enum class ValueEdge {
  kNull,
  kZero,
  kMinusZero,
  kOne,
  kMinusOne,
  kSmallest,
  kLargest,
  kMinusInfinity,
  kInfinity,
  kNaN,
  kOtherNaN,
  kTiny
};
inline constexpr std::array kValueEdgeNames = {
    "null",    "zero",           "minus_zero", "one", "minus_one", "smallest",
    "largest", "minus_infinity", "infinity",   "nan", "other_nan", "tiny"};

enum class Direction { kAscNullsLast, kAscNullsFirst, kDescNullsLast, kDescNullsFirst };
inline constexpr std::array kDirectionNames = {"asc", "asc_nulls_first", "desc",
                                               "desc_nulls_first"};

// The columns are a to f without the nones, `repeat` times over; one int8 if all are none.
struct TupleHead {
  static constexpr auto kText = kit::Text<0>("tuple_order", "a", "b", "c", "d", "e", "f", "repeat");
  static constexpr kit::Shape kShape{.head_bytes = 16, .record_bytes = 16, .operations_max = 256};
  using Column = kit::Choice<ColumnType, kColumnTypeNames>;
  Column a;
  Column b;
  Column c;
  Column d;
  Column e;
  Column f;
  kit::Size<1, 40> repeat;
};

// Columns are taken modulo their number.
using ColumnField = kit::Size<0, 239>;
using DirectionField = kit::Choice<Direction, kDirectionNames>;

struct TupleSetNumber {
  static constexpr auto kText = kit::Text<1>("set_number", "column", "bits");
  static constexpr int kWeight = 2;
  ColumnField column;
  kit::Bits<64> bits;
};
struct TupleSetEdge {
  static constexpr auto kText = kit::Text<2>("set_edge", "column", "edge");
  static constexpr int kWeight = 5;
  ColumnField column;
  kit::Choice<ValueEdge, kValueEdgeNames> edge;
};
// `bytes` bytes of `fill`, the one at `at` being `with`. For text and bytea; others as set_number.
struct TupleSetBytes {
  static constexpr auto kText = kit::Text<3>("set_bytes", "column", "bytes", "fill", "at", "with");
  static constexpr int kWeight = 3;
  ColumnField column;
  kit::Size<0, 300> bytes;
  kit::Byte fill;
  kit::Size<0, 300> at;
  kit::Byte with;
};
struct TupleSetAll {
  static constexpr auto kText = kit::Text<4>("set_all", "edge");
  kit::Choice<ValueEdge, kValueEdgeNames> edge;
};
// The row is formed behind `extra` times 8 bytes and joins the others.
struct TupleAdd {
  static constexpr auto kText = kit::Text<5>("add", "extra");
  static constexpr int kWeight = 6;
  kit::Size<0, 20> extra;
};
struct TupleCopy {
  static constexpr auto kText = kit::Text<6>("copy", "row", "extra");
  kit::Pick<0> row;
  kit::Size<0, 20> extra;
};
struct TupleDrop {
  static constexpr auto kText = kit::Text<7>("drop", "row");
  kit::Pick<0> row;
};
// The first `keys` of the three.
struct TupleOrderBy {
  static constexpr auto kText =
      kit::Text<8>("order_by", "keys", "a", "a_order", "b", "b_order", "c", "c_order");
  static constexpr int kWeight = 2;
  kit::Size<0, 3> keys;
  ColumnField a;
  DirectionField a_order;
  ColumnField b;
  DirectionField b_order;
  ColumnField c;
  DirectionField c_order;
};
// The first `columns` of the three.
struct TupleHashBy {
  static constexpr auto kText = kit::Text<9>("hash_by", "columns", "a", "b", "c", "seed");
  kit::Size<0, 3> columns;
  ColumnField a;
  ColumnField b;
  ColumnField c;
  kit::Bits<64> seed;
};
struct TupleFailMemory {
  static constexpr auto kText = kit::Text<10>("fail_memory", "after");
  kit::Size<0, 7> after;
};
// The row's size is asked for with a value of another type in one column.
struct TupleMistype {
  static constexpr auto kText = kit::Text<11>("mistype", "column", "type");
  ColumnField column;
  kit::Choice<ColumnType, kColumnTypeNames> type;
};
// The row's size is asked for with `below` bytes less than the largest of tuples in one column.
struct TupleOversize {
  static constexpr auto kText = kit::Text<12>("oversize", "column", "below");
  ColumnField column;
  kit::Size<0, 2000> below;
};
// A copy of the row's bytes has the byte at `at` (modulo their number) changed by `flips`, and is
// cut by `cut`; it is validated.
struct TupleDamage {
  static constexpr auto kText = kit::Text<13>("damage", "row", "at", "flips", "cut");
  static constexpr int kWeight = 3;
  kit::Pick<0> row;
  kit::Size<0, 63> at;
  kit::Byte flips;
  kit::Size<0, 7> cut;
};
// One byte of a text or bytea becomes `with`: the one at `at`, modulo their number.
struct TupleChangeByte {
  static constexpr auto kText = kit::Text<14>("change_byte", "column", "at", "with");
  static constexpr int kWeight = 2;
  ColumnField column;
  kit::Size<0, 300> at;
  kit::Byte with;
};

using TupleProgram =
    kit::Program<TupleHead, TupleSetNumber, TupleSetEdge, TupleSetBytes, TupleSetAll, TupleAdd,
                 TupleCopy, TupleDrop, TupleOrderBy, TupleHashBy, TupleFailMemory, TupleMistype,
                 TupleOversize, TupleDamage, TupleChangeByte>;

}  // namespace tuplestone::properties

#endif  // TUPLESTONE_PROPERTIES_TUPLE_TUPLE_OPS_H_
