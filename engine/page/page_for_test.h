// A page built by hand, for the tests of the page room.
#ifndef TUPLESTONE_ENGINE_PAGE_PAGE_FOR_TEST_H_
#define TUPLESTONE_ENGINE_PAGE_PAGE_FOR_TEST_H_

#include <gtest/gtest.h>

#include <vector>

#include "engine/page/page.h"

namespace tuplestone::page {

using Code = absl::StatusCode;
using Tuple = std::vector<std::byte>;
using Lines = std::vector<LineNumber>;

inline constexpr PageKind kHeap = PageKind::kHeap;
inline constexpr PageKind kIndex = PageKind::kIndex;

inline Tuple Filled(size_t bytes, int fill) { return Tuple(bytes, static_cast<std::byte>(fill)); }

// A page over bytes of exactly its size, so that a sanitizer sees every step outside.
struct TestPage {
  explicit TestPage(PageKind kind, size_t special_bytes = 0, const Limits& limits = {})
      : bytes(kPageBytes, std::byte{0xEE}),
        page(Page::Initialize(absl::MakeSpan(bytes), kind, special_bytes, limits)) {}
  // Adds tuples of the given sizes, filled with their line numbers.
  void Fill(const std::vector<size_t>& sizes) {
    for (size_t size : sizes) {
      const int fill = static_cast<int>(page.line_count() + 1);
      absl::StatusOr<LineNumber> line = page.Add(Filled(size, fill));
      ASSERT_TRUE(line.ok()) << line.status();
      ASSERT_EQ(*line, fill);
    }
  }
  void ExpectTuple(size_t line, const Tuple& tuple) const {
    EXPECT_EQ(page.Tuple(static_cast<LineNumber>(line)), Bytes(tuple)) << "line pointer " << line;
  }
  std::vector<std::byte> bytes;
  Page page;
};

// Runs `operation`, which must refuse with `code` and touch nothing.
template <typename Operation>
void ExpectRefused(TestPage& test, Code code, Operation operation) {
  const std::vector<std::byte> before = test.bytes;
  const absl::Status status = operation(test.page);
  EXPECT_EQ(status.code(), code) << status;
  EXPECT_EQ(before, test.bytes) << "P9";
}

}  // namespace tuplestone::page

#endif  // TUPLESTONE_ENGINE_PAGE_PAGE_FOR_TEST_H_
