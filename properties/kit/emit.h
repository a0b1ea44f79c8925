// An input as C++: a GoogleTest case that runs it through its suite, for a debugger or another
// project.
//
//   TEST(PageProgram, SlidesOverUnreadData) {
//     tuplestone::properties::PageProgram program;
//     program.head = {PageStart::kIndex, 16, 0};                   // start=index special=16
//     lines=0 program.operations.push_back(PageFill{60, 16, 2, 0});        // fill count=60 ...
//     tuplestone::kit::Run<PageSuite>(program);
//   }
//
// Values stand in declared order. It dies as the input does, so the test is for a while: keep makes
// the one that stays.
#ifndef TUPLESTONE_PROPERTIES_KIT_EMIT_H_
#define TUPLESTONE_PROPERTIES_KIT_EMIT_H_

#include <string>
#include <type_traits>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "properties/kit/program.h"
#include "properties/kit/text.h"

namespace tuplestone::kit {

namespace emit_internal {

// What stands after `T = ` in the name that a compiler gives a function template.
std::string TypeInFunctionName(absl::string_view function);

// The file's head, and a case of `suite_name` with `body`, whose lines are indented already.
std::string TestFile(absl::string_view header, absl::string_view language, absl::string_view name,
                     absl::string_view body);

}  // namespace emit_internal

// "tuplestone::properties::PageAdd"
template <class T>
std::string TypeName() {
  return emit_internal::TypeInFunctionName(__PRETTY_FUNCTION__);
}

// The header that declares a suite; suites name theirs.
template <class Suite>
std::string SuiteHeader() {
  if constexpr (requires { Suite::kHeader; }) {
    return Suite::kHeader;
  } else {
    return "fuzz/suites.h";
  }
}

// "{8, 0x41}": the fields of T in declared order.
template <class T>
std::string EmitFields(const T& t) {
  std::string text = "{";
  ForEachField(t, [&](const char*, const auto& field) {
    using Field = std::remove_cvref_t<decltype(field)>;
    if (text.size() > 1) text += ", ";
    if constexpr (requires { typename Field::Value; }) {
      absl::StrAppend(&text, TypeName<typename Field::Value>(), "{", field.ToRaw(), "}");
    } else if constexpr (std::is_convertible_v<Field, bool> &&
                         !std::is_convertible_v<Field, uint64_t>) {
      absl::StrAppend(&text, field ? "true" : "false");
    } else {
      absl::StrAppend(&text, field.ToRaw(), field.ToRaw() >> 63 != 0 ? "u" : "");
    }
  });
  return text + "}";
}

template <class Suite>
std::string EmitProgramTest(const typename Suite::Program& program, absl::string_view name) {
  using P = typename Suite::Program;
  std::string body;
  absl::StrAppend(&body, "  ", TypeName<Suite>(), "::Program program;\n  // ", PrintHead(program),
                  "\n  program.head = ", EmitFields(program.head), ";\n");
  for (const auto& operation : program.operations) {
    absl::StrAppend(&body, "  // ", PrintOperation(operation), "\n");
    P::Visit(operation, [&](const auto& op) {
      absl::StrAppend(&body, "  program.operations.push_back(",
                      TypeName<std::remove_cvref_t<decltype(op)>>(), EmitFields(op), ");\n");
    });
  }
  absl::StrAppend(&body, "  tuplestone::kit::Run<", TypeName<Suite>(), ">(program);\n");
  return emit_internal::TestFile(SuiteHeader<Suite>(), LanguageName<P>(), name, body);
}

std::string EmitBytesTest(absl::string_view suite, absl::string_view header, Bytes bytes,
                          absl::string_view name);

}  // namespace tuplestone::kit

#endif  // TUPLESTONE_PROPERTIES_KIT_EMIT_H_
