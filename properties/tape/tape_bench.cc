// What tapes cost over moving the same bytes without them. A row is one way of use; its columns are
// nanoseconds a block of 8 kB, written and read once, of the tape and of the plain way, measured in
// turns within the row, and the median of their ratios.
//
//   memory   the tape in a MemoryBlockStore      plain: memcpy there and back
//   file     the tape in a FileBlockStore        plain: pwrite and pread of blocks of 8 kB
//
// Bytes are written and read in pieces of a row's size, in memory by the plain way too; `whole` is
// one piece. Plain files are moved a block at a time. Stores and files were written before, so no
// row pays for first touches; nothing is forced to disk. To run: cmake --preset bench && cmake
// --build build/bench --target tape_bench, then
//
//   build/bench/properties/tape_bench
//
// What it does not time: many tapes at once, and disks.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/block_store.h"
#include "engine/base/check.h"
#include "engine/tape/tape.h"

namespace tuplestone::properties {
namespace {

constexpr Invariant kMoved{"T2", "the benchmark moves what it says"};

constexpr size_t kBlockBytes = 8192;

bool IsSmall() { return std::getenv("TUPLESTONE_BENCH_SMALL") != nullptr; }
size_t DataBytes() { return (IsSmall() ? 1 : 32) * (size_t{1} << 20); }
int64_t RoundCount() { return IsSmall() ? 1 : 41; }

std::vector<std::byte> SomeBytes() {
  std::vector<std::byte> bytes(DataBytes());
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 37 + i / 251);
  return bytes;
}

double Seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double Median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

void MustBeOk(const absl::Status& status) { TUPLESTONE_CHECK(kMoved, status.ok()); }

// As a sort moves tuples: in place where the piece lies in one block.
void WritePiece(tape::Tape& tape, Bytes piece) {
  std::byte* to = tape.Append(piece.size());
  if (to == nullptr) return MustBeOk(tape.Write(piece));
  std::memcpy(to, piece.data(), piece.size());
}

void ReadPiece(tape::Tape& tape, MutableBytes piece) {
  const std::byte* from = tape.Peek(piece.size());
  if (from == nullptr) return MustBeOk(tape.Read(piece).status());
  std::memcpy(piece.data(), from, piece.size());
  tape.Skip(piece.size());
}

// All of `data` through a tape of the set, in pieces, into `out`.
void ThroughTape(tape::TapeSet& set, Bytes data, MutableBytes out, size_t piece) {
  tape::Tape* tape = *set.Create();
  for (size_t at = 0; at < data.size(); at += piece) WritePiece(*tape, data.subspan(at, piece));
  MustBeOk(tape->Rewind());
  for (size_t at = 0; at < out.size(); at += piece) ReadPiece(*tape, out.subspan(at, piece));
  set.Close(tape);
}

// Runs both in turns and fills the columns.
void Compare(benchmark::State& state, const std::function<void()>& tape,
             const std::function<void()>& plain) {
  std::vector<double> tape_seconds;
  std::vector<double> plain_seconds;
  std::vector<double> ratios;
  tape();  // touches everything once
  plain();
  for (auto unused : state) {
    tape_seconds.push_back(Seconds(tape));
    plain_seconds.push_back(Seconds(plain));
    ratios.push_back(tape_seconds.back() / plain_seconds.back());
  }
  const double blocks = static_cast<double>(DataBytes()) / kBlockBytes;
  state.counters["tape"] = Median(tape_seconds) * 1e9 / blocks;
  state.counters["plain"] = Median(plain_seconds) * 1e9 / blocks;
  state.counters["ratio"] = Median(ratios);
}

void CopyPieces(Bytes from, MutableBytes to, size_t piece) {
  for (size_t at = 0; at < from.size(); at += piece) {
    std::memcpy(to.data() + at, from.data() + at, piece);
  }
  benchmark::DoNotOptimize(to.data());
}

void Memory(benchmark::State& state, size_t piece) {
  const std::vector<std::byte> data = SomeBytes();
  std::vector<std::byte> out(data.size());
  std::vector<std::byte> between(data.size());
  MemoryBlockStore store(kBlockBytes);
  tape::TapeSet set(store);
  Compare(
      state, [&] { ThroughTape(set, data, absl::MakeSpan(out), piece); },
      [&] {
        CopyPieces(data, absl::MakeSpan(between), piece);
        CopyPieces(between, absl::MakeSpan(out), piece);
      });
  TUPLESTONE_CHECK(kMoved, out == data);
}

void PlainFile(int descriptor, Bytes data, MutableBytes out) {
  for (size_t at = 0; at < data.size(); at += kBlockBytes) {
    const ssize_t written =
        ::pwrite(descriptor, data.data() + at, kBlockBytes, static_cast<off_t>(at));
    TUPLESTONE_CHECK_EQ(kMoved, kBlockBytes, written);
  }
  for (size_t at = 0; at < data.size(); at += kBlockBytes) {
    const ssize_t read = ::pread(descriptor, out.data() + at, kBlockBytes, static_cast<off_t>(at));
    TUPLESTONE_CHECK_EQ(kMoved, kBlockBytes, read);
  }
}

void File(benchmark::State& state, size_t piece) {
  const std::vector<std::byte> data = SomeBytes();
  std::vector<std::byte> out(data.size());
  auto store = FileBlockStore::Create(kBlockBytes);
  MustBeOk(store.status());
  tape::TapeSet set(**store);
  std::FILE* plain = std::tmpfile();
  TUPLESTONE_CHECK(kMoved, plain != nullptr);
  Compare(
      state, [&] { ThroughTape(set, data, absl::MakeSpan(out), piece); },
      [&] { PlainFile(::fileno(plain), data, absl::MakeSpan(out)); });
  TUPLESTONE_CHECK(kMoved, out == data);
  (void)std::fclose(plain);
}

void Register() {
  benchmark::RegisterBenchmark("memory/whole", Memory, DataBytes())->Iterations(RoundCount());
  for (const size_t piece : {size_t{64}, size_t{1024}, size_t{8192}}) {
    const std::string suffix = "/piece:" + std::to_string(piece);
    benchmark::RegisterBenchmark(("memory" + suffix).c_str(), Memory, piece)
        ->Iterations(RoundCount());
    benchmark::RegisterBenchmark(("file" + suffix).c_str(), File, piece)->Iterations(RoundCount());
  }
}

const bool registered = (Register(), true);

}  // namespace
}  // namespace tuplestone::properties
