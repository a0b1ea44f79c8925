// Round trips of the kit for drawn programs of every language there is, and of one with every type
// of field. RapidCheck draws; nothing can die here, so nothing runs in a child.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "fuzz/suites.h"
#include "properties/kit/codec.h"
#include "properties/kit/generate.h"
#include "properties/kit/languages_for_test.h"
#include "properties/kit/random.h"
#include "properties/kit/target.h"
#include "properties/kit/text.h"

namespace tuplestone::kit {
namespace {

// The names of a language's operations: of "page_program tag 1 add, bytes: ..." that is add.
std::set<std::string> OperationsOf(const Target& target) {
  std::set<std::string> names;
  for (const std::string& line : target.Language()) {
    const std::vector<std::string> words =
        absl::StrSplit(line, absl::ByAnyChar(" ,"), absl::SkipEmpty());
    if (words.size() >= 4 && words[1] == "tag" && words[2] != "0") names.insert(words[3]);
  }
  return names;
}

// What is written is read again, by both forms, and every operation type was among it.
void CheckLanguage(const Target& target) {
  std::set<std::string> drawn;
  const bool held = rc::check("round trips of " + target.name(), [&] {
    Random random(*rc::gen::arbitrary<uint64_t>());
    const Input program = target.Draw(random, 40);
    const std::string text = target.Print(program);
    const std::vector<std::string> lines = absl::StrSplit(text, '\n', absl::SkipEmpty());
    for (size_t i = 1; i < lines.size(); ++i) drawn.insert(lines[i].substr(0, lines[i].find(' ')));
    RC_ASSERT(target.Normalize(program) == program);
    const auto parsed = target.Parse(text);
    RC_ASSERT(parsed.ok());
    RC_ASSERT(*parsed == program);
    const Bytes text_bytes(reinterpret_cast<const std::byte*>(text.data()), text.size());
    RC_ASSERT(target.Normalize(text_bytes) == program);
  });
  EXPECT_TRUE(held) << target.name();
  EXPECT_EQ(drawn, OperationsOf(target)) << target.name() << ": some operation was never drawn";
}

TEST(KitProperty, EveryLanguageSurvivesCodecAndText) {
  size_t languages = 0;
  fuzz::AllSuites::ForEach([&]<class Suite>() {
    const auto target = MakeTarget<Suite>();
    if (!target->is_program()) return;
    ++languages;
    CheckLanguage(*target);
  });
  EXPECT_GE(languages, 8u);
}

TEST(KitProperty, ALanguageWithEveryTypeOfFieldSurvivesCodecAndText) {
  std::set<size_t> kinds;
  const bool held = rc::check("round trips of wide", [&] {
    Random random(*rc::gen::arbitrary<uint64_t>());
    const auto program = DrawProgram<WideProgram>(random, 40);
    for (const auto& operation : program.operations) kinds.insert(operation.index());
    const std::vector<std::byte> bytes = Encode(program);
    constexpr Shape kShape = WideProgram::kShape;
    RC_ASSERT(bytes.size() == kShape.head_bytes + program.operations.size() * kShape.record_bytes);
    RC_ASSERT(Decode<WideProgram>(bytes) == program);
    RC_ASSERT(ReadProgram<WideProgram>(bytes) == program);
    const auto parsed = Parse<WideProgram>(Print(program));
    RC_ASSERT(parsed.ok());
    RC_ASSERT(*parsed == program);
  });
  EXPECT_TRUE(held);
  EXPECT_EQ(kinds.size(), WideProgram::kKindCount) << "some operation was never drawn";
}

TEST(KitProperty, AnyBytesAreAnInputOfEveryTarget) {
  fuzz::AllSuites::ForEach([]<class Suite>() {
    const auto target = MakeTarget<Suite>();
    const bool held = rc::check("any bytes are an input of " + target->name(), [&] {
      Random random(*rc::gen::arbitrary<uint64_t>());
      Input input(random.Below(600));
      for (std::byte& b : input) b = static_cast<std::byte>(random.Next());
      const Input normal = target->Normalize(input);
      RC_ASSERT(target->Normalize(normal) == normal);
      RC_ASSERT(*target->Parse(target->Print(input)) == normal);
      RC_ASSERT(!target->IsSimpler(normal, normal));
    });
    EXPECT_TRUE(held) << target->name();
  });
}

}  // namespace
}  // namespace tuplestone::kit
