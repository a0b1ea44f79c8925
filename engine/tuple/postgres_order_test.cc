// A real PostgreSQL's answers, recorded by ci/postgres_order, against the engine's: U2, U4, U5, U6.
// Not covered: zero bytes in text, which PostgreSQL refuses; NaNs with other bits.
#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "engine/tuple/hash.h"
#include "engine/tuple/order.h"
#include "engine/tuple/rows_for_test.h"

namespace tuplestone::tuple {
namespace {

using Words = std::vector<std::string>;

Type TypeOf(const std::string& name) {
  for (const Type type : kEveryType) {
    if (TypeName(type) == name) return type;
  }
  ADD_FAILURE() << name;
  return Type::kBool;
}

Words SplitWords(const std::string& text) { return absl::StrSplit(text, ' ', absl::SkipEmpty()); }

// The value of a word. Bytes live as long as the process.
Value ValueOf(Type type, const std::string& word) {
  static auto* bytes = new std::deque<std::string>;
  int64_t integer = 0;
  switch (type) {
    case Type::kBool:
      return word == "null" ? Value() : Value::Bool(word == "true");
    case Type::kFloat4:
      return word == "null" ? Value() : Value::Float4(std::strtof(word.c_str(), nullptr));
    case Type::kFloat8:
      return word == "null" ? Value() : Value::Float8(std::strtod(word.c_str(), nullptr));
    case Type::kText:
      if (word == "null") return {};
      bytes->push_back(absl::HexStringToBytes(word.substr(1)));
      return Value::Text(bytes->back());
    case Type::kBytea:
      if (word == "null") return {};
      bytes->push_back(absl::HexStringToBytes(word.substr(1)));
      return Value::Bytea(
          {reinterpret_cast<const std::byte*>(bytes->back().data()), bytes->back().size()});
    case Type::kInt2:
    case Type::kInt4:
    case Type::kInt8:
      break;
  }
  if (word == "null") return {};
  EXPECT_TRUE(absl::SimpleAtoi(word, &integer)) << word;
  if (type == Type::kInt2) return Value::Int2(static_cast<int16_t>(integer));
  if (type == Type::kInt4) return Value::Int4(static_cast<int32_t>(integer));
  return Value::Int8(integer);
}

// The record, line by line.
class Record {
 public:
  Record() : file_("engine/tuple/postgres_order.txt") {
    EXPECT_TRUE(file_.is_open());
    Next();
    while (!end_ && line_[0] == '#') Next();
  }
  bool end() const { return end_; }
  const std::string& line() const { return line_; }
  void Next() { end_ = !std::getline(file_, line_); }
  // The words behind `name`, if the line starts with it; then the next line.
  bool Take(const std::string& name, Words* words) {
    if (end_ || line_.rfind(name + " ", 0) != 0) return false;
    *words = SplitWords(line_.substr(name.size() + 1));
    Next();
    return true;
  }

 private:
  std::ifstream file_;
  std::string line_;
  bool end_ = false;
};

// "desc nulls first" as a key.
SortKey KeyOf(const std::string& direction, uint16_t column) {
  return {column, direction.rfind("desc", 0) == 0, direction.find("first") != std::string::npos};
}

// Compares all pairs of rows under the directions of a line with the ranks behind them.
void CheckRanks(const Schema& schema, const std::vector<Tuple>& rows, const std::string& line) {
  const std::pair<std::string, std::string> parts = absl::StrSplit(line, ": ");
  const std::vector<std::string> directions = absl::StrSplit(parts.first, ", ");
  std::vector<SortKey> keys;
  for (const std::string& direction : directions) {
    keys.push_back(KeyOf(direction, static_cast<uint16_t>(keys.size())));
  }
  const Order order = *Order::Make(schema, keys);
  std::vector<uint16_t> columns;
  for (const SortKey& key : keys) columns.push_back(key.column);
  const Hasher hasher = *Hasher::Make(schema, columns, 1);
  std::vector<int> ranks;
  for (const std::string& word : SplitWords(parts.second)) ranks.push_back(std::atoi(word.c_str()));
  ASSERT_EQ(ranks.size(), rows.size()) << line;
  for (size_t i = 0; i < rows.size(); ++i) {
    for (size_t j = 0; j < rows.size(); ++j) {
      const int order_of_two = order.Compare(rows[i], rows[j]);
      ASSERT_EQ((order_of_two > 0) - (order_of_two < 0),
                (ranks[i] > ranks[j]) - (ranks[i] < ranks[j]))
          << parts.first << " " << ToString(schema, rows[i]) << " " << ToString(schema, rows[j]);
      ASSERT_EQ(hasher.Equal(rows[i], rows[j]), ranks[i] == ranks[j]);
      if (ranks[i] == ranks[j]) {
        ASSERT_EQ(hasher.Hash(rows[i]), hasher.Hash(rows[j]));
      }
      if (order.Prefix(rows[i]) < order.Prefix(rows[j])) {
        ASSERT_LT(ranks[i], ranks[j]);
      }
    }
  }
}

TEST(PostgresOrderTest, EveryDirectionIsAsRecorded) {
  Former form;
  Record record;
  size_t directions = 0;
  Words types;
  while (record.Take("type", &types) || record.Take("keys", &types)) {
    std::vector<Type> columns;
    for (const std::string& name : types) columns.push_back(TypeOf(name));
    const Schema schema = SchemaOf(columns);
    Words words;
    ASSERT_TRUE(record.Take("values", &words));
    std::vector<Tuple> rows;
    for (size_t i = 0; i < words.size(); i += columns.size()) {
      std::vector<Value> row;
      for (size_t c = 0; c < columns.size(); ++c) row.push_back(ValueOf(columns[c], words[i + c]));
      rows.push_back(form(schema, row));
    }
    for (; record.line().find(": ") != std::string::npos; record.Next()) {
      CheckRanks(schema, rows, record.line());
      ++directions;
    }
  }
  EXPECT_EQ(directions, 8u * 4 + 16);
}

// The bitmap as PostgreSQL shows it, a digit a bit.
std::string BitsOf(const Schema& schema, Tuple tuple) {
  if (!tuple.HasNulls()) return "-";
  std::string bits;
  for (int c = 0; c < static_cast<int>(8 * BitmapBytes(schema.columns())); ++c) {
    bits += tuple.IsNull(c) ? '0' : '1';
  }
  return bits;
}

// U2.
TEST(PostgresOrderTest, StoredRowsHaveTheRecordedBytes) {
  Former form;
  Record record;
  while (record.line().rfind("layout", 0) != 0) record.Next();
  size_t rows = 0;
  Words types;
  while (record.Take("layout", &types)) {
    std::vector<Type> columns;
    for (const std::string& name : types) columns.push_back(TypeOf(name));
    const Schema schema = SchemaOf(columns);
    Words words;
    Words stored;
    while (record.Take("values", &words)) {
      ASSERT_TRUE(record.Take("stored", &stored));
      stored.resize(4);  // without data the last word is missing
      std::vector<Value> row;
      for (size_t c = 0; c < columns.size(); ++c) row.push_back(ValueOf(columns[c], words[c]));
      const Tuple tuple = form(schema, row);
      const Bytes data = tuple.span().subspan(tuple.data_at());
      EXPECT_EQ(BitsOf(schema, tuple), stored[0]);
      EXPECT_EQ(std::to_string(static_cast<int>(tuple.data()[kHoffAt])), stored[1]);
      EXPECT_EQ(std::to_string(static_cast<int>(tuple.data()[kInfomaskAt])), stored[2]);
      EXPECT_EQ(absl::BytesToHexString({reinterpret_cast<const char*>(data.data()), data.size()}),
                stored[3]);
      ++rows;
    }
  }
  EXPECT_TRUE(record.end());
  EXPECT_EQ(rows, 8u);
}

}  // namespace
}  // namespace tuplestone::tuple
