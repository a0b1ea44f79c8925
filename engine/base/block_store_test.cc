#include "engine/base/block_store.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace tuplestone {
namespace {

std::vector<std::byte> Filled(size_t bytes, int value) {
  return std::vector<std::byte>(bytes, static_cast<std::byte>(value));
}

// A folder of its own for each test.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "tuplestone.XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  const std::string& path() const { return path_; }
  bool IsEmpty() const { return std::filesystem::is_empty(path_); }

 private:
  std::string path_;
};

std::unique_ptr<BlockStore> NewFileStore(size_t block_bytes) {
  auto store = FileBlockStore::Create(block_bytes);
  EXPECT_TRUE(store.ok()) << store.status();
  return *std::move(store);
}

// What every store does.
void ExpectKeepsBlocks(BlockStore& store) {
  const size_t bytes = store.block_bytes();
  std::vector<std::byte> read(bytes);
  ASSERT_TRUE(store.Write(0, Filled(bytes, 1)).ok());
  ASSERT_TRUE(store.Write(70, Filled(bytes, 2)).ok());  // leaves a gap
  ASSERT_TRUE(store.Write(3, Filled(bytes, 3)).ok());
  ASSERT_TRUE(store.Write(0, Filled(bytes, 4)).ok());
  ASSERT_TRUE(store.Read(0, absl::MakeSpan(read)).ok());
  EXPECT_EQ(read, Filled(bytes, 4));
  ASSERT_TRUE(store.Read(70, absl::MakeSpan(read)).ok());
  EXPECT_EQ(read, Filled(bytes, 2));
  ASSERT_TRUE(store.Read(3, absl::MakeSpan(read)).ok());
  EXPECT_EQ(read, Filled(bytes, 3));
  const absl::Status missing = store.Read(71, absl::MakeSpan(read));
  EXPECT_EQ(missing.code(), absl::StatusCode::kDataLoss);
  EXPECT_NE(missing.message().find("block 71: read: "), absl::string_view::npos) << missing;
}

TEST(MemoryBlockStore, KeepsBlocksAndReturnsAll) {
  MemoryBlockStore store(128);
  ExpectKeepsBlocks(store);
  EXPECT_GE(store.obtained_bytes(), 3u * 128);
}

TEST(FileBlockStore, KeepsBlocks) { ExpectKeepsBlocks(*NewFileStore(128)); }

// A source that fails from a given request on.
class FailingSource final : public BlockSource {
 public:
  explicit FailingSource(int requests) : left_(requests) {}
  void* Obtain(size_t bytes, size_t alignment) noexcept override {
    if (left_-- <= 0) return nullptr;
    ++live_;
    return SystemBlockSource().Obtain(bytes, alignment);
  }
  void Return(void* block, size_t bytes, size_t alignment) noexcept override {
    --live_;
    SystemBlockSource().Return(block, bytes, alignment);
  }
  int live() const { return live_; }

 private:
  int left_;
  int live_ = 0;
};

TEST(MemoryBlockStore, SaysWhichBlockHadNoMemoryAndKeepsTheOthers) {
  for (int requests : {0, 1, 2}) {  // the array, the first block, the second
    FailingSource source(requests);
    {
      MemoryBlockStore store(128, source);
      std::vector<std::byte> read(128);
      const absl::Status first = store.Write(5, Filled(128, 1));
      const absl::Status second = store.Write(6, Filled(128, 2));
      EXPECT_EQ(first.ok(), requests == 2);
      EXPECT_EQ(second.code(), absl::StatusCode::kResourceExhausted);
      EXPECT_NE(second.message().find("block 6: write: no memory"), absl::string_view::npos);
      EXPECT_EQ(store.Read(5, absl::MakeSpan(read)).ok(), requests == 2);
      EXPECT_FALSE(store.Read(6, absl::MakeSpan(read)).ok());
    }
    EXPECT_EQ(source.live(), 0);
  }
}

TEST(FileBlockStore, HasNoNameInItsFolder) {
  Folder folder;
  auto store = FileBlockStore::Create(128, folder.path());
  ASSERT_TRUE(store.ok()) << store.status();
  ASSERT_TRUE((*store)->Write(9, Filled(128, 1)).ok());
  EXPECT_TRUE(folder.IsEmpty());
}

TEST(FileBlockStore, LeavesNothingBehindAfterKill9) {
  Folder folder;
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    auto store = FileBlockStore::Create(128, folder.path());
    const bool wrote = store.ok() && (*store)->Write(100, Filled(128, 1)).ok();
    const char told = wrote ? 'y' : 'n';
    if (::write(ready[1], &told, 1) != 1) ::_exit(1);
    ::pause();
    ::_exit(0);
  }
  char told = '?';
  ASSERT_EQ(::read(ready[0], &told, 1), 1);
  EXPECT_EQ(told, 'y');
  EXPECT_TRUE(folder.IsEmpty());
  ASSERT_EQ(::kill(child, SIGKILL), 0);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_TRUE(folder.IsEmpty());
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST(FileBlockStore, LivesInTheFolderThatTheEnvironmentNames) {
  const char* before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("TMPDIR", "/nowhere/at/all", 1);
  const auto store = FileBlockStore::Create(128);
  if (before == nullptr) {
    ::unsetenv("TMPDIR");
  } else {
    ::setenv("TMPDIR", kept.c_str(), 1);
  }
  EXPECT_EQ(store.status().code(), absl::StatusCode::kNotFound);
  EXPECT_NE(store.status().message().find("/nowhere/at/all"), absl::string_view::npos);
}

// The file's size is limited to a block and a half, so a block is written in part and then refused.
TEST(FileBlockStore, AShortWriteNamesBlockProgressAndCause) {
  auto store = NewFileStore(128);
  rlimit before;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{.rlim_cur = 192, .rlim_max = before.rlim_max};
  auto* handler = ::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &small);
  const absl::Status first = store->Write(0, Filled(128, 1));
  const absl::Status second = store->Write(1, Filled(128, 2));
  const absl::Status third = store->Write(2, Filled(128, 3));
  ::setrlimit(RLIMIT_FSIZE, &before);
  ::signal(SIGXFSZ, handler);
  EXPECT_TRUE(first.ok()) << first;
  EXPECT_EQ(second.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(second.message(), "block 1: write: 64 of 128 bytes, then File too large");
  EXPECT_EQ(third.message(), "block 2: write: 0 of 128 bytes, then File too large");
  // And what is there of the half block is not taken for one.
  std::vector<std::byte> read(128);
  const absl::Status half = store->Read(1, absl::MakeSpan(read));
  EXPECT_EQ(half.code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(half.message(), "block 1: read: 64 of 128 bytes, then no more");
  EXPECT_TRUE(store->Read(0, absl::MakeSpan(read)).ok());
}

TEST(FileBlockStore, AFullDiskIsResourceExhausted) {
  const int full = ::open("/dev/full", O_RDWR);
  ASSERT_GE(full, 0);
  const absl::Status status = FileBlockStore::FromDescriptor(full, 128)->Write(7, Filled(128, 1));
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(status.message(), "block 7: write: 0 of 128 bytes, then No space left on device");
}

// Reading this process's memory at address 0 is an input/output error.
TEST(FileBlockStore, AnInputErrorIsInternalAndNamed) {
  const int memory = ::open("/proc/self/mem", O_RDONLY);
  ASSERT_GE(memory, 0);
  auto store = FileBlockStore::FromDescriptor(memory, 128);
  std::vector<std::byte> read(128);
  const absl::Status status = store->Read(0, absl::MakeSpan(read));
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
  EXPECT_EQ(status.message(), "block 0: read: 0 of 128 bytes, then Input/output error");
  EXPECT_EQ(store->Write(0, Filled(128, 1)).code(), absl::StatusCode::kInternal);
}

TEST(BlockStoreDeathTest, BlocksMoveAsAWhole) {
  MemoryBlockStore memory(128);
  auto file = NewFileStore(128);
  std::vector<std::byte> part(127);
  EXPECT_DEATH((void)memory.Write(0, part), "B1");
  EXPECT_DEATH((void)memory.Read(0, absl::MakeSpan(part)), "B1");
  EXPECT_DEATH((void)file->Write(0, part), "B1");
  EXPECT_DEATH((void)file->Read(0, absl::MakeSpan(part)), "B1");
  EXPECT_DEATH(MemoryBlockStore(0), "B1");
  EXPECT_DEATH(MemoryBlockStore(kBlockBytesMax + 1), "B1");
}

}  // namespace
}  // namespace tuplestone
