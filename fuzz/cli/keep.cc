// `tuplestone keep`: an input becomes a test that every run of the corpus repeats.
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "fuzz/cli/commands.h"
#include "fuzz/cli/inputs.h"
#include "fuzz/cli/report.h"
#include "properties/kit/files.h"
#include "properties/kit/isolate.h"

namespace tuplestone::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDetails =
    "Writes corpus/<target>/regress/<name>.ops: the program as text, and why it is kept, where it\n"
    "comes from and how it dies as comments. Bytes are kept as they are, beside <name>.why. The\n"
    "name follows from the input unless --name gives one. What is already there is never\n"
    "overwritten.\n\n"
    "Exit status: 0 kept (or it was there already), 1 another input has this name, 2 wrong usage\n"
    "or a file that cannot be read or written.\n\n"
    "examples:\n"
    "  tuplestone keep crash-0a1b.min.ops --why \"compaction moved a tuple onto its neighbour\"\n"
    "  tuplestone keep page.bin --target page_image --name torn_header --why \"...\"\n";

absl::StatusOr<std::string> NameOf(const LoadedInput& input, const Arguments& arguments) {
  const std::string name =
      arguments.Text("--name").value_or(kit::NameOfContent(input.target->Normalize(input.bytes)));
  bool plain = !name.empty() && name[0] != '.';
  for (char c : name) {
    plain &= absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-';
  }
  if (!plain) {
    return absl::InvalidArgumentError(
        absl::StrCat("--name: '", name, "' is no name; letters, digits, _ and - are"));
  }
  return name;
}

// Why, from where, and how it dies today; each line begins with `mark`.
std::string Explanation(const LoadedInput& input, absl::string_view why, const char* mark) {
  const kit::Outcome outcome =
      kit::Isolate([&] { input.target->Run(input.bytes); }, kit::IsolationLimits());
  std::string text;
  for (absl::string_view line : absl::StrSplit(why, '\n')) {
    absl::StrAppend(&text, mark, absl::StripAsciiWhitespace(line), "\n");
  }
  absl::StrAppend(&text, mark, "Origin: ", fs::path(input.path).filename().string(), "\n");
  absl::StrAppend(&text, mark, "When it was kept: ", outcome.death.ToString(), "\n");
  return text;
}

struct KeptFile {
  std::string path;
  std::string text;
};

// Writes both or, where a name is taken, nothing; the second may be empty.
absl::StatusOr<int> Write(const KeptFile& kept, const KeptFile& beside) {
  for (const KeptFile* file : {&kept, &beside}) {
    std::error_code error;
    if (file->path.empty() || !fs::exists(file->path, error)) continue;
    std::printf("%s: is there already; --name chooses another name\n", file->path.c_str());
    return kSaysNo;
  }
  for (const KeptFile* file : {&kept, &beside}) {
    if (file->path.empty()) continue;
    const absl::Status written = kit::WriteFile(file->path, file->text);
    if (!written.ok()) return written;
  }
  std::printf("%s: kept\n%s", kept.path.c_str(), LineToPaste("replay", kept.path).c_str());
  return kDone;
}

// True when the file at `path` holds this input.
bool IsThere(const std::string& path, const LoadedInput& input) {
  const absl::StatusOr<kit::Input> there = kit::ReadFile(path);
  return there.ok() && input.target->Normalize(*there) == input.target->Normalize(input.bytes);
}

absl::StatusOr<int> RunKeep(const Arguments& arguments) {
  const std::string why = arguments.Text("--why").value_or("");
  if (absl::StripAsciiWhitespace(why).empty()) {
    return absl::InvalidArgumentError("--why is missing: say in a sentence what went wrong");
  }
  absl::StatusOr<LoadedInput> input = LoadInput(arguments.operands()[0], arguments);
  if (!input.ok()) return input.status();
  absl::StatusOr<std::string> name = NameOf(*input, arguments);
  if (!name.ok()) return name.status();
  const kit::Target& target = *input->target;
  const std::string stem = absl::StrCat(arguments.Text("--corpus").value_or("corpus"), "/",
                                        target.name(), "/regress/", *name);
  const std::string path = absl::StrCat(stem, target.is_program() ? ".ops" : ".bin");
  if (IsThere(path, *input)) {
    std::printf("%s: is kept already\n", path.c_str());
    return kDone;
  }
  if (target.is_program()) {
    return Write({path, Explanation(*input, why, "# ") + target.Print(input->bytes)}, {});
  }
  const kit::Input bytes = target.Normalize(input->bytes);
  return Write({path, std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size())},
               {stem + ".why", Explanation(*input, why, "")});
}

}  // namespace

Command KeepCommand() {
  return {"keep",
          "FILE",
          "Puts an input into the corpus, as a test that stays.",
          kDetails,
          {{"--why", "TEXT", "what went wrong, in a sentence; required"},
           kTargetOption,
           {"--name", "NAME", "the file's name (default: from the input)"},
           {"--corpus", "FOLDER", "the corpus (default: corpus)"}},
          1,
          1,
          &RunKeep};
}

}  // namespace tuplestone::cli
