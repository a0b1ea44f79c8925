// How `hash_bench` and `tuplestone lab aggregate` time tables and aggregations, side by side with
// what others do. A round is every subject once, one after the other, so that a slow moment hits
// all; the median of the rounds counts. Keys are random, and come in random order.
//
// What it does not do: look at results, which are the suite's matter.
#ifndef TUPLESTONE_PROPERTIES_HASH_HASH_TIMING_H_
#define TUPLESTONE_PROPERTIES_HASH_HASH_TIMING_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/hash/aggregation.h"
#include "engine/tuple/minimal_tuple.h"

namespace tuplestone::properties {

enum class TimedKeys : uint8_t { kInt8, kText };

// Nanoseconds a lookup of each subject, in tables of the same keys, each with one count.
struct LookupTimes {
  double single = 0;
  double batched = 0;
  double flat = 0;       // absl::flat_hash_map
  double unordered = 0;  // std::unordered_map
  double build = 0;      // nanoseconds a group: the engine's table, from nothing
  double build_flat = 0;
  double group_bytes = 0;  // held by the engine's two contexts
};

// `hits`: every key that is looked up is there; else none is.
LookupTimes TimeLookups(TimedKeys keys, size_t groups, bool hits, int rounds);

// An aggregation over rows in memory, to be run many times.
class TimedAggregation {
 public:
  enum class Input : uint8_t {
    kInt4,      // int4: the key
    kInt4Pair,  // int4: the key, int4: not needed
    kInt8Pair,  // int8: the key, int8: the argument
  };
  enum class Query : uint8_t { kCount, kCountAndSum };

  // `rows` rows over `groups` groups, each as often as the next, in random order.
  TimedAggregation(Input input, Query query, size_t rows, size_t groups);

  // Runs the query once, with stores in memory; seconds.
  double Run(const hash::AggregationOptions& options, hash::AggregationStats* stats);

  size_t rows() const { return rows_.size(); }

 private:
  hash::AggregatePlan plan_;
  std::vector<uint64_t> words_;  // the rows' memory
  std::vector<tuple::Tuple> rows_;
};

double MedianOf(std::vector<double> times);

}  // namespace tuplestone::properties

#endif  // TUPLESTONE_PROPERTIES_HASH_HASH_TIMING_H_
