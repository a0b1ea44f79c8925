#include "properties/kit/target.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"

namespace tuplestone::kit {
namespace {

constexpr absl::string_view kListingWord = "bytes";
constexpr size_t kBytesALine = 16;

struct RunningBytes {
  const std::string* name;
  Bytes input;
};

// The first line of a listing is `bytes` and the target's name.
bool IsListing(Bytes input, absl::string_view name) {
  const text_internal::Line line = text_internal::FirstLine(input);
  return line.words.size() == 2 && line.words[0].text == kListingWord && line.words[1].text == name;
}

absl::string_view AsText(Bytes bytes) {
  return absl::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

// A byte, or why it is none.
absl::StatusOr<std::byte> ParseByte(const text_internal::Line& line,
                                    const text_internal::Word& word) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  };
  const bool two = word.text.size() == 2;
  const int high = two ? digit(word.text[0]) : -1;
  const int low = two ? digit(word.text[1]) : -1;
  if (high < 0 || low < 0) {
    return text_internal::ErrorAt(line, word, "is no byte; a byte is two digits, 0 to f");
  }
  return static_cast<std::byte>(high * 16 + low);
}

std::string PrintListing(absl::string_view name, Bytes bytes) {
  std::string text = absl::StrCat(kListingWord, " ", name, "\n");
  for (size_t at = 0; at < bytes.size(); at += kBytesALine) {
    absl::StrAppendFormat(&text, "%06x:", at);
    for (std::byte b : bytes.subspan(at, kBytesALine)) {
      absl::StrAppendFormat(&text, " %02x", static_cast<unsigned>(b));
    }
    text += "\n";
  }
  return text;
}

absl::StatusOr<Input> ParseListing(absl::string_view name, absl::string_view text) {
  const absl::Status is_text = text_internal::CheckIsText(text);
  if (!is_text.ok()) return is_text;
  const std::vector<text_internal::Line> lines = text_internal::SplitLines(text);
  if (lines.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("line 1, column 1: a listing starts with '", kListingWord, " ", name, "'"));
  }
  if (!IsListing(Bytes(reinterpret_cast<const std::byte*>(text.data()), text.size()), name)) {
    return text_internal::ErrorAt(
        lines[0], lines[0].words[0],
        absl::StrCat("begins no listing; a listing starts with '", kListingWord, " ", name, "'"));
  }
  Input bytes;
  for (size_t i = 1; i < lines.size(); ++i) {
    const text_internal::Word& address = lines[i].words[0];
    if (address.text != absl::StrFormat("%06x:", bytes.size())) {
      return text_internal::ErrorAt(lines[i], address,
                                    absl::StrFormat("should be '%06x:'", bytes.size()));
    }
    for (size_t w = 1; w < lines[i].words.size(); ++w) {
      absl::StatusOr<std::byte> byte = ParseByte(lines[i], lines[i].words[w]);
      if (!byte.ok()) return byte.status();
      bytes.push_back(*byte);
    }
  }
  return bytes;
}

}  // namespace

Input ByteTarget::ContentOf(Bytes input) const {
  if (IsListing(input, name_)) {
    absl::StatusOr<Input> content = ParseListing(name_, AsText(input));
    if (content.ok()) return *std::move(content);
  }
  return {input.begin(), input.end()};
}

Input ByteTarget::InputOf(Input content) const {
  const bool is_listing = IsListing(content, name_) && ParseListing(name_, AsText(content)).ok();
  if (!is_listing) return content;
  const std::string listing = PrintListing(name_, content);
  const auto* first = reinterpret_cast<const std::byte*>(listing.data());
  return {first, first + listing.size()};
}

void Target::RunShown(Bytes input, uint32_t, const std::function<void(const States&)>&) const {
  Run(input);
}

size_t Target::Mutate(uint8_t* data, size_t size, size_t size_max, uint64_t,
                      ByteMutator mutate_bytes) const {
  return mutate_bytes(data, size, size_max);
}

// The beginning of the one and the end of the other.
size_t Target::Splice(Bytes first, Bytes second, uint8_t* out, size_t out_size_max,
                      uint64_t seed) const {
  Random random(seed);
  const Bytes head = first.subspan(0, random.Between(0, std::min(first.size(), out_size_max)));
  const size_t room = out_size_max - head.size();
  const size_t tail_size = random.Between(0, std::min(second.size(), room));
  const Bytes tail = second.subspan(second.size() - tail_size);
  std::copy(head.begin(), head.end(), reinterpret_cast<std::byte*>(out));
  std::copy(tail.begin(), tail.end(), reinterpret_cast<std::byte*>(out) + head.size());
  return head.size() + tail.size();
}

void ByteTarget::Run(Bytes input) const {
  const Input bytes = ContentOf(input);
  const RunningBytes running{&name_, bytes};
  BeginProgram(&running, [](const void* p, uint32_t) {
    const auto* r = static_cast<const RunningBytes*>(p);
    return absl::StrCat("\ninput of ", *r->name, ": ", r->input.size(), " bytes\n");
  });
  run_(bytes);
  EndProgram();
}

std::string ByteTarget::Print(Bytes input) const { return PrintListing(name_, ContentOf(input)); }

absl::StatusOr<Input> ByteTarget::Parse(absl::string_view text) const {
  absl::StatusOr<Input> content = ParseListing(name_, text);
  if (!content.ok()) return content.status();
  return InputOf(*std::move(content));
}

std::string ByteTarget::EmitTest(Bytes input, absl::string_view test_name) const {
  return EmitBytesTest(suite_, header_, ContentOf(input), test_name);
}

Input ByteTarget::Normalize(Bytes input) const { return InputOf(ContentOf(input)); }

std::string ByteTarget::Trace(Bytes input, uint32_t) const {
  return absl::StrCat("\ninput of ", name_, ": ", ContentOf(input).size(), " bytes\n");
}

Input ByteTarget::Draw(Random& random, size_t bytes_max) const {
  Input bytes(random.Between(0, bytes_max));
  for (std::byte& b : bytes) b = static_cast<std::byte>(random.Next());
  return InputOf(std::move(bytes));
}

SimplerInputs ByteTarget::Simpler(Bytes normal, const RunTrace&) const {
  struct ByteEdit {
    size_t at;
    size_t count;
    int value;  // -1: remove
  };
  const auto bytes = std::make_shared<const Input>(ContentOf(normal));
  auto edits = std::make_shared<std::vector<ByteEdit>>();
  for (int value : {-1, 0}) {
    for (size_t size = bytes->size(); size >= 1; size /= 2) {
      for (size_t at = 0; at < bytes->size(); at += size) {
        const size_t count = std::min(size, bytes->size() - at);
        const auto first = bytes->begin() + static_cast<std::ptrdiff_t>(at);
        const bool zeros = std::all_of(first, first + static_cast<std::ptrdiff_t>(count),
                                       [](std::byte b) { return b == std::byte{0}; });
        if (value == -1 || !zeros) edits->push_back({at, count, value});
      }
    }
  }
  for (size_t at = 0; at < bytes->size(); ++at) {
    const int old = static_cast<int>((*bytes)[at]);
    if (old > 1) edits->push_back({at, 1, old / 2});
    if (old > 1) edits->push_back({at, 1, old - 1});
  }
  return {edits->size(), [this, bytes, edits](size_t i) {
            const ByteEdit& edit = (*edits)[i];
            Input simpler = *bytes;
            const auto first = simpler.begin() + static_cast<std::ptrdiff_t>(edit.at);
            const auto last = first + static_cast<std::ptrdiff_t>(edit.count);
            if (edit.value < 0) {
              simpler.erase(first, last);
            } else {
              std::fill(first, last, static_cast<std::byte>(edit.value));
            }
            return InputOf(std::move(simpler));
          }};
}

bool ByteTarget::IsSimpler(Bytes a, Bytes b) const {
  const Input left = ContentOf(a);
  const Input right = ContentOf(b);
  if (left.size() != right.size()) return left.size() < right.size();
  return left < right;
}

}  // namespace tuplestone::kit
