// Nanoseconds a tuple: forming, reading, comparing and hashing. Rows are kinds of tuples, 4,096 of
// each, which lie one behind the other as a sort would have them; comparing and hashing go over
// them in an order of their own, as a sort would.
//
//   six_int8     six int8, 64 bytes, the first column the key
//   mixed        int4, text of 8 to 20 bytes, float8, int8, bool, int2; the text the key
//   nulls        the same with a null in the int4, so that every offset is walked to
//
// To run: cmake --preset bench && cmake --build build/bench --target tuple_bench, then
//
//   build/bench/properties/tuple_bench
#include <benchmark/benchmark.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "engine/memory/bump.h"
#include "engine/tuple/hash.h"
#include "engine/tuple/minimal_tuple.h"
#include "engine/tuple/order.h"
#include "properties/kit/random.h"

namespace tuplestone::properties {
namespace {

using tuple::Type;
using tuple::Value;

constexpr size_t kTuples = 4096;

enum Kind { kSixInt8, kMixed, kNulls };

class Workload {
 public:
  explicit Workload(Kind kind)
      : kind_(kind),
        key_(kind == kSixInt8 ? 0 : 1),
        schema_(*tuple::Schema::Make(
            kind == kSixInt8 ? std::vector<Type>(6, Type::kInt8)
                             : std::vector<Type>{Type::kInt4, Type::kText, Type::kFloat8,
                                                 Type::kInt8, Type::kBool, Type::kInt2})),
        context_(memory::Bump::Create(SystemBlockSource(), "tuples")) {
    kit::Random random(7);
    for (size_t i = 0; i < kTuples; ++i) {
      texts_.push_back(
          std::string(8 + random.Below(13), static_cast<char>('a' + random.Below(26))));
      texts_.back()[3] = static_cast<char>(random.Next());
    }
    for (size_t i = 0; i < kTuples; ++i) {
      rows_.push_back(RowOf(i, random));
      tuples_.push_back(Form(schema_, rows_.back(), *context_));
    }
    for (size_t i = 0; i < kTuples; ++i) shuffled_.push_back(tuples_[i * 2654435761 % kTuples]);
  }

  const tuple::Schema& schema() const { return schema_; }
  uint16_t key() const { return key_; }
  const std::vector<std::vector<Value>>& rows() const { return rows_; }
  const std::vector<tuple::Tuple>& shuffled() const { return shuffled_; }

 private:
  std::vector<Value> RowOf(size_t i, kit::Random& random) const {
    const auto number = [&] { return static_cast<int64_t>(random.Next()); };
    if (kind_ == kSixInt8) {
      std::vector<Value> row;
      for (int c = 0; c < 6; ++c) row.push_back(Value::Int8(number()));
      return row;
    }
    return {kind_ == kNulls ? Value() : Value::Int4(static_cast<int32_t>(number())),
            Value::Text(texts_[i]),
            Value::Float8(static_cast<double>(number())),
            Value::Int8(number()),
            Value::Bool(random.OneIn(2)),
            Value::Int2(static_cast<int16_t>(number()))};
  }

  Kind kind_;
  uint16_t key_;
  tuple::Schema schema_;
  memory::OwnedContext<memory::Bump> context_;
  std::vector<std::string> texts_;
  std::vector<std::vector<Value>> rows_;
  std::vector<tuple::Tuple> tuples_;
  std::vector<tuple::Tuple> shuffled_;
};

void Done(benchmark::State& state) {
  const double tuples = static_cast<double>(state.iterations()) * kTuples;
  state.counters["ns"] =
      benchmark::Counter(tuples * 1e-9, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void FormTuples(benchmark::State& state, Kind kind) {
  const Workload work(kind);
  alignas(8) std::byte to[256];
  for (auto unused : state) {
    for (const std::vector<Value>& row : work.rows()) {
      const size_t bytes = FormedBytesOrDie(work.schema(), row);
      FormInto(work.schema(), row, to, bytes);
      benchmark::DoNotOptimize(to);
    }
  }
  Done(state);
}

void DeformTuples(benchmark::State& state, Kind kind) {
  const Workload work(kind);
  Value values[6];
  for (auto unused : state) {
    for (const tuple::Tuple tuple : work.shuffled()) {
      Deform(work.schema(), tuple, values);
      benchmark::DoNotOptimize(values);
    }
  }
  Done(state);
}

void CompareTuples(benchmark::State& state, Kind kind) {
  const Workload work(kind);
  const tuple::SortKey key = {.column = work.key()};
  const tuple::Order order = *tuple::Order::Make(work.schema(), {&key, 1});
  for (auto unused : state) {
    tuple::Tuple last = work.shuffled().back();
    for (const tuple::Tuple tuple : work.shuffled()) {
      benchmark::DoNotOptimize(order.Compare(last, tuple));
      last = tuple;
    }
  }
  Done(state);
}

void PrefixTuples(benchmark::State& state, Kind kind) {
  const Workload work(kind);
  const tuple::SortKey key = {.column = work.key()};
  const tuple::Order order = *tuple::Order::Make(work.schema(), {&key, 1});
  for (auto unused : state) {
    for (const tuple::Tuple tuple : work.shuffled()) benchmark::DoNotOptimize(order.Prefix(tuple));
  }
  Done(state);
}

void HashTuples(benchmark::State& state, Kind kind) {
  const Workload work(kind);
  const uint16_t column = work.key();
  const tuple::Hasher hasher = *tuple::Hasher::Make(work.schema(), {&column, 1}, 1);
  for (auto unused : state) {
    for (const tuple::Tuple tuple : work.shuffled()) benchmark::DoNotOptimize(hasher.Hash(tuple));
  }
  Done(state);
}

void ReadLastColumn(benchmark::State& state, Kind kind) {
  const Workload work(kind);
  for (auto unused : state) {
    for (const tuple::Tuple tuple : work.shuffled()) {
      benchmark::DoNotOptimize(Column(work.schema(), tuple, 5));
    }
  }
  Done(state);
}

void ValidateTuples(benchmark::State& state, Kind kind) {
  const Workload work(kind);
  for (auto unused : state) {
    for (const tuple::Tuple tuple : work.shuffled()) {
      benchmark::DoNotOptimize(Validate(work.schema(), tuple.span()).ok());
    }
  }
  Done(state);
}

void Register() {
  const std::pair<const char*, void (*)(benchmark::State&, Kind)> works[] = {
      {"form", FormTuples},        {"deform", DeformTuples}, {"last_column", ReadLastColumn},
      {"compare", CompareTuples},  {"prefix", PrefixTuples}, {"hash", HashTuples},
      {"validate", ValidateTuples}};
  const std::pair<const char*, Kind> kinds[] = {
      {"six_int8", kSixInt8}, {"mixed", kMixed}, {"nulls", kNulls}};
  for (const auto& [work, run] : works) {
    for (const auto& [name, kind] : kinds) {
      benchmark::RegisterBenchmark((std::string(work) + "/" + name).c_str(), run, kind);
    }
  }
}

const bool registered = (Register(), true);

}  // namespace
}  // namespace tuplestone::properties
