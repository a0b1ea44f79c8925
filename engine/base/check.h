// Invariants and their checks. A broken check prints what it knows and aborts: it is a caller's
// mistake or a bug of the engine, never a property of outside bytes (those give absl::Status).
//
//   inline constexpr Invariant kP1{"P1", "24 <= lower <= upper <= special <= 8192, special
//   aligned"}; TUPLESTONE_CHECK(kP1, lower <= upper); TUPLESTONE_CHECK_EQ(kP4, expected_upper,
//   actual_upper);
//
// The condition is passed to one out-of-line function, so that a check is no branch of its caller:
// neither coverage nor a fuzzer counts it. Write one check for each fact; `a && b` would be a
// branch again.
#ifndef TUPLESTONE_ENGINE_BASE_CHECK_H_
#define TUPLESTONE_ENGINE_BASE_CHECK_H_

#include <cstdint>
#include <string>

namespace tuplestone {

// Something that always holds. `id` is a component's letter and a number ("P3"), or that and a
// misuse ("M8 double free").
struct Invariant {
  const char* id;
  const char* sentence;
};

// Where a check stands. Static storage only.
struct CheckSite {
  const Invariant* invariant;
  const char* condition;
  const char* file;
  int line;
};

// What is told to the hook before the process dies. The strings live until the abort.
struct BrokenCheck {
  const CheckSite* site;
  const char* details;  // expected and actual, or empty
};

// Called once with a broken check after its report was printed to standard error and before
// abort(). One hook a process; null removes it. Returns the previous one.
using BrokenCheckHook = void (*)(const BrokenCheck&);
BrokenCheckHook SetBrokenCheckHook(BrokenCheckHook hook);

// Prints the report and aborts.
[[noreturn]] void FailCheck(const CheckSite& site, const std::string& details);

void Check(bool holds, const CheckSite& site);
void CheckEqual(uint64_t expected, uint64_t actual, const CheckSite& site);

}  // namespace tuplestone

#define TUPLESTONE_CHECK_SITE_(invariant, text)                                            \
  ([]() -> const ::tuplestone::CheckSite& {                                                \
    static constexpr ::tuplestone::CheckSite site{&(invariant), text, __FILE__, __LINE__}; \
    return site;                                                                           \
  }())

// Aborts, naming `invariant` (a namespace-scope Invariant), unless `condition` holds.
#define TUPLESTONE_CHECK(invariant, condition) \
  ::tuplestone::Check(static_cast<bool>(condition), TUPLESTONE_CHECK_SITE_(invariant, #condition))

// The same for two unsigned figures; the report gives both.
#define TUPLESTONE_CHECK_EQ(invariant, expected, actual)                                   \
  ::tuplestone::CheckEqual(static_cast<uint64_t>(expected), static_cast<uint64_t>(actual), \
                           TUPLESTONE_CHECK_SITE_(invariant, #expected " == " #actual))

#endif  // TUPLESTONE_ENGINE_BASE_CHECK_H_
