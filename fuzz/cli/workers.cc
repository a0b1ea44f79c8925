#include "fuzz/cli/workers.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "properties/kit/journal.h"

namespace tuplestone::cli {
namespace {

// A result on its way: this, and `bytes` more.
struct ResultHead {
  uint64_t item;
  uint64_t bytes;
};

struct Worker {
  pid_t pid = -1;
  int pipe = -1;
  std::string received;
};

[[noreturn]] void Die(const char* what) {
  std::perror(what);
  std::exit(kBadUsage);
}

void WriteAll(int file, const void* data, size_t bytes) {
  const char* from = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = write(file, from, bytes);
    if (written <= 0) _exit(kBadUsage);
    from += written;
    bytes -= static_cast<size_t>(written);
  }
}

[[noreturn]] void Work(size_t count, std::atomic<uint64_t>& next, int pipe,
                       const std::function<std::string(size_t)>& work) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  kit::DetachJournal();
  for (uint64_t item = next++; item < count; item = next++) {
    const std::string result = work(item);
    const ResultHead head{item, result.size()};
    WriteAll(pipe, &head, sizeof(head));
    WriteAll(pipe, result.data(), result.size());
  }
  _exit(0);
}

Worker Start(size_t count, std::atomic<uint64_t>& next,
             const std::function<std::string(size_t)>& work) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) Die("cannot make a pipe");
  std::fflush(nullptr);
  Worker worker;
  worker.pid = ::_Fork();
  if (worker.pid < 0) Die("cannot fork");
  if (worker.pid == 0) {
    close(ends[0]);
    Work(count, next, ends[1], work);
  }
  close(ends[1]);
  worker.pipe = ends[0];
  return worker;
}

// Moves complete results out of what was received.
void TakeResults(Worker& worker, std::map<size_t, std::string>& results) {
  size_t at = 0;
  while (worker.received.size() - at >= sizeof(ResultHead)) {
    ResultHead head;
    std::memcpy(&head, worker.received.data() + at, sizeof(head));
    if (worker.received.size() - at - sizeof(head) < head.bytes) break;
    results[head.item] = worker.received.substr(at + sizeof(head), head.bytes);
    at += sizeof(head) + head.bytes;
  }
  worker.received.erase(0, at);
}

// False at the end of the worker.
bool Receive(Worker& worker) {
  char buffer[1 << 14];
  const ssize_t bytes = read(worker.pipe, buffer, sizeof(buffer));
  if (bytes > 0) {
    worker.received.append(buffer, static_cast<size_t>(bytes));
    return true;
  }
  close(worker.pipe);
  waitpid(worker.pid, nullptr, 0);
  worker.pipe = -1;
  return false;
}

}  // namespace

const Option kJobsOption = {"--jobs", "N", "so many at a time (default: one for each core)"};

absl::StatusOr<int> JobsOf(const Arguments& arguments) {
  const double cores = std::max(1u, std::thread::hardware_concurrency());
  const absl::StatusOr<double> jobs = arguments.Number("--jobs", 1, 256, std::min(cores, 256.0));
  if (!jobs.ok()) return jobs.status();
  return static_cast<int>(*jobs);
}

void InWorkers(size_t count, int jobs, const std::function<std::string(size_t)>& work,
               const std::function<void(size_t, const std::string&)>& done) {
  if (!TakesWorkers(count, jobs)) {
    for (size_t i = 0; i < count; ++i) done(i, work(i));
    return;
  }
  void* page = mmap(nullptr, sizeof(std::atomic<uint64_t>), PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) Die("cannot share a counter");
  auto& next = *new (page) std::atomic<uint64_t>(0);
  std::vector<Worker> workers;
  for (int i = 0; i < jobs; ++i) workers.push_back(Start(count, next, work));
  std::map<size_t, std::string> results;
  size_t told = 0;
  size_t open = workers.size();
  while (open > 0) {
    std::vector<pollfd> polls;
    for (const Worker& worker : workers) polls.push_back({worker.pipe, POLLIN, 0});
    if (poll(polls.data(), polls.size(), -1) < 0) continue;
    for (size_t i = 0; i < workers.size(); ++i) {
      if (workers[i].pipe < 0 || polls[i].revents == 0) continue;
      if (!Receive(workers[i])) --open;
      TakeResults(workers[i], results);
    }
    for (auto at = results.find(told); at != results.end(); at = results.find(told)) {
      done(told, at->second);
      results.erase(at);
      ++told;
    }
  }
  for (; told < count; ++told) done(told, results[told]);
  munmap(page, sizeof(std::atomic<uint64_t>));
}

}  // namespace tuplestone::cli
