// The sanitizers' options of tests and of the command line: no symboliser until the last report,
// because shrinking makes thousands of them, and a small quarantine. Fuzz binaries do not link this
// file: libFuzzer and the services set their own.
#include <cstdlib>
#include <string>

#include "properties/kit/files.h"

namespace {

constexpr const char* kOptions =
    "symbolize=0:detect_leaks=1:detect_stack_use_after_return=1:check_initialization_order=1:"
    "strict_init_order=1:"
    "strict_string_checks=1:allocator_may_return_null=1:quarantine_size_mb=16";

}  // namespace

extern "C" const char* __asan_default_options() { return kOptions; }
extern "C" const char* __ubsan_default_options() { return "symbolize=0:print_stacktrace=1"; }

namespace tuplestone::kit {

std::string SanitizerOptions() {
  const char* set = std::getenv("ASAN_OPTIONS");
  return set == nullptr ? kOptions : set;
}

}  // namespace tuplestone::kit
