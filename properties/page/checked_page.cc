#include "properties/page/checked_page.h"

#include <cstring>

namespace tuplestone::properties::checked_page_internal {

const char* NameOf(Refusal refusal) {
  switch (refusal) {
    case Refusal::kNone:
      return "done";
    case Refusal::kOutOfRange:
      return "out of range";
    case Refusal::kFailedPrecondition:
      return "failed precondition";
    case Refusal::kAlreadyExists:
      return "already exists";
    case Refusal::kResourceExhausted:
      return "resource exhausted";
    case Refusal::kInvalidArgument:
      return "invalid argument";
  }
  return "";
}

Refusal RefusalOf(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return Refusal::kNone;
    case absl::StatusCode::kOutOfRange:
      return Refusal::kOutOfRange;
    case absl::StatusCode::kFailedPrecondition:
      return Refusal::kFailedPrecondition;
    case absl::StatusCode::kAlreadyExists:
      return Refusal::kAlreadyExists;
    case absl::StatusCode::kResourceExhausted:
      return Refusal::kResourceExhausted;
    case absl::StatusCode::kInvalidArgument:
      return Refusal::kInvalidArgument;
    default:
      break;
  }
  kit::ExpectOk(page::kP9, status, "refusals are of the documented kinds");
  return Refusal::kNone;
}

void ExpectSameBytes(const Invariant& invariant, Bytes expected, Bytes actual, size_t from,
                     size_t to, const char* what) {
  if (from < to && std::memcmp(expected.data() + from, actual.data() + from, to - from) == 0)
    return;
  for (size_t at = from; at < to; ++at) {
    if (expected[at] == actual[at]) continue;
    const auto shown = [at](Bytes bytes) {
      return absl::StrCat(
          "offset ", at, ": ",
          kit::ShowBytes(bytes.subspan(at, std::min<size_t>(16, bytes.size() - at))));
    };
    kit::ExpectEqual(invariant, shown(expected), shown(actual), what);
  }
}

void ExpectSameLines(const Invariant& invariant, const PageModel& model, Bytes page,
                     const char* what) {
  kit::ExpectEqual(invariant, model.lower(), Load<uint16_t>(page.data() + page::kLowerAt), what);
  kit::ExpectEqual(invariant, model.upper(), Load<uint16_t>(page.data() + page::kUpperAt), what);
  for (size_t line = 1; line <= model.lines().size(); ++line) {
    const ModelLine& expected = model.lines()[line - 1];
    const page::LinePointer pointer(
        Load<uint32_t>(page.data() + page::kHeaderBytes + (line - 1) * page::kLinePointerBytes));
    const auto described = [&](const std::string& text) {
      return absl::StrCat("line pointer ", line, ": ", text);
    };
    const bool redirects = pointer.state() == page::LineState::kRedirect;
    const size_t target = redirects ? pointer.offset() : 0;
    if (pointer.state() != expected.state || pointer.length() != expected.tuple.size() ||
        target != expected.target) {
      ModelLine actual{pointer.state(), target, {}};
      actual.tuple.resize(pointer.length());
      kit::ExpectEqual(invariant, described(expected.ToString()), described(actual.ToString()),
                       what);
    }
    if (!pointer.has_storage()) continue;
    const Bytes tuple = page.subspan(pointer.offset(), pointer.length());
    if (!kit::IsEqual(tuple, Bytes(expected.tuple))) {
      kit::ExpectEqual(invariant, described(kit::ShowBytes(expected.tuple)),
                       described(kit::ShowBytes(tuple)), what);
    }
  }
}

bool IsCompact(Bytes page) {
  const size_t special = Load<uint16_t>(page.data() + page::kSpecialAt);
  if (special == 0) return true;
  const size_t count =
      (Load<uint16_t>(page.data() + page::kLowerAt) - page::kHeaderBytes) / page::kLinePointerBytes;
  size_t expected_end = special;
  for (size_t line = 1; line <= count; ++line) {
    const page::LinePointer pointer(
        Load<uint32_t>(page.data() + page::kHeaderBytes + (line - 1) * page::kLinePointerBytes));
    if (!pointer.has_storage()) continue;
    if (pointer.offset() + pointer.stored_bytes() != expected_end) return false;
    expected_end = pointer.offset();
  }
  return Load<uint16_t>(page.data() + page::kUpperAt) == expected_end;
}

bool IsRepaired(Bytes page) {
  if (!IsCompact(page)) return false;
  if (Load<uint16_t>(page.data() + page::kSpecialAt) == 0) return true;
  const size_t count =
      (Load<uint16_t>(page.data() + page::kLowerAt) - page::kHeaderBytes) / page::kLinePointerBytes;
  bool last_is_unused = false;
  bool some_are_unused = false;
  for (size_t line = 1; line <= count; ++line) {
    last_is_unused = Load<uint32_t>(page.data() + page::kHeaderBytes +
                                    (line - 1) * page::kLinePointerBytes) == 0;
    some_are_unused |= last_is_unused;
  }
  const bool hint = (Load<uint16_t>(page.data() + page::kFlagsAt) & page::kHasFreeLines) != 0;
  return !last_is_unused && hint == some_are_unused;
}

}  // namespace tuplestone::properties::checked_page_internal
