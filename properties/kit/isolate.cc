#include "properties/kit/isolate.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/base/check.h"
#include "engine/base/probe.h"

// Null where the build has neither.
extern "C" {
[[gnu::weak]] int __lsan_do_recoverable_leak_check();
[[gnu::weak]] int __llvm_profile_write_file();
}

namespace tuplestone::kit {
namespace {

constexpr Invariant kF4{"F4", "a program file has at most kProbesMax probes"};
constexpr int kLeakStatus = 23;

using Clock = std::chrono::steady_clock;

void AddProbeHits(const std::vector<uint64_t>& before) {
  Journal& journal = ProcessJournal();
  const std::vector<Probe*> probes = AllProbes();
  for (size_t i = 0; i < probes.size(); ++i) journal.probe_hits[i] += probes[i]->hits() - before[i];
}

[[noreturn]] void RunChild(const std::function<void()>& body, const IsolationLimits& limits,
                           int error_pipe) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  dup2(error_pipe, STDERR_FILENO);
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(null, STDOUT_FILENO);
  dup2(null, STDIN_FILENO);
  SetTraceOnDeath(false);  // the parent prints it
  std::vector<uint64_t> hits_before;
  for (const Probe* probe : AllProbes()) hits_before.push_back(probe->hits());
  RestartCpuLimit(limits.cpu_seconds);
  body();
  RestartCpuLimit(limits.wall_seconds);  // what follows is not the program's time
  AddProbeHits(hits_before);
  if (__llvm_profile_write_file != nullptr) __llvm_profile_write_file();
  if (limits.leaks && __lsan_do_recoverable_leak_check != nullptr &&
      __lsan_do_recoverable_leak_check() != 0) {
    _exit(kLeakStatus);
  }
  _exit(0);
}

size_t ResidentBytes(pid_t pid) {
  std::FILE* file = std::fopen(absl::StrCat("/proc/", pid, "/statm").c_str(), "r");
  if (file == nullptr) return 0;
  unsigned long total = 0;
  unsigned long resident = 0;
  const int read = std::fscanf(file, "%lu %lu", &total, &resident);
  std::fclose(file);
  return read == 2 ? resident * static_cast<size_t>(sysconf(_SC_PAGESIZE)) : 0;
}

// Reads the child's standard error until it closes. Kills the child when a limit is passed, and
// says which.
DeathKind Watch(pid_t pid, int error_pipe, const IsolationLimits& limits, std::string* output) {
  const auto end = Clock::now() + std::chrono::duration<double>(limits.wall_seconds);
  DeathKind killed = DeathKind::kNone;
  char buffer[1 << 14];
  while (true) {
    pollfd poll_error{error_pipe, POLLIN, 0};
    const int ready = poll(&poll_error, 1, 20);
    if (ready > 0) {
      const ssize_t count = read(error_pipe, buffer, sizeof(buffer));
      if (count <= 0) return killed;
      const size_t room = limits.output_bytes - output->size();
      output->append(buffer, std::min(room, static_cast<size_t>(count)));
    }
    if (killed != DeathKind::kNone) continue;
    if (Clock::now() > end) killed = DeathKind::kHang;
    if (ResidentBytes(pid) > limits.resident_bytes) killed = DeathKind::kMemory;
    if (killed != DeathKind::kNone) kill(pid, SIGKILL);
  }
}

// From the way the child ended, what it noted itself, and what it was killed for.
Death Classify(int status, DeathKind killed, const Journal& journal) {
  if (killed == DeathKind::kMemory) return {killed, "resident memory"};
  if (killed == DeathKind::kHang) return {killed, "time"};
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF) return {DeathKind::kHang, "time"};
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  if (journal.death != DeathKind::kNone) return {journal.death, journal.signature};
  if (WIFEXITED(status) && WEXITSTATUS(status) == kLeakStatus) return {DeathKind::kLeak, "leak"};
  if (WIFEXITED(status)) return {DeathKind::kExit, absl::StrCat("status ", WEXITSTATUS(status))};
  if (WTERMSIG(status) == SIGABRT) return {DeathKind::kAbort, "abort"};
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
  itimerval timer{};
  timer.it_value.tv_sec = microseconds / 1'000'000;
  timer.it_value.tv_usec = std::max<int64_t>(1, microseconds % 1'000'000);
  setitimer(ITIMER_PROF, &timer, nullptr);
}

std::string Death::ToString() const {
  if (!happened()) return "held";
  return absl::StrCat(DeathKindName(kind), ": ", signature);
}

Outcome Isolate(const std::function<void()>& body, const IsolationLimits& limits) {
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
  std::fflush(nullptr);  // or the child would print it again
  const pid_t pid = fork();
  if (pid < 0) {
    std::perror("cannot fork");
    std::_Exit(2);
  }
  if (pid == 0) RunChild(body, limits, error_pipe[1]);
  close(error_pipe[1]);
  Outcome outcome;
  const DeathKind killed = Watch(pid, error_pipe[0], limits, &outcome.output);
  close(error_pipe[0]);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  outcome.death = Classify(status, killed, journal);
  outcome.trace = ReadTrace(journal);
  for (size_t i = 0; i < probes.size(); ++i) probes[i]->Add(journal.probe_hits[i]);
  return outcome;
}

}  // namespace tuplestone::kit
