#include "properties/page/page_drawing.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "engine/page/page.h"

namespace tuplestone::properties {
namespace {

std::vector<std::byte> PageOf(const std::vector<size_t>& tuples) {
  std::vector<std::byte> bytes(page::kPageBytes);
  auto page = page::Page::Initialize(absl::MakeSpan(bytes), page::PageKind::kHeap, 0, {});
  for (size_t size : tuples) {
    EXPECT_TRUE(page.Add(std::vector<std::byte>(size, std::byte{1})).ok());
  }
  return bytes;
}

TEST(DrawPage, ShowsWhoseBytesAreWhose) {
  const std::string drawing = DrawPage(PageOf({64, 128, 8, 8}));
  EXPECT_TRUE(absl::StrContains(drawing, "lower 40, upper 7984, special 8192")) << drawing;
  EXPECT_TRUE(absl::StrContains(drawing, "     2  normal    offset 8000  length  128\n"))
      << drawing;
  EXPECT_TRUE(absl::StrContains(drawing, "     0 |*...")) << "header and line pointers" << drawing;
  EXPECT_TRUE(absl::StrContains(drawing, ".*bba|\n")) << drawing;
}

TEST(DrawPage, SaysWhereTuplesOverlap) {
  std::vector<std::byte> page = PageOf({64, 128});
  // Line pointer 2 now begins where 1 does.
  std::copy_n(page.begin() + 24, 2, page.begin() + 28);
  EXPECT_TRUE(absl::StrContains(DrawPage(page), "!|\n")) << DrawPage(page);
}

TEST(DrawPage, TrustsNothing) {
  EXPECT_EQ(DrawPage({}), "0 bytes\n");
  const std::vector<std::byte> ones(page::kPageBytes, std::byte{0xff});
  EXPECT_TRUE(absl::StrContains(DrawPage(ones), "2042 line pointers")) << DrawPage(ones);
  const std::vector<std::byte> little(100, std::byte{0x7f});
  EXPECT_TRUE(absl::StrContains(DrawPage(little), "19 line pointers")) << DrawPage(little);
}

TEST(DrawModel, HasALineForEachLinePointer) {
  PageModel model(page::PageKind::kHeap, 0, {});
  size_t line = 0;
  for (int i = 0; i < 60; ++i) model.Add(std::vector<std::byte>(8), &line);
  model.MarkUnused(2);
  const std::string drawing = DrawModel(model);
  EXPECT_TRUE(absl::StrContains(drawing, "     2  unused\n")) << drawing;
  EXPECT_TRUE(absl::StrContains(drawing, "    48  normal, 8 bytes")) << drawing;
  EXPECT_TRUE(absl::StrContains(drawing, "  ... and 12 more\n")) << drawing;
}

}  // namespace
}  // namespace tuplestone::properties
