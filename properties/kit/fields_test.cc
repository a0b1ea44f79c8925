// Every type of field: raw numbers, text, simpler values.
#include "properties/kit/fields.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "properties/kit/languages_for_test.h"
#include "properties/kit/program.h"

namespace tuplestone::kit {
namespace {

// Any raw number is a value, that value's own raw number is canonical, text keeps it, and every
// simpler value has a smaller raw number.
template <class Field>
void ExpectSound(const std::vector<uint64_t>& raws) {
  for (uint64_t raw : raws) {
    const Field field = Field::FromRaw(raw);
    const uint64_t canonical = field.ToRaw();
    EXPECT_EQ(Field::FromRaw(canonical).ToRaw(), canonical) << raw;
    EXPECT_EQ(Field::kWireBytes == 8 ? 0 : canonical >> (8 * (Field::kWireBytes % 8)), 0u) << raw;
    const auto parsed = Field::Parse(field.Print());
    ASSERT_TRUE(parsed.ok()) << field.Print();
    EXPECT_EQ(parsed->ToRaw(), canonical) << field.Print();
    for (const Field& simpler : field.Simpler()) EXPECT_LT(simpler.ToRaw(), canonical) << raw;
  }
  EXPECT_EQ(Field::FromRaw(0).ToRaw(), Field{}.ToRaw()) << "a spare byte is the default";
  EXPECT_TRUE(Field{}.Simpler().empty());
}

std::vector<uint64_t> Edges() {
  std::vector<uint64_t> edges = {0, 1, 2, 3, 99, 100, 101, 255, 256, 65'534, 65'535, 65'536};
  for (int bit = 0; bit < 64; ++bit) {
    for (uint64_t beside : {-1, 0, 1}) edges.push_back((uint64_t{1} << bit) + beside);
  }
  edges.push_back(~uint64_t{0});
  return edges;
}

TEST(Fields, EveryRawNumberIsAValue) {
  ExpectSound<Size<7, 7>>(Edges());
  ExpectSound<Size<0, 100>>(Edges());
  ExpectSound<Size<0, 255>>(Edges());
  ExpectSound<Size<0, 256>>(Edges());
  ExpectSound<Size<0, ~uint64_t{0}>>(Edges());
  ExpectSound<Bits<8>>(Edges());
  ExpectSound<Bits<16>>(Edges());
  ExpectSound<Bits<32>>(Edges());
  ExpectSound<Bits<64>>(Edges());
  ExpectSound<Flag>(Edges());
  ExpectSound<Choice<Colour, kColourNames>>(Edges());
  ExpectSound<Pick<0>>(Edges());
}

TEST(Fields, ASizeStaysInItsRange) {
  using Small = Size<3, 200>;
  for (uint64_t raw = 0; raw < 1000; ++raw) {
    const uint64_t value = Small::FromRaw(raw);
    EXPECT_GE(value, 3u);
    EXPECT_LE(value, 200u);
    if (raw >= 3 && raw <= 200) {
      EXPECT_EQ(value, raw);
    }
  }
  EXPECT_FALSE(Small::Parse("2").ok());
  EXPECT_FALSE(Small::Parse("201").ok());
  EXPECT_EQ(*Small::Parse("200"), 200u);
  EXPECT_EQ(*Small::Parse("0xC8"), 200u);
}

TEST(Fields, ALimitIsSixtyFourBits) {
  using Full = Size<0, ~uint64_t{0}>;
  EXPECT_EQ(*Full::Parse("18446744073709551615"), ~uint64_t{0});
  EXPECT_FALSE(Full::Parse("18446744073709551616").ok());
  EXPECT_FALSE(Full::Parse("0x10000000000000000").ok());
  EXPECT_FALSE(Full::Parse("+1").ok());
  EXPECT_FALSE(Full::Parse(" 1").ok());
  EXPECT_FALSE(Full::Parse("1e3").ok());
}

TEST(Fields, NamesAreExact) {
  EXPECT_EQ((Choice<Colour, kColourNames>::Parse("blue")->ToRaw()), 2u);
  EXPECT_FALSE((Choice<Colour, kColourNames>::Parse("Blue").ok()));
  EXPECT_FALSE((Choice<Colour, kColourNames>::Parse("").ok()));
  EXPECT_FALSE(Flag::Parse("true").ok());
  EXPECT_TRUE(*Flag::Parse("yes"));
}

TEST(Fields, SimplerNumbersComeCloseToTheNumber) {
  const Size<10, 1000> size = 500;
  const auto simpler = size.Simpler();
  EXPECT_EQ(simpler.front(), 10u);
  EXPECT_EQ(simpler.back(), 499u);
  EXPECT_LE(simpler.size(), 10u);
  const auto bits = Bits<16>(0b101).Simpler();
  ASSERT_EQ(bits.size(), 3u);
  EXPECT_EQ(bits[0], 0u);
  EXPECT_EQ(bits[1], 0b100u);
  EXPECT_EQ(bits[2], 0b001u);
}

TEST(Fields, DrawsReachEdgesAndStayInRange) {
  Random random(7);
  std::set<uint64_t> seen;
  for (int i = 0; i < 20'000; ++i) {
    const uint64_t value = Size<1, 8160>::Draw(random);
    ASSERT_GE(value, 1u);
    ASSERT_LE(value, 8160u);
    seen.insert(value);
  }
  for (uint64_t edge :
       {1, 2, 3, 15, 16, 17, 1023, 1024, 1025, 4095, 4096, 4097, 8158, 8159, 8160}) {
    EXPECT_TRUE(seen.count(edge)) << edge;
  }
  EXPECT_GT(seen.size(), 800u) << "and what lies between";
}

TEST(Fields, DrawsOfTheFullRangeReachBothEnds) {
  Random random(7);
  std::set<uint64_t> seen;
  for (int i = 0; i < 20'000; ++i) seen.insert(Size<0, ~uint64_t{0}>::Draw(random));
  for (uint64_t edge : {uint64_t{0}, uint64_t{1}, uint64_t{1} << 63, ~uint64_t{0}}) {
    EXPECT_TRUE(seen.count(edge)) << edge;
  }
}

TEST(Fields, EveryFieldOfAStructIsVisitedInOrder) {
  std::string names;
  WideNumbers numbers;
  ForEachField(numbers, [&](const char* name, auto&) { names += std::string(name) + " "; });
  EXPECT_EQ(names, "one small medium large full ");
  EXPECT_EQ(WireBytes<WideNumbers>(), 1u + 1u + 2u + 4u + 8u);
  EXPECT_EQ(WireBytes<WideBits>(), 1u + 2u + 4u + 8u);
  EXPECT_EQ(WireBytes<WideUse>(), 8u);
  EXPECT_EQ(WireBytes<WideMake>(), 0u);
}

}  // namespace
}  // namespace tuplestone::kit
