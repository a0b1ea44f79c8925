// Inputs of byte targets: bytes, or a listing of them, and which of two is simpler.
#include "properties/kit/target.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "properties/kit/random.h"
#include "properties/toy/toy_suite.h"

namespace tuplestone::kit {
namespace {

Input g_ran;

ByteTarget Echo() {
  return ByteTarget("echo", [](Bytes bytes) { g_ran.assign(bytes.begin(), bytes.end()); });
}

Input AsInput(const std::string& text) {
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

TEST(ByteTarget, PrintsAndParsesListings) {
  std::string bytes;
  for (int i = 0; i < 18; ++i) bytes += static_cast<char>(i * 15);
  const std::string text = Echo().Print(AsInput(bytes));
  EXPECT_EQ(text,
            "bytes echo\n000000: 00 0f 1e 2d 3c 4b 5a 69 78 87 96 a5 b4 c3 d2 e1\n"
            "000010: f0 ff\n");
  EXPECT_EQ(*Echo().Parse("# why\n" + text + "# end\n"), AsInput(bytes));
  EXPECT_EQ(Echo().Print(Input()), "bytes echo\n");
}

TEST(ByteTarget, AListingRunsAsItsBytes) {
  Echo().Run(AsInput("# a comment\nbytes echo\n000000: 41 42\n"));
  EXPECT_EQ(g_ran, AsInput("AB"));
  Echo().Run(AsInput("bytes other\n000000: 41 42\n"));
  EXPECT_EQ(g_ran, AsInput("bytes other\n000000: 41 42\n")) << "not its listing";
  Echo().Run(AsInput("bytes echo\n000000: 4\n"));
  EXPECT_EQ(g_ran, AsInput("bytes echo\n000000: 4\n")) << "no listing, so bytes";
}

TEST(ByteTarget, BytesThatAreAListingSurvive) {
  const std::string inner = "bytes echo\n000000: 41 42\n";
  // The listing of a listing, as a person would write it.
  std::string listing = "bytes echo\n000000:";
  for (size_t i = 0; i < inner.size(); ++i) {
    char text[24];
    if (i > 0 && i % 16 == 0) {
      std::snprintf(text, sizeof(text), "\n%06zx:", i);
      listing += text;
    }
    std::snprintf(text, sizeof(text), " %02x", static_cast<unsigned>(inner[i]));
    listing += text;
  }
  listing += "\n";
  const auto input = Echo().Parse(listing);
  ASSERT_TRUE(input.ok()) << input.status();
  Echo().Run(*input);
  EXPECT_EQ(g_ran, AsInput(inner));
  EXPECT_EQ(Echo().Print(*input), listing);
  EXPECT_EQ(Echo().Normalize(*input), *input);
  EXPECT_EQ(*Echo().Parse(Echo().Print(*input)), *input);
}

TEST(ByteTarget, MistakesInAListingAreTold) {
  const std::pair<const char*, const char*> mistakes[] = {
      {"", "line 1, column 1: a listing starts with 'bytes echo'"},
      {"bytes other\n", "line 1, column 1: 'bytes' begins no listing"},
      {"bytes echo now\n", "line 1, column 1: 'bytes' begins no listing"},
      {"bytes echo\n000001: 00\n", "line 2, column 1: '000001:' should be '000000:'"},
      {"bytes echo\n000000: 00\n000002: 00\n", "line 3, column 1: '000002:' should be '000001:'"},
      {"bytes echo\n000000: 0\n", "line 2, column 9: '0' is no byte"},
      {"bytes echo\n000000: 00 0G\n", "line 2, column 12: '0G' is no byte"},
      {"bytes echo\n000000: 00 AA\n", "line 2, column 12: 'AA' is no byte"},
  };
  for (const auto& [text, error] : mistakes) {
    const auto input = Echo().Parse(text);
    ASSERT_FALSE(input.ok()) << text;
    EXPECT_EQ(std::string(input.status().message()).rfind(error, 0), 0u) << input.status();
  }
}

TEST(ByteTarget, EverySimplerInputIsSimpler) {
  Random random(4);
  for (int i = 0; i < 20; ++i) {
    const ByteTarget echo = Echo();
    const Input input = echo.Draw(random, 40);
    const SimplerInputs simpler = echo.Simpler(input, RunTrace());
    for (size_t k = 0; k < simpler.count; ++k) {
      ASSERT_TRUE(echo.IsSimpler(simpler.at(k), input));
      ASSERT_FALSE(echo.IsSimpler(input, simpler.at(k)));
    }
    EXPECT_GE(simpler.count, input.size());
  }
}

TEST(ProgramTarget, TextAndBinaryAreOneInput) {
  const auto target = MakeTarget<properties::ToySuite>();
  EXPECT_EQ(target->name(), "canary");
  EXPECT_TRUE(target->is_program());
  const Input text = AsInput("# why\ncanary death=none\nopen size=7\n");
  const Input binary = target->Normalize(text);
  EXPECT_EQ(binary.size(), 16u);
  EXPECT_EQ(target->Print(text), target->Print(binary));
  EXPECT_EQ(*target->Parse(target->Print(binary)), binary);
  EXPECT_NE(target->Trace(text, 0).find(">>>    1  open size=7"), std::string::npos);
}

TEST(ProgramTarget, TheLanguageNamesWhatFilesDependOn) {
  const std::vector<std::string> lines = MakeTarget<properties::ToySuite>()->Language();
  ASSERT_EQ(lines.size(), 7u);
  EXPECT_EQ(lines[0], "canary head_bytes=8 record_bytes=8");
  EXPECT_EQ(lines[2], "canary tag 1 open, size: size 1..1000");
  EXPECT_EQ(lines[3], "canary tag 2 load, box: pick 0, fill: bits 8");
}

}  // namespace
}  // namespace tuplestone::kit
