// The model alone, on cases small enough to be checked by eye. U1, U2, U3, U4, U5.
#include "properties/tuple/tuple_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "absl/strings/escaping.h"

namespace tuplestone::properties {
namespace {

ModelValue Number(ModelType type, int64_t number) {
  return ModelFromBits(type, static_cast<uint64_t>(number));
}
ModelValue Float8(double number) {
  return ModelFromBits(ModelType::kFloat8, std::bit_cast<uint64_t>(number));
}
ModelValue Text(const std::string& text) { return {.null = false, .bits = 0, .bytes = text}; }

TEST(TupleModel, AppendsOneColumnAfterTheOther) {
  const ModelTypes types = {ModelType::kInt2, ModelType::kText, ModelType::kInt4};
  EXPECT_EQ(absl::BytesToHexString(
                ModelForm(types, {Number(types[0], -2), Text("ab"), Number(types[2], 3)})),
            "1c000000"
            "000000000000"
            "0300"
            "0200"
            "18"
            "00"
            "feff"
            "076162"
            "000000"
            "03000000");
  EXPECT_EQ(
      absl::BytesToHexString(ModelForm(types, {ModelValue(), ModelValue(), Number(types[2], 3)})),
      "14000000"
      "000000000000"
      "0300"
      "0100"
      "18"
      "04"
      "03000000");
}

TEST(TupleModel, ReadsWhatItFormedAndNothingElse) {
  const ModelTypes types = {ModelType::kBool, ModelType::kText};
  for (const size_t length : {0, 1, 126, 127, 300}) {
    const ModelRow row = {Number(types[0], 1), Text(std::string(length, 'x'))};
    std::string tuple = ModelForm(types, row);
    EXPECT_EQ(ModelRead(types, tuple), row);
    EXPECT_EQ(ModelRead(types, tuple + "x"), std::nullopt);
    tuple.pop_back();
    EXPECT_EQ(ModelRead(types, tuple), std::nullopt);
  }
  EXPECT_EQ(ModelRead(types, ""), std::nullopt);
}

TEST(TupleModel, KnowsTheLengthWithoutTheBytes) {
  const ModelTypes types = {ModelType::kText, ModelType::kInt8};
  const ModelRow row = {ModelValue(), Number(ModelType::kInt8, 1)};
  for (const uint64_t bytes : {0, 5, 126, 127, 1023, 1024, 1031, 5003}) {
    EXPECT_EQ(ModelBytesWith(types, row, 0, bytes),
              ModelForm(types, {Text(std::string(bytes, 'y')), row[1]}).size());
  }
}

TEST(TupleModel, ComparesAsAPersonSaysIt) {
  const ModelType f = ModelType::kFloat8;
  EXPECT_EQ(ModelCompare(f, Float8(-0.0), Float8(0.0)), 0);
  EXPECT_EQ(ModelCompare(f, Float8(NAN), Float8(-NAN)), 0);
  EXPECT_EQ(ModelCompare(f, Float8(INFINITY), Float8(NAN)), -1);
  EXPECT_EQ(ModelCompare(f, Float8(-1), Float8(1)), -1);
  EXPECT_EQ(ModelCompare(ModelType::kText, Text("a"), Text("\xFF")), -1);
  EXPECT_EQ(ModelCompare(ModelType::kText, Text("ab"), Text("a")), 1);
  EXPECT_EQ(
      ModelCompare(ModelType::kInt2, Number(ModelType::kInt2, -1), Number(ModelType::kInt2, 0)),
      -1);
  const ModelTypes types = {ModelType::kInt4};
  const ModelRow one = {Number(types[0], 1)};
  const ModelRow two = {Number(types[0], 2)};
  const ModelRow null(1);
  EXPECT_EQ(ModelCompareByKey(types, {.column = 0, .descending = true}, one, two), 1);
  EXPECT_EQ(ModelCompareByKey(types, {.column = 0, .descending = true}, one, null), -1);
  EXPECT_EQ(ModelCompareByKey(types, {.column = 0, .nulls_first = true}, one, null), 1);
  EXPECT_EQ(ModelCompareByKey(types, {}, null, null), 0);
}

TEST(TupleModel, KnowsWhatAPrefixHolds) {
  const ModelKey key;
  const auto same = [&](const std::string& a, const std::string& b) {
    return ModelSamePrefix(ModelType::kText, key, {Text(a)}, {Text(b)});
  };
  EXPECT_TRUE(same("1234567a", "1234567b_"));
  EXPECT_FALSE(same("1234567", "1234567b"));
  EXPECT_FALSE(same("a", std::string("a\0", 2)));
  const ModelRow largest = {Number(ModelType::kInt8, INT64_MAX)};
  EXPECT_TRUE(ModelSamePrefix(ModelType::kInt8, key, largest, ModelRow(1)));
  EXPECT_FALSE(ModelPrefixDecides(ModelType::kInt8, key, largest));
  EXPECT_TRUE(ModelPrefixDecides(ModelType::kInt8, {.column = 0, .nulls_first = true}, largest));
}

TEST(TupleModel, KnowsHowValuesPrint) {
  EXPECT_TRUE(ModelPrintsAs(ModelType::kFloat8, Float8(0.1), "0.1"));
  EXPECT_FALSE(ModelPrintsAs(ModelType::kFloat8, Float8(0.1), "0.10000001"));
  EXPECT_FALSE(ModelPrintsAs(ModelType::kFloat8, Float8(-0.0), "0"));
  EXPECT_TRUE(ModelPrintsAs(ModelType::kText, Text("it's\n"), "E'it''s\\x0a'"));
  EXPECT_TRUE(ModelPrintsAs(ModelType::kBytea, Text("\x01\xFF"), "\\x01ff"));
  EXPECT_TRUE(ModelPrintsAs(ModelType::kInt2, ModelValue(), "null"));
}

}  // namespace
}  // namespace tuplestone::properties
