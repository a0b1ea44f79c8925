#include "fuzz/cli/inputs.h"

#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "fuzz/cli/targets.h"
#include "properties/kit/files.h"
#include "properties/kit/text.h"

namespace tuplestone::cli {
namespace {

namespace fs = std::filesystem;

// The first word of `bytes` outside comments that may name a target, or empty.
absl::string_view HeadWord(Bytes bytes) {
  const kit::text_internal::Line line = kit::text_internal::FirstLine(bytes);
  if (line.words.empty()) return "";
  const auto& words = line.words;
  const bool listing = words[0].text == "bytes" && words.size() >= 2;
  return listing ? words[1].text : words[0].text;
}

const kit::Target* TargetOfFolders(const std::string& path) {
  std::error_code error;
  fs::path folder = fs::absolute(path, error).lexically_normal();
  while (folder.has_relative_path()) {
    folder = folder.parent_path();
    const kit::Target* target = FindTarget(folder.filename().string());
    if (target != nullptr) return target;
  }
  return nullptr;
}

bool SaysItIsText(const std::string& path) {
  const std::string ending = fs::path(path).extension();
  return ending == ".ops" || ending == ".hex";
}

absl::StatusOr<const kit::Target*> TargetOf(const std::string& path, Bytes bytes,
                                            const Arguments& arguments) {
  absl::StatusOr<const kit::Target*> given = GivenTarget(arguments);
  if (!given.ok() || *given != nullptr) return given;
  const absl::string_view word = HeadWord(bytes);
  const kit::Target* by_word = FindTarget(word);
  if (SaysItIsText(path) && by_word != nullptr) return by_word;
  const kit::Target* by_folder = TargetOfFolders(path);
  if (by_folder != nullptr) return by_folder;
  if (by_word != nullptr) return by_word;
  std::string why = absl::StrCat(path, ": ");
  if (SaysItIsText(path) && !word.empty()) {
    absl::StrAppend(&why, "'", absl::CHexEscape(word.substr(0, 40)), "' is no target");
  } else {
    why += "nothing says whose input this is";
  }
  return absl::InvalidArgumentError(absl::StrCat(why, "; give --target, one of: ", TargetNames()));
}

}  // namespace

const Option kTargetOption = {"--target", "T", "whose input it is (default: the file tells)"};

absl::StatusOr<const kit::Target*> GivenTarget(const Arguments& arguments) {
  const std::optional<std::string> name = arguments.Text("--target");
  if (!name.has_value()) return nullptr;
  const kit::Target* target = FindTarget(*name);
  if (target == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat("--target: '", absl::CHexEscape(*name),
                                                   "' is no target; there are: ", TargetNames()));
  }
  return target;
}

absl::StatusOr<LoadedInput> LoadInput(const std::string& path, const Arguments& arguments) {
  absl::StatusOr<kit::Input> bytes = kit::ReadFile(path);
  if (!bytes.ok()) return bytes.status();
  const absl::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  absl::StatusOr<const kit::Target*> target = TargetOf(path, *bytes, arguments);
  if (!target.ok()) return target.status();
  if (fs::path(path).extension() == ".hex" || ((*target)->is_program() && SaysItIsText(path))) {
    const absl::StatusOr<kit::Input> parsed = (*target)->Parse(text);
    if (!parsed.ok()) {
      return absl::InvalidArgumentError(absl::StrCat(path, ": ", parsed.status().message()));
    }
  }
  return LoadedInput{path, *target, *std::move(bytes)};
}

std::string WithEnding(const std::string& path, absl::string_view ending) {
  fs::path stem(path);
  if (SaysItIsText(path)) stem.replace_extension();
  return absl::StrCat(stem.string(), ending);
}

const char* TextEnding(const kit::Target& target) { return target.is_program() ? ".ops" : ".hex"; }

bool SameFile(const std::string& a, const std::string& b) {
  std::error_code error;
  return fs::equivalent(a, b, error);
}

}  // namespace tuplestone::cli
