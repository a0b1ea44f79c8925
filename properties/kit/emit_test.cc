// Programs and bytes as C++. That what is emitted compiles and dies is the matter of the emitted
// tests in fuzz/CMakeLists.txt.
#include "properties/kit/emit.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "properties/toy/toy_suite.h"

namespace tuplestone::kit {
namespace {

template <class A, class B>
struct Two {};

TEST(TypeName, IsWhatCppCallsIt) {
  EXPECT_EQ(TypeName<properties::ToyOpen>(), "tuplestone::properties::ToyOpen");
  EXPECT_EQ(TypeName<properties::ToyDeath>(), "tuplestone::properties::ToyDeath");
  EXPECT_TRUE(absl::StrContains((TypeName<Two<int, Two<char, bool>>>()), "Two<int, "));
  EXPECT_TRUE(absl::StrContains((TypeName<Two<int, Two<char, bool>>>()), "Two<char, bool>"));
}

TEST(TypeName, EndsWhereTheCompilerGoesOn) {
  using emit_internal::TypeInFunctionName;
  EXPECT_EQ(TypeInFunctionName("std::string F() [T = a::B<int[3], c>]"), "a::B<int[3], c>");
  EXPECT_EQ(TypeInFunctionName("S F() [with T = a::B; std::string = basic_string<char>]"), "a::B");
  EXPECT_EQ(TypeInFunctionName("no template"), "");
}

TEST(EmitProgramTest, NamesEveryFieldAndSaysItInWords) {
  properties::ToyProgram program;
  program.head.death = properties::ToyDeath::kLeak;
  program.operations = {properties::ToyOpen{7}, properties::ToyLoad{0, 0x41}};
  EXPECT_EQ(EmitProgramTest<properties::ToySuite>(program, "Leaks"),
            "#include \"gtest/gtest.h\"\n"
            "#include \"properties/toy/toy_suite.h\"\n"
            "\n"
            "TEST(Canary, Leaks) {\n"
            "  tuplestone::properties::ToySuite::Program program;\n"
            "  // canary death=leak spare=0\n"
            "  program.head = {tuplestone::properties::ToyDeath{4}, 0};\n"
            "  // open size=7\n"
            "  program.operations.push_back(tuplestone::properties::ToyOpen{7});\n"
            "  // load box=@0 fill=0x41\n"
            "  program.operations.push_back(tuplestone::properties::ToyLoad{0, 65});\n"
            "  tuplestone::kit::Run<tuplestone::properties::ToySuite>(program);\n"
            "}\n");
}

TEST(EmitBytesTest, HasEveryByteAndTheirNumber) {
  const std::vector<std::byte> bytes(13, std::byte{0xfe});
  const std::string text = EmitBytesTest("a::ImageSuite", "a/image.h", bytes, "Case1");
  EXPECT_TRUE(absl::StrContains(text, "TEST(ImageSuite, Case1) {")) << text;
  EXPECT_TRUE(absl::StrContains(text, "0xfe,\n      0xfe,\n  };\n")) << text;
  EXPECT_TRUE(absl::StrContains(
      text, "a::ImageSuite::Run({reinterpret_cast<const std::byte*>(bytes), 13});"))
      << text;
  EXPECT_TRUE(absl::StrContains(EmitBytesTest("S", "h", {}, "Empty"), "bytes[] = {0};\n"));
}

}  // namespace
}  // namespace tuplestone::kit
