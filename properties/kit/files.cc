#include "properties/kit/files.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"

namespace tuplestone::kit {
namespace {

namespace fs = std::filesystem;

absl::Status FileError(const std::string& path, const std::string& what) {
  return absl::InvalidArgumentError(absl::StrCat(path, ": ", what));
}

}  // namespace

absl::StatusOr<std::vector<std::byte>> ReadFile(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) return absl::NotFoundError(absl::StrCat(path, ": no such file"));
  if (fs::is_directory(status)) return FileError(path, "is a folder, not a file");
  if (!fs::is_regular_file(status)) return FileError(path, "is no regular file");
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return absl::PermissionDeniedError(
        absl::StrCat(path, ": cannot be read: ", std::strerror(errno)));
  }
  std::vector<std::byte> bytes;
  std::vector<char> piece(1 << 16);
  while (file) {
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    const auto* first = reinterpret_cast<const std::byte*>(piece.data());
    bytes.insert(bytes.end(), first, first + file.gcount());
    if (bytes.size() > kInputBytesMax) {
      return FileError(path, absl::StrCat("is larger than ", kInputBytesMax, " bytes"));
    }
  }
  if (file.bad()) return FileError(path, "cannot be read to its end");
  return bytes;
}

absl::Status WriteFile(const std::string& path, absl::string_view text) {
  std::error_code error;
  const fs::path parent = fs::path(path).parent_path();
  if (!parent.empty()) fs::create_directories(parent, error);
  const std::string neighbour = absl::StrCat(path, ".", getpid(), ".tmp");
  std::FILE* file = std::fopen(neighbour.c_str(), "wb");
  if (file == nullptr)
    return FileError(path, absl::StrCat("cannot be written: ", std::strerror(errno)));
  const bool whole = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const bool closed = std::fclose(file) == 0;
  if (!whole || !closed || std::rename(neighbour.c_str(), path.c_str()) != 0) {
    const std::string why = std::strerror(errno);
    std::remove(neighbour.c_str());
    return FileError(path, absl::StrCat("cannot be written: ", why));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::string>> ListFiles(const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error))
    return absl::NotFoundError(absl::StrCat(path, ": no such file or folder"));
  if (!fs::is_directory(path, error)) return std::vector<std::string>{path};
  std::vector<std::string> files;
  for (fs::recursive_directory_iterator at(path, error), end; !error && at != end;
       at.increment(error)) {
    const std::string name = at->path().filename();
    const bool counts =
        at->is_regular_file(error) && name[0] != '.' && at->path().extension() != ".why";
    if (counts) files.push_back(at->path());
  }
  if (error) return FileError(path, absl::StrCat("cannot be listed: ", error.message()));
  std::sort(files.begin(), files.end());
  return files;
}

std::string NameOfContent(Bytes bytes) {
  uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (std::byte b : bytes) hash = (hash ^ static_cast<uint64_t>(b)) * 0x100000001b3;
  return absl::StrFormat("%016x", hash);
}

}  // namespace tuplestone::kit
