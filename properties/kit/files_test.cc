// Files: whole or not at all, and errors that name file and fault.
#include "properties/kit/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "properties/kit/rerun.h"

namespace tuplestone::kit {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  Files() : folder_(absl::StrCat(testing::TempDir(), "/files_test.", getpid())) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~Files() override { fs::remove_all(folder_); }
  std::string Path(const std::string& name) const { return absl::StrCat(folder_, "/", name); }

 private:
  std::string folder_;
};

std::string AsString(const std::vector<std::byte>& bytes) {
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

TEST_F(Files, WritesWholeFilesAndTheirFolders) {
  const std::string path = Path("a/b/c.ops");
  const std::string text("one\n\0two", 8);
  ASSERT_TRUE(WriteFile(path, text).ok());
  EXPECT_EQ(AsString(*ReadFile(path)), text);
  ASSERT_TRUE(WriteFile(path, "").ok());
  EXPECT_EQ(AsString(*ReadFile(path)), "");
  EXPECT_EQ(ListFiles(Path("a"))->size(), 1u) << "no neighbour file is left";
}

TEST_F(Files, ErrorsNameFileAndFault) {
  const auto message = [](const absl::Status& status) { return std::string(status.message()); };
  EXPECT_EQ(message(ReadFile(Path("none")).status()), Path("none") + ": no such file");
  EXPECT_EQ(message(ReadFile(Path("")).status()), Path("") + ": is a folder, not a file");
  ASSERT_EQ(mkfifo(Path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(message(ReadFile(Path("pipe")).status()), Path("pipe") + ": is no regular file");
  EXPECT_EQ(message(ListFiles(Path("none")).status()), Path("none") + ": no such file or folder");
  ASSERT_TRUE(WriteFile(Path("file"), "x").ok());
  EXPECT_TRUE(absl::StartsWith(message(WriteFile(Path("file/below"), "x")),
                               Path("file/below") + ": cannot be written: "));
  fs::create_directories(Path("folder/inside"));
  EXPECT_TRUE(absl::StartsWith(message(WriteFile(Path("folder"), "x")),
                               Path("folder") + ": cannot be written: "));
  EXPECT_EQ(AsString(*ReadFile(Path("file"))), "x");
}

TEST_F(Files, ALargeFileIsRefusedNotCut) {
  ASSERT_TRUE(WriteFile(Path("large"), "x").ok());
  fs::resize_file(Path("large"), kInputBytesMax + 1);
  EXPECT_TRUE(absl::StrContains(ReadFile(Path("large")).status().message(), "is larger than"));
}

TEST_F(Files, ListsInputsInTheOrderOfTheirNames) {
  for (const char* name : {"b/2", "a/9.ops", "c", "a/1.why", ".hidden", "a/10.ops"}) {
    ASSERT_TRUE(WriteFile(Path(name), "x").ok());
  }
  EXPECT_EQ(*ListFiles(Path("")),
            (std::vector<std::string>{Path("a/10.ops"), Path("a/9.ops"), Path("b/2"), Path("c")}));
  EXPECT_EQ(*ListFiles(Path("a/1.why")), std::vector<std::string>{Path("a/1.why")})
      << "a file that is named counts, whatever its name";
}

TEST(NameOfContent, DependsOnTheBytesAlone) {
  const std::vector<std::byte> one = {std::byte{1}};
  EXPECT_EQ(NameOfContent(Bytes()), "cbf29ce484222325");  // the published start value of FNV-1a
  EXPECT_EQ(NameOfContent(one).size(), 16u);
  EXPECT_NE(NameOfContent(one), NameOfContent(Bytes()));
}

TEST(ShellQuoted, IsReadBackByAShell) {
  EXPECT_EQ(ShellQuoted("a/b-c_1.ops"), "a/b-c_1.ops");
  EXPECT_EQ(ShellQuoted("a b"), "'a b'");
  EXPECT_EQ(ShellQuoted(""), "''");
  EXPECT_EQ(ShellQuoted("it's"), "'it'\\''s'");
}

}  // namespace
}  // namespace tuplestone::kit
