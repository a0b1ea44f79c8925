// The readable form: every mistake is told with its line and column.
#include "properties/kit/text.h"

#include <gtest/gtest.h>

#include <string>

#include "properties/kit/generate.h"
#include "properties/kit/languages_for_test.h"
#include "properties/kit/random.h"

namespace tuplestone::kit {
namespace {

using properties::ToyProgram;

struct Mistake {
  std::string text;
  const char* error;  // what the message starts with
};

TEST(Text, EveryMistakeIsToldWithLineAndColumn) {
  const Mistake mistakes[] = {
      {"", "line 1, column 1: no head; a program starts with 'canary'"},
      {"\n  # only a comment\n", "line 1, column 1: no head"},
      {"  canry death=none\n", "line 1, column 3: 'canry' a program starts with 'canary'"},
      {"canary deth=none\n",
       "line 1, column 8: 'deth=none' 'canary' has no such field; it has: "
       "death spare"},
      {"canary death=dead\n", "line 1, column 8: 'death=dead' 'dead' is none of: check, abort"},
      {"canary spare=101\n", "line 1, column 8: 'spare=101' 101 is not from 0 to 100"},
      {"canary spare=-1\n", "line 1, column 8: 'spare=-1' '-1' is no number"},
      {"canary spare=\n", "line 1, column 8: 'spare=' is no field; a field is name=value"},
      {"canary =1\n", "line 1, column 8: '=1' is no field"},
      {"canary spare\n", "line 1, column 8: 'spare' is no field"},
      {"canary spare=1 spare=1\n", "line 1, column 16: 'spare=1' is given twice"},
      {"canary\n\nopen size=0\n", "line 3, column 6: 'size=0' 0 is not from 1 to 1000"},
      {"canary\nopen size=1 # fine\n\topn\n",
       "line 3, column 2: 'opn' is no operation; there are: open, load, fire, close, wait"},
      {"canary\nwait now=1\n", "line 2, column 6: 'now=1' 'wait' has no such field; it has: none"},
      {"canary\nload box=3\n", "line 2, column 6: 'box=3' a pick is @ and the number of a birth"},
      {"canary\nload box=@\n", "line 2, column 6: 'box=@' '' is no number"},
      {"canary\nload box=@65535\n", "line 2, column 6: 'box=@65535' 65535 is not from 0 to 65534"},
      {"canary\nload fill=0x100\n", "line 2, column 6: 'fill=0x100' 256 is not from 0 to 255"},
      {"canary\nload fill=0x\n", "line 2, column 6: 'fill=0x' '0x' is no number"},
      {"canary\nopen size=99999999999999999999\n", "line 2, column 6: "},
      {"canary\ncanary\n", "line 2, column 1: 'canary' is no operation"},
      {"canary\r\nopen size=0\r\n", "line 2, column 6: 'size=0' 0 is not from"},
      {std::string("canary\n# \0\n", 11), "line 2, column 3: a zero byte; this is no text"},
      {"canary\n\xff\xfe\n", "line 2, column 1: '\\xff\\xfe' is no operation"},
  };
  for (const Mistake& mistake : mistakes) {
    const auto program = Parse<ToyProgram>(mistake.text);
    ASSERT_FALSE(program.ok()) << mistake.text;
    EXPECT_EQ(std::string(program.status().message()).rfind(mistake.error, 0), 0u)
        << program.status();
  }
}

TEST(Text, AProgramHasAtMostItsOperations) {
  std::string text = "canary\n";
  for (size_t i = 0; i < ToyProgram::kShape.operations_max; ++i) text += "wait\n";
  EXPECT_TRUE(Parse<ToyProgram>(text).ok());
  const auto program = Parse<ToyProgram>(text + "wait\n");
  ASSERT_FALSE(program.ok());
  EXPECT_EQ(std::string(program.status().message()),
            "line 66, column 1: 'wait' is operation 65; a program has at most 64");
}

TEST(Text, CommentsSpacesAndDefaultsMeanNothing) {
  const auto terse = Parse<ToyProgram>("canary\nload\n");
  const auto full = Parse<ToyProgram>(
      "# why\n\n  canary\tspare=0  death=check#x\r\n\n load fill=0x00 box=@0 # the box\n#end");
  ASSERT_TRUE(terse.ok());
  ASSERT_TRUE(full.ok()) << full.status();
  EXPECT_TRUE(*terse == *full);
  EXPECT_EQ(Print(*full), "canary death=check spare=0\nload box=@0 fill=0x0\n");
}

TEST(Text, PrintsEveryField) {
  WideProgram program;
  program.operations.push_back(WideNumbers{});
  program.operations.push_back(WideBits{.eight = 0xff, .sixty_four = ~uint64_t{0}});
  program.operations.push_back(WideWords{.flag = true, .colour = Colour::kBlue});
  program.operations.push_back(WideMake{});
  program.operations.push_back(WideUse{.first = 3, .last = 0xffff});
  EXPECT_EQ(Print(program),
            "wide colour=red limit=100\n"
            "numbers one=7 small=3 medium=0 large=1 full=0\n"
            "bits eight=0xff sixteen=0x0 thirty_two=0x0 sixty_four=0xffffffffffffffff\n"
            "words flag=yes colour=blue\n"
            "make\n"
            "use first=@3 second=@0 other=@0 last=@none\n");
}

TEST(Text, IsKnownByItsFirstWordAndTheLackOfZeros) {
  const auto looks = [](const std::string& text) {
    return LooksLikeText(Bytes(reinterpret_cast<const std::byte*>(text.data()), text.size()),
                         "canary");
  };
  EXPECT_TRUE(looks("canary"));
  EXPECT_TRUE(looks("# canary?\n\n  canary death=nonsense"));
  EXPECT_FALSE(looks(""));
  EXPECT_FALSE(looks("# canary"));
  EXPECT_FALSE(looks("canary_program\n"));
  EXPECT_FALSE(looks(std::string("canary\n\0", 8)));
}

TEST(Text, ATargetReadsWhatDoesNotParseAsBinary) {
  const std::string broken = "canary deth=none\n";
  const Bytes bytes(reinterpret_cast<const std::byte*>(broken.data()), broken.size());
  EXPECT_TRUE(ReadProgram<ToyProgram>(bytes) == Decode<ToyProgram>(bytes));
}

}  // namespace
}  // namespace tuplestone::kit
