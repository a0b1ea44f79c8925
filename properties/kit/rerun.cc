#include "properties/kit/rerun.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "properties/kit/files.h"

namespace tuplestone::kit {

bool SymbolsHelp(const Death& death) {
  return death.kind == DeathKind::kAddress || death.kind == DeathKind::kUndefined ||
         death.kind == DeathKind::kLeak;
}

std::string SymbolisedReport(const Invocation& invocation, IsolationLimits limits) {
  limits.cpu_seconds += 30;  // the symboliser reads the whole program file
  limits.leaks = false;      // the copy looks for its own
  const Outcome outcome = Isolate(
      [&] {
        for (const auto& [name, value] : invocation.environment) {
          setenv(name.c_str(), value.c_str(), 1);
        }
        setenv("ASAN_OPTIONS", absl::StrCat(SanitizerOptions(), ":symbolize=1").c_str(), 1);
        setenv("UBSAN_OPTIONS", "symbolize=1:print_stacktrace=1", 1);
        std::vector<std::string> words = {"rerun"};
        words.insert(words.end(), invocation.arguments.begin(), invocation.arguments.end());
        std::vector<char*> argv;
        for (std::string& word : words) argv.push_back(word.data());
        argv.push_back(nullptr);
        execv("/proc/self/exe", argv.data());
        _exit(2);
      },
      limits);
  return outcome.output;
}

std::string ThisProgram() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path near = std::filesystem::proximate(program, error);
  return error ? program.string() : near.string();
}

std::string ShellQuoted(const std::string& word) {
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '/' || c == '.' || c == '-' ||
           c == '_';
  });
  return plain ? word : absl::StrCat("'", absl::StrReplaceAll(word, {{"'", "'\\''"}}), "'");
}

}  // namespace tuplestone::kit
