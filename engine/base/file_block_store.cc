#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <memory>
#include <string>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/base/block_store.h"

namespace tuplestone {
namespace {

std::string ErrorText(int error) { return std::generic_category().message(error); }

std::string FolderOf(const std::string& folder) {
  if (!folder.empty()) return folder;
  const char* named = std::getenv("TMPDIR");
  return named != nullptr && *named != '\0' ? named : "/tmp";
}

// A descriptor of a file that no folder lists, or -1 and errno.
int OpenUnnamed(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
  if (descriptor >= 0 || (errno != EOPNOTSUPP && errno != EISDIR)) return descriptor;
  // File systems without O_TMPFILE: the name lives for a moment.
  std::string name = folder + "/tuplestone.XXXXXX";
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(name.c_str());
  return named;
}

// What moving a block came to, when it did not move whole.
absl::Status Incomplete(const char* verb, uint32_t number, size_t done, size_t wanted, int error) {
  const std::string text = absl::StrFormat("block %d: %s: %d of %d bytes, then %s", number, verb,
                                           done, wanted, error == 0 ? "no more" : ErrorText(error));
  switch (error) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return absl::ResourceExhaustedError(text);
    case 0:
      return absl::DataLossError(text);
    default:
      return absl::InternalError(text);
  }
}

// Calls move(at) until `bytes` have moved; move returns as read and write do.
template <class Move>
absl::Status MoveAll(const char* verb, uint32_t number, size_t bytes, const Move& move) {
  size_t done = 0;
  while (done < bytes) {
    const ssize_t moved = move(done);
    if (moved > 0) {
      done += static_cast<size_t>(moved);
    } else if (moved == 0 || errno != EINTR) {
      return Incomplete(verb, number, done, bytes, moved == 0 ? 0 : errno);
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<FileBlockStore>> FileBlockStore::Create(size_t block_bytes,
                                                                       const std::string& folder) {
  const std::string where = FolderOf(folder);
  const int descriptor = OpenUnnamed(where);
  if (descriptor < 0) {
    const int error = errno;
    const std::string text = absl::StrCat("a temporary file in ", where, ": ", ErrorText(error));
    if (error == ENOENT || error == ENOTDIR) return absl::NotFoundError(text);
    if (error == EACCES || error == EROFS) return absl::PermissionDeniedError(text);
    if (error == ENOSPC || error == EMFILE || error == ENFILE) {
      return absl::ResourceExhaustedError(text);
    }
    return absl::InternalError(text);
  }
  return FromDescriptor(descriptor, block_bytes);
}

std::unique_ptr<FileBlockStore> FileBlockStore::FromDescriptor(int descriptor, size_t block_bytes) {
  return std::unique_ptr<FileBlockStore>(new FileBlockStore(descriptor, block_bytes));
}

FileBlockStore::FileBlockStore(int descriptor, size_t block_bytes)
    : descriptor_(descriptor), block_bytes_(block_bytes) {
  TUPLESTONE_CHECK(kB1, block_bytes > 0);
  TUPLESTONE_CHECK(kB1, block_bytes <= kBlockBytesMax);
}

FileBlockStore::~FileBlockStore() { ::close(descriptor_); }

absl::Status FileBlockStore::Write(uint32_t number, Bytes block) {
  TUPLESTONE_CHECK_EQ(kB1, block_bytes_, block.size());
  const auto start = static_cast<off_t>(uint64_t{number} * block_bytes_);
  return MoveAll("write", number, block_bytes_, [&](size_t done) {
    return ::pwrite(descriptor_, block.data() + done, block_bytes_ - done,
                    start + static_cast<off_t>(done));
  });
}

absl::Status FileBlockStore::Read(uint32_t number, MutableBytes block) {
  TUPLESTONE_CHECK_EQ(kB1, block_bytes_, block.size());
  const auto start = static_cast<off_t>(uint64_t{number} * block_bytes_);
  return MoveAll("read", number, block_bytes_, [&](size_t done) {
    return ::pread(descriptor_, block.data() + done, block_bytes_ - done,
                   start + static_cast<off_t>(done));
  });
}

}  // namespace tuplestone
