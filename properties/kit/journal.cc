#include "properties/kit/journal.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <utility>

#include "absl/strings/str_format.h"
#include "engine/base/check.h"

// The sanitizers' interfaces, null where the build has none.
extern "C" {
[[gnu::weak]] const char* __asan_get_report_description();
[[gnu::weak]] void* __asan_get_report_pc();
[[gnu::weak]] void __ubsan_get_current_report_data(const char** kind, const char** message,
                                                   const char** file, unsigned* line,
                                                   unsigned* column, char** address);
[[gnu::weak]] extern const char __executable_start;
}

namespace tuplestone::kit {
namespace {

const void* g_program = nullptr;
TracePrinter g_printer = nullptr;
bool g_trace_on_death = true;
std::function<void()>& LastWords() {
  static auto& last_words = *new std::function<void()>();
  return last_words;
}

void RecordDeath(DeathKind kind, const std::string& signature) {
  Journal& journal = ProcessJournal();
  if (journal.death != DeathKind::kNone) return;  // the first report is the cause
  journal.death = kind;
  std::snprintf(journal.signature, sizeof(journal.signature), "%s", signature.c_str());
  if (LastWords() != nullptr) std::exchange(LastWords(), nullptr)();
  if (!g_trace_on_death || g_program == nullptr) return;
  const void* program = g_program;
  g_program = nullptr;  // a second failure while printing ends it
  const std::string trace = g_printer(program, journal.operation);
  std::fputs(trace.c_str(), stderr);
  std::fflush(stderr);
}

void OnBrokenCheck(const BrokenCheck& broken) {
  RecordDeath(DeathKind::kCheck, absl::StrFormat("%s at %s:%d", broken.site->invariant->id,
                                                 broken.site->file, broken.site->line));
}

// The place of a report without the load address, so that it is the same in every process.
uint64_t ReportOffset() {
  if (__asan_get_report_pc == nullptr) return 0;
  const auto pc = reinterpret_cast<uintptr_t>(__asan_get_report_pc());
  return pc - reinterpret_cast<uintptr_t>(&__executable_start);
}

}  // namespace

const char* DeathKindName(DeathKind kind) {
  switch (kind) {
    case DeathKind::kNone:
      return "none";
    case DeathKind::kCheck:
      return "broken check";
    case DeathKind::kAbort:
      return "abort";
    case DeathKind::kAddress:
      return "AddressSanitizer";
    case DeathKind::kUndefined:
      return "UndefinedBehaviorSanitizer";
    case DeathKind::kLeak:
      return "leak";
    case DeathKind::kHang:
      return "hang";
    case DeathKind::kMemory:
      return "memory";
    case DeathKind::kSignal:
      return "signal";
    case DeathKind::kExit:
      return "exit";
  }
  return "?";
}

namespace {

Journal* MapJournal(void* where) {
  const int fixed = where == nullptr ? 0 : MAP_FIXED;
  void* mapping = mmap(where, sizeof(Journal), PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS | fixed, -1, 0);
  if (mapping == MAP_FAILED) {
    std::perror("cannot map the journal");
    std::_Exit(2);
  }
  return static_cast<Journal*>(mapping);
}

}  // namespace

Journal& ProcessJournal() {
  static Journal* journal = MapJournal(nullptr);
  return *journal;
}

void DetachJournal() { MapJournal(&ProcessJournal()); }

void BeginProgram(const void* program, TracePrinter printer) {
  SetBrokenCheckHook(&OnBrokenCheck);
  g_program = program;
  g_printer = printer;
  Journal& journal = ProcessJournal();
  journal.operation = kBeforeOperations;
  journal.death = DeathKind::kNone;
}

void EndProgram() {
  g_program = nullptr;
  if (LastWords() != nullptr) LastWords() = nullptr;
}

void SetLastWords(std::function<void()> last_words) { LastWords() = std::move(last_words); }

void SetTraceOnDeath(bool on) { g_trace_on_death = on; }

}  // namespace tuplestone::kit

// Called by AddressSanitizer before it prints its report.
extern "C" void __asan_on_error() {
  const char* description =
      __asan_get_report_description != nullptr ? __asan_get_report_description() : "report";
  tuplestone::kit::RecordDeath(
      tuplestone::kit::DeathKind::kAddress,
      absl::StrFormat("%s at +0x%x", description, tuplestone::kit::ReportOffset()));
}

// Called by UndefinedBehaviorSanitizer with its report.
extern "C" void __ubsan_on_report() {
  const char* kind = "report";
  const char* message = "";
  const char* file = "";
  unsigned line = 0;
  unsigned column = 0;
  char* address = nullptr;
  if (__ubsan_get_current_report_data != nullptr) {
    __ubsan_get_current_report_data(&kind, &message, &file, &line, &column, &address);
  }
  tuplestone::kit::RecordDeath(tuplestone::kit::DeathKind::kUndefined,
                               absl::StrFormat("%s at %s:%d:%d", kind, file, line, column));
}
