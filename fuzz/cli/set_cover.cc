#include "fuzz/cli/set_cover.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "properties/kit/files.h"
#include "properties/kit/isolate.h"
#include "properties/kit/rerun.h"

namespace tuplestone::cli {
namespace {

namespace fs = std::filesystem;

// A folder that goes when it is no longer needed.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (fs::temp_directory_path() / "tuplestone-XXXXXX").string();
    const char* made = mkdtemp(name.data());
    if (made != nullptr) path_ = made;
  }
  ~ScratchFolder() {
    std::error_code error;
    if (!path_.empty()) fs::remove_all(path_, error);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

kit::Outcome RunFuzzer(const fs::path& fuzzer, const fs::path& in, const fs::path& out,
                       double seconds) {
  kit::IsolationLimits limits;
  limits.cpu_seconds = seconds;
  limits.wall_seconds = seconds;
  limits.resident_bytes = size_t{3} << 30;
  limits.leaks = false;
  return kit::Isolate(
      [&] {
        const std::string program = fuzzer.string();
        const std::string to = out.string();
        const std::string from = in.string();
        execl(program.c_str(), program.c_str(), "-set_cover_merge=1", "-timeout=60", to.c_str(),
              from.c_str(), static_cast<char*>(nullptr));
        _exit(2);
      },
      limits);
}

}  // namespace

absl::StatusOr<std::set<std::string>> SetCover(const std::string& target,
                                               const std::vector<std::string>& inputs,
                                               double seconds) {
  const fs::path fuzzer = fs::path(kit::ThisProgram()).parent_path() / (target + "_fuzzer");
  if (!fs::exists(fuzzer)) {
    return absl::NotFoundError(
        absl::StrCat(fuzzer.string(), ": is not there; the fuzz preset builds it"));
  }
  const ScratchFolder scratch;
  const fs::path in = scratch.path() / "in";
  const fs::path out = scratch.path() / "out";
  std::error_code error;
  fs::create_directories(in, error);
  fs::create_directories(out, error);
  // Under their numbers, so that they are taken in order; libFuzzer prefers small ones anyway.
  for (size_t i = 0; i < inputs.size(); ++i) {
    fs::copy_file(inputs[i], in / absl::StrCat(i), error);
    if (error) return absl::InternalError(absl::StrCat(inputs[i], ": ", error.message()));
  }
  const kit::Outcome outcome = RunFuzzer(fuzzer, in, out, seconds);
  if (outcome.death.kind == kit::DeathKind::kHang) {
    return absl::DeadlineExceededError(
        absl::StrCat(target, ": not known after ", seconds, " s; nothing is pruned"));
  }
  if (outcome.death.happened()) {
    return absl::InternalError(absl::StrCat(fuzzer.string(), ": ", outcome.death.ToString()));
  }
  std::set<std::vector<std::byte>> kept;
  for (const auto& file : fs::directory_iterator(out, error)) {
    absl::StatusOr<std::vector<std::byte>> bytes = kit::ReadFile(file.path().string());
    if (!bytes.ok()) return bytes.status();
    kept.insert(*std::move(bytes));
  }
  std::set<std::string> needed;
  for (const std::string& path : inputs) {
    const absl::StatusOr<std::vector<std::byte>> bytes = kit::ReadFile(path);
    if (!bytes.ok()) return bytes.status();
    if (kept.erase(*bytes) != 0) needed.insert(path);
  }
  return needed;
}

}  // namespace tuplestone::cli
