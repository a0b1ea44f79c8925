#include "properties/page/page_image_suite.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "engine/page/checksum.h"
#include "engine/page/classify.h"
#include "engine/page/relation_file.h"
#include "properties/kit/expect.h"
#include "properties/page/checked_page.h"
#include "properties/page/page_suite.h"

namespace tuplestone::properties {
namespace {

using page::kPageBytes;
using page::PageKind;

// Inspect says of a page what the oracle says.
void CheckReport(const page::PageReport& report, Bytes page) {
  const std::string why = WhyUnsound(page, page::KindOf(report.type), {});
  kit::ExpectEqual(page::kP13, why.empty(), report.fault.ok(),
                   why.empty() ? "a sound page has no fault" : why.c_str());
  kit::Expect(page::kP13, std::string(page::NameOf(report.type)) != "", "every type has a name");
}

// A page of line pointers, brought through every operation that its kind takes.
void Exercise(CheckedPage<EnginePage>& page, uint8_t seed) {
  const auto count = [&]() { return page.line_count(); };
  const uint64_t mask = 0x9249249249249249 * (seed + 1u);
  const bool index = page.model().kind() == PageKind::kIndex;
  page.Verify();
  size_t line = 0;
  page.Add(TupleBytes(1 + seed % 64, seed), &line);
  page.AddAt(seed % (count() + 2), TupleBytes(40, seed),
             index ? page::Placement::kShift : page::Placement::kOverwrite);
  for (size_t i : LinesOf(mask, 1, count())) {
    switch (i % 4) {
      case 0:
        page.Overwrite(i, TupleBytes(1 + (i * 37 + seed) % 200, seed));
        break;
      case 1:
        page.MarkUnused(i);
        break;
      case 2:
        page.MarkDead(i, (seed & 1) != 0);
        break;
      default:
        if (index) {
          page.DeleteOne(i);
        } else {
          page.Redirect(i, i / 2);
        }
    }
  }
  page.CheckFreeSpace(seed, 1 + seed * 32u);
  page.Verify();
  if (index) {
    page.DeleteMany(LinesOf(mask >> 1, 1, count()));
    page.DeleteMany({});
  } else {
    page.Repair();
    page.Repair();
  }
  page.Seal(seed);
  page.Verify();
}

}  // namespace

void MendHeader(MutableBytes page) {
  const auto field = [&](size_t at) { return size_t{Load<uint16_t>(page.data() + at)}; };
  const auto set = [&](size_t at, size_t value) {
    Store(page.data() + at, static_cast<uint16_t>(value));
  };
  set(page::kSizeAndVersionAt, page::kSizeAndVersion);
  set(page::kFlagsAt, field(page::kFlagsAt) & page::kKnownFlags);
  const size_t special = kPageBytes - field(page::kSpecialAt) % 3 * 8;
  const size_t count = field(page::kLowerAt) / 4 % 300;
  size_t upper = special;
  for (size_t line = 1; line <= count; ++line) {
    const page::LinePointer pointer(
        Load<uint32_t>(page.data() + page::kHeaderBytes + (line - 1) * page::kLinePointerBytes));
    if (pointer.has_storage()) upper = std::min(upper, AlignDown(pointer.offset(), kMaxAlign));
  }
  const size_t lower = page::kHeaderBytes + count * page::kLinePointerBytes;
  set(page::kLowerAt, lower);
  set(page::kUpperAt, std::max(upper, AlignUp(lower, kMaxAlign)));
  set(page::kSpecialAt, special);
}

void CheckImage(Bytes bytes, PageKind kind, uint8_t seed) {
  CheckedPage<EnginePage> page(PageKind::kHeap, 0, {});
  if (kind == PageKind::kOpaque) {
    page.ExpectAdoptedIfSound({bytes.begin(), bytes.end()}, kind);
    return;
  }
  if (page.Replace(bytes, kind)) Exercise(page, seed);
}

void PageImageSuite::Run(Bytes input) {
  if (!input.empty() && input.size() % kPageBytes == 0) {
    for (size_t at = 0; at < input.size(); at += kPageBytes) {
      const Bytes page = input.subspan(at, kPageBytes);
      CheckReport(page::Inspect(page, 0), page);
      CheckImage(page, page::KindOf(page::Classify(page)), 0);
    }
    return;
  }
  const uint8_t mode = input.empty() ? 0 : static_cast<uint8_t>(input.back());
  std::vector<std::byte> page(kPageBytes);
  std::copy_n(input.begin(), std::min(input.empty() ? 0 : input.size() - 1, page.size()),
              page.begin());
  if ((mode & 3) == 3) MendHeader(absl::MakeSpan(page));
  if ((mode & 1) != 0) page::SealChecksum(absl::MakeSpan(page), 0);
  const page::PageReport report = page::Inspect(page, 0);
  CheckReport(report, page);
  if ((mode & 1) != 0) {
    kit::Expect(page::kP13, report.checksum_matches, "a sealed page's checksum matches");
  }
  const PageKind kinds[] = {page::KindOf(report.type), PageKind::kHeap, PageKind::kIndex,
                            PageKind::kOpaque};
  CheckImage(page, kinds[mode >> 2 & 3], static_cast<uint8_t>(mode >> 4));
}

void RelationFileSuite::Run(Bytes input) {
  if (input.empty()) return;  // no stream of nothing
  std::FILE* stream = fmemopen(const_cast<std::byte*>(input.data()), input.size(), "rb");
  kit::Expect(page::kP13, stream != nullptr, "memory opens as a stream");
  page::RelationFile file = page::RelationFile::FromStream(stream, "input", 0);
  std::vector<std::byte> page(kPageBytes);
  absl::StatusOr<bool> next = file.Next(absl::MakeSpan(page));
  for (size_t at = 0; next.ok() && *next;
       at += kPageBytes, next = file.Next(absl::MakeSpan(page))) {
    kit::ExpectEqual(page::kP13, input.subspan(at, kPageBytes), Bytes(page), "the file's bytes");
    kit::ExpectEqual(page::kP13, at / kPageBytes, file.block(), "the block's number");
    const page::PageReport report = page::Inspect(page, file.block());
    CheckReport(report, page);
    if (page::KindOf(report.type) == PageKind::kHeap && report.fault.ok()) {
      CheckImage(page, PageKind::kHeap, 0);
    }
  }
  kit::ExpectEqual(page::kP13, input.size() / kPageBytes, file.page_count(), "whole pages");
  kit::ExpectEqual(page::kP13, input.size() % kPageBytes == 0, next.ok(),
                   "an error exactly if the file ends inside a page");
}

}  // namespace tuplestone::properties
