// The tuples that are in memory while runs are built: a context with the tuples, and an array of
// entries (entry.h) that is sorted in their place.
//
//   array    | entry 0 | entry 1 | .. | entry count - 1 |  ..  capacity |
//               |          '---------------.
//   context  | tuple | tuple | tuple | tuple ...                 compact: Bump;
//                                                           else a kind that frees
//
// Tuples are made one at a time: Form or Copy makes one, then Append takes it, or Offer gives it to
// the heap of the first N (the largest at its root), which keeps it or another.
//
// All memory comes from one source; what it lacks is said, and nothing changed then. What may be
// obtained, the budget decides (budget.h), not the buffer.
#ifndef TUPLESTONE_ENGINE_SORT_RUN_BUFFER_H_
#define TUPLESTONE_ENGINE_SORT_RUN_BUFFER_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/types/span.h"
#include "engine/base/block_source.h"
#include "engine/memory/account.h"
#include "engine/memory/options.h"
#include "engine/sort/limits.h"
#include "engine/sort/poll.h"
#include "engine/tuple/minimal_tuple.h"
#include "engine/tuple/order.h"
#include "engine/tuple/value.h"

namespace tuplestone::sort {

struct BufferOptions {
  Layout layout = Layout::kCompact;
  bool bounded = false;
  size_t budget_bytes = 0;
  Limits limits;
};

// The context of tuples of a layout.
memory::Kind TupleKind(Layout layout, bool bounded);
memory::Options TupleContextOptions(const BufferOptions& options);

class RunBuffer {
 public:
  // Requires: `order`, `source` and `poll` outlive it.
  static std::unique_ptr<RunBuffer> Make(const BufferOptions& options, const tuple::Order& order,
                                         BlockSource& source, Poll& poll);
  virtual ~RunBuffer() = default;

  // Obtains context and array, or, where they are, an array of that capacity. False: no memory.
  virtual bool Reserve(size_t capacity) = 0;
  // Makes the next tuple; none: no memory. What it takes of the context is made_space().
  // Requires: Reserve, `bytes` from FormedBytes.
  virtual tuple::Tuple Form(absl::Span<const tuple::Value> row, size_t bytes) = 0;
  virtual tuple::Tuple Copy(tuple::Tuple tuple) = 0;
  // Takes the tuple just made. Requires: count() < capacity().
  virtual void Append() = 0;

  // Keeps the first `bound` tuples in a heap and frees the others; returns their space.
  // Requires: bounded, 0 < bound < count().
  virtual size_t MakeHeap(size_t bound) = 0;
  // Of the heap and the tuple just made frees the last; returns its space.
  virtual size_t Offer() = 0;

  // Orders the entries, heap or not. Soon after poll.cancelled() it leaves them in any order.
  virtual void Sort() = 0;
  // Asks the machine for a tuple further on, for whom goes forward. Requires: index < count().
  virtual tuple::Tuple At(size_t index) const = 0;

  // Drops the tuples; the array stays. Ordinals begin at 0 again.
  virtual void Clear() = 0;
  // Gives everything back.
  virtual void Release() = 0;

  size_t count() const { return count_; }
  size_t capacity() const { return capacity_; }
  bool is_heap() const { return is_heap_; }
  size_t made_space() const { return made_space_; }
  // What the array takes of the source.
  virtual size_t array_bytes() const = 0;
  // Of the context; all 0 where there is none.
  virtual memory::Account account() const = 0;
  // Bytes of the context, guards not counted. O(1).
  virtual size_t context_bytes() const = 0;

  // Walks entries and tuples: prefixes, ordinals, heap, space. `ordered`: Sort was the last to
  // touch them.
  virtual void Verify(bool ordered, size_t space) const = 0;

 protected:
  RunBuffer() = default;

  size_t count_ = 0;
  size_t capacity_ = 0;
  size_t made_space_ = 0;
  bool is_heap_ = false;
};

}  // namespace tuplestone::sort

#endif  // TUPLESTONE_ENGINE_SORT_RUN_BUFFER_H_
