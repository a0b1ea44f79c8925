// `tuplestone convert`: an input as text or as binary.
#include <cstdio>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "fuzz/cli/commands.h"
#include "fuzz/cli/inputs.h"
#include "properties/kit/files.h"

namespace tuplestone::cli {
namespace {

constexpr const char* kDetails =
    "Text is one operation a line, or a hexadecimal listing of bytes; binary is what fuzzers\n"
    "mutate. Both mean the same; comments and ignored bytes are dropped. Without OUT the result\n"
    "goes to standard output.\n\n"
    "Exit status: 0 converted, 2 wrong usage or a file that cannot be read or written.\n\n"
    "examples:\n"
    "  tuplestone convert build/fuzz-corpus/page_program/3f0a\n"
    "  tuplestone convert --to binary mine.ops mine.bin\n";

absl::StatusOr<int> RunConvert(const Arguments& arguments) {
  const std::string to = arguments.Text("--to").value_or("text");
  if (to != "text" && to != "binary") {
    return absl::InvalidArgumentError(absl::StrCat("--to: '", to, "' is neither text nor binary"));
  }
  absl::StatusOr<LoadedInput> input = LoadInput(arguments.operands()[0], arguments);
  if (!input.ok()) return input.status();
  std::string result = input->target->Print(input->bytes);
  if (to == "binary") {
    const kit::Input bytes = input->target->Normalize(input->bytes);
    result.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  if (arguments.operands().size() == 1) {
    const bool whole = std::fwrite(result.data(), 1, result.size(), stdout) == result.size();
    if (!whole || std::fflush(stdout) != 0) {
      return absl::DataLossError("standard output cannot be written");
    }
    return kDone;
  }
  const std::string& out = arguments.operands()[1];
  if (SameFile(input->path, out)) {
    return absl::InvalidArgumentError(absl::StrCat(out, ": is the input, which is never changed"));
  }
  const absl::Status written = kit::WriteFile(out, result);
  if (!written.ok()) return written;
  return kDone;
}

}  // namespace

Command ConvertCommand() {
  return {"convert",
          "FILE [OUT]",
          "Turns an input into text or binary.",
          kDetails,
          {{"--to", "text|binary", "what to make of it (default: text)"}, kTargetOption},
          1,
          2,
          &RunConvert};
}

}  // namespace tuplestone::cli
