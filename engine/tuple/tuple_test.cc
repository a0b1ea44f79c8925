#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/escaping.h"
#include "engine/tuple/minimal_tuple.h"
#include "engine/tuple/rows_for_test.h"

namespace tuplestone::tuple {
namespace {

std::string Hex(Tuple tuple) {
  return absl::BytesToHexString({reinterpret_cast<const char*>(tuple.data()), tuple.span().size()});
}

TEST(SchemaTest, OffsetsAreKnownUpToTheFirstColumnOfVariableLength) {
  const Schema schema = SchemaOf({Type::kBool, Type::kInt8, Type::kInt2, Type::kFloat4, Type::kInt2,
                                  Type::kText, Type::kInt8});
  const std::vector<int32_t> expected = {16, 24, 32, 36, 40, 42, -1};
  for (int column = 0; column < schema.columns(); ++column) {
    EXPECT_EQ(schema.fixed_offset(column), expected[static_cast<size_t>(column)]) << column;
  }
}

TEST(SchemaTest, NoColumnsAndTooManyAreRefused) {
  EXPECT_EQ(Schema::Make({}).status().message(), "a tuple has 1 to 1600 columns, not 0");
  EXPECT_TRUE(Schema::Make(std::vector<Type>(1600, Type::kBool)).ok());
  EXPECT_FALSE(Schema::Make(std::vector<Type>(1601, Type::kBool)).ok());
}

TEST(TupleTest, SixInt8Make64BytesAndSeven72) {
  Former form;
  for (const size_t columns : {6, 7}) {
    const Tuple tuple = form(SchemaOf(std::vector<Type>(columns, Type::kInt8)),
                             std::vector<Value>(columns, Value::Int8(-1)));
    EXPECT_EQ(tuple.bytes(), 16 + 8 * columns);
  }
}

// U2. The bytes as PostgreSQL would lay them out, by hand.
TEST(TupleTest, TheLayoutIsPostgres) {
  Former form;
  const Schema schema =
      SchemaOf({Type::kBool, Type::kInt4, Type::kText, Type::kInt2, Type::kInt8, Type::kBytea});
  const std::string all =
      Hex(form(schema, {Value::Bool(true), Value::Int4(-2), Value::Text("abc"), Value::Int2(0x1234),
                        Value::Int8(5), Value::Bytea({})}));
  EXPECT_EQ(all,
            "29000000"
            "000000000000"
            "0600"
            "0200"
            "18"
            "00"  // header: 41 bytes, six columns
            "01000000"
            "feffffff"
            "09616263"
            "3412"
            "0000"
            "0500000000000000"
            "03");
  const std::string nulls = Hex(
      form(schema, {Value::Bool(true), Value(), Value(), Value::Int2(0x1234), Value(), Value()}));
  EXPECT_EQ(nulls,
            "14000000"
            "000000000000"
            "0600"
            "0100"
            "18"
            "09"
            "01003412");
}

TEST(TupleTest, ABitmapOfSeveralBytesMovesTheData) {
  Former form;
  std::vector<Value> values(9, Value::Bool(true));
  values[8] = Value();
  const Tuple tuple = form(SchemaOf(std::vector<Type>(9, Type::kBool)), values);
  EXPECT_EQ(Hex(tuple).substr(28),
            "20"
            "ff00"
            "00000000000000"
            "0101010101010101");
}

// U2. 126 bytes are the last with a short header; a long one is aligned to 4.
TEST(TupleTest, LongValuesHaveAnAlignedHeader) {
  Former form;
  const Schema schema = SchemaOf({Type::kBool, Type::kText});
  const std::string text(300, 'x');
  for (const auto& [length, bytes] : {std::pair<size_t, size_t>{0, 18}, {126, 144}, {127, 151}}) {
    const Tuple tuple =
        form(schema, {Value::Bool(true), Value::Text(absl::string_view(text).substr(0, length))});
    EXPECT_EQ(tuple.bytes(), bytes);
    EXPECT_EQ(Column(schema, tuple, 1).AsBytes().size(), length);
  }
}

// U1. Every value in every column, behind every other type, with and without a null before it.
TEST(TupleTest, EveryValueReadsBack) {
  Former form;
  for (const Type before : kEveryType) {
    for (const Type type : kEveryType) {
      const Schema schema = SchemaOf({Type::kBool, before, type, Type::kInt2});
      for (const Value& value : AscendingValues(type)) {
        for (const Value& first : {Value(), Value::Bool(true)}) {
          const std::vector<Value> row = {first, AscendingValues(before).back(), value,
                                          Value::Int2(-7)};
          const Tuple tuple = form(schema, row);
          ASSERT_EQ(Validate(schema, tuple.span()), absl::OkStatus());
          std::vector<Value> deformed(4);
          Deform(schema, tuple, absl::MakeSpan(deformed));
          for (size_t i = 0; i < row.size(); ++i) {
            ASSERT_EQ(ToString(deformed[i]), ToString(row[i]));
            ASSERT_EQ(ToString(Column(schema, tuple, static_cast<int>(i))), ToString(row[i]));
          }
        }
      }
    }
  }
}

TEST(TupleTest, NaNKeepsItsBits) {
  Former form;
  const Schema schema = SchemaOf({Type::kFloat8});
  const auto odd = std::bit_cast<double>(uint64_t{0xFFF800000000BEEF});
  const Value read = Column(schema, form(schema, {Value::Float8(odd)}), 0);
  EXPECT_EQ(std::bit_cast<uint64_t>(read.AsFloat8()), 0xFFF800000000BEEF);
}

TEST(TupleTest, ExtraBytesLieZeroedInFront) {
  Former form;
  const Schema schema = SchemaOf({Type::kText});
  const Tuple tuple = form(schema, {Value::Text("abc")}, 24);
  EXPECT_EQ(form.context().account().requested, 24 + tuple.bytes());
  for (size_t i = 1; i <= 24; ++i) EXPECT_EQ(tuple.data()[-static_cast<ptrdiff_t>(i)], std::byte{});
  const Tuple copy = Copy(tuple, form.context(), 8);
  EXPECT_EQ(Hex(copy), Hex(tuple));
  EXPECT_EQ(form.context().account().requested, 32 + 2 * tuple.bytes());
}

TEST(TupleTest, WithoutMemoryThereIsNoTupleAndNothingChanges) {
  Former form;
  const Schema schema = SchemaOf({Type::kText});
  const size_t before = form.context().held_bytes();
  const std::string large(200000, 'x');
  form.source().FailAt(1);
  EXPECT_FALSE(form(schema, {Value::Text(large)}));
  EXPECT_EQ(form.context().held_bytes(), before);
}

TEST(TupleTest, ValuesThatDoNotFitTheSchemaAreNamed) {
  const Schema schema = SchemaOf({Type::kBool, Type::kText});
  const auto message = [&](const std::vector<Value>& values) {
    return std::string(FormedBytes(schema, values).status().message());
  };
  EXPECT_EQ(message({Value::Bool(true)}), "1 values for 2 columns");
  EXPECT_EQ(message({Value(), Value::Int4(1)}), "column 1 is text, the value int4");
  // Views of memory that is not there: sizes are all that is looked at.
  const std::byte byte{};
  const auto* text = reinterpret_cast<const char*>(&byte);
  EXPECT_EQ(message({Value(), Value::Text({text, size_t{1} << 30})}),
            "column 1: 1073741824 bytes in one value are too many");
  EXPECT_EQ(message({Value(), Value::Text({text, kTupleBytesMax})}),
            "column 1 ends at byte 1073741843; a tuple has at most 1073741823");
  EXPECT_TRUE(FormedBytes(schema, {Value(), Value::Text({text, kTupleBytesMax - 20})}).ok());
}

TEST(TupleTest, PrintingIsReadableAndUnambiguous) {
  Former form;
  const Schema schema = SchemaOf({Type::kText, Type::kBytea, Type::kFloat8, Type::kFloat4,
                                  Type::kBool, Type::kInt2, Type::kText});
  const std::byte bytes[] = {std::byte{0}, std::byte{0xFF}};
  const Tuple tuple =
      form(schema, {Value::Text("it's"), Value::Bytea(bytes), Value::Float8(-0.0),
                    Value::Float4(NAN), Value::Bool(false), Value(), Value::Text("\n\\")});
  EXPECT_EQ(ToString(schema, tuple), R"(('it''s', \x00ff, -0, NaN, false, null, E'\x0a\x5c'))");
  EXPECT_EQ(ToString(Value::Float8(0.1)), "0.1");
  EXPECT_EQ(ToString(Value::Float4(-INFINITY)), "-Infinity");
}

// U7.
TEST(TupleTest, AMistakeOfTheCallerDies) {
  Former form;
  const Schema schema = SchemaOf({Type::kBool});
  EXPECT_DEATH((void)Value().type(), "U7 broken");
  EXPECT_DEATH((void)Value::Int4(1).AsBool(), "U7 broken");
  EXPECT_DEATH((void)Value::Bool(true).AsInt(), "U7 broken");
  EXPECT_DEATH((void)Value::Bool(true).AsBytes(), "U7 broken");
  EXPECT_DEATH(form(schema, {Value::Int4(1)}), "U7 broken");
  EXPECT_DEATH(form(schema, {}), "U7 broken");
  EXPECT_DEATH(form(schema, {Value()}, 12), "U7 broken");
  const Tuple tuple = form(schema, {Value()});
  EXPECT_DEATH((void)Column(schema, tuple, 1), "U7 broken");
  alignas(8) std::byte place[32] = {};
  EXPECT_DEATH(FormInto(schema, {Value::Bool(true)}, place, 18), "U2 broken");
  EXPECT_DEATH(FormInto(schema, {Value::Bool(true)}, place + 1, 17), "U7 broken");
  EXPECT_DEATH(FormInto(schema, {Value::Int2(1)}, place, 17), "U7 broken");
}

}  // namespace
}  // namespace tuplestone::tuple
