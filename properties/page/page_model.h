// A page as anyone would write it down: a list of lines, each a state and a tuple, and three
// numbers. It knows nothing of where a tuple lies; upper follows from how many bytes came and went.
//
//   operation        lines                        upper
//   add              one becomes normal           - MaxAlign(new)
//   overwrite        the tuple is another one     + MaxAlign(old) - MaxAlign(new)
//   delete one       the line goes                + MaxAlign(old)
//   mark, redirect   the state                    as it was (a gap)
//   compaction       trailing unused go (heap)    special - sum of MaxAlign
//
// It shares page_types.h with the engine and no code. What it does not know: the bytes of hole,
// gaps and padding, and the order of the data.
#ifndef TUPLESTONE_PROPERTIES_PAGE_PAGE_MODEL_H_
#define TUPLESTONE_PROPERTIES_PAGE_PAGE_MODEL_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "engine/page/page_types.h"

namespace tuplestone::properties {

// Why an operation is refused; kNone if it is not.
enum class Refusal : uint8_t {
  kNone,
  kOutOfRange,
  kFailedPrecondition,
  kAlreadyExists,
  kResourceExhausted,
  kInvalidArgument,
};

struct ModelLine {
  page::LineState state = page::LineState::kUnused;
  size_t target = 0;             // of a redirect
  std::vector<std::byte> tuple;  // empty without storage

  bool operator==(const ModelLine& other) const = default;
  std::string ToString() const;
};

class PageModel {
 public:
  // An empty page of kind heap or index; or a new page (no special area).
  PageModel(page::PageKind kind, size_t special_bytes, const page::Limits& limits);

  // Reads a page. Requires: WhyUnsound() has nothing to say.
  static PageModel Read(absl::Span<const std::byte> bytes, page::PageKind kind,
                        const page::Limits& limits);

  page::PageKind kind() const { return kind_; }
  const std::vector<ModelLine>& lines() const { return lines_; }
  size_t lower() const;
  size_t upper() const { return upper_; }
  size_t special() const { return special_; }
  uint16_t flags() const { return flags_; }

  size_t FreeSpaceExact() const;
  size_t FreeSpace() const { return FreeSpaceForTuples(1); }
  size_t FreeSpaceForTuples(size_t tuple_count) const;
  size_t FreeSpaceHeap() const;
  bool Fits(size_t tuple_bytes) const;

  // Each says why it refuses and then changes nothing. Lines are numbered from 1.
  Refusal Add(const std::vector<std::byte>& tuple, size_t* line);
  Refusal AddAt(size_t line, const std::vector<std::byte>& tuple, bool shift);
  Refusal Overwrite(size_t line, const std::vector<std::byte>& tuple);
  Refusal DeleteOne(size_t line);
  Refusal DeleteMany(const std::vector<size_t>& lines);
  Refusal MarkDead(size_t line, bool keep_storage);
  Refusal MarkUnused(size_t line);
  Refusal Redirect(size_t line, size_t target);
  void Repair();

 private:
  bool Exists(size_t line) const { return line >= 1 && line <= lines_.size(); }
  bool IsNamedByRedirect(size_t line) const;
  size_t LowestUnused() const;  // 0 if none
  size_t LinesMax() const;
  Refusal FindRoom(size_t tuple_bytes, bool new_line) const;
  Refusal Store(size_t line, const std::vector<std::byte>& tuple, bool new_line);
  void Compact();

  page::PageKind kind_;
  page::Limits limits_;
  std::vector<ModelLine> lines_;
  size_t upper_;
  size_t special_;
  uint16_t flags_ = 0;
};

// What is wrong with the bytes of a page, or an empty string: the definition of a sound page,
// slowly.
std::string WhyUnsound(absl::Span<const std::byte> bytes, page::PageKind kind,
                       const page::Limits& limits);

}  // namespace tuplestone::properties

#endif  // TUPLESTONE_PROPERTIES_PAGE_PAGE_MODEL_H_
