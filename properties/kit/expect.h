// How suites compare: an inequality breaks the invariant, with both values in the report.
//
//   ExpectEqual(page::kP3, expected.lines, actual.lines);
#ifndef TUPLESTONE_PROPERTIES_KIT_EXPECT_H_
#define TUPLESTONE_PROPERTIES_KIT_EXPECT_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <source_location>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"

namespace tuplestone::kit {

// Up to 64 bytes in hexadecimal, and the length.
std::string ShowBytes(Bytes bytes);

// A value in words. Types of one's own offer `std::string ToString() const`.
template <class T>
std::string Show(const T& value) {
  if constexpr (requires {
                  { value.ToString() } -> std::convertible_to<std::string>;
                }) {
    return value.ToString();
  } else if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_enum_v<T>) {
    return absl::StrCat(static_cast<int64_t>(value));
  } else if constexpr (std::is_arithmetic_v<T>) {
    return absl::StrCat(value);
  } else if constexpr (std::is_convertible_v<const T&, Bytes>) {
    return ShowBytes(value);
  } else if constexpr (requires { absl::StrCat(value); }) {
    return absl::StrCat("'", value, "'");
  } else if constexpr (requires { value.first, value.second; }) {
    return absl::StrCat("(", Show(value.first), ", ", Show(value.second), ")");
  } else {
    std::string text = "[";
    for (const auto& element : value) {
      absl::StrAppend(&text, text.size() == 1 ? "" : ", ", Show(element));
    }
    return text + "]";
  }
}

// Aborts, naming `invariant`, unless `holds`. `what` says in words what was expected.
inline void Expect(const Invariant& invariant, bool holds, const char* what,
                   std::source_location at = std::source_location::current()) {
  if (holds) return;
  FailCheck(CheckSite{&invariant, what, at.file_name(), static_cast<int>(at.line())}, "");
}

// Equality; of bytes by one call, since an element at a time is what a sanitizer makes slow.
template <class A, class B>
bool IsEqual(const A& a, const B& b) {
  if constexpr (std::is_convertible_v<const A&, Bytes> && std::is_convertible_v<const B&, Bytes>) {
    const Bytes left(a);
    const Bytes right(b);
    return left.size() == right.size() &&
           (left.empty() || std::memcmp(left.data(), right.data(), left.size()) == 0);
  } else {
    return a == b;
  }
}

// Aborts, naming `invariant` and both values, unless they are equal.
template <class Expected, class Actual>
void ExpectEqual(const Invariant& invariant, const Expected& expected, const Actual& actual,
                 const char* what = "expected == actual",
                 std::source_location at = std::source_location::current()) {
  if (IsEqual(expected, actual)) return;
  FailCheck(CheckSite{&invariant, what, at.file_name(), static_cast<int>(at.line())},
            absl::StrCat("  expected  ", Show(expected), "\n  actual    ", Show(actual)));
}

// The same for a status that should be OK.
inline void ExpectOk(const Invariant& invariant, const absl::Status& status,
                     const char* what = "status is OK",
                     std::source_location at = std::source_location::current()) {
  if (status.ok()) return;
  FailCheck(CheckSite{&invariant, what, at.file_name(), static_cast<int>(at.line())},
            absl::StrCat("  expected  OK\n  actual    ", status.ToString()));
}

}  // namespace tuplestone::kit

#endif  // TUPLESTONE_PROPERTIES_KIT_EXPECT_H_
