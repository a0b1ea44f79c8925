// Running built programs as a person would, for the tests of commands.
#ifndef TUPLESTONE_FUZZ_CLI_RUN_COMMAND_H_
#define TUPLESTONE_FUZZ_CLI_RUN_COMMAND_H_

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "properties/kit/files.h"

namespace tuplestone::cli {

struct Finished {
  int status = -1;     // of the exit; 128 + the signal's number for a signal
  std::string output;  // both standard output and standard error
};

// Runs a line of shell and waits for its end.
inline Finished RunShell(const std::string& line) {
  Finished finished;
  std::FILE* pipe = popen(absl::StrCat("exec 2>&1; ", line).c_str(), "r");
  if (pipe == nullptr) return finished;
  char buffer[4096];
  size_t count = 0;
  while ((count = std::fread(buffer, 1, sizeof(buffer), pipe)) > 0) {
    finished.output.append(buffer, count);
  }
  const int status = pclose(pipe);
  finished.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return finished;
}

// The program that the environment variable `name` names, as CMake sets it.
inline std::string ProgramOf(const char* name) {
  const char* program = std::getenv(name);
  if (program == nullptr) {
    std::fprintf(stderr, "%s is not set: run this test by ctest\n", name);
    std::exit(2);
  }
  return program;
}

// A folder of one test's own.
class ScratchFolder {
 public:
  explicit ScratchFolder(const std::string& temporary)
      : path_(absl::StrCat(temporary, "/tuplestone.", getpid())) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~ScratchFolder() { std::filesystem::remove_all(path_); }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::string Path(const std::string& name) const { return absl::StrCat(path_, "/", name); }
  // Writes a file and returns its path.
  std::string Write(const std::string& name, absl::string_view text) const {
    if (!kit::WriteFile(Path(name), text).ok()) std::abort();
    return Path(name);
  }
  // The file's text; empty where there is none.
  std::string Read(const std::string& name) const {
    const auto bytes = kit::ReadFile(Path(name));
    if (!bytes.ok()) return "";
    return std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  }

 private:
  std::string path_;
};

}  // namespace tuplestone::cli

#endif  // TUPLESTONE_FUZZ_CLI_RUN_COMMAND_H_
