// `tuplestone emit-test`: an input as C++.
#include <cstdio>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "fuzz/cli/commands.h"
#include "fuzz/cli/inputs.h"
#include "properties/kit/files.h"

namespace tuplestone::cli {
namespace {

constexpr const char* kDetails =
    "Prints a GoogleTest case that builds the program and runs it through its suite: something to\n"
    "step through in a debugger, or to take along. It needs the suite's library and GoogleTest. "
    "It\n"
    "dies as the input does; for a test that stays, use keep.\n\n"
    "Exit status: 0 printed or written, 2 wrong usage or a file that cannot be read or written.\n\n"
    "examples:\n"
    "  tuplestone emit-test corpus/page_program/seed/delete_index.ops\n"
    "  tuplestone emit-test --name LosesALine --out loses_a_line_test.cc crash-0a1b.min.ops\n";

bool IsIdentifier(const std::string& name) {
  for (const char c : name) {
    if (!absl::ascii_isalnum(static_cast<unsigned char>(c))) return false;
  }
  return !name.empty() && absl::ascii_isalpha(static_cast<unsigned char>(name[0]));
}

absl::StatusOr<int> RunEmitTest(const Arguments& arguments) {
  const absl::StatusOr<LoadedInput> input = LoadInput(arguments.operands()[0], arguments);
  if (!input.ok()) return input.status();
  const std::string name = arguments.Text("--name").value_or(
      absl::StrCat("Case", kit::NameOfContent(input->target->Normalize(input->bytes))));
  if (!IsIdentifier(name)) {
    return absl::InvalidArgumentError("--name: a test's name is letters and digits");
  }
  const std::string test = input->target->EmitTest(input->bytes, name);
  const std::optional<std::string> out = arguments.Text("--out");
  if (!out.has_value()) {
    std::fputs(test.c_str(), stdout);
    return kDone;
  }
  if (SameFile(input->path, *out)) {
    return absl::InvalidArgumentError(absl::StrCat(*out, ": is the input, which is never changed"));
  }
  const absl::Status written = kit::WriteFile(*out, test);
  if (!written.ok()) return written;
  std::printf("%s: written\n", out->c_str());
  return kDone;
}

}  // namespace

Command EmitTestCommand() {
  return {"emit-test",
          "FILE",
          "Prints an input as a GoogleTest case.",
          kDetails,
          {kTargetOption,
           {"--name", "NAME", "the test's name (default: from the input)"},
           {"--out", "OUT", "where to write it (default: standard output)"}},
          1,
          1,
          &RunEmitTest};
}

}  // namespace tuplestone::cli
