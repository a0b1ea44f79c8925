#include "properties/kit/emit.h"

#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace tuplestone::kit {
namespace {

constexpr size_t kBytesALine = 12;

// "page_program" as PageProgram.
std::string CamelCase(absl::string_view name) {
  std::string text;
  for (absl::string_view word : absl::StrSplit(name, '_', absl::SkipEmpty())) {
    absl::StrAppend(&text, std::string(1, absl::ascii_toupper(static_cast<unsigned char>(word[0]))),
                    word.substr(1));
  }
  return text;
}

}  // namespace

namespace emit_internal {

std::string TypeInFunctionName(absl::string_view function) {
  size_t begin = function.find("T = ");
  if (begin == absl::string_view::npos) return "";
  begin += 4;
  // To the end of the list, or to the next of its entries (g++ adds some); brackets may nest.
  int depth = 0;
  size_t end = begin;
  for (; end < function.size(); ++end) {
    const char c = function[end];
    if (depth == 0 && (c == ';' || c == ']')) break;
    if (c == '<' || c == '(' || c == '[') ++depth;
    if (c == '>' || c == ')' || c == ']') --depth;
  }
  return std::string(function.substr(begin, end - begin));
}

std::string TestFile(absl::string_view header, absl::string_view language, absl::string_view name,
                     absl::string_view body) {
  return absl::StrCat("#include \"gtest/gtest.h\"\n#include \"", header, "\"\n\nTEST(",
                      CamelCase(language), ", ", name, ") {\n", body, "}\n");
}

}  // namespace emit_internal

std::string EmitBytesTest(absl::string_view suite, absl::string_view header, Bytes bytes,
                          absl::string_view name) {
  std::string body = "  const unsigned char bytes[] = {";
  for (size_t i = 0; i < bytes.size(); ++i) {
    absl::StrAppendFormat(&body, "%s0x%02x,", i % kBytesALine == 0 ? "\n      " : " ",
                          static_cast<unsigned>(bytes[i]));
  }
  // An array has at least one element; its size says how many count.
  absl::StrAppend(&body, bytes.empty() ? "0" : "\n", bytes.empty() ? "};\n" : "  };\n", "  ", suite,
                  "::Run({reinterpret_cast<const std::byte*>(bytes), ", bytes.size(), "});\n");
  const size_t last = suite.rfind("::");
  return emit_internal::TestFile(
      header, last == absl::string_view::npos ? suite : suite.substr(last + 2), name, body);
}

}  // namespace tuplestone::kit
