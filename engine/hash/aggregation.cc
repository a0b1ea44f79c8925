#include "engine/hash/aggregation.h"

#include <algorithm>
#include <bit>
#include <memory>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/probe.h"

namespace tuplestone::hash {
namespace {

// Arrays of buckets and buffers go back when they are freed: what is larger than this has a block
// of its own.
constexpr size_t kOwnBlockBytes = 256;
constexpr size_t kSmallBlockBytes = 1024;

memory::Options SmallBlocks(size_t block_max) {
  memory::Options options;
  options.limits.block_initial_bytes = kSmallBlockBytes;
  options.limits.block_max_bytes = std::max(block_max, 2 * kSmallBlockBytes);
  options.limits.chunk_limit_bytes = kOwnBlockBytes;
  options.limits.request_bytes_max = memory::kRequestBytesCeiling;
  return options;
}

memory::Options TupleBlocks(size_t block_min, size_t block_max) {
  memory::Options options;
  options.limits.block_initial_bytes = block_min;
  options.limits.block_max_bytes = block_max;
  options.limits.growth_divisor = 64;  // a 64th of the groups at most is tail
  return options;
}

std::vector<tuple::SortKey> AscendingBy(const std::vector<uint16_t>& columns) {
  std::vector<tuple::SortKey> keys;
  for (const uint16_t column : columns) keys.push_back({.column = column});
  return keys;
}

tuple::Value* ValueArray(memory::Context& context, size_t count) {
  void* memory = context.Allocate(std::max<size_t>(count, 1) * sizeof(tuple::Value));
  auto* values = static_cast<tuple::Value*>(memory);
  if (values != nullptr) std::uninitialized_default_construct_n(values, count);
  return values;
}

}  // namespace

Aggregation::Aggregation(const AggregatePlan& plan, const AggregationOptions& options,
                         BlockStore& partitions, BlockStore& sort, BlockSource& source)
    : plan_(plan),
      options_(options),
      partition_store_(partitions),
      sort_store_(sort),
      source_(source),
      key_hasher_(*tuple::Hasher::Make(plan.key_schema(), plan.row_keys(), options.seed)),
      row_hasher_(*tuple::Hasher::Make(plan.row_schema(), plan.row_keys(), options.seed)),
      row_order_(*tuple::Order::Make(plan.row_schema(), AscendingBy(plan.row_keys()))),
      input_keys_(plan.input(), plan.input_keys(), plan.key_schema()),
      row_keys_(plan.row_schema(), plan.row_keys(), plan.key_schema()) {
  const AggregationLimits& limits = options_.limits;
  TUPLESTONE_CHECK(kH11, &partitions != &sort);
  TUPLESTONE_CHECK(kH11, IsPowerOfTwo(limits.partitions_min));
  TUPLESTONE_CHECK(kH11, IsPowerOfTwo(limits.partitions_max));
  TUPLESTONE_CHECK(kH11, limits.partitions_min >= 2);
  TUPLESTONE_CHECK(kH11, limits.partitions_min <= limits.partitions_max);
  TUPLESTONE_CHECK(kH11, limits.levels_max >= 1);
  TUPLESTONE_CHECK(kH11, limits.unsplit_max >= 1);
}

Aggregation::~Aggregation() { ReleaseAll(); }

// The block-size rule (H7) with the bounds of the limits in place of 8 kB and 8 MB.
absl::Status Aggregation::Start() {
  const AggregationLimits& limits = options_.limits;
  block_max_ = std::clamp(std::bit_floor(options_.limit_bytes / 16), limits.tuple_block_min,
                          limits.tuple_block_max);
  root_.reset(memory::AllocSet::Create(source_, "aggregation", SmallBlocks(block_max_)));
  if (root_ == nullptr) return FailForMemory("the aggregation");
  buckets_ = memory::AllocSet::Create(*root_, "buckets", SmallBlocks(block_max_));
  tuples_ = memory::Bump::Create(*root_, "groups", TupleBlocks(limits.tuple_block_min, block_max_));
  if (buckets_ == nullptr || tuples_ == nullptr) return FailForMemory("the groups");
  space_.emplace(*tuples_);
  values_ = ValueArray(*root_, kBatchMax * plan_.row_columns());
  scratch_ = ValueArray(*root_, plan_.input_columns_used());
  result_ = ValueArray(*root_, plan_.result_columns());
  const size_t key_bytes = std::max(input_keys_.key_bytes(), row_keys_.key_bytes());
  key_bytes_ = static_cast<std::byte*>(root_->Allocate(std::max<size_t>(kBatchMax * key_bytes, 8)));
  sorted_state_ =
      static_cast<std::byte*>(root_->Allocate(std::max<size_t>(plan_.state_bytes(), 8)));
  if (values_ == nullptr || scratch_ == nullptr || result_ == nullptr || key_bytes_ == nullptr ||
      sorted_state_ == nullptr) {
    return FailForMemory("rows");
  }
  spill_row_.emplace(*root_);
  sorted_group_.emplace(*root_);
  sorted_next_.emplace(*root_);
  tapes_.emplace(partition_store_, options_.tape, source_);
  writer_.emplace(*tapes_, options_.seed);
  const size_t read_buffer = std::max(limits.read_buffer, kRowBufferBytesMin);
  reader_.emplace(*root_, read_buffer);
  const size_t array = BucketsFor(1, options_.table.limits) * EntryBytes(options_.table.layout);
  const size_t buffers = (limits.partitions_min + 1) * options_.tape.block_bytes;
  limit_ = std::max(options_.limit_bytes, root_->held_bytes() + array + read_buffer + buffers);
  BeginLevel(0, options_.groups_expected);
  NotePeak();
  return absl::OkStatus();
}

// Everything goes back, in the order of dependence.
void Aggregation::ReleaseAll() {
  iterator_.reset();
  sorter_.reset();
  table_.reset();
  space_.reset();
  reader_.reset();
  spill_row_.reset();
  sorted_group_.reset();
  sorted_next_.reset();
  writer_.reset();
  tapes_.reset();
  root_.reset();
  buckets_ = nullptr;
  tuples_ = nullptr;
  pending_.clear();
  current_ = Partition();
  has_sorted_next_ = false;
  reading_ = false;
}

void Aggregation::Reset() {
  ReleaseAll();
  state_ = AggregationState::kBuilding;
  error_ = absl::OkStatus();
  stats_ = AggregationStats();
}

absl::Status Aggregation::Fail(const absl::Status& status) {
  TUPLESTONE_PROBE("hash.aggregation.failed");
  ReleaseAll();
  state_ = AggregationState::kFailed;
  error_ = status;
  return status;
}

absl::Status Aggregation::FailForMemory(const char* what) {
  return Fail(absl::ResourceExhaustedError(absl::StrCat("no memory for ", what)));
}

absl::Status Aggregation::FailForOverflow(int aggregate, const tuple::Schema& schema, Tuple group) {
  TUPLESTONE_PROBE("hash.aggregation.overflow");
  std::vector<tuple::Value> key(plan_.key_columns());
  tuple::Deform(schema, group, absl::MakeSpan(key));
  std::string text;
  for (const tuple::Value& value : key) {
    absl::StrAppend(&text, text.empty() ? "" : ", ", tuple::ToString(value));
  }
  return Fail(absl::OutOfRangeError(
      absl::StrCat(plan_.Describe(aggregate), " overflows in group (", text, ")")));
}

absl::Status Aggregation::Add(absl::Span<const Tuple> rows) {
  if (state_ == AggregationState::kFailed) return error_;
  TUPLESTONE_CHECK(kH11, state_ == AggregationState::kBuilding);
  if (root_ == nullptr) {
    if (const absl::Status started = Start(); !started.ok()) return started;
  }
  const size_t batch_max = options_.one_by_one ? 1 : kBatchMax;
  for (size_t at = 0; at < rows.size(); at += batch_max) {
    batch_.rows = std::min(batch_max, rows.size() - at);
    const absl::Span<const Tuple> some = rows.subspan(at, batch_.rows);
    MakeKeys(input_keys_, some, plan_.rows_are_input() && plan_.rows_are_keys());
    for (size_t i = 0; i < batch_.rows; ++i) {
      batch_.tuples[i] = plan_.rows_are_input() ? some[i] : Tuple();
      if (!batch_.has_keys || !plan_.rows_are_input() || plan_.has_arguments()) {
        plan_.Project(some[i], RowValues(i), absl::MakeSpan(scratch_, plan_.input_columns_used()));
      }
      batch_.hashes[i] =
          batch_.has_keys ? table_->Hash(batch_.keys[i]) : table_->Hash(KeyValues(i));
      table_->Prefetch(batch_.hashes[i]);
    }
    stats_.rows += batch_.rows;
    if (const absl::Status taken = TakeBatch(); !taken.ok()) return taken;
  }
  return absl::OkStatus();
}

absl::Status Aggregation::Finish() {
  if (state_ == AggregationState::kFailed) return error_;
  TUPLESTONE_CHECK(kH11, state_ == AggregationState::kBuilding);
  if (root_ == nullptr) {
    state_ = AggregationState::kDone;
    return absl::OkStatus();
  }
  if (const uint64_t groups = table_->members(); groups > 0) {
    const size_t tuples = tuples_->account().live;
    const bool separate = options_.table.layout == Layout::kSeparate;
    const size_t tuple = tuples / groups - (separate ? 0 : plan_.state_bytes());
    stats_.group_bytes =
        static_cast<double>(buckets_->account().live + tuples) / static_cast<double>(groups);
    stats_.group_estimate =
        static_cast<double>(EntryEstimate(options_.table.layout, plan_.state_bytes(), tuple, 0));
  }
  return EndLevel();
}

AggregationStats Aggregation::Stats() const {
  AggregationStats stats = stats_;
  stats.state = state_;
  stats.limit = limit_;
  stats.held = held();
  if (sorter_.has_value()) stats.sort = sorter_->Stats();
  return stats;
}

size_t Aggregation::held() const {
  if (root_ == nullptr) return 0;
  return root_->held_bytes() +
         (writer_->open_tapes() + (reading_ ? 1 : 0)) * options_.tape.block_bytes;
}

void Aggregation::Verify() const {
  if (root_ == nullptr) return;
  root_->Verify();
  tapes_->Verify();
  if (table_.has_value()) table_->Verify();
  if (sorter_.has_value()) sorter_->Verify();
  TUPLESTONE_CHECK_EQ(kH10, pending_.size() + writer_->open_tapes(), tapes_->Stats().tapes);
  TUPLESTONE_CHECK(kH7, block_max_ <= std::max(options_.limits.tuple_block_min, limit_ / 16));
  const size_t row =
      std::max(stats_.row_largest, kRowBufferBytesMin) + 2 * memory::kBlockHeaderBytes;
  const size_t blocks = block_max_ + 2 * std::max(block_max_, 2 * kSmallBlockBytes);
  const size_t slack = blocks + tuples_->account().overhead + 2 * row;
  TUPLESTONE_CHECK(kH12, stats_.held_peak <= limit_ + slack);
  TUPLESTONE_CHECK(kH12, tapes_->Stats().buffer_bytes <=
                             (level_plan_.partitions + 1) * options_.tape.block_bytes);
}

}  // namespace tuplestone::hash
