// What an allocation and its free take, against what else there is. A row is a pattern, a number of
// live chunks and their size; its columns are nanoseconds for a chunk allocated and freed, in the
// median of rounds in which the subjects take turns, and the kinds' shares of malloc's.
//
//   fill     all are allocated, then the heap is reset (malloc: each freed, oldest first)
//   fifo     the oldest goes, a new one comes            random   any one goes, a new one comes
//   lifo     all are allocated, then freed newest first  mixed    the same, of all sizes
//
// The first 8 bytes of a chunk are written. The last rows are bytes obtained for a chunk, with and
// without what is left of the last block. Built twice: memory_hardened_bench is the same with the
// engine's own checks, and its `of_malloc` over this one's is what they cost. To run:
//
//   cmake --preset bench && cmake --build build/bench --target memory_bench memory_hardened_bench
//   build/bench/properties/memory_bench
//
// What it does not time: alignments, reallocation, trees.
#include <benchmark/benchmark.h>
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "properties/memory/timed_heaps.h"

namespace tuplestone::properties {
namespace {

enum class Pattern { kFill, kFifo, kLifo, kRandom, kMixed };
constexpr std::array kPatternNames = {"fill", "fifo", "lifo", "random", "mixed"};
constexpr std::array<size_t, 5> kSizes = {16, 64, 72, 200, 1000};

bool IsSmall() { return std::getenv("TUPLESTONE_BENCH_SMALL") != nullptr; }

struct Row {
  Pattern pattern;
  size_t bytes;
  size_t live;
};

// Which chunk goes at each turn, and of what size the next one is: the same for all subjects.
struct Turn {
  uint32_t slot;
  uint32_t bytes;
};

std::vector<Turn> DrawTurns(const Row& row, size_t count) {
  std::vector<Turn> turns(count);
  uint64_t state = 0x6d656d6f7279;
  for (size_t i = 0; i < count; ++i) {
    state = state * 6364136223846793005 + 1442695040888963407;
    const bool random = row.pattern == Pattern::kRandom || row.pattern == Pattern::kMixed;
    turns[i].slot = static_cast<uint32_t>(random ? (state >> 33) % row.live : i % row.live);
    turns[i].bytes = static_cast<uint32_t>(
        row.pattern == Pattern::kMixed ? kSizes[(state >> 20) % kSizes.size()] : row.bytes);
  }
  return turns;
}

// One subject of a row. A round is at least one pass over all live chunks.
class Timed {
 public:
  virtual ~Timed() = default;
  virtual void RunRound(const Row& row, const std::vector<Turn>& turns) = 0;
  double Nanoseconds() {
    if (rounds_.empty()) return 0;
    std::nth_element(rounds_.begin(), rounds_.begin() + rounds_.size() / 2, rounds_.end());
    return rounds_[rounds_.size() / 2];
  }

 protected:
  std::vector<double> rounds_;
};

template <class Heap>
class TimedHeap final : public Timed {
 public:
  template <class Argument>
  explicit TimedHeap(Argument argument) : heap_(argument) {}
  ~TimedHeap() override {
    if (!live_.empty() && steady_) heap_.Reset(live_, 0);
  }

  void RunRound(const Row& row, const std::vector<Turn>& turns) override {
    steady_ = row.pattern != Pattern::kFill && row.pattern != Pattern::kLifo;
    if (live_.empty()) Warm(row, turns);
    const auto start = std::chrono::steady_clock::now();
    if (steady_) {
      Steady(turns);
    } else {
      for (size_t i = 0; i < turns.size() / row.live; ++i) FillAndEmpty(row);
    }
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    rounds_.push_back(took.count() / static_cast<double>(turns.size() / row.live * row.live));
  }

 private:
  void* Allocate(size_t bytes) {
    void* p = heap_.Allocate(bytes);
    *static_cast<uint64_t*>(p) = bytes;
    return p;
  }
  void Warm(const Row& row, const std::vector<Turn>& turns) {
    live_.resize(row.live);
    bytes_.resize(row.live, row.bytes);
    if (!steady_) return;
    for (size_t i = 0; i < row.live; ++i) {
      bytes_[i] = turns[i].bytes;
      live_[i] = Allocate(bytes_[i]);
    }
  }
  void Steady(const std::vector<Turn>& turns) {
    for (const Turn& turn : turns) {
      heap_.Free(live_[turn.slot], bytes_[turn.slot]);
      live_[turn.slot] = Allocate(turn.bytes);
      bytes_[turn.slot] = turn.bytes;
    }
  }
  void FillAndEmpty(const Row& row) {
    for (void*& p : live_) p = Allocate(row.bytes);
    if (row.pattern == Pattern::kFill) {
      heap_.Reset(live_, row.bytes);
    } else {
      for (size_t i = live_.size(); i > 0; --i) heap_.Free(live_[i - 1], row.bytes);
    }
  }

  Heap heap_;
  bool steady_ = false;
  std::vector<void*> live_;
  std::vector<size_t> bytes_;
};

using Subjects = std::vector<std::pair<const char*, std::unique_ptr<Timed>>>;

template <class Heap, class Argument>
void AddIfAble(Subjects& subjects, const char* name, const Row& row, Argument argument) {
  if (!Heap::kFrees && row.pattern != Pattern::kFill) return;
  if (Heap::kOneSize && row.pattern == Pattern::kMixed) return;
  subjects.emplace_back(name, std::make_unique<TimedHeap<Heap>>(argument));
}

// Null functions where the library is not there.
MallocFunctions OpenMalloc(const char* library, const char* allocate, const char* free) {
  void* opened = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (opened == nullptr) return {};
  return {reinterpret_cast<void* (*)(size_t)>(dlsym(opened, allocate)),
          reinterpret_cast<void (*)(void*)>(dlsym(opened, free))};
}

Subjects MakeSubjects(const Row& row) {
  static const MallocFunctions mimalloc = OpenMalloc("libmimalloc.so.2", "mi_malloc", "mi_free");
  static const MallocFunctions jemalloc = OpenMalloc("libjemalloc.so.2", "malloc", "free");
  Subjects subjects;
  AddIfAble<TimedMalloc>(subjects, "malloc", row, MallocFunctions{&std::malloc, &std::free});
  AddIfAble<TimedContext<memory::AllocSet>>(subjects, "AllocSet", row, row.bytes);
  AddIfAble<TimedContext<memory::Generation>>(subjects, "Generation", row, row.bytes);
  AddIfAble<TimedContext<memory::Slab>>(subjects, "Slab", row, row.bytes);
  AddIfAble<TimedContext<memory::Bump>>(subjects, "Bump", row, row.bytes);
  using Pool = TimedResource<std::pmr::unsynchronized_pool_resource>;
  using Monotonic = TimedResource<std::pmr::monotonic_buffer_resource>;
  AddIfAble<Pool>(subjects, "pool", row, row.bytes);
  AddIfAble<Monotonic>(subjects, "monotonic", row, row.bytes);
  if (mimalloc.free != nullptr) AddIfAble<TimedMalloc>(subjects, "mimalloc", row, mimalloc);
  if (jemalloc.free != nullptr) AddIfAble<TimedMalloc>(subjects, "jemalloc", row, jemalloc);
  return subjects;
}

void Time(benchmark::State& state, const Row& row) {
  const std::vector<Turn> turns = DrawTurns(row, std::max<size_t>(row.live, 20000));
  Subjects subjects = MakeSubjects(row);
  for (auto unused : state) {
    for (auto& [name, subject] : subjects) subject->RunRound(row, turns);
  }
  const double malloc_ns = subjects[0].second->Nanoseconds();
  for (auto& [name, subject] : subjects) {
    state.counters[name] = subject->Nanoseconds();
    if (subject != subjects[0].second) {
      state.counters[absl::StrCat(name, "/malloc")] = subject->Nanoseconds() / malloc_ns;
    }
  }
}

template <class Heap>
void CountBytes(benchmark::State& state, const char* name, size_t bytes, size_t count) {
  Heap heap(bytes);
  for (size_t i = 0; i < count; ++i) benchmark::DoNotOptimize(heap.Allocate(bytes));
  state.counters[name] = static_cast<double>(heap.lent_bytes()) / static_cast<double>(count);
  if constexpr (requires { heap.used_bytes(); }) {
    state.counters[absl::StrCat(name, "_used")] =
        static_cast<double>(heap.used_bytes()) / static_cast<double>(count);
  }
}

void CountAllBytes(benchmark::State& state, size_t bytes, size_t count) {
  for (auto unused : state) {
    CountBytes<TimedContext<memory::AllocSet>>(state, "AllocSet", bytes, count);
    CountBytes<TimedContext<memory::Generation>>(state, "Generation", bytes, count);
    CountBytes<TimedContext<memory::Slab>>(state, "Slab", bytes, count);
    CountBytes<TimedContext<memory::Bump>>(state, "Bump", bytes, count);
    CountBytes<TimedResource<std::pmr::unsynchronized_pool_resource>>(state, "pool", bytes, count);
    CountBytes<TimedResource<std::pmr::monotonic_buffer_resource>>(state, "monotonic", bytes,
                                                                   count);
  }
}

void RegisterAll() {
  for (size_t pattern = 0; pattern < kPatternNames.size(); ++pattern) {
    for (const size_t live : {1000, 100000}) {
      for (const size_t bytes : kSizes) {
        Row row{static_cast<Pattern>(pattern), bytes, IsSmall() ? live / 100 : live};
        if (row.pattern == Pattern::kMixed) row.bytes = kSizes.back();
        if (row.pattern == Pattern::kMixed && bytes != kSizes[0]) continue;
        const std::string size =
            row.pattern == Pattern::kMixed ? "mixed" : std::to_string(row.bytes);
        benchmark::RegisterBenchmark(
            absl::StrCat(kPatternNames[pattern], "/live:", live, "/bytes:", size).c_str(),
            [row](benchmark::State& state) { Time(state, row); })
            ->Iterations(IsSmall()     ? 1
                         : live > 1000 ? 15
                                       : 51);
      }
    }
  }
  for (const size_t bytes : kSizes) {
    benchmark::RegisterBenchmark(absl::StrCat("obtained/bytes:", bytes).c_str(),
                                 [bytes](benchmark::State& state) {
                                   CountAllBytes(state, bytes, IsSmall() ? 1000 : 100000);
                                 })
        ->Iterations(1);
  }
}

// jemalloc wants more thread-local memory than is left to a library that is opened late, unless the
// process is started so.
void StartWithRoomForLibraries(char** argv) {
  if (std::getenv("GLIBC_TUNABLES") != nullptr) return;
  setenv("GLIBC_TUNABLES", "glibc.rtld.optional_static_tls=16384", 1);
  execv("/proc/self/exe", argv);
}

}  // namespace
}  // namespace tuplestone::properties

int main(int argc, char** argv) {
  tuplestone::properties::StartWithRoomForLibraries(argv);
  tuplestone::properties::RegisterAll();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
