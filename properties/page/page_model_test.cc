// The model alone: small cases that a person can check by eye.
#include "properties/page/page_model.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tuplestone::properties {
namespace {

using page::LineState;
using page::PageKind;
using Tuple = std::vector<std::byte>;

Tuple Of(size_t bytes, int fill) { return Tuple(bytes, static_cast<std::byte>(fill)); }

PageModel With(PageKind kind, const std::vector<size_t>& sizes) {
  PageModel model(kind, 0, page::Limits());
  for (size_t i = 0; i < sizes.size(); ++i) {
    size_t line = 0;
    EXPECT_EQ(model.Add(Of(sizes[i], static_cast<int>(i + 1)), &line), Refusal::kNone);
    EXPECT_EQ(line, i + 1);
  }
  return model;
}

TEST(PageModel, StartsEmpty) {
  const PageModel model(PageKind::kIndex, 13, page::Limits());
  EXPECT_EQ(model.lower(), 24u);
  EXPECT_EQ(model.upper(), 8176u);
  EXPECT_EQ(model.special(), 8176u);
  EXPECT_EQ(model.FreeSpaceExact(), 8152u);
  EXPECT_EQ(model.FreeSpace(), 8148u);
  const PageModel fresh(PageKind::kNew, 0, page::Limits());
  EXPECT_EQ(fresh.FreeSpaceExact(), 0u);
  EXPECT_FALSE(fresh.Fits(1));
}

TEST(PageModel, AddTakesTheLowestUnusedLine) {
  PageModel model = With(PageKind::kHeap, {9, 8, 8});
  EXPECT_EQ(model.upper(), 8192u - 32);
  EXPECT_EQ(model.MarkUnused(2), Refusal::kNone);
  EXPECT_EQ(model.flags(), 1);
  size_t line = 0;
  EXPECT_EQ(model.Add(Of(1, 9), &line), Refusal::kNone);
  EXPECT_EQ(line, 2u);
  EXPECT_EQ(model.flags(), 1);
  EXPECT_EQ(model.Add(Of(1, 9), &line), Refusal::kNone);
  EXPECT_EQ(line, 4u);
  EXPECT_EQ(model.flags(), 0);
}

TEST(PageModel, AddRefusesByTheByteAndByTheLimit) {
  PageModel model = With(PageKind::kHeap, {8000});
  EXPECT_EQ(model.FreeSpaceExact(), 164u);
  EXPECT_TRUE(model.Fits(160));
  EXPECT_FALSE(model.Fits(161));
  page::Limits limits;
  limits.heap_lines_max = 1;
  PageModel small(PageKind::kHeap, 0, limits);
  size_t line = 0;
  EXPECT_EQ(small.Add(Of(8, 1), &line), Refusal::kNone);
  EXPECT_EQ(small.FreeSpaceHeap(), 0u);
  EXPECT_EQ(small.Add(Of(8, 1), &line), Refusal::kResourceExhausted);
  EXPECT_EQ(small.AddAt(2, Of(8, 1), false), Refusal::kResourceExhausted);
}

TEST(PageModel, AddAtShiftsOrFillsOrRefuses) {
  PageModel model = With(PageKind::kIndex, {8, 16});
  EXPECT_EQ(model.AddAt(0, Of(8, 9), true), Refusal::kOutOfRange);
  EXPECT_EQ(model.AddAt(4, Of(8, 9), true), Refusal::kOutOfRange);
  EXPECT_EQ(model.AddAt(1, Of(8, 9), false), Refusal::kAlreadyExists);
  EXPECT_EQ(model.AddAt(2, Of(24, 9), true), Refusal::kNone);
  ASSERT_EQ(model.lines().size(), 3u);
  EXPECT_EQ(model.lines()[1].tuple, Of(24, 9));
  EXPECT_EQ(model.lines()[2].tuple, Of(16, 2));
}

TEST(PageModel, OverwriteAndDeleteKeepTheAccount) {
  PageModel model = With(PageKind::kIndex, {8, 16, 24});
  EXPECT_EQ(model.Overwrite(2, Of(40, 9)), Refusal::kNone);
  EXPECT_EQ(model.upper(), 8192u - 72);
  EXPECT_EQ(model.DeleteOne(1), Refusal::kNone);
  EXPECT_EQ(model.upper(), 8192u - 64);
  EXPECT_EQ(model.MarkDead(1, false), Refusal::kNone);
  EXPECT_EQ(model.upper(), 8192u - 64) << "a gap";
  EXPECT_EQ(model.Overwrite(1, Of(8, 1)), Refusal::kFailedPrecondition);
  EXPECT_EQ(model.DeleteMany({2, 1}), Refusal::kInvalidArgument);
  EXPECT_EQ(model.DeleteMany({3}), Refusal::kOutOfRange);
  EXPECT_EQ(model.DeleteMany({}), Refusal::kNone);
  EXPECT_EQ(model.upper(), 8192u - 24);
}

TEST(PageModel, NamedLinesStayNormal) {
  PageModel model = With(PageKind::kHeap, {8, 8, 8});
  EXPECT_EQ(model.Redirect(1, 2), Refusal::kNone);
  EXPECT_EQ(model.MarkUnused(2), Refusal::kFailedPrecondition);
  EXPECT_EQ(model.MarkDead(2, true), Refusal::kFailedPrecondition);
  EXPECT_EQ(model.Redirect(2, 3), Refusal::kFailedPrecondition);
  EXPECT_EQ(model.Redirect(3, 1), Refusal::kFailedPrecondition);
  EXPECT_EQ(model.Redirect(3, 3), Refusal::kFailedPrecondition);
  EXPECT_EQ(model.MarkUnused(1), Refusal::kNone);
  EXPECT_EQ(model.MarkUnused(2), Refusal::kNone);
}

TEST(PageModel, RepairCutsTheTail) {
  PageModel model = With(PageKind::kHeap, {8, 8, 8});
  EXPECT_EQ(model.MarkUnused(3), Refusal::kNone);
  EXPECT_EQ(model.MarkUnused(1), Refusal::kNone);
  model.Repair();
  EXPECT_EQ(model.lines().size(), 2u);
  EXPECT_EQ(model.upper(), 8192u - 8);
  EXPECT_EQ(model.flags(), 1);
  EXPECT_EQ(model.MarkUnused(2), Refusal::kNone);
  model.Repair();
  EXPECT_EQ(model.lines().size(), 0u);
  EXPECT_EQ(model.flags(), 0);
}

// A page of one 8-byte tuple, byte by byte.
Tuple OneTuple() {
  Tuple bytes(8192);
  const auto put = [&](size_t at, int low, int high) {
    bytes[at] = static_cast<std::byte>(low);
    bytes[at + 1] = static_cast<std::byte>(high);
  };
  put(12, 28, 0);
  put(14, 0xF8, 0x1F);
  put(16, 0x00, 0x20);
  put(18, 0x04, 0x20);
  put(24, 0xF8, 0x9F);  // offset 8184, state 1
  put(26, 0x10, 0x00);  // length 8
  bytes[8184] = std::byte{0x7E};
  return bytes;
}

TEST(WhyUnsound, HasNothingToSayOfASoundPage) {
  EXPECT_EQ(WhyUnsound(OneTuple(), PageKind::kHeap, {}), "");
  EXPECT_EQ(WhyUnsound(Tuple(8192), PageKind::kIndex, {}), "");
  const PageModel model = PageModel::Read(OneTuple(), PageKind::kHeap, {});
  ASSERT_EQ(model.lines().size(), 1u);
  EXPECT_EQ(model.lines()[0].state, LineState::kNormal);
  EXPECT_EQ(model.lines()[0].tuple.size(), 8u);
  EXPECT_EQ(model.lines()[0].tuple[0], std::byte{0x7E});
  EXPECT_EQ(model.upper(), 8184u);
}

TEST(WhyUnsound, NamesWhatOneByteBroke) {
  const auto with = [](size_t at, int value) {
    Tuple bytes = OneTuple();
    bytes[at] = static_cast<std::byte>(value);
    return WhyUnsound(bytes, PageKind::kHeap, {});
  };
  EXPECT_EQ(with(10, 8), "flags");
  EXPECT_EQ(with(12, 20), "bounds");
  EXPECT_EQ(with(12, 29), "lower misaligned");
  EXPECT_EQ(with(14, 0xF4), "upper misaligned");
  EXPECT_EQ(with(15, 0x2F), "bounds");
  EXPECT_EQ(with(17, 0x30), "bounds");
  EXPECT_EQ(with(18, 3), "version");
  EXPECT_EQ(with(24, 0xF0), "line 1: tuple below upper");
  EXPECT_EQ(with(24, 0xFC), "line 1: misaligned tuple");
  EXPECT_EQ(with(26, 0x12), "line 1: tuple past special");
  EXPECT_EQ(with(26, 0), "line 1: normal without tuple");
  EXPECT_EQ(with(25, 0x1F), "line 1: unused and not zero");
  EXPECT_EQ(WhyUnsound(Tuple(8191), PageKind::kHeap, {}), "size");
}

}  // namespace
}  // namespace tuplestone::properties
