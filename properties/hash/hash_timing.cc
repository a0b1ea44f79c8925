#include "properties/hash/hash_timing.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <string>
#include <unordered_map>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_format.h"
#include "engine/base/block_store.h"
#include "engine/base/bytes.h"
#include "engine/hash/tuple_table.h"
#include "engine/memory/alloc_set.h"
#include "engine/memory/bump.h"
#include "properties/kit/random.h"

namespace tuplestone::properties {
namespace {

using tuple::Tuple;
using tuple::Type;
using tuple::Value;

constexpr size_t kProbesMin = size_t{1} << 16;
constexpr size_t kProbesMax = size_t{1} << 21;

template <class F>
double Seconds(const F& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// A bijection: different numbers are different keys.
uint64_t Scrambled(uint64_t n) {
  n = (n ^ n >> 30) * 0xBF58476D1CE4E5B9;
  n = (n ^ n >> 27) * 0x94D049BB133111EB;
  return n ^ n >> 31;
}

std::vector<uint64_t> Shuffled(size_t count, uint64_t from, kit::Random& random) {
  std::vector<uint64_t> numbers(count);
  for (size_t i = 0; i < count; ++i) numbers[i] = from + i;
  for (size_t i = count; i > 1; --i) std::swap(numbers[i - 1], numbers[random.Below(i)]);
  return numbers;
}

// Tuples of `schema` one behind the other.
class TupleArray {
 public:
  explicit TupleArray(const tuple::Schema& schema) : schema_(schema) {}

  void Reserve(size_t tuples, size_t bytes) {
    offsets_.reserve(tuples);
    words_.reserve(tuples * (MaxAlign(bytes) / 8));
  }
  void Add(absl::Span<const Value> values) {
    const size_t bytes = tuple::FormedBytesOrDie(schema_, values);
    offsets_.push_back(words_.size());
    words_.resize(words_.size() + MaxAlign(bytes) / 8);
    auto* to = reinterpret_cast<std::byte*>(words_.data() + offsets_.back());
    tuple::FormInto(schema_, values, to, bytes);
  }
  std::vector<Tuple> Tuples() const {
    std::vector<Tuple> tuples;
    tuples.reserve(offsets_.size());
    for (const size_t offset : offsets_) {
      tuples.emplace_back(reinterpret_cast<const std::byte*>(words_.data() + offset));
    }
    return tuples;
  }

 private:
  tuple::Schema schema_;
  std::vector<uint64_t> words_;
  std::vector<size_t> offsets_;
};

struct Int8Keys {
  using Key = int64_t;
  using Held = int64_t;
  static constexpr Type kType = Type::kInt8;
  static constexpr size_t kTupleBytes = 24;
  static Key Of(uint64_t n) { return static_cast<int64_t>(Scrambled(n)); }
  static Value ValueOf(const Key& key) { return Value::Int8(key); }
};

struct TextKeys {
  using Key = std::string;
  using Held = std::string;
  static constexpr Type kType = Type::kText;
  static constexpr size_t kTupleBytes = 40;
  static Key Of(uint64_t n) { return absl::StrFormat("key-%016x", Scrambled(n)); }
  static Value ValueOf(const Key& key) { return Value::Text(key); }
};

// The engine's table with what it stands on.
class EngineTable {
 public:
  explicit EngineTable(Type type)
      : schema_(*tuple::Schema::Make({type})),
        tuples_(memory::Bump::Create(SystemBlockSource(), "tuples", Blocks())),
        buckets_(memory::AllocSet::Create(SystemBlockSource(), "buckets")),
        space_(*tuples_),
        table_(*tuple::Hasher::Make(schema_, {0}, 1), space_, *buckets_, Options()) {}

  hash::TupleTable& table() { return table_; }
  const tuple::Schema& schema() const { return schema_; }
  size_t held() const { return tuples_->held_bytes() + buckets_->held_bytes(); }

 private:
  // As an aggregation has them.
  static memory::Options Blocks() {
    memory::Options options;
    options.limits.growth_divisor = 64;
    return options;
  }
  static hash::TableOptions Options() {
    hash::TableOptions options;
    options.additional_bytes = 8;
    return options;
  }
  tuple::Schema schema_;
  memory::OwnedContext<memory::Bump> tuples_;
  memory::OwnedContext<memory::AllocSet> buckets_;
  hash::TupleSpace space_;
  hash::TupleTable table_;
};

int64_t CountOf(const hash::Member& member) {
  return member ? Load<int64_t>(member.additional) : 0;
}

int64_t FindEach(const hash::TupleTable& table, const std::vector<Tuple>& probes) {
  int64_t sum = 0;
  for (const Tuple row : probes) sum += CountOf(table.Find(row));
  return sum;
}

int64_t FindInBatches(const hash::TupleTable& table, const std::vector<Tuple>& probes) {
  int64_t sum = 0;
  std::array<hash::Member, hash::kBatchMax> found;
  for (size_t at = 0; at < probes.size(); at += hash::kBatchMax) {
    const size_t n = std::min(hash::kBatchMax, probes.size() - at);
    table.FindBatch(absl::MakeConstSpan(probes.data() + at, n), absl::MakeSpan(found.data(), n));
    for (size_t i = 0; i < n; ++i) sum += CountOf(found[i]);
  }
  return sum;
}

template <class Map, class Key>
int64_t FindInMap(const Map& map, const std::vector<Key>& probes) {
  int64_t sum = 0;
  for (const Key& key : probes) {
    const auto found = map.find(key);
    if (found != map.end()) sum += found->second;
  }
  return sum;
}

template <class Keys>
double BuildEngine(EngineTable& engine, const std::vector<uint64_t>& numbers) {
  TupleArray rows(engine.schema());
  rows.Reserve(numbers.size(), Keys::kTupleBytes);
  for (const uint64_t n : numbers) {
    const typename Keys::Key key = Keys::Of(n);
    rows.Add({Keys::ValueOf(key)});
  }
  const std::vector<Tuple> tuples = rows.Tuples();
  return Seconds([&] {
    std::array<hash::Member, hash::kBatchMax> made;
    for (size_t at = 0; at < tuples.size(); at += hash::kBatchMax) {
      const size_t n = std::min(hash::kBatchMax, tuples.size() - at);
      engine.table().FindOrInsertBatch(absl::MakeConstSpan(tuples.data() + at, n),
                                       absl::MakeSpan(made.data(), n));
      for (size_t i = 0; i < n; ++i) Store(made[i].additional, int64_t{1});
    }
  });
}

template <class Keys>
LookupTimes TimeLookupsOf(size_t groups, bool hits, int rounds) {
  using Key = typename Keys::Key;
  kit::Random random(groups);
  const std::vector<uint64_t> numbers = Shuffled(groups, 0, random);
  LookupTimes times;
  EngineTable engine(Keys::kType);
  times.build = BuildEngine<Keys>(engine, numbers) * 1e9 / static_cast<double>(groups);
  times.group_bytes = static_cast<double>(engine.held()) / static_cast<double>(groups);
  absl::flat_hash_map<typename Keys::Held, int64_t> flat;
  times.build_flat = Seconds([&] {
                       for (const uint64_t n : numbers) flat[Keys::Of(n)] = 1;
                     }) *
                     1e9 / static_cast<double>(groups);
  std::unordered_map<typename Keys::Held, int64_t> unordered;
  for (const uint64_t n : numbers) unordered[Keys::Of(n)] = 1;

  const size_t probe_count = std::clamp(groups, kProbesMin, kProbesMax);
  std::vector<Key> keys;
  keys.reserve(probe_count);
  TupleArray rows(engine.schema());
  rows.Reserve(probe_count, Keys::kTupleBytes);
  for (size_t i = 0; i < probe_count; ++i) {
    keys.push_back(Keys::Of(random.Below(groups) + (hits ? 0 : groups)));
    rows.Add({Keys::ValueOf(keys.back())});
  }
  const std::vector<Tuple> probes = rows.Tuples();
  std::array<std::vector<double>, 4> all;
  int64_t sum = 0;
  for (int round = 0; round < rounds; ++round) {
    all[0].push_back(Seconds([&] { sum += FindEach(engine.table(), probes); }));
    all[1].push_back(Seconds([&] { sum += FindInBatches(engine.table(), probes); }));
    all[2].push_back(Seconds([&] { sum += FindInMap(flat, keys); }));
    all[3].push_back(Seconds([&] { sum += FindInMap(unordered, keys); }));
  }
  // Also what keeps the lookups from being left out.
  const auto expected = static_cast<int64_t>(hits ? 4 * probe_count : 0) * rounds;
  if (sum != expected) std::abort();
  const double scale = 1e9 / static_cast<double>(probe_count);
  times.single = MedianOf(all[0]) * scale;
  times.batched = MedianOf(all[1]) * scale;
  times.flat = MedianOf(all[2]) * scale;
  times.unordered = MedianOf(all[3]) * scale;
  return times;
}

tuple::Schema SchemaOf(TimedAggregation::Input input) {
  if (input == TimedAggregation::Input::kInt4) return *tuple::Schema::Make({Type::kInt4});
  if (input == TimedAggregation::Input::kInt4Pair) {
    return *tuple::Schema::Make({Type::kInt4, Type::kInt4});
  }
  return *tuple::Schema::Make({Type::kInt8, Type::kInt8});
}

hash::AggregatePlan PlanOf(TimedAggregation::Input input, TimedAggregation::Query query) {
  std::vector<hash::Aggregate> aggregates = {{hash::Function::kCount, hash::kNoColumn}};
  if (query == TimedAggregation::Query::kCountAndSum) {
    aggregates.push_back({hash::Function::kSum, 1});
  }
  return *hash::AggregatePlan::Make(SchemaOf(input), {0}, aggregates);
}

}  // namespace

double MedianOf(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

LookupTimes TimeLookups(TimedKeys keys, size_t groups, bool hits, int rounds) {
  if (keys == TimedKeys::kInt8) return TimeLookupsOf<Int8Keys>(groups, hits, rounds);
  return TimeLookupsOf<TextKeys>(groups, hits, rounds);
}

TimedAggregation::TimedAggregation(Input input, Query query, size_t rows, size_t groups)
    : plan_(PlanOf(input, query)) {
  const size_t bytes = input == Input::kInt8Pair ? 32 : 24;
  words_.resize(rows * bytes / 8);
  kit::Random random(rows + groups);
  const std::vector<uint64_t> order = Shuffled(rows, 0, random);
  for (size_t i = 0; i < rows; ++i) {
    const uint64_t group = order[i] % groups;
    std::vector<Value> values;
    if (input == Input::kInt4) {
      values = {Value::Int4(static_cast<int32_t>(group))};
    } else if (input == Input::kInt4Pair) {
      values = {Value::Int4(static_cast<int32_t>(group)), Value::Int4(0)};
    } else {
      values = {Value::Int8(static_cast<int64_t>(Scrambled(group))),
                Value::Int8(static_cast<int64_t>(i % 1000))};
    }
    auto* to = reinterpret_cast<std::byte*>(words_.data() + i * bytes / 8);
    tuple::FormInto(plan_.input(), values, to, tuple::FormedBytesOrDie(plan_.input(), values));
    rows_.emplace_back(to);
  }
}

double TimedAggregation::Run(const hash::AggregationOptions& options,
                             hash::AggregationStats* stats) {
  MemoryBlockStore partitions(options.tape.block_bytes);
  MemoryBlockStore sort(options.tape.block_bytes);
  uint64_t groups = 0;
  const double seconds = Seconds([&] {
    hash::Aggregation aggregation(plan_, options, partitions, sort);
    if (!aggregation.Add(rows_).ok() || !aggregation.Finish().ok()) std::abort();
    while (!aggregation.Next()->empty()) ++groups;
    *stats = aggregation.Stats();
  });
  if (groups != stats->groups) std::abort();
  return seconds;
}

}  // namespace tuplestone::properties
