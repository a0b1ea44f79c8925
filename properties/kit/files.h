// Files as the drivers read and write them. Errors name the file and say what is wrong with it.
#ifndef TUPLESTONE_PROPERTIES_KIT_FILES_H_
#define TUPLESTONE_PROPERTIES_KIT_FILES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"

namespace tuplestone::kit {

// More than any input; a larger file is refused, not cut.
inline constexpr size_t kInputBytesMax = size_t{64} << 20;

// The whole file. NotFound, PermissionDenied or InvalidArgument (a folder, too large) name it.
absl::StatusOr<std::vector<std::byte>> ReadFile(const std::string& path);

// Writes `text` to `path` as a whole or not at all (through a neighbour file and a rename), making
// folders as needed.
absl::Status WriteFile(const std::string& path, absl::string_view text);

// `path` itself, or the files below it in the order of their names, but for `.why` files and hidden
// ones.
absl::StatusOr<std::vector<std::string>> ListFiles(const std::string& path);

// 16 hexadecimal digits that depend on the bytes alone: files named so are found again.
std::string NameOfContent(Bytes bytes);

// What this process should pass on to its own copies: the sanitizer options in force, without
// symbolisation.
std::string SanitizerOptions();

}  // namespace tuplestone::kit

#endif  // TUPLESTONE_PROPERTIES_KIT_FILES_H_
