// `tuplestone`: what a person does with the inputs that fuzzers and properties save.
//
//   targets, languages   what there is
//   replay               run it again, and say what broke
//   explain              see where engine and model part
//   shrink               make it small
//   keep                 make it a test
//   emit-test            take it along as C++
//   corpus               look after the files that are kept
//   convert              read or edit it
//   page                 read a relation file
//   lab                  the experiments behind the engine
//
// Every command says what is wrong with a file in one line that names it. No input is ever changed.
#include <cstdio>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "fuzz/cli/arguments.h"
#include "fuzz/cli/commands.h"

namespace tuplestone::cli {
namespace {

std::vector<Command> AllCommands() {
  return {ReplayCommand(),    ExplainCommand(), EmitTestCommand(), CorpusCommand(),
          ShrinkCommand(),    KeepCommand(),    ConvertCommand(),  TargetsCommand(),
          LanguagesCommand(), PageCommand(),    LabCommand()};
}

std::string Overview() {
  std::string text = "usage: tuplestone COMMAND [OPTION...] [FILE...]\n\n";
  for (const Command& command : AllCommands()) {
    absl::StrAppendFormat(&text, "  %-10s %s\n", command.name, command.summary);
  }
  text +=
      "\n`tuplestone COMMAND --help` shows options, exit statuses and examples.\n"
      "Exit status: 0 done or held, 1 something died (or the command's own no), 2 wrong usage or\n"
      "a bad file.\n";
  return text;
}

bool AsksForHelp(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word == "--") return false;
    if (word == "--help" || word == "-h") return true;
  }
  return false;
}

int RunCommand(const Command& command, const std::vector<std::string>& words) {
  if (AsksForHelp(words)) {
    std::fputs(command.Help().c_str(), stdout);
    return kDone;
  }
  absl::StatusOr<Arguments> arguments = command.Read(words);
  if (!arguments.ok()) {
    std::fprintf(stderr, "tuplestone %s: %s\n%s", command.name,
                 std::string(arguments.status().message()).c_str(), command.Usage().c_str());
    return kBadUsage;
  }
  const absl::StatusOr<int> status = command.run(*arguments);
  if (status.ok()) return *status;
  std::fflush(stdout);
  std::fprintf(stderr, "tuplestone %s: %s\n", command.name,
               std::string(status.status().message()).c_str());
  return kBadUsage;
}

int Main(const std::vector<std::string>& words) {
  if (words.empty()) {
    std::fputs(Overview().c_str(), stderr);
    return kBadUsage;
  }
  if (words[0] == "help" || words[0] == "--help" || words[0] == "-h") {
    std::fputs(Overview().c_str(), stdout);
    return kDone;
  }
  for (const Command& command : AllCommands()) {
    if (words[0] == command.name) return RunCommand(command, {words.begin() + 1, words.end()});
  }
  std::fprintf(stderr, "tuplestone: unknown command: %s\n%s", words[0].c_str(), Overview().c_str());
  return kBadUsage;
}

}  // namespace
}  // namespace tuplestone::cli

int main(int argc, char** argv) {
  return tuplestone::cli::Main(std::vector<std::string>(argv + 1, argv + argc));
}
