#include "properties/kit/text.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"

namespace tuplestone::kit {
namespace text_internal {
namespace {

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\r'; }

Line SplitWords(absl::string_view text, size_t number) {
  Line line{number, {}};
  size_t at = 0;
  while (at < text.size()) {
    while (at < text.size() && IsSpace(text[at])) ++at;
    if (at == text.size() || text[at] == '#') break;
    const size_t start = at;
    while (at < text.size() && !IsSpace(text[at]) && text[at] != '#') ++at;
    line.words.push_back({text.substr(start, at - start), start + 1});
  }
  return line;
}

}  // namespace

std::vector<Line> SplitLines(absl::string_view text) {
  std::vector<Line> lines;
  size_t number = 1;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    Line line = SplitWords(text.substr(0, end), number++);
    if (!line.words.empty()) lines.push_back(std::move(line));
    text = end == absl::string_view::npos ? absl::string_view() : text.substr(end + 1);
  }
  return lines;
}

Line FirstLine(Bytes bytes) {
  absl::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.find('\0') != absl::string_view::npos) return Line{1, {}};
  size_t number = 1;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    Line line = SplitWords(text.substr(0, end), number++);
    if (!line.words.empty()) return line;
    text = end == absl::string_view::npos ? absl::string_view() : text.substr(end + 1);
  }
  return Line{number, {}};
}

absl::Status CheckIsText(absl::string_view text) {
  const size_t zero = text.find('\0');
  if (zero == absl::string_view::npos) return absl::OkStatus();
  const absl::string_view before = text.substr(0, zero);
  const auto line = static_cast<size_t>(std::count(before.begin(), before.end(), '\n'));
  const size_t newline = before.rfind('\n');
  const size_t start = newline == absl::string_view::npos ? 0 : newline + 1;
  return absl::InvalidArgumentError(absl::StrCat("line ", line + 1, ", column ", zero - start + 1,
                                                 ": a zero byte; this is no text"));
}

absl::Status ErrorAt(const Line& line, const Word& word, absl::string_view message) {
  return absl::InvalidArgumentError(absl::StrCat("line ", line.number, ", column ", word.column,
                                                 ": '", absl::CHexEscape(word.text.substr(0, 40)),
                                                 "' ", message));
}

absl::StatusOr<Assignment> SplitAssignment(const Line& line, const Word& word) {
  const size_t equals = word.text.find('=');
  if (equals == absl::string_view::npos || equals == 0 || equals + 1 == word.text.size()) {
    return ErrorAt(line, word, "is no field; a field is name=value");
  }
  return Assignment{word.text.substr(0, equals), word.text.substr(equals + 1)};
}

absl::Status UnknownOperation(const Line& line, const std::vector<std::string>& known) {
  return ErrorAt(line, line.words[0],
                 absl::StrCat("is no operation; there are: ", absl::StrJoin(known, ", ")));
}

}  // namespace text_internal

bool LooksLikeText(Bytes bytes, absl::string_view language) {
  const text_internal::Line line = text_internal::FirstLine(bytes);
  return !line.words.empty() && line.words[0].text == language;
}

}  // namespace tuplestone::kit
