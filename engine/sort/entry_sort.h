// Sorts entries in place: by the bytes of their prefixes, most significant first (American flag
// sort: count, then move each entry to its bucket along cycles), small buckets by insertion, and
// buckets of one prefix by a quicksort that compares tuples. Ordinals make the order total, so the
// result is the one stable order, whatever is swapped on the way.
//
//   shift      ...10110 01101101 1101...      the digit: bits shift to shift + 7 of the prefix
//   buckets    | 0 | 1 | 2 ... 255 |          each sorted by the next digit
//
// Bits that no two prefixes differ in are skipped at once. An input in order, or in exactly the
// opposite one, is noticed on the way through.
//
// Polls as poll.h says; once cancelled it returns soon, and the entries are in some order.
#ifndef TUPLESTONE_ENGINE_SORT_ENTRY_SORT_H_
#define TUPLESTONE_ENGINE_SORT_ENTRY_SORT_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "engine/base/probe.h"
#include "engine/sort/poll.h"

namespace tuplestone::sort {

template <class E, class Order>
class EntrySort {
 public:
  EntrySort(const Order& order, Poll& poll) : order_(order), poll_(poll) {}

  void Sort(E* entries, size_t count) {
    if (count < 2) return;
    const uint64_t differing = Look(entries, count);
    if (poll_.cancelled() || ascending_) return;
    if (descending_) {
      TUPLESTONE_PROBE("sort.input_descending");
      std::reverse(entries, entries + count);
    } else if (differing == 0) {
      TUPLESTONE_PROBE("sort.one_prefix");
      Quick(entries, count, DepthMax(count));
    } else {
      Radix(entries, count, std::max(0, Width(differing) - kDigitBits));
    }
  }

 private:
  static constexpr int kDigitBits = 8;
  static constexpr size_t kBuckets = size_t{1} << kDigitBits;
  static constexpr size_t kInsertionMax = 32;

  static size_t Digit(const E& entry, int shift) {
    return static_cast<size_t>(entry.prefix >> shift) & (kBuckets - 1);
  }
  static int Width(uint64_t bits) { return static_cast<int>(std::bit_width(bits)); }
  static int DepthMax(size_t count) { return 2 * Width(count); }

  // The bits in which prefixes differ; says whether the entries are in order, or in the opposite.
  uint64_t Look(const E* entries, size_t count) {
    ascending_ = true;
    descending_ = true;
    uint64_t differing = 0;
    for (size_t i = 1; i < count; ++i) {
      if (poll_.Step()) return 0;
      differing |= entries[i].prefix ^ entries[0].prefix;
      if (ascending_ || descending_) {
        const bool before = order_.Before(entries[i], entries[i - 1]);
        (before ? ascending_ : descending_) = false;
      }
    }
    return differing;
  }

  void Radix(E* entries, size_t count, int shift) {
    for (;;) {
      if (poll_.cancelled()) return;
      if (count <= kInsertionMax) return Insertion(entries, count);
      size_t ends[kBuckets] = {};
      for (size_t i = 0; i < count; ++i) {
        if (poll_.Step()) return;
        ++ends[Digit(entries[i], shift)];
      }
      if (ends[Digit(entries[0], shift)] != count) return Distribute(entries, ends, shift);
      if (shift == 0) return Quick(entries, count, DepthMax(count));
      shift = std::max(0, shift - kDigitBits);
    }
  }

  // Requires: `ends` holds the count of each bucket.
  void Distribute(E* entries, size_t* ends, int shift) {
    size_t heads[kBuckets];
    size_t at = 0;
    for (size_t bucket = 0; bucket < kBuckets; ++bucket) {
      heads[bucket] = at;
      at += ends[bucket];
      ends[bucket] = at;
    }
    for (size_t bucket = 0; bucket < kBuckets; ++bucket) {
      while (heads[bucket] != ends[bucket]) {
        E entry = entries[heads[bucket]];
        for (size_t to = Digit(entry, shift); to != bucket; to = Digit(entry, shift)) {
          std::swap(entry, entries[heads[to]++]);
        }
        entries[heads[bucket]++] = entry;
        if (poll_.Step()) return;
      }
    }
    size_t from = 0;
    for (size_t bucket = 0; bucket < kBuckets; ++bucket) {
      const size_t size = ends[bucket] - from;
      if (size > 1) SortBucket(entries + from, size, shift);
      from = ends[bucket];
    }
  }

  void SortBucket(E* entries, size_t count, int shift) {
    if (shift > 0) {
      Radix(entries, count, std::max(0, shift - kDigitBits));
    } else {
      Quick(entries, count, DepthMax(count));
    }
  }

  bool Before(const E& a, const E& b) {
    poll_.Step();
    return order_.Before(a, b);
  }

  void Insertion(E* entries, size_t count) {
    for (size_t i = 1; i < count; ++i) {
      const E entry = entries[i];
      size_t at = i;
      for (; at > 0 && order_.Before(entry, entries[at - 1]); --at) entries[at] = entries[at - 1];
      entries[at] = entry;
    }
    poll_.Steps(count * count / 2);  // comparisons, at most
  }

  // Quicksort, median of three, the longer part by the loop; a heap where that goes too deep.
  void Quick(E* entries, size_t count, int depth) {
    while (count > kInsertionMax) {
      if (poll_.cancelled()) return;
      if (depth-- == 0) {
        TUPLESTONE_PROBE("sort.quicksort_too_deep");
        return Heap(entries, count);
      }
      const size_t left = Partition(entries, count);
      if (left < count - left) {
        Quick(entries, left, depth);
        entries += left;
        count -= left;
      } else {
        Quick(entries + left, count - left, depth);
        count = left;
      }
    }
    Insertion(entries, count);
  }

  // How many entries, at least one and not all, belong to the left. No two entries are equal.
  size_t Partition(E* entries, size_t count) {
    E* middle = entries + (count - 1) / 2;
    E* last = entries + count - 1;
    if (Before(*middle, *entries)) std::swap(*middle, *entries);
    if (Before(*last, *middle)) std::swap(*last, *middle);
    if (Before(*middle, *entries)) std::swap(*middle, *entries);
    const E pivot = *middle;
    size_t i = 0;
    size_t j = count - 1;
    for (;;) {
      while (Before(entries[i], pivot)) ++i;
      while (Before(pivot, entries[j])) --j;
      if (i >= j || poll_.cancelled()) return j + 1;
      std::swap(entries[i++], entries[j--]);
    }
  }

  void Heap(E* entries, size_t count) {
    const auto before = [this](const E& a, const E& b) { return Before(a, b); };
    std::make_heap(entries, entries + count, before);
    std::sort_heap(entries, entries + count, before);
  }

  const Order& order_;
  Poll& poll_;
  bool ascending_ = false;
  bool descending_ = false;
};

}  // namespace tuplestone::sort

#endif  // TUPLESTONE_ENGINE_SORT_ENTRY_SORT_H_
