#include "properties/sort/sort_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/memory/options.h"
#include "properties/memory/memory_model.h"

namespace tuplestone::properties {
namespace {

// Tapes of runs, each a list of what its runs take.
using Tapes = std::vector<std::vector<uint64_t>>;

int CompareFloats(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return (std::isnan(a) ? 1 : 0) - (std::isnan(b) ? 1 : 0);
  return a < b ? -1 : a > b ? 1 : 0;
}

uint64_t RuleBlockBytes(uint64_t budget_bytes) {
  uint64_t bytes = 8 << 20;
  while (bytes > (8 << 10) && bytes * 16 > budget_bytes) bytes /= 2;
  return bytes;
}

uint64_t Divided(uint64_t n, uint64_t by) { return (n + by - 1) / by; }

}  // namespace

int CompareSortValues(const SortValue& a, const SortValue& b, const SortModelKey& key) {
  const bool a_null = a.kind == SortValue::Kind::kNull;
  const bool b_null = b.kind == SortValue::Kind::kNull;
  if (a_null && b_null) return 0;
  if (a_null) return key.nulls_first ? -1 : 1;
  if (b_null) return key.nulls_first ? 1 : -1;
  int order = 0;
  if (a.kind == SortValue::Kind::kInteger) {
    order = a.integer < b.integer ? -1 : a.integer > b.integer ? 1 : 0;
  } else if (a.kind == SortValue::Kind::kFloat) {
    order = CompareFloats(a.real, b.real);
  } else {
    const int bytes = a.bytes.compare(b.bytes);  // unsigned, as std::string compares
    order = bytes < 0 ? -1 : bytes > 0 ? 1 : 0;
  }
  return key.descending ? -order : order;
}

uint64_t ModelTupleSpace(const SortSettings& settings, uint64_t tuple_bytes) {
  const bool compact = settings.layout == sort::Layout::kCompact;
  memory::Kind kind = memory::Kind::kAllocSet;
  if (settings.bound == 0 && compact) kind = memory::Kind::kBump;
  if (settings.bound == 0 && settings.layout == sort::Layout::kGeneration) {
    kind = memory::Kind::kGeneration;
  }
  ModelOptions options;
  if (kind == memory::Kind::kGeneration) {
    options.shared = memory::Options::HistoricalGeneration();
  } else if (!compact) {
    options.shared = memory::Options::HistoricalAllocSet();
  }
  options.shared.limits.block_max_bytes = settings.limits.tuple_block_max_bytes != 0
                                              ? settings.limits.tuple_block_max_bytes
                                              : RuleBlockBytes(settings.budget_bytes);
  return ModelSpace(kind, options, tuple_bytes, 8);
}

SortRunModel::SortRunModel(const SortSettings& settings)
    : settings_(settings),
      available_(static_cast<int64_t>(settings.budget_bytes)),
      array_(settings.limits.array_entries) {
  available_ -= static_cast<int64_t>(ArraySpace(array_));
}

uint64_t SortRunModel::ArraySpace(uint64_t entries) const {
  if (settings_.layout != sort::Layout::kCompact) return entries * 24 + 16;
  const bool wide = settings_.bound != 0 || settings_.budget_bytes > (uint64_t{16} << 30);
  return entries * (wide ? 24 : 16);
}

void SortRunModel::MakeRoom(uint64_t count) {
  if (external_ || !growing_ || count + 1 < array_) return;
  const int64_t used = static_cast<int64_t>(settings_.budget_bytes) - available_;
  uint64_t larger = array_ * 2;
  if (used > available_) {
    growing_ = false;
    // array * budget / used, without the product: whole multiples, then the rest bit by bit.
    const auto divisor = static_cast<uint64_t>(used);
    larger = array_ * (settings_.budget_bytes / divisor);
    uint64_t rest = settings_.budget_bytes % divisor;
    uint64_t sum = 0;  // of array * rest / divisor, as a whole and a remainder
    uint64_t remainder = 0;
    for (uint64_t bit = uint64_t{1} << 62; bit > 0; bit /= 2) {
      sum *= 2;
      remainder *= 2;
      if (remainder >= divisor) {
        remainder -= divisor;
        ++sum;
      }
      if ((array_ & bit) == 0) continue;
      remainder += rest;
      if (remainder >= divisor) {
        remainder -= divisor;
        ++sum;
      }
    }
    larger += sum;
  }
  larger = std::min<uint64_t>(larger, settings_.limits.array_entries_max);
  const uint64_t added = larger <= array_ ? 0 : ArraySpace(larger) - ArraySpace(array_);
  if (larger <= array_ || static_cast<int64_t>(added) > available_) {
    growing_ = false;
    return;
  }
  available_ -= static_cast<int64_t>(added);
  array_ = larger;
}

void SortRunModel::EndRun(uint64_t space) {
  if (!external_) {
    const sort::Limits& limits = settings_.limits;
    external_ = true;
    order_ = settings_.budget_bytes /
             ((limits.tape_overhead_blocks + limits.merge_buffer_blocks) * limits.block_bytes);
    if (order_ < limits.order_min) order_ = limits.order_min;
    if (order_ > limits.order_max) order_ = limits.order_max;
    const uint64_t tapes = order_ * limits.block_bytes;
    if (tapes + ArraySpace(array_) < settings_.budget_bytes) {
      available_ -= static_cast<int64_t>(tapes);
    }
  }
  available_ += static_cast<int64_t>(space);
}

MergeForecast ForecastMerges(const SortSettings& settings, uint64_t order,
                             const std::vector<SortModelRun>& runs) {
  MergeForecast forecast;
  const uint64_t payload = settings.limits.block_bytes - 16;
  const auto write = [&](const Tapes& tapes) {
    for (const auto& tape : tapes) {
      uint64_t bytes = 0;
      for (const uint64_t run : tape) bytes += run;
      forecast.blocks += Divided(bytes, payload);
      forecast.bytes += bytes;
    }
  };
  const auto place = [&](Tapes* tapes, size_t run, uint64_t bytes) {
    if (tapes->size() < order && run == tapes->size()) tapes->emplace_back();
    (*tapes)[run % order].push_back(bytes);
  };
  Tapes tapes;
  for (size_t run = 0; run < runs.size(); ++run) place(&tapes, run, runs[run].bytes);
  write(tapes);
  size_t left = runs.size();
  while (left > (settings.random_access ? 1 : order)) {
    Tapes outputs;
    const size_t rounds = tapes[0].size();
    for (size_t round = 0; round < rounds; ++round) {
      uint64_t bytes = 4;  // one end in place of several
      for (const auto& tape : tapes) {
        if (round < tape.size()) bytes += tape[round] - 4;
      }
      place(&outputs, round, bytes);
    }
    tapes = std::move(outputs);
    write(tapes);
    left = rounds;
    ++forecast.passes;
  }
  return forecast;
}

SortForecast ForecastSort(const SortSettings& settings, uint64_t rows, uint64_t tuple_bytes) {
  SortForecast forecast;
  const uint64_t space = ModelTupleSpace(settings, tuple_bytes);
  const uint64_t record = tuple_bytes - 6 + (settings.random_access ? 4 : 0);
  SortRunModel budget(settings);
  std::vector<SortModelRun> runs;
  uint64_t left = rows;
  while (left > 0) {
    uint64_t count = 0;
    if (runs.size() >= 2) {  // all later runs are as long as the second
      count = std::min(left, runs[1].tuples);
      left -= count;
    } else {
      bool ended = false;
      while (left > 0 && !ended) {
        budget.Charge(space);
        budget.MakeRoom(count);
        ++count;
        --left;
        ended = budget.EndsRun(count);
      }
      if (!ended && runs.empty()) break;
      budget.EndRun(count * space);
    }
    runs.push_back({count, count * record + 4});
  }
  forecast.runs = runs.size();
  forecast.order = budget.order();
  forecast.first_run = runs.empty() ? rows : runs[0].tuples;
  forecast.later_run = runs.size() < 2 ? 0 : runs[1].tuples;
  if (!runs.empty()) forecast.merges = ForecastMerges(settings, budget.order(), runs);
  return forecast;
}

SortModel::SortModel(const SortSettings& settings, std::vector<SortModelKey> keys)
    : settings_(settings), keys_(std::move(keys)), budget_(settings) {}

bool SortModel::IsBefore(const SortRow& a, const SortRow& b) const {
  for (const SortModelKey& key : keys_) {
    const int order = CompareSortValues(a.values[key.column], b.values[key.column], key);
    if (order != 0) return order < 0;
  }
  return false;
}

void SortModel::KeepFirst() {
  while (memory_.size() > settings_.bound) {
    budget_.Refund(SpaceOf(memory_.back()));
    memory_.pop_back();
  }
}

void SortModel::Put(SortRow row) {
  const size_t number = rows_.size();
  rows_.push_back(std::move(row));
  budget_.Charge(SpaceOf(number));
  const auto before = [this](size_t a, size_t b) { return IsBefore(rows_[a], rows_[b]); };
  if (is_heap_) {
    memory_.insert(std::upper_bound(memory_.begin(), memory_.end(), number, before), number);
    KeepFirst();
  } else {
    budget_.MakeRoom(memory_.size());
    memory_.push_back(number);
    const uint64_t bound = settings_.bound;
    const bool wanted = bound != 0 && bound <= settings_.limits.bound_max && runs_.empty();
    if (wanted && (memory_.size() > 2 * bound || (memory_.size() > bound && budget_.IsSpent()))) {
      std::stable_sort(memory_.begin(), memory_.end(), before);
      KeepFirst();
      is_heap_ = true;
    }
  }
  if (budget_.EndsRun(memory_.size())) WriteRun();
}

void SortModel::WriteRun() {
  SortModelRun run{memory_.size(), 4};
  uint64_t space = 0;
  for (const size_t row : memory_) {
    run.bytes += rows_[row].tuple.size() - 6 + (settings_.random_access ? 4 : 0);
    space += SpaceOf(row);
  }
  budget_.EndRun(space);
  runs_.push_back(run);
  memory_.clear();
  is_heap_ = false;
}

void SortModel::Sort() {
  for (size_t row = 0; row < rows_.size(); ++row) output_.push_back(row);
  std::stable_sort(output_.begin(), output_.end(),
                   [this](size_t a, size_t b) { return IsBefore(rows_[a], rows_[b]); });
  if (settings_.bound != 0 && output_.size() > settings_.bound) output_.resize(settings_.bound);
  if (runs_.empty()) return;
  if (!memory_.empty()) WriteRun();
  merges_ = ForecastMerges(settings_, budget_.order(), runs_);
}

}  // namespace tuplestone::properties
