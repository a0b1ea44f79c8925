#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/tuple/minimal_tuple.h"
#include "engine/tuple/rows_for_test.h"

namespace tuplestone::tuple {
namespace {

std::vector<std::byte> BytesOf(Tuple tuple) { return {tuple.data(), tuple.data() + tuple.bytes()}; }

class ValidateTest : public testing::Test {
 protected:
  // What Validate says of the tuple of `values` after `change`.
  template <typename Change>
  std::string After(const Schema& schema, const std::vector<Value>& values, Change change) {
    std::vector<std::byte> bytes = BytesOf(form_(schema, values));
    change(bytes);
    const absl::Status status = Validate(schema, bytes);
    EXPECT_TRUE(status.ok() || absl::IsDataLoss(status));
    return std::string(status.message());
  }
  // With one byte set.
  std::string With(const Schema& schema, const std::vector<Value>& values, size_t at, int byte) {
    return After(schema, values,
                 [&](std::vector<std::byte>& bytes) { bytes[at] = static_cast<std::byte>(byte); });
  }
  Former form_;
};

// U3.
TEST_F(ValidateTest, EachFaultOfAHeaderIsNamed) {
  const Schema schema = SchemaOf({Type::kInt4, Type::kInt4});
  const std::vector<Value> row = {Value::Int4(1), Value::Int4(2)};
  EXPECT_EQ(Validate(schema, {}).message(), "tuple: 0 bytes are no header");
  EXPECT_EQ(With(schema, row, 0, 25), "tuple: its length says 25, there are 24 bytes");
  EXPECT_EQ(With(schema, row, 9, 1), "tuple: a pad byte at 4 to 9 is not 0");
  EXPECT_EQ(With(schema, row, 10, 3), "tuple: infomask2 says 3, the schema has 2 columns");
  EXPECT_EQ(With(schema, row, 12, 4), "tuple: infomask 4 has unknown bits");
  EXPECT_EQ(With(schema, row, 14, 32), "tuple: hoff is 32, not 24");
  EXPECT_EQ(With(schema, row, 15, 1), "tuple: the byte at 15 is not 0");
  EXPECT_EQ(With(schema, row, 12, 2),
            "tuple: infomask 2 is wrong about columns of variable length");
  EXPECT_EQ(With(schema, row, 12, 0), "");
}

// U3.
TEST_F(ValidateTest, EachFaultOfABitmapIsNamed) {
  const Schema schema = SchemaOf(std::vector<Type>(9, Type::kBool));
  std::vector<Value> row(9, Value::Bool(false));
  row[0] = Value();
  EXPECT_EQ(With(schema, row, 15, 0xFF), "tuple: a bitmap, but no column is null");
  EXPECT_EQ(With(schema, row, 16, 3), "tuple: bit 9 is of no column");
  EXPECT_EQ(With(schema, row, 17, 1), "tuple: padding from 17 to 24 is not 0");
  EXPECT_EQ(With(schema, row, 15, 0xFC), "tuple: the columns end at 31 of 32 bytes");
  EXPECT_EQ(After(schema, row,
                  [](auto& bytes) {
                    bytes.resize(20);
                    bytes[0] = std::byte{20};
                  }),
            "tuple: data at 24 of 20 bytes");
}

// U3.
TEST_F(ValidateTest, EachFaultOfAFixedColumnIsNamed) {
  const Schema schema = SchemaOf({Type::kBool, Type::kInt4});
  const std::vector<Value> row = {Value::Bool(true), Value::Int4(1)};
  const auto cut = [](size_t to) {
    return [to](std::vector<std::byte>& bytes) {
      bytes.resize(to);
      bytes[0] = static_cast<std::byte>(to);
    };
  };
  EXPECT_EQ(With(schema, row, 16, 2), "tuple: column 0: a bool of 2 at 16");
  EXPECT_EQ(With(schema, row, 17, 1), "tuple: column 1: padding from 17 to 20 is not 0");
  EXPECT_EQ(After(schema, row, cut(19)), "tuple: column 1 would start at 20 of 19 bytes");
  EXPECT_EQ(After(schema, row, cut(23)), "tuple: column 1: int4 at 20 of 23 bytes");
  EXPECT_EQ(After(schema, row, cut(16)), "tuple: column 0: bool at 16 of 16 bytes");
}

// U3.
TEST_F(ValidateTest, EachFaultOfAColumnOfVariableLengthIsNamed) {
  const Schema schema = SchemaOf({Type::kBool, Type::kText});
  const std::vector<Value> row = {Value::Bool(true), Value::Text("ab")};
  const std::string text(200, 'x');
  const std::vector<Value> long_row = {Value::Bool(true), Value::Text(text)};
  const auto cut = [](size_t to) {
    return [to](std::vector<std::byte>& bytes) {
      bytes.resize(to);
      bytes[0] = static_cast<std::byte>(to);
    };
  };
  EXPECT_EQ(With(schema, row, 17, 1), "tuple: column 1: stored elsewhere, at 17");
  EXPECT_EQ(With(schema, row, 17, 9), "tuple: column 1: 4 bytes at 17 of 20");
  EXPECT_EQ(With(schema, row, 17, 5), "tuple: the columns end at 19 of 20 bytes");
  EXPECT_EQ(With(schema, row, 17, 2), "tuple: column 1: padding from 17 to 20 is not 0");
  EXPECT_EQ(With(schema, row, 17, 0), "tuple: column 1: padding from 17 to 20 is not 0");
  EXPECT_EQ(After(schema, row, cut(17)), "tuple: column 1 would start at 17, the end");
  EXPECT_EQ(With(schema, row, 12, 0),
            "tuple: infomask 0 is wrong about columns of variable length");
  EXPECT_EQ(With(schema, long_row, 20, 0x32),
            "tuple: column 1: compressed or without alignment at 20");
  EXPECT_EQ(With(schema, long_row, 21, 0x04), "tuple: column 1: 268 bytes at 20 of 224");
  EXPECT_EQ(With(schema, long_row, 21, 0), "tuple: column 1: a long header at 20 for 12 bytes");
  EXPECT_EQ(After(schema, long_row, cut(19)), "tuple: column 1 would start at 20 of 19 bytes");
  EXPECT_EQ(After(schema, long_row, cut(22)), "tuple: column 1: no room for a length at 20");
}

// U3. What passes is what forming its values writes; so a change is refused or is another tuple.
TEST_F(ValidateTest, EveryChangeOfAByteIsRefusedOrAnotherTuple) {
  const Schema schema =
      SchemaOf({Type::kBool, Type::kText, Type::kInt2, Type::kFloat8, Type::kBytea});
  const std::string text(130, 'x');
  for (const std::vector<Value>& row : std::vector<std::vector<Value>>{
           {Value(), Value::Text("abc"), Value::Int2(1), Value(), Value()},
           {Value::Bool(true), Value::Text(text), Value(), Value::Float8(1), Value::Bytea({})},
           {Value::Bool(true), Value::Text(""), Value::Int2(5), Value::Float8(1),
            Value::Bytea({})}}) {
    const std::vector<std::byte> good = BytesOf(form_(schema, row));
    for (size_t at = 0; at < good.size(); ++at) {
      for (int byte = 0; byte < 256; ++byte) {
        std::vector<std::byte> bytes = good;
        bytes[at] = static_cast<std::byte>(byte);
        if (!Validate(schema, bytes).ok()) continue;
        std::vector<Value> values(5);
        Deform(schema, Tuple(bytes.data()), absl::MakeSpan(values));
        ASSERT_EQ(BytesOf(form_(schema, values)), bytes) << at << " " << byte;
      }
    }
  }
}

}  // namespace
}  // namespace tuplestone::tuple
