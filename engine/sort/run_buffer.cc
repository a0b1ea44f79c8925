#include "engine/sort/run_buffer.h"

#include <algorithm>
#include <cstring>

#include "engine/base/align.h"
#include "engine/base/probe.h"
#include "engine/memory/alloc_set.h"
#include "engine/memory/block_size_rule.h"
#include "engine/memory/bump.h"
#include "engine/memory/generation.h"
#include "engine/sort/entry.h"
#include "engine/sort/entry_sort.h"
#include "engine/sort/invariants.h"

namespace tuplestone::sort {
namespace {

constexpr size_t kArrayAlignment = 64;
constexpr size_t kPrefetchTuples = 12;

// Where entries keep their tuples. Each has Make (a chunk for the next tuple), Free, Resolve.
class BumpTuples {
 public:
  using Entry = CompactEntry;
  static constexpr bool kFrees = false;

  bool Create(const BufferOptions& options, BlockSource& source) {
    bump_.reset(memory::Bump::Create(source, "tuples", TupleContextOptions(options)));
    return bump_ != nullptr;
  }
  memory::Context* context() const { return bump_.get(); }
  void Delete() { bump_.reset(); }

  std::byte* Make(size_t bytes, CompactEntry* entry) {
    const memory::Piece piece = bump_->AllocateWithRef(bytes);
    entry->ref = piece.ref;
    return static_cast<std::byte*>(piece.p);
  }
  void Free(const CompactEntry&) {}
  tuple::Tuple Resolve(const CompactEntry& entry) const {
    return tuple::Tuple(static_cast<const std::byte*>(bump_->Resolve(entry.ref)));
  }

 private:
  memory::OwnedContext<memory::Bump> bump_;
};

class ContextTuples {
 public:
  using Entry = WideEntry;
  static constexpr bool kFrees = true;

  bool Create(const BufferOptions& options, BlockSource& source) {
    const memory::Options context_options = TupleContextOptions(options);
    switch (TupleKind(options.layout, options.bounded)) {
      case memory::Kind::kGeneration:
        context_.reset(memory::Generation::Create(source, "tuples", context_options));
        break;
      case memory::Kind::kBump:
        context_.reset(memory::Bump::Create(source, "tuples", context_options));
        break;
      default:
        context_.reset(memory::AllocSet::Create(source, "tuples", context_options));
        break;
    }
    return context_ != nullptr;
  }
  memory::Context* context() const { return context_.get(); }
  void Delete() { context_.reset(); }

  std::byte* Make(size_t bytes, WideEntry* entry) {
    auto* chunk = static_cast<std::byte*>(context_->Allocate(bytes));
    entry->tuple = chunk;
    return chunk;
  }
  void Free(const WideEntry& entry) { context_->Free(const_cast<std::byte*>(entry.tuple)); }
  tuple::Tuple Resolve(const WideEntry& entry) const { return tuple::Tuple(entry.tuple); }

 private:
  memory::OwnedContext<> context_;
};

template <class Tuples>
class RunBufferOf final : public RunBuffer {
 public:
  using Entry = typename Tuples::Entry;
  using Before = EntryOrder<Entry, Tuples>;

  RunBufferOf(const BufferOptions& options, const tuple::Order& order, BlockSource& source,
              Poll& poll)
      : options_(options), order_(order), source_(source), poll_(poll), before_(order, tuples_) {}
  ~RunBufferOf() override { Release(); }

  bool Reserve(size_t capacity) override {
    if (tuples_.context() == nullptr && !tuples_.Create(options_, source_)) return false;
    auto* array = static_cast<Entry*>(source_.Obtain(capacity * sizeof(Entry), kArrayAlignment));
    if (array == nullptr) return false;
    if (array_ != nullptr) {
      std::memcpy(static_cast<void*>(array), array_, count_ * sizeof(Entry));
      ReturnArray();
    }
    array_ = array;
    capacity_ = capacity;
    return true;
  }

  tuple::Tuple Form(absl::Span<const tuple::Value> row, size_t bytes) override {
    std::byte* chunk = tuples_.Make(bytes, &made_);
    if (chunk == nullptr) return tuple::Tuple();
    tuple::FormInto(order_.schema(), row, chunk, bytes);
    return Number(tuple::Tuple(chunk), bytes);
  }
  tuple::Tuple Copy(tuple::Tuple tuple) override {
    const size_t bytes = tuple.bytes();
    std::byte* chunk = tuples_.Make(bytes, &made_);
    if (chunk == nullptr) return tuple::Tuple();
    std::memcpy(chunk, tuple.data(), bytes);
    return Number(tuple::Tuple(chunk), bytes);
  }
  void Append() override {
    TUPLESTONE_CHECK(kS5, count_ < capacity_);
    array_[count_++] = made_;
  }

  size_t MakeHeap(size_t bound) override;
  size_t Offer() override;

  void Sort() override {
    is_heap_ = false;
    EntrySort<Entry, Before>(before_, poll_, options_.limits.quicksort_depth).Sort(array_, count_);
  }
  tuple::Tuple At(size_t index) const override {
    const size_t ahead = index + kPrefetchTuples;
    if (ahead < count_) __builtin_prefetch(tuples_.Resolve(array_[ahead]).data());
    return tuples_.Resolve(array_[index]);
  }

  void Clear() override {
    tuples_.context()->Reset();
    count_ = 0;
    next_ordinal_ = 0;
    is_heap_ = false;
  }
  void Release() override {
    tuples_.Delete();
    if (array_ != nullptr) ReturnArray();
    count_ = 0;
    next_ordinal_ = 0;
    is_heap_ = false;
  }

  size_t array_bytes() const override { return capacity_ * sizeof(Entry); }
  memory::Account account() const override {
    return tuples_.context() == nullptr ? memory::Account() : tuples_.context()->account();
  }
  size_t context_bytes() const override {
    return tuples_.context() == nullptr ? 0 : tuples_.context()->held_bytes();
  }
  void Verify(bool ordered, size_t space) const override;

 private:
  size_t SpaceOf(size_t tuple_bytes) const {
    if constexpr (!Tuples::kFrees) return MaxAlign(tuple_bytes);
    return tuples_.context()->ChunkSpaceFor(tuple_bytes);
  }
  tuple::Tuple Number(tuple::Tuple tuple, size_t bytes) {
    made_space_ = SpaceOf(bytes);
    made_.prefix = order_.Prefix(tuple);
    made_.ordinal = next_ordinal_++;
    return tuple;
  }
  void ReturnArray() {
    source_.Return(array_, array_bytes(), kArrayAlignment);
    array_ = nullptr;
    capacity_ = 0;
  }
  size_t FreeTuple(const Entry& entry) {
    const size_t space = SpaceOf(tuples_.Resolve(entry).bytes());
    tuples_.Free(entry);
    return space;
  }
  void SiftDown(size_t at, Entry entry);

  BufferOptions options_;
  const tuple::Order& order_;
  BlockSource& source_;
  Poll& poll_;
  Tuples tuples_;
  Before before_;
  Entry* array_ = nullptr;
  Entry made_ = {};
  decltype(Entry::ordinal) next_ordinal_ = 0;
};

// Puts `entry` at `at`, or lower where a child is after it: the largest is at the root.
template <class Tuples>
void RunBufferOf<Tuples>::SiftDown(size_t at, Entry entry) {
  for (size_t child = 2 * at + 1; child < count_; child = 2 * at + 1) {
    poll_.Step();
    if (child + 1 < count_ && before_.Before(array_[child], array_[child + 1])) ++child;
    if (!before_.Before(entry, array_[child])) break;
    array_[at] = array_[child];
    at = child;
  }
  array_[at] = entry;
}

template <class Tuples>
size_t RunBufferOf<Tuples>::MakeHeap(size_t bound) {
  TUPLESTONE_CHECK(kS6, bound < count_);
  const size_t all = count_;
  count_ = bound;
  for (size_t at = bound / 2; at-- > 0;) SiftDown(at, array_[at]);
  size_t freed = 0;
  for (size_t i = bound; i < all; ++i) {
    const Entry entry = array_[i];
    if (before_.Before(entry, array_[0])) {
      freed += FreeTuple(array_[0]);
      SiftDown(0, entry);
    } else {
      freed += FreeTuple(entry);
    }
  }
  is_heap_ = true;
  return freed;
}

template <class Tuples>
size_t RunBufferOf<Tuples>::Offer() {
  poll_.Step();
  // A later tuple loses a tie.
  if (!before_.Before(made_, array_[0])) {
    TUPLESTONE_PROBE("sort.bounded_discards");
    return FreeTuple(made_);
  }
  const size_t freed = FreeTuple(array_[0]);
  SiftDown(0, made_);
  return freed;
}

template <class Tuples>
void RunBufferOf<Tuples>::Verify(bool ordered, size_t space) const {
  TUPLESTONE_CHECK(kS3, count_ <= capacity_);
  if (tuples_.context() == nullptr) return;
  tuples_.context()->Verify();
  size_t found = 0;
  for (size_t i = 0; i < count_; ++i) {
    const tuple::Tuple tuple = At(i);
    found += SpaceOf(tuple.bytes());
    TUPLESTONE_CHECK_EQ(kS4, order_.Prefix(tuple), array_[i].prefix);
    TUPLESTONE_CHECK(kS5, array_[i].ordinal < next_ordinal_);
    if (ordered && i > 0) TUPLESTONE_CHECK(kS4, before_.Before(array_[i - 1], array_[i]));
    if (is_heap_ && i > 0) {
      TUPLESTONE_CHECK(kS6, before_.Before(array_[i], array_[(i - 1) / 2]));
    }
  }
  TUPLESTONE_CHECK_EQ(kS1, space, found);
  const memory::Account account = tuples_.context()->account();
  TUPLESTONE_CHECK_EQ(kS3, found, account.live);
  TUPLESTONE_CHECK_EQ(kS3, count_, account.live_chunks);
}

}  // namespace

memory::Kind TupleKind(Layout layout, bool bounded) {
  if (bounded) return memory::Kind::kAllocSet;
  switch (layout) {
    case Layout::kCompact:
      return memory::Kind::kBump;
    case Layout::kAllocSet:
      return memory::Kind::kAllocSet;
    case Layout::kGeneration:
      return memory::Kind::kGeneration;
  }
  return memory::Kind::kBump;
}

memory::Options TupleContextOptions(const BufferOptions& options) {
  const memory::Kind kind = TupleKind(options.layout, options.bounded);
  memory::Options context;
  if (kind == memory::Kind::kGeneration) {
    context = memory::Options::HistoricalGeneration();
  } else if (options.layout != Layout::kCompact) {
    context = memory::Options::HistoricalAllocSet();
  } else if (kind == memory::Kind::kBump) {
    // Fewer blocks of one tuple: each uses up refs for a whole granule.
    context.limits.chunk_limit_bytes = 512 << 10;
    // Large blocks soon, since the first touch of small pages is what a put costs most.
    context.layout.growth = memory::Growth::kDoubling;
  }
  const Limits& limits = options.limits;
  context.limits.block_max_bytes = limits.tuple_block_max_bytes != 0
                                       ? limits.tuple_block_max_bytes
                                       : memory::BlockBytesMax(options.budget_bytes / 1024);
  context.limits.block_initial_bytes =
      std::min(limits.tuple_block_initial_bytes, context.limits.block_max_bytes);
  return context;
}

std::unique_ptr<RunBuffer> RunBuffer::Make(const BufferOptions& options, const tuple::Order& order,
                                           BlockSource& source, Poll& poll) {
  if (HasCompactEntries(options.layout, options.bounded, options.budget_bytes)) {
    return std::make_unique<RunBufferOf<BumpTuples>>(options, order, source, poll);
  }
  return std::make_unique<RunBufferOf<ContextTuples>>(options, order, source, poll);
}

}  // namespace tuplestone::sort
