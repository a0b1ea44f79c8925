#include "properties/sort/sort_timing.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <memory>
#include <vector>

#include "engine/base/block_store.h"
#include "engine/tuple/order.h"

namespace tuplestone::properties {
namespace {

double Now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

absl::StatusOr<std::unique_ptr<BlockStore>> MakeStore(bool on_files, size_t block_bytes) {
  if (!on_files) return std::make_unique<MemoryBlockStore>(block_bytes);
  absl::StatusOr<std::unique_ptr<FileBlockStore>> file = FileBlockStore::Create(block_bytes);
  if (!file.ok()) return file.status();
  return std::unique_ptr<BlockStore>(*std::move(file));
}

absl::Status PutRows(const TimedSort& options, const tuple::Schema& schema, sort::Sorter& sorter,
                     size_t* tuple_bytes) {
  const std::vector<tuple::Value> zeros(static_cast<size_t>(options.columns),
                                        tuple::Value::Int8(0));
  const size_t bytes = tuple::FormedBytesOrDie(schema, zeros);
  *tuple_bytes = bytes;
  std::vector<int64_t> words(bytes / 8);
  auto* memory = reinterpret_cast<std::byte*>(words.data());
  tuple::FormInto(schema, zeros, memory, bytes);
  const size_t first = static_cast<size_t>(schema.fixed_offset(0)) / 8;
  for (uint64_t i = 0; i < options.rows; ++i) {
    const int64_t key = KeyOfRow(options.order, i, options.rows);
    for (size_t column = 0; column < zeros.size(); ++column) words[first + column] = key;
    absl::Status put = sorter.Put(tuple::Tuple(memory));
    if (!put.ok()) return put;
  }
  return absl::OkStatus();
}

absl::Status FetchRows(const TimedSort& options, const tuple::Schema& schema,
                       sort::Sorter& sorter) {
  const auto at = static_cast<size_t>(schema.fixed_offset(0));
  for (uint64_t i = 0; i < options.rows; ++i) {
    const absl::StatusOr<tuple::Tuple> tuple = sorter.Next();
    if (!tuple.ok()) return tuple.status();
    if (!*tuple || Load<uint64_t>(tuple->data() + at) != i) {
      return absl::InternalError("the output is not the sorted input");
    }
  }
  return absl::OkStatus();
}

}  // namespace

const char* NameOf(InputOrder order) {
  constexpr const char* kNames[] = {"random", "ascending", "descending"};
  return kNames[static_cast<size_t>(order)];
}

// A permutation of [0, 2^bits) by steps that can each be undone, walked on until it is below
// `rows`.
int64_t KeyOfRow(InputOrder order, uint64_t i, uint64_t rows) {
  if (order == InputOrder::kAscending) return static_cast<int64_t>(i);
  if (order == InputOrder::kDescending) return static_cast<int64_t>(rows - 1 - i);
  uint64_t mask = 1;
  while (mask < rows) mask = mask * 2 + 1;
  const int half = std::max(1, static_cast<int>(std::bit_width(mask)) / 2);
  uint64_t key = i;
  do {
    for (int round = 0; round < 3; ++round) {
      key = key * 0x9e3779b97f4a7c15 & mask;
      key ^= key >> half;
    }
  } while (key >= rows);
  return static_cast<int64_t>(key);
}

absl::StatusOr<SortTimes> RunTimedSort(const TimedSort& options, BlockSource& source) {
  const std::vector<tuple::Type> types(static_cast<size_t>(options.columns), tuple::Type::kInt8);
  const tuple::Schema schema = *tuple::Schema::Make(types);
  sort::Options sort_options;
  sort_options.budget_bytes = options.budget_bytes;
  sort_options.layout = options.layout;
  sort_options.progress = options.progress;
  absl::StatusOr<std::unique_ptr<BlockStore>> store =
      MakeStore(options.on_files, sort_options.limits.block_bytes);
  if (!store.ok()) return store.status();
  sort::Sorter sorter(*tuple::Order::Make(schema, {tuple::SortKey{}}), **store, sort_options,
                      source);
  SortTimes times;
  const double begin = Now();
  absl::Status status = PutRows(options, schema, sorter, &times.tuple_bytes);
  if (!status.ok()) return status;
  const double put = Now();
  status = sorter.Sort();
  if (!status.ok()) return status;
  const double sorted = Now();
  status = FetchRows(options, schema, sorter);
  if (!status.ok()) return status;
  times.put_seconds = put - begin;
  times.sort_seconds = sorted - put;
  times.fetch_seconds = Now() - sorted;
  times.stats = sorter.Stats();
  return times;
}

}  // namespace tuplestone::properties
