// Round trips of the kit for drawn programs of every language there is, and of one with every type
// of field. RapidCheck draws; nothing can die here, so nothing runs in a child.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdint>
#include <set>
#include <string>

#include "fuzz/suites.h"
#include "properties/kit/codec.h"
#include "properties/kit/generate.h"
#include "properties/kit/languages_for_test.h"
#include "properties/kit/random.h"
#include "properties/kit/target.h"
#include "properties/kit/text.h"

namespace tuplestone::kit {
namespace {

// Draws `P` from a seed, and notes which operations the draws held.
template <class P>
P Draw(std::set<size_t>* kinds) {
  Random random(*rc::gen::arbitrary<uint64_t>());
  const P program = DrawProgram<P>(random, 40);
  for (const auto& operation : program.operations) kinds->insert(operation.index());
  return program;
}

// What is written is read again, by both forms, and every operation type was among it.
template <class P>
void CheckLanguage() {
  std::set<size_t> kinds;
  const bool held = rc::check(std::string("round trips of ") + LanguageName<P>(), [&] {
    const P program = Draw<P>(&kinds);
    const std::vector<std::byte> bytes = Encode(program);
    RC_ASSERT(bytes.size() ==
              P::kShape.head_bytes + program.operations.size() * P::kShape.record_bytes);
    RC_ASSERT(Decode<P>(bytes) == program);
    RC_ASSERT(ReadProgram<P>(bytes) == program);
    const std::string text = Print(program);
    const auto parsed = Parse<P>(text);
    RC_ASSERT(parsed.ok());
    RC_ASSERT(*parsed == program);
    RC_ASSERT(Print(*parsed) == text);
    const Bytes text_bytes(reinterpret_cast<const std::byte*>(text.data()), text.size());
    RC_ASSERT(ReadProgram<P>(text_bytes) == program);
  });
  EXPECT_TRUE(held) << LanguageName<P>();
  EXPECT_EQ(kinds.size(), P::kKindCount) << LanguageName<P>() << ": some operation was never drawn";
}

TEST(KitProperty, EveryLanguageSurvivesCodecAndText) {
  CheckLanguage<WideProgram>();
  fuzz::AllSuites::ForEach([]<class Suite>() {
    if constexpr (requires { typename Suite::Program; }) CheckLanguage<typename Suite::Program>();
  });
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
