// Sorts entries in place: by the bytes of their prefixes, most significant first (count, then swap
// each entry to its bucket), small buckets by insertion, and buckets of one prefix by a quicksort
// that compares tuples. Ordinals make the order total, so the
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
  EntrySort(const Order& order, Poll& poll, int depth)
      : order_(order), poll_(poll), depth_(depth) {}

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
  static constexpr size_t kPieceMax = 1024;

  static size_t Digit(const E& entry, int shift) {
    return static_cast<size_t>(entry.prefix >> shift) & (kBuckets - 1);
  }
  static int Width(uint64_t bits) { return static_cast<int>(std::bit_width(bits)); }
  int DepthMax(size_t count) const { return depth_ * Width(count); }

  // Calls f(begin, end) for pieces of [begin, end) between polls. False: cancelled.
  template <class F>
  bool InPieces(size_t begin, size_t end, const F& f) {
    while (begin < end) {
      const size_t piece = std::min<size_t>(end - begin, kPieceMax);
      if (poll_.Steps(piece)) return false;
      f(begin, begin + piece);
      begin += piece;
    }
    return true;
  }

  // The bits in which prefixes differ; says whether the entries are in order, or in the opposite.
  uint64_t Look(const E* entries, size_t count) {
    ascending_ = true;
    descending_ = true;
    size_t at = 1;
    for (; at < count && (ascending_ || descending_); ++at) {
      if (poll_.Step()) return 0;
      (order_.Before(entries[at], entries[at - 1]) ? ascending_ : descending_) = false;
    }
    if (ascending_ || descending_) return 0;
    const uint64_t first = entries[0].prefix;
    uint64_t differing = 0;
    InPieces(1, count, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) differing |= entries[i].prefix ^ first;
    });
    return differing;
  }

  void Radix(E* entries, size_t count, int shift) {
    for (;;) {
      if (count <= kInsertionMax) return Insertion(entries, count);
      size_t ends[kBuckets] = {};
      const bool counted = InPieces(0, count, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) ++ends[Digit(entries[i], shift)];
      });
      if (!counted) return;
      if (ends[Digit(entries[0], shift)] != count) return Distribute(entries, ends, shift);
      if (shift == 0) return Quick(entries, count, DepthMax(count));
      shift = std::max(0, shift - kDigitBits);
    }
  }

  // Requires: `ends` holds the count of each bucket. Goes over what is not in its place yet, bucket
  // by bucket, and swaps each entry to where its bucket grows; until all are. The swaps of a round
  // do not wait for one another, as those along a cycle do.
  void Distribute(E* entries, size_t* ends, int shift) {
    size_t heads[kBuckets];
    size_t at = 0;
    for (size_t bucket = 0; bucket < kBuckets; ++bucket) {
      heads[bucket] = at;
      at += ends[bucket];
      ends[bucket] = at;
    }
    for (bool moved = true; moved;) {
      moved = false;
      for (size_t bucket = 0; bucket < kBuckets; ++bucket) {
        if (heads[bucket] == ends[bucket]) continue;
        moved = true;
        const bool swapped = InPieces(heads[bucket], ends[bucket], [&](size_t begin, size_t end) {
          for (size_t i = begin; i < end; ++i) {
            std::swap(entries[i], entries[heads[Digit(entries[i], shift)]++]);
          }
        });
        if (!swapped) return;
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
  int depth_;
  bool ascending_ = false;
  bool descending_ = false;
};

}  // namespace tuplestone::sort

#endif  // TUPLESTONE_ENGINE_SORT_ENTRY_SORT_H_
