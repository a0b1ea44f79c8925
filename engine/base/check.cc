#include "engine/base/check.h"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "absl/strings/str_format.h"

namespace tuplestone {
namespace {

BrokenCheckHook g_hook = nullptr;

}  // namespace

BrokenCheckHook SetBrokenCheckHook(BrokenCheckHook hook) {
  BrokenCheckHook previous = g_hook;
  g_hook = hook;
  return previous;
}

void FailCheck(const CheckSite& site, const std::string& details) {
  std::fprintf(stderr, "\n%s broken: %s\n  check     %s\n  at        %s:%d\n", site.invariant->id,
               site.invariant->sentence, site.condition, site.file, site.line);
  if (!details.empty()) std::fprintf(stderr, "%s\n", details.c_str());
  std::fflush(stderr);
  // A hook that breaks a check itself must not come back here.
  BrokenCheckHook hook = SetBrokenCheckHook(nullptr);
  if (hook != nullptr) hook(BrokenCheck{&site, details.c_str()});
  std::abort();
}

void Check(bool holds, const CheckSite& site) {
  if (!holds) FailCheck(site, "");
}

void CheckEqual(uint64_t expected, uint64_t actual, const CheckSite& site) {
  if (expected != actual) {
    FailCheck(site, absl::StrFormat("  expected  %d\n  actual    %d", expected, actual));
  }
}

}  // namespace tuplestone
