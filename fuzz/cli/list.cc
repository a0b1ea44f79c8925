// `tuplestone targets` and `tuplestone languages`: what there is, for people and scripts.
#include <cstdio>
#include <string>

#include "absl/status/statusor.h"
#include "fuzz/cli/commands.h"
#include "fuzz/cli/targets.h"

namespace tuplestone::cli {
namespace {

absl::StatusOr<int> ListTargets(const Arguments&) {
  for (const auto& target : AllTargets()) {
    std::printf("%s  %s\n", target->name().c_str(), target->is_program() ? "program" : "bytes");
  }
  return kDone;
}

absl::StatusOr<int> ListLanguages(const Arguments&) {
  for (const auto& target : AllTargets()) {
    for (const std::string& line : target->Language()) std::printf("%s\n", line.c_str());
  }
  return kDone;
}

}  // namespace

Command TargetsCommand() {
  return {"targets",
          "",
          "Lists the targets: a name, and whether its inputs are programs or bytes.",
          "Exit status: 0.\n\n"
          "example:\n  tuplestone targets\n",
          {},
          0,
          0,
          &ListTargets};
}

Command LanguagesCommand() {
  return {"languages",
          "",
          "Lists every fact about the languages that stored files depend on.",
          "A line is a language's lengths, or the tag, name and fields of its head (tag 0) or of\n"
          "one of its operations. Lines may be added and grow at their end; else old files would\n"
          "change their meaning. ci/tidy compares them with ci/languages.txt.\n\n"
          "Exit status: 0.\n\n"
          "example:\n  tuplestone languages\n",
          {},
          0,
          0,
          &ListLanguages};
}

}  // namespace tuplestone::cli
