#include "properties/kit/isolate.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/probe.h"

// Null where the build has none of them.
extern "C" {
[[gnu::weak]] int __lsan_do_recoverable_leak_check();
[[gnu::weak]] int __llvm_profile_write_file();
[[gnu::weak]] int __sanitizer_install_malloc_and_free_hooks(
    void (*malloc_hook)(const volatile void*, size_t), void (*free_hook)(const volatile void*));
}

namespace tuplestone::kit {
namespace {

constexpr Invariant kF4{"F4", "a program file has at most kProbesMax probes"};
constexpr int kLeakStatus = 23;
constexpr int kPollMilliseconds = 5;
constexpr int kClosedMicroseconds = 500;  // between looks for the end, once the pipe is closed

using Clock = std::chrono::steady_clock;

// Says in a child when memory was lost. A look for leaks reads all memory, so it is taken only
// where the number of blocks is not what it was when nothing was lost.
class LeakWatch {
 public:
  void Start() {
    if (__lsan_do_recoverable_leak_check == nullptr) return;
    counts_ = __sanitizer_install_malloc_and_free_hooks != nullptr &&
              __sanitizer_install_malloc_and_free_hooks(
                  [](const volatile void*, size_t) { ++blocks_; },
                  [](const volatile void* block) { blocks_ -= block != nullptr; }) != 0;
  }
  bool Lost() {
    if (__lsan_do_recoverable_leak_check == nullptr) return false;
    if (counts_ && blocks_ == clean_blocks_) return false;
    if (__lsan_do_recoverable_leak_check() != 0) return true;
    clean_blocks_ = blocks_;
    return false;
  }

 private:
  static inline int64_t blocks_ = 0;  // born less freed since Start()
  int64_t clean_blocks_ = 0;
  bool counts_ = false;
};

void AddProbeHits(const std::vector<uint64_t>& before) {
  Journal& journal = ProcessJournal();
  const std::vector<Probe*> probes = AllProbes();
  for (size_t i = 0; i < probes.size(); ++i) journal.probe_hits[i] += probes[i]->hits() - before[i];
}

void WriteCoverage() {
  if (__llvm_profile_write_file != nullptr) __llvm_profile_write_file();
}

// An exception must not go on into the parent's code.
[[noreturn]] void RunChild(size_t count, const std::function<void(size_t)>& body,
                           const IsolationLimits& limits, int error_pipe) noexcept {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  dup2(error_pipe, STDERR_FILENO);
  close(error_pipe);
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(null, STDOUT_FILENO);
  dup2(null, STDIN_FILENO);
  SetTraceOnDeath(false);  // the parent prints it
  std::vector<uint64_t> hits_before;
  for (const Probe* probe : AllProbes()) hits_before.push_back(probe->hits());
  LeakWatch leaks;
  if (limits.leaks) leaks.Start();
  for (size_t i = 0; i < count; ++i) {
    ProcessJournal().case_index = static_cast<uint32_t>(i);
    RestartCpuLimit(limits.cpu_seconds);
    body(i);
    RestartCpuLimit(limits.wall_seconds);  // what follows is not the body's time
    if (limits.leaks && leaks.Lost()) {
      WriteCoverage();
      _exit(kLeakStatus);
    }
  }
  AddProbeHits(hits_before);
  WriteCoverage();
  _exit(0);
}

// What a process holds of the machine's memory, read again and again.
class ResidentMemory {
 public:
  explicit ResidentMemory(pid_t pid)
      : file_(open(absl::StrCat("/proc/", pid, "/statm").c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~ResidentMemory() {
    if (file_ >= 0) close(file_);
  }
  ResidentMemory(const ResidentMemory&) = delete;
  ResidentMemory& operator=(const ResidentMemory&) = delete;

  size_t Bytes() const {
    char text[128] = {};
    if (file_ < 0 || pread(file_, text, sizeof(text) - 1, 0) <= 0) return 0;
    unsigned long total = 0;
    unsigned long resident = 0;
    if (std::sscanf(text, "%lu %lu", &total, &resident) != 2) return 0;
    return resident * static_cast<size_t>(sysconf(_SC_PAGESIZE));
  }

 private:
  int file_;
};

// How a child ended.
struct Ending {
  DeathKind killed = DeathKind::kNone;  // for which limit, if any
  int status = 0;                       // as wait() gives it
  rusage usage{};
};

// Reads the child's standard error and waits for its end. Kills it when it passes a limit.
Ending Watch(pid_t pid, int error_pipe, size_t inherited, const IsolationLimits& limits,
             std::string* output) {
  const volatile uint32_t& case_index = ProcessJournal().case_index;
  const auto wall = std::chrono::duration<double>(limits.wall_seconds);
  const ResidentMemory memory(pid);
  uint32_t running = 0;
  auto start = Clock::now();
  Ending ending;
  bool is_open = true;
  char buffer[1 << 14];
  while (true) {
    pollfd poll_error{error_pipe, POLLIN, 0};
    if (!is_open) {
      usleep(kClosedMicroseconds);
    } else if (poll(&poll_error, 1, kPollMilliseconds) > 0) {
      const ssize_t count = read(error_pipe, buffer, sizeof(buffer));
      is_open = count > 0;
      const size_t room = limits.output_bytes - output->size();
      if (is_open) output->append(buffer, std::min(room, static_cast<size_t>(count)));
    }
    // A child of the child may hold the pipe open, so a killed one is not waited for by it.
    const bool may_be_over = !is_open || ending.killed != DeathKind::kNone;
    if (may_be_over && wait4(pid, &ending.status, WNOHANG, &ending.usage) == pid) return ending;
    if (ending.killed != DeathKind::kNone) continue;
    if (case_index != running) {
      running = case_index;
      start = Clock::now();
    }
    if (Clock::now() - start > wall) ending.killed = DeathKind::kHang;
    if (memory.Bytes() > inherited + limits.resident_bytes) ending.killed = DeathKind::kMemory;
    if (ending.killed != DeathKind::kNone) kill(pid, SIGKILL);
  }
}

// The first line of a report, without the numbers that differ from run to run: it tells one
// assertion from another.
std::string FirstLine(const std::string& output) {
  std::string line;
  for (char c : output) {
    if (c == '\n' && !line.empty()) break;
    if (c >= '0' && c <= '9') c = '#';
    if (c != '\n' && (c != '#' || line.empty() || line.back() != '#')) line += c;
    if (line.size() == 200) break;
  }
  return line;
}

// Where the first leak of a report was allocated: the innermost three places in the program's file.
std::string LeakPlace(const std::string& output) {
  std::string place;
  size_t at = output.find(" leak of ");
  for (int frame = 0; frame < 3 && at != std::string::npos; ++frame) {
    at = output.find("+0x", at);
    const size_t end = output.find(')', at);
    if (at == std::string::npos || end == std::string::npos) break;
    absl::StrAppend(&place, frame == 0 ? " at " : " ", output.substr(at, end - at));
    at = end;
  }
  return place;
}

double Seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

// From the way the child ended, what it noted itself, and what it was killed for.
Death Classify(const Ending& ending, const Journal& journal, const std::string& output) {
  const int status = ending.status;
  if (ending.killed == DeathKind::kMemory) return {ending.killed, "resident memory"};
  if (ending.killed == DeathKind::kHang) return {ending.killed, "time"};
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF) return {DeathKind::kHang, "time"};
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  if (journal.death != DeathKind::kNone) return {journal.death, journal.signature};
  if (WIFEXITED(status) && WEXITSTATUS(status) == kLeakStatus) {
    return {DeathKind::kLeak, absl::StrCat("leak", LeakPlace(output))};
  }
  if (WIFEXITED(status)) return {DeathKind::kExit, absl::StrCat("status ", WEXITSTATUS(status))};
  if (WTERMSIG(status) == SIGABRT) {
    const std::string line = FirstLine(output);
    return {DeathKind::kAbort, absl::StrCat("abort", line.empty() ? "" : ": ", line)};
  }
  return {DeathKind::kSignal, strsignal(WTERMSIG(status))};
}

RunTrace ReadTrace(const Journal& journal) {
  RunTrace trace;
  trace.operation = journal.operation;
  trace.case_index = journal.case_index;
  const size_t count = journal.operation < kOperationsMax ? journal.operation + 1 : kOperationsMax;
  if (journal.operation == kBeforeOperations) return trace;
  for (size_t i = 0; i < count; ++i) {
    trace.births_before.emplace_back(journal.births_before[i],
                                     journal.births_before[i] + kPopulationCount);
    trace.picks.emplace_back(journal.picks[i], journal.picks[i] + kPicksMax);
  }
  return trace;
}

}  // namespace

void RestartCpuLimit(double seconds) {
  signal(SIGPROF, SIG_DFL);
  const auto microseconds = static_cast<int64_t>(seconds * 1e6);
  itimerval timer{};  // all zero: no limit
  timer.it_value.tv_sec = microseconds / 1'000'000;
  timer.it_value.tv_usec = microseconds % 1'000'000;
  setitimer(ITIMER_PROF, &timer, nullptr);
}

std::string Death::ToString() const {
  if (!happened()) return "held";
  return absl::StrCat(DeathKindName(kind), ": ", signature);
}

Outcome IsolateEach(size_t count, const std::function<void(size_t)>& body,
                    const IsolationLimits& limits) {
  Journal& journal = ProcessJournal();
  const std::vector<Probe*> probes = AllProbes();
  TUPLESTONE_CHECK(kF4, probes.size() <= kProbesMax);
  std::memset(&journal, 0, sizeof(journal));
  journal.operation = kBeforeOperations;
  int error_pipe[2];
  if (pipe2(error_pipe, O_CLOEXEC) != 0) {
    std::perror("cannot make a pipe");
    std::_Exit(2);
  }
  const size_t inherited = ResidentMemory(getpid()).Bytes();
  std::fflush(nullptr);         // or the child would print it again
  const pid_t pid = ::_Fork();  // no other thread can hold a lock that a handler would free
  if (pid < 0) {
    std::perror("cannot fork");
    std::_Exit(2);
  }
  if (pid == 0) RunChild(count, body, limits, error_pipe[1]);
  close(error_pipe[1]);
  Outcome outcome;
  const Ending ending = Watch(pid, error_pipe[0], inherited, limits, &outcome.output);
  close(error_pipe[0]);
  outcome.cpu_seconds = Seconds(ending.usage.ru_utime) + Seconds(ending.usage.ru_stime);
  outcome.death = Classify(ending, journal, outcome.output);
  outcome.trace = ReadTrace(journal);
  for (size_t i = 0; i < probes.size(); ++i) probes[i]->Add(journal.probe_hits[i]);
  return outcome;
}

Outcome Isolate(const std::function<void()>& body, const IsolationLimits& limits) {
  return IsolateEach(1, [&](size_t) { body(); }, limits);
}

}  // namespace tuplestone::kit
