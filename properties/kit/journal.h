// What a process was doing when it died, and how. The journal lies in a mapping that a forked child
// shares with its parent, so that the parent reads it even after SIGKILL; the process itself prints
// it when a check or a sanitizer ends it.
//
//   parent                         child
//     Isolate() --- fork ------->    Run(program): operation = 0, 1, 2 ...   births and picks of
//     each operation reads the journal  <---die--   a hook writes the kind of death and its
//     signature
//
// One journal a process, made at its first use; a child that is to fork children of its own takes
// another one first (DetachJournal).
#ifndef TUPLESTONE_PROPERTIES_KIT_JOURNAL_H_
#define TUPLESTONE_PROPERTIES_KIT_JOURNAL_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace tuplestone::kit {

inline constexpr int kPopulationCount = 4;
inline constexpr size_t kPicksMax = 4;          // in one operation
inline constexpr size_t kOperationsMax = 1024;  // in one program
inline constexpr size_t kProbesMax = 1024;      // in one program file

// How a process ended. kNone: it did not.
enum class DeathKind : uint8_t {
  kNone,
  kCheck,      // an invariant is broken
  kAbort,      // abort() without one
  kAddress,    // AddressSanitizer's report
  kUndefined,  // UndefinedBehaviorSanitizer's report
  kLeak,       // memory left at the end
  kHang,       // the time ran out
  kMemory,     // the memory ran out
  kSignal,     // another signal
  kExit,       // it left by itself
};
const char* DeathKindName(DeathKind kind);

// Where in its program a process is.
inline constexpr uint32_t kBeforeOperations = 0xffffffff;
inline constexpr uint32_t kAfterOperations = 0xfffffffe;

// Plain data: it is read after the writer was killed in any place.
struct Journal {
  uint32_t operation;   // index of the running operation, or one of the two constants above
  uint32_t case_index;  // which case of several in one child, from 0
  DeathKind death;
  char signature[240];  // tells this death from others of its kind; ends with 0
  uint32_t births_before[kOperationsMax + 1][kPopulationCount];
  uint16_t picks[kOperationsMax][kPicksMax];  // birth numbers hit, in field order
  uint64_t probe_hits[kProbesMax];            // by the place in AllProbes(), what children added
};

Journal& ProcessJournal();

// Prints the running program with the operation marked; null when none runs.
using TracePrinter = std::string (*)(const void* program, uint32_t operation);

// Marks the start of a program, and its end. From Begin on a broken check or a sanitizer's report
// prints the trace before the process dies, unless SetTraceOnDeath(false).
void BeginProgram(const void* program, TracePrinter printer);
void EndProgram();
void SetTraceOnDeath(bool on);

// Called once, when the running program dies by a check or a report, before the process does; until
// the program's end. What it finds may be broken, and it may die itself.
void SetLastWords(std::function<void()> last_words);

// From now on this process has a journal of its own, no longer the one it shares with its parent.
void DetachJournal();

}  // namespace tuplestone::kit

#endif  // TUPLESTONE_PROPERTIES_KIT_JOURNAL_H_
