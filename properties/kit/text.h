// Programs as text, for people to read, edit and review. One head line, then one operation a line;
// '#' starts a comment.
//
//   page_program kind=heap
//   add bytes=32 fill=0x41
//   delete line=@0            # the first product
//
// A field that is not named has its default. Parse(Print(p)) == p; an error names line and column.
#ifndef TUPLESTONE_PROPERTIES_KIT_TEXT_H_
#define TUPLESTONE_PROPERTIES_KIT_TEXT_H_

#include <cstddef>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "properties/kit/codec.h"
#include "properties/kit/program.h"

namespace tuplestone::kit {

namespace text_internal {

struct Word {
  absl::string_view text;
  size_t column;  // from 1
};

struct Line {
  size_t number;            // from 1
  std::vector<Word> words;  // at least one
};

// The lines that say something. Views into `text`.
std::vector<Line> SplitLines(absl::string_view text);

// The first of them; without words where there is none, or where a zero byte says that `bytes` are
// binary.
Line FirstLine(Bytes bytes);

// InvalidArgument where a zero byte says that `text` is none.
absl::Status CheckIsText(absl::string_view text);

absl::Status ErrorAt(const Line& line, const Word& word, absl::string_view message);

// `name=value`, both non-empty.
struct Assignment {
  absl::string_view name;
  absl::string_view value;
};
absl::StatusOr<Assignment> SplitAssignment(const Line& line, const Word& word);

absl::Status UnknownOperation(const Line& line, const std::vector<std::string>& known);

template <class T>
void PrintFields(const T& t, std::string* out) {
  absl::StrAppend(out, T::kText.name);
  ForEachField(t, [&](const char* name, const auto& field) {
    absl::StrAppend(out, " ", name, "=", field.Print());
  });
}

// Sets the field called `assignment.name`; false when T has none.
template <class T>
absl::StatusOr<bool> SetField(const Assignment& assignment, T* t) {
  absl::Status status = absl::OkStatus();
  bool found = false;
  ForEachField(*t, [&](const char* name, auto& field) {
    if (assignment.name != name) return;
    found = true;
    auto value = std::remove_reference_t<decltype(field)>::Parse(assignment.value);
    if (value.ok()) {
      field = *value;
    } else {
      status = value.status();
    }
  });
  if (!status.ok()) return status;
  return found;
}

template <class T>
absl::StatusOr<T> ParseFields(const Line& line) {
  T t{};
  std::vector<absl::string_view> seen;
  for (size_t i = 1; i < line.words.size(); ++i) {
    const Word& word = line.words[i];
    absl::StatusOr<Assignment> assignment = SplitAssignment(line, word);
    if (!assignment.ok()) return assignment.status();
    for (absl::string_view name : seen) {
      if (name == assignment->name) return ErrorAt(line, word, "is given twice");
    }
    seen.push_back(assignment->name);
    absl::StatusOr<bool> found = SetField(*assignment, &t);
    if (!found.ok()) return ErrorAt(line, word, found.status().message());
    if (!*found) {
      std::string known;
      ForEachField(t, [&](const char* name, auto&) { absl::StrAppend(&known, " ", name); });
      return ErrorAt(line, word,
                     absl::StrCat("'", T::kText.name,
                                  "' has no such field; it has:", known.empty() ? " none" : known));
    }
  }
  return t;
}

}  // namespace text_internal

template <class P>
std::string PrintHead(const P& program) {
  std::string text;
  text_internal::PrintFields(program.head, &text);
  return text;
}

template <class Operation>
std::string PrintOperation(const Operation& operation) {
  std::string text;
  std::visit([&](const auto& op) { text_internal::PrintFields(op, &text); }, operation);
  return text;
}

template <class P>
std::string Print(const P& program) {
  std::string text = PrintHead(program) + "\n";
  for (const auto& operation : program.operations) {
    absl::StrAppend(&text, PrintOperation(operation), "\n");
  }
  return text;
}

// InvalidArgument names line, column and what was expected.
template <class P>
absl::StatusOr<P> Parse(absl::string_view text) {
  using text_internal::ErrorAt;
  const absl::Status is_text = text_internal::CheckIsText(text);
  if (!is_text.ok()) return is_text;
  const std::vector<text_internal::Line> lines = text_internal::SplitLines(text);
  if (lines.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("line 1, column 1: no head; a program starts with '", LanguageName<P>(), "'"));
  }
  if (lines[0].words[0].text != LanguageName<P>()) {
    return ErrorAt(lines[0], lines[0].words[0],
                   absl::StrCat("a program starts with '", LanguageName<P>(), "'"));
  }
  P program;
  auto head = text_internal::ParseFields<typename P::Head>(lines[0]);
  if (!head.ok()) return head.status();
  program.head = *head;
  for (size_t i = 1; i < lines.size(); ++i) {
    const text_internal::Line& line = lines[i];
    if (program.operations.size() == P::kShape.operations_max) {
      return ErrorAt(
          line, line.words[0],
          absl::StrCat("is operation ", i, "; a program has at most ", P::kShape.operations_max));
    }
    absl::Status status = absl::OkStatus();
    bool known = false;
    P::ForEachKind([&]<class T>() {
      if (known || line.words[0].text != T::kText.name) return;
      known = true;
      auto operation = text_internal::ParseFields<T>(line);
      status = operation.status();
      if (operation.ok()) program.operations.push_back(*operation);
    });
    if (!known) {
      std::vector<std::string> names;
      P::ForEachKind([&]<class T>() { names.push_back(T::kText.name); });
      return text_internal::UnknownOperation(line, names);
    }
    if (!status.ok()) return status;
  }
  return program;
}

// True when `bytes` are meant as text of P: no byte is zero, and the first word outside comments is
// its name. The binary form is never so: a head has a spare byte, which is zero.
bool LooksLikeText(Bytes bytes, absl::string_view language);

// What every target accepts: text of P if it looks like it and parses, else binary.
template <class P>
P ReadProgram(Bytes bytes) {
  if (LooksLikeText(bytes, LanguageName<P>())) {
    auto program =
        Parse<P>(absl::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    if (program.ok()) return *std::move(program);
  }
  return Decode<P>(bytes);
}

}  // namespace tuplestone::kit

#endif  // TUPLESTONE_PROPERTIES_KIT_TEXT_H_
