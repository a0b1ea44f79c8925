// PostgreSQL's thread on Generation contexts in sorts, on the real sorter: 64-byte tuples, 64 MB,
// and how many of them a run holds in the layouts of PostgreSQL 14 and 15. (What all its rows take,
// the model of properties/sort predicts.)
#include <gtest/gtest.h>

#include <vector>

#include "engine/base/block_store.h"
#include "engine/sort/sorter.h"

namespace tuplestone::sort {
namespace {

// Keeps nothing; nobody reads before Sort.
class CountingStore final : public BlockStore {
 public:
  size_t block_bytes() const override { return 8192; }
  absl::Status Write(uint32_t, Bytes) override {
    ++writes_;
    return absl::OkStatus();
  }
  absl::Status Read(uint32_t, MutableBytes) override { return absl::DataLossError("not kept"); }
  uint64_t writes() const { return writes_; }

 private:
  uint64_t writes_ = 0;
};

struct Case {
  Layout layout;
  int columns;
  size_t tuple_bytes;
  uint64_t first_run;
  uint64_t later_run;
};

// Tuples in the first run and in each of the three after it.
std::vector<uint64_t> MeasuredRuns(const Case& c) {
  const std::vector<tuple::Type> types(static_cast<size_t>(c.columns), tuple::Type::kInt8);
  const tuple::Schema schema = *tuple::Schema::Make(types);
  CountingStore store;
  Options options;
  options.budget_bytes = 64 << 20;
  options.layout = c.layout;
  Sorter sorter(*tuple::Order::Make(schema, {tuple::SortKey{}}), store, options);
  // The thread's row is the same number in every column; the key alone matters here.
  const std::vector<tuple::Value> row(types.size(), tuple::Value::Int8(0));
  std::vector<uint64_t> words(c.tuple_bytes / 8);
  auto* bytes = reinterpret_cast<std::byte*>(words.data());
  EXPECT_EQ(tuple::FormedBytesOrDie(schema, row), c.tuple_bytes);
  tuple::FormInto(schema, row, bytes, c.tuple_bytes);
  std::vector<uint64_t> runs;
  uint64_t before = 0;
  for (int64_t x = 1; runs.size() < 4; ++x) {
    Store(bytes + schema.fixed_offset(0), x);
    if (!sorter.Put(tuple::Tuple(bytes)).ok()) return {};
    if (sorter.runs() == runs.size()) continue;
    runs.push_back(static_cast<uint64_t>(x) - before);
    before = static_cast<uint64_t>(x);
  }
  // A tape's last block is still in its buffer.
  const uint64_t record = c.tuple_bytes - kTuplePadBytes;
  uint64_t blocks = 0;
  for (uint64_t run : runs) blocks += (run * record + kRecordWordBytes - 1) / (8192 - 16);
  EXPECT_EQ(store.writes(), blocks);
  EXPECT_EQ(sorter.Stats().order, 240u);
  return runs;
}

void ExpectRuns(const Case& c) {
  EXPECT_EQ(MeasuredRuns(c),
            (std::vector<uint64_t>{c.first_run, c.later_run, c.later_run, c.later_run}));
}

// S1, S8: the thread's 620,702 and 576,845, 385,805 and 538,761.
TEST(ThreadOfSorts, AllocSetHolds620702Of64Bytes) {
  ExpectRuns({Layout::kAllocSet, 6, 64, 645'277, 620'702});
}
TEST(ThreadOfSorts, GenerationHolds576845Of64Bytes) {
  ExpectRuns({Layout::kGeneration, 6, 64, 599'186, 576'845});
}
TEST(ThreadOfSorts, AllocSetHolds385805Of72Bytes) {
  ExpectRuns({Layout::kAllocSet, 7, 72, 399'457, 385'805});
}
TEST(ThreadOfSorts, GenerationHolds538761Of72Bytes) {
  ExpectRuns({Layout::kGeneration, 7, 72, 559'240, 538'761});
}

// 174 runs of the thread's rows: the first, and (140,247,142 - 838,860) / 808,142 more, rounded up.
TEST(ThreadOfSorts, CompactHolds808142Of64Bytes) {
  ExpectRuns({Layout::kCompact, 6, 64, 838'860, 808'142});
}

}  // namespace
}  // namespace tuplestone::sort
