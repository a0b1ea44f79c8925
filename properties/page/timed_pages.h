// The pages that compactions are timed on: synthetic ones of every width and order, and real ones.
//
// They are all different and come in turn: one page in a loop lets the processor learn its pattern
// of dead line pointers, which no vacuum does, and hides a factor of three.
#ifndef TUPLESTONE_PROPERTIES_PAGE_TIMED_PAGES_H_
#define TUPLESTONE_PROPERTIES_PAGE_TIMED_PAGES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/page/page_types.h"

namespace tuplestone::properties {

// Aligned as buffers of pages are: copies between places that differ a little modulo 4,096 are slow
// on some processors, whoever makes them.
struct alignas(4096) PageBytes : std::array<std::byte, page::kPageBytes> {};

// How tuples lie: from the special area down in the order of their line pointers, against it, or in
// an order drawn for each page.
enum class PhysicalOrder { kOrdered, kReversed, kShuffled };
const char* NameOf(PhysicalOrder order);

// Heap pages full of tuples of `tuple_bytes`, `dead_percent` of which, drawn for each page, have
// died and lost their storage. At least one is dead and one is not.
std::vector<PageBytes> SyntheticPages(size_t count, size_t tuple_bytes, PhysicalOrder order,
                                      int dead_percent);

// `before` as it was when VACUUM had marked what is dead in `after`, and had moved nothing yet.
// Requires: sound heap pages, the second the first after a vacuum.
PageBytes WhenMarked(const PageBytes& before, const PageBytes& after);

// The same, but the line pointers that lose their tuples are others, as many, drawn by `seed`.
PageBytes WhenOthersAreMarked(const PageBytes& before, const PageBytes& after, uint64_t seed);

}  // namespace tuplestone::properties

#endif  // TUPLESTONE_PROPERTIES_PAGE_TIMED_PAGES_H_
