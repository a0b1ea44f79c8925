// Children: how each way to end is told, and that nothing of a child reaches the parent.
#include "properties/kit/isolate.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/poison.h"
#include "engine/base/probe.h"
#include "properties/kit/journal.h"

// Stands in for the coverage runtime where the build has none.
extern "C" {
[[gnu::weak]] extern int __llvm_profile_runtime;
[[gnu::weak]] int __llvm_profile_write_file() {
  std::fputs("counters written\n", stderr);
  return 0;
}
}

namespace tuplestone::kit {
namespace {

constexpr Invariant kT1{"T1", "the test says so"};

volatile int g_sink = 0;
volatile int g_zero = 0;
char* volatile g_block = nullptr;
std::vector<std::string>* volatile g_kept = nullptr;

IsolationLimits Quick() {
  IsolationLimits limits;
  limits.cpu_seconds = 0.3;
  limits.wall_seconds = 20;
  limits.leaks = false;
  return limits;
}

Death DeathOf(const std::function<void()>& body, IsolationLimits limits = Quick()) {
  return Isolate(body, limits).death;
}

[[gnu::noinline]] void Lose(size_t bytes) {
  char* lost = static_cast<char*>(std::malloc(bytes));
  asm volatile("" : : "r"(lost) : "memory");
  lost[0] = 1;
  g_sink = g_sink + lost[0];
}

[[gnu::noinline]] void LoseElsewhere() {
  void* lost = std::calloc(3, 5);
  asm volatile("" : : "r"(lost) : "memory");
}

TEST(Isolate, WhatHoldsIsNoDeath) {
  const Outcome outcome = Isolate([] { std::fputs("a word\n", stderr); }, Quick());
  EXPECT_FALSE(outcome.death.happened());
  EXPECT_EQ(outcome.death.ToString(), "held");
  const bool real_runtime = &__llvm_profile_runtime != nullptr;
  EXPECT_EQ(outcome.output, real_runtime ? "a word\n" : "a word\ncounters written\n");
}

TEST(Isolate, NothingOfTheChildReachesTheParent) {
  int here = 1;
  Isolate([&] { here = 2; }, Quick());
  EXPECT_EQ(here, 1);
}

TEST(Isolate, TellsABrokenCheck) {
  const Death death = DeathOf([] {
    BeginProgram(nullptr, nullptr);
    TUPLESTONE_CHECK(kT1, g_sink < 0);
  });
  EXPECT_EQ(death.kind, DeathKind::kCheck);
  EXPECT_TRUE(absl::StartsWith(death.signature, "T1 at ")) << death.signature;
  EXPECT_TRUE(absl::StrContains(death.signature, "isolate_test.cc:")) << death.signature;
}

TEST(Isolate, TellsOneCheckFromAnother) {
  const auto check = [](int which) {
    return DeathOf([which] {
      BeginProgram(nullptr, nullptr);
      TUPLESTONE_CHECK(kT1, which != 1);
      TUPLESTONE_CHECK(kT1, which != 2);
    });
  };
  EXPECT_EQ(check(1), check(1));
  EXPECT_FALSE(check(1) == check(2));
}

TEST(Isolate, TellsAnAbortByWhatItSaid) {
  const auto abort_with = [](const char* word) {
    return DeathOf([word] {
      std::fprintf(stderr, "%s\nmore\n", word);
      std::abort();
    });
  };
  EXPECT_EQ(DeathOf([] { std::abort(); }).ToString(), "abort: abort");
  EXPECT_EQ(abort_with("pid 123: no").ToString(), "abort: abort: pid #: no");
  EXPECT_EQ(abort_with("pid 7: no"), abort_with("pid 1234: no"));
  EXPECT_FALSE(abort_with("pid 7: no") == abort_with("pid 7: yes"));
}

TEST(Isolate, AnExceptionIsAnAbort) {
  const Death death = DeathOf([] { throw std::runtime_error("thrown"); });
  EXPECT_EQ(death.kind, DeathKind::kAbort) << death.ToString();
  EXPECT_TRUE(absl::StrContains(death.signature, "runtime_error")) << death.signature;
}

TEST(Isolate, TellsSignalsAndStatuses) {
  EXPECT_EQ(DeathOf([] { raise(SIGKILL); }).ToString(), "signal: Killed");
  EXPECT_EQ(DeathOf([] { raise(SIGTERM); }).ToString(), "signal: Terminated");
  EXPECT_EQ(DeathOf([] { _exit(3); }).ToString(), "exit: status 3");
  EXPECT_FALSE(DeathOf([] { _exit(0); }).happened()) << "leaving with 0 is not seen";
}

TEST(Isolate, TellsAHangByTheProcessorsTime) {
  volatile bool forever = true;
  const Death death = DeathOf([&] {
    while (forever) {
    }
  });
  EXPECT_EQ(death.ToString(), "hang: time");
}

TEST(Isolate, TellsASleepByTheClock) {
  IsolationLimits limits = Quick();
  limits.wall_seconds = 0.3;
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(DeathOf([] { sleep(1000); }, limits).ToString(), "hang: time");
  EXPECT_EQ(DeathOf(
                [] {
                  signal(SIGTERM, SIG_IGN);
                  close(STDERR_FILENO);
                  dup2(STDOUT_FILENO, STDERR_FILENO);
                  while (true) pause();
                },
                limits)
                .kind,
            DeathKind::kHang)
      << "one that lets go of its standard error is waited for, and killed";
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

TEST(Isolate, TellsAWantOfMemory) {
  IsolationLimits limits = Quick();
  limits.cpu_seconds = 20;
  limits.resident_bytes = size_t{64} << 20;
  const Death death = DeathOf(
      [] {
        while (true) {
          g_block = static_cast<char*>(std::malloc(1 << 20));
          std::memset(g_block, 1, 1 << 20);
        }
      },
      limits);
  EXPECT_EQ(death.ToString(), "memory: resident memory");
}

TEST(Isolate, KeepsNoMoreOutputThanItMay) {
  IsolationLimits limits = Quick();
  limits.cpu_seconds = 10;
  limits.output_bytes = 1000;
  const Outcome outcome = Isolate(
      [] {
        for (int i = 0; i < 20'000; ++i) std::fputs("a line of twenty bytes\n", stderr);
        _exit(4);
      },
      limits);
  EXPECT_EQ(outcome.output.size(), 1000u);
  EXPECT_EQ(outcome.death.ToString(), "exit: status 4");
}

TEST(Isolate, AddsTheChildsProbesToTheParents) {
  const auto hits = [] {
    for (const Probe* probe : AllProbes()) {
      if (std::string(probe->name()) == "kit.test_probe") return probe->hits();
    }
    return ~uint64_t{0};
  };
  const uint64_t before = hits();
  const auto hit = [] {
    for (int i = 0; i < 3; ++i) TUPLESTONE_PROBE("kit.test_probe");
  };
  Isolate(hit, Quick());
  EXPECT_EQ(hits(), before + 3);
  IsolateEach(5, [&](size_t) { hit(); }, Quick());
  EXPECT_EQ(hits(), before + 18);
}

TEST(Isolate, SeveralShareAChildUntilOneDies) {
  const Outcome none = IsolateEach(10, [](size_t i) { g_sink = static_cast<int>(i); }, Quick());
  EXPECT_FALSE(none.death.happened());
  const Outcome outcome = IsolateEach(
      10,
      [](size_t i) {
        std::fprintf(stderr, "%d ", static_cast<int>(i));
        if (i == 6) _exit(9);
      },
      Quick());
  EXPECT_EQ(outcome.death.ToString(), "exit: status 9");
  EXPECT_EQ(outcome.trace.case_index, 6u);
  EXPECT_EQ(outcome.output, "0 1 2 3 4 5 6 ");
  EXPECT_FALSE(IsolateEach(0, [](size_t) { _exit(9); }, Quick()).death.happened());
}

TEST(Isolate, EachOfSeveralHasItsOwnTime) {
  IsolationLimits limits = Quick();
  limits.wall_seconds = 0.8;
  const Outcome outcome = IsolateEach(4, [](size_t) { usleep(400'000); }, limits);
  EXPECT_FALSE(outcome.death.happened()) << outcome.death.ToString();
}

// The sanitizers' deaths; without them the same bodies end otherwise or not at all.
TEST(Isolate, TellsSanitizerReports) {
  if (!kAddressSanitizer) {
    EXPECT_FALSE(DeathOf([] { Lose(100); }).happened());
    return;
  }
  const auto read_freed = [] {
    BeginProgram(nullptr, nullptr);
    char* volatile freed = static_cast<char*>(std::malloc(10));
    std::free(freed);
    g_sink = freed[g_zero];
  };
  const Death death = DeathOf(read_freed);
  EXPECT_EQ(death.kind, DeathKind::kAddress);
  EXPECT_TRUE(absl::StartsWith(death.signature, "heap-use-after-free at +0x")) << death.signature;
  EXPECT_EQ(DeathOf(read_freed), death) << "the same in every process";
  EXPECT_EQ(DeathOf([] { g_sink = 1 / g_zero; }).kind, DeathKind::kUndefined);
  EXPECT_TRUE(
      absl::StrContains(DeathOf([] { g_sink = 1 / g_zero; }).signature, "integer-divide-by-zero"));
}

TEST(Isolate, TellsLeaksByWhereTheyWereAllocated) {
  if (!kAddressSanitizer) {
    EXPECT_FALSE(DeathOf([] { Lose(7); }).happened());
    return;
  }
  IsolationLimits limits = Quick();
  limits.leaks = true;
  EXPECT_FALSE(DeathOf([] { Lose(100); }).happened()) << "nobody looked";
  const Death death = DeathOf([] { Lose(100); }, limits);
  EXPECT_EQ(death.kind, DeathKind::kLeak);
  EXPECT_EQ(DeathOf([] { Lose(100); }, limits).kind, DeathKind::kLeak);
  EXPECT_TRUE(absl::StartsWith(death.signature, "leak at +0x")) << death.signature;
  const Death other = DeathOf([] { LoseElsewhere(); }, limits);
  EXPECT_EQ(other.kind, DeathKind::kLeak);
  EXPECT_FALSE(other == death);
}

TEST(Isolate, AmongSeveralTheOneThatLeaksIsTold) {
  if (!kAddressSanitizer) {
    EXPECT_FALSE(DeathOf([] { Lose(7); }).happened());
    return;
  }
  IsolationLimits limits = Quick();
  limits.leaks = true;
  const Outcome outcome = IsolateEach(
      30,
      [](size_t i) {
        if (g_kept != nullptr) g_sink = static_cast<int>(g_kept->size());
        std::vector<std::string> freed(50, std::string(100, 'x'));
        if (i == 3) g_kept = new std::vector<std::string>(10);  // reachable: no leak
        if (i == 20) Lose(50);
      },
      limits);
  EXPECT_EQ(outcome.death.kind, DeathKind::kLeak) << outcome.death.ToString();
  EXPECT_EQ(outcome.trace.case_index, 20u);
}

}  // namespace
}  // namespace tuplestone::kit
