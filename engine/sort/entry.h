// Entries of the sort array: what is sorted in place of tuples.
//
//   compact   | prefix 8 | ref 4 | ordinal 4 |          the tuple lies where Bump resolves the ref
//   wide      | prefix 8 | tuple 8 | ordinal 8 |
//
// The prefix orders as far as it goes; behind it the tuples are compared; the ordinal, which counts
// tuples as they come in, breaks ties, so that an order in place is a stable one and no address
// decides anything.
#ifndef TUPLESTONE_ENGINE_SORT_ENTRY_H_
#define TUPLESTONE_ENGINE_SORT_ENTRY_H_

#include <cstddef>
#include <cstdint>

#include "engine/memory/bump.h"
#include "engine/sort/limits.h"
#include "engine/tuple/minimal_tuple.h"
#include "engine/tuple/order.h"

namespace tuplestone::sort {

struct CompactEntry {
  uint64_t prefix;
  memory::Ref ref;
  uint32_t ordinal;
};
static_assert(sizeof(CompactEntry) == kCompactEntryBytes);

struct WideEntry {
  uint64_t prefix;
  const std::byte* tuple;
  uint64_t ordinal;
};
static_assert(sizeof(WideEntry) == kWideEntryBytes);

// Total order of entries of one array.
template <class E, class Resolver>
class EntryOrder {
 public:
  // Requires: both outlive this.
  EntryOrder(const tuple::Order& order, const Resolver& resolver)
      : order_(order), resolver_(resolver), one_key_(order.keys().size() <= 1) {}

  bool Before(const E& a, const E& b) const {
    if (a.prefix != b.prefix) return a.prefix < b.prefix;
    return BeforeInTie(a, b);
  }
  bool BeforeInTie(const E& a, const E& b) const {
    if (!one_key_ || !order_.PrefixDecides(a.prefix)) {
      const int order = order_.Compare(resolver_.Resolve(a), resolver_.Resolve(b));
      if (order != 0) return order < 0;
    }
    return a.ordinal < b.ordinal;
  }

 private:
  const tuple::Order& order_;
  const Resolver& resolver_;
  bool one_key_;
};

}  // namespace tuplestone::sort

#endif  // TUPLESTONE_ENGINE_SORT_ENTRY_H_
