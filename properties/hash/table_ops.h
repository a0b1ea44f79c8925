// The language of tuple tables: one table, or two that share the space of their tuples. Rows are
// numbered; which values a number stands for is a matter of the schema (table_rows.h), so that
// different rows have equal keys.
#ifndef TUPLESTONE_PROPERTIES_HASH_TABLE_OPS_H_
#define TUPLESTONE_PROPERTIES_HASH_TABLE_OPS_H_

#include <array>

#include "properties/kit/program.h"

namespace tuplestone::properties {

enum class TableLayout { kCompact, kInFront, kSeparate };
inline constexpr std::array kTableLayoutNames = {"compact", "in_front", "separate"};
enum class TableRows { kInt8, kText, kFloat8, kKeyInTheMiddle, kThreeKeys };
inline constexpr std::array kTableRowsNames = {"int8", "text", "float8", "key_in_the_middle",
                                               "three_keys"};
enum class TableHistory { kNone, kCopies, kForms, kBoth };
inline constexpr std::array kTableHistoryNames = {"none", "copies", "forms", "both"};
enum class RowAs { kTuple, kValues };
inline constexpr std::array kRowAsNames = {"tuple", "values"};

struct TableHead {
  static constexpr auto kText =
      kit::Text<0>("tuple_table", "layout", "rows", "additional", "buckets_min", "buckets_max",
                   "load", "probe_max", "collide", "history", "block", "shared");
  static constexpr kit::Shape kShape{.head_bytes = 24, .record_bytes = 12, .operations_max = 256};
  kit::Choice<TableLayout, kTableLayoutNames> layout;
  kit::Choice<TableRows, kTableRowsNames> rows;
  kit::Size<0, 40> additional;
  kit::Size<1, 6> buckets_min;   // its logarithm
  kit::Size<0, 12> buckets_max;  // how many doublings are allowed
  kit::Size<10, 95> load;
  kit::Size<0, 64> probe_max;
  kit::Size<0, 32> collide;  // bits of the hash that do not count, from the highest down
  kit::Choice<TableHistory, kTableHistoryNames> history;
  kit::Size<0, 6> block;  // blocks of tuples: 128 << block bytes
  kit::Flag shared;       // two tables in one space
};

struct TableInsert {
  static constexpr auto kText = kit::Text<1>("insert", "row", "as", "fill", "other");
  static constexpr int kWeight = 4;
  kit::Size<0, 255> row;
  kit::Choice<RowAs, kRowAsNames> as;
  kit::Byte fill;  // of the additional bytes
  kit::Flag other;
};
struct TableFind {
  static constexpr auto kText = kit::Text<2>("find", "row", "as", "other");
  static constexpr int kWeight = 2;
  kit::Size<0, 255> row;
  kit::Choice<RowAs, kRowAsNames> as;
  kit::Flag other;
};
struct TableErase {
  static constexpr auto kText = kit::Text<3>("erase", "row", "other");
  static constexpr int kWeight = 3;
  kit::Size<0, 255> row;
  kit::Flag other;
};
// Rows `from`, from + step, ...
struct TableBatch {
  static constexpr auto kText =
      kit::Text<4>("batch", "from", "step", "count", "as", "insert", "fill", "other");
  static constexpr int kWeight = 2;
  kit::Size<0, 255> from;
  kit::Size<0, 9> step;
  kit::Size<1, 16> count;
  kit::Choice<RowAs, kRowAsNames> as;
  kit::Flag insert;
  kit::Byte fill;
  kit::Flag other;
};
struct TableFill {
  static constexpr auto kText = kit::Text<5>("fill", "from", "count", "fill", "other");
  static constexpr int kWeight = 2;
  kit::Size<0, 255> from;
  kit::Size<1, 300> count;
  kit::Byte fill;
  kit::Flag other;
};
// Visits every member, and deletes all but those whose place in the walk is `keep` modulo `of`.
struct TableWalk {
  static constexpr auto kText = kit::Text<6>("walk", "of", "keep", "other");
  static constexpr int kWeight = 2;
  kit::Size<0, 7> of;  // 0: none is deleted
  kit::Size<0, 7> keep;
  kit::Flag other;
};
struct TableReset {
  static constexpr auto kText = kit::Text<7>("reset", "other");
  kit::Flag other;
};
struct TableResetSpace {
  static constexpr auto kText = kit::Text<8>("reset_space");
};
struct TableFailMemory {
  static constexpr auto kText = kit::Text<9>("fail_memory", "after", "failures");
  kit::Size<0, 8> after;
  kit::Size<1, 3> failures;
};

using TableProgram =
    kit::Program<TableHead, TableInsert, TableFind, TableErase, TableBatch, TableFill, TableWalk,
                 TableReset, TableResetSpace, TableFailMemory>;

}  // namespace tuplestone::properties

#endif  // TUPLESTONE_PROPERTIES_HASH_TABLE_OPS_H_
