#include "engine/page/line_scan.h"

#include <algorithm>
#include <bit>

#include "engine/base/align.h"
#include "engine/base/bytes.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace tuplestone::page {
namespace {

constexpr size_t kGroupLines = 16;

#if defined(__SSE2__)

// Enough line pointers, and room to read to the end of the last group.
bool GroupsPay(size_t count) { return count > kGroupLines && count <= kLinesThatFit - kGroupLines; }

inline __m128i Load128(const std::byte* from) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
}

inline __m128i Lengths(__m128i first, __m128i second) {
  return _mm_packs_epi32(_mm_srli_epi32(first, 17), _mm_srli_epi32(second, 17));
}

// Eight line pointers' heights above the lowest data: 0x7fff - offset, and 0 where `empty`; so
// "descending" reads "each stored one is the largest so far".
inline __m128i Heights(__m128i first, __m128i second, __m128i empty) {
  const __m128i offset_mask = _mm_set1_epi32(0x7fff);
  const __m128i offsets =
      _mm_packs_epi32(_mm_and_si128(first, offset_mask), _mm_and_si128(second, offset_mask));
  return _mm_andnot_si128(empty, _mm_sub_epi16(_mm_set1_epi16(0x7fff), offsets));
}

// The largest of each lane and all before it, `before` (all lanes alike) included.
inline __m128i RunningMaximum(__m128i heights, __m128i before) {
  heights = _mm_max_epi16(heights, _mm_slli_si128(heights, 2));
  heights = _mm_max_epi16(heights, _mm_slli_si128(heights, 4));
  heights = _mm_max_epi16(heights, _mm_slli_si128(heights, 8));
  return _mm_max_epi16(heights, before);
}

inline __m128i BroadcastLast(__m128i lanes) {
  const __m128i high = _mm_shufflehi_epi16(lanes, 0xff);
  return _mm_shuffle_epi32(high, 0xff);
}

// The sum of eight 16-bit lanes, each below 2^15.
inline size_t Sum16(__m128i lanes) {
  const __m128i pairs = _mm_madd_epi16(lanes, _mm_set1_epi16(1));
  const __m128i halves = _mm_add_epi32(pairs, _mm_srli_si128(pairs, 8));
  return static_cast<size_t>(_mm_cvtsi128_si32(_mm_add_epi32(halves, _mm_srli_si128(halves, 4))));
}

class VectorScan {
 public:
  // Takes sixteen line pointers and returns one bit for each that stores a tuple.
  uint64_t Take(const std::byte* lines) {
    return TakeLoaded(Load128(lines), Load128(lines + 16), Load128(lines + 32),
                      Load128(lines + 48));
  }
  // The same, as if all but the first `count` were unused.
  uint64_t TakeFirst(size_t count, const std::byte* lines) {
    const __m128i left = _mm_set1_epi32(static_cast<int>(count));
    const auto masked = [&](int from) {
      const __m128i numbers = _mm_setr_epi32(from, from + 1, from + 2, from + 3);
      return _mm_and_si128(Load128(lines + 4 * from), _mm_cmpgt_epi32(left, numbers));
    };
    return TakeLoaded(masked(0), masked(4), masked(8), masked(12));
  }

  size_t stored_bytes() const {
    const __m128i halves = _mm_add_epi32(bytes_, _mm_srli_si128(bytes_, 8));
    return static_cast<size_t>(_mm_cvtsi128_si32(_mm_add_epi32(halves, _mm_srli_si128(halves, 4))));
  }
  size_t unused() const { return Sum16(unused_); }
  size_t empty() const { return Sum16(empty_); }  // those that store nothing

 private:
  uint64_t TakeLoaded(__m128i first, __m128i second, __m128i third, __m128i fourth) {
    const __m128i low = TakeEight(first, second);
    const __m128i high = TakeEight(third, fourth);
    return ~static_cast<uint64_t>(_mm_movemask_epi8(_mm_packs_epi16(low, high))) & 0xffff;
  }
  // Returns all ones in the lanes of line pointers that store nothing.
  __m128i TakeEight(__m128i first, __m128i second) {
    const __m128i zero = _mm_setzero_si128();
    const __m128i lengths = Lengths(first, second);
    const __m128i empty = _mm_cmpeq_epi16(lengths, zero);
    empty_ = _mm_sub_epi16(empty_, empty);
    const __m128i taken =
        _mm_andnot_si128(_mm_set1_epi16(7), _mm_add_epi16(lengths, _mm_set1_epi16(7)));
    bytes_ = _mm_add_epi32(bytes_, _mm_madd_epi16(taken, _mm_set1_epi16(1)));
    // Saturation keeps what is not zero from becoming zero.
    unused_ = _mm_sub_epi16(unused_, _mm_cmpeq_epi16(_mm_packs_epi32(first, second), zero));
    return empty;
  }

  __m128i bytes_ = _mm_setzero_si128();
  __m128i unused_ = _mm_setzero_si128();
  __m128i empty_ = _mm_setzero_si128();
};

// Reads up to the end of the last group, which the page has as long as count leaves room for one.
void ScanInGroups(const std::byte* lines, size_t count, LineScan* scan) {
  VectorScan vectors;
  const size_t whole = AlignDown(count, kGroupLines);
  uint64_t bits = 0;
  for (size_t taken = 0; taken < whole; taken += kGroupLines) {
    const size_t at = taken % LineScan::kWordBits;
    bits = (at == 0 ? 0 : bits) | vectors.Take(lines + taken * kLinePointerBytes) << at;
    scan->stored[taken / LineScan::kWordBits] = bits;
  }
  if (whole < count) {
    const size_t at = whole % LineScan::kWordBits;
    bits = (at == 0 ? 0 : bits) |
           vectors.TakeFirst(count - whole, lines + whole * kLinePointerBytes) << at;
    scan->stored[whole / LineScan::kWordBits] = bits;
  }
  scan->stored_count = AlignUp(count, kGroupLines) - vectors.empty();
  scan->unused = vectors.unused() - (AlignUp(count, kGroupLines) - count);
  scan->stored_bytes = vectors.stored_bytes();
}

// What there is to say of eight line pointers, a 16-bit lane each.
struct Eight {
  // `lines` from number `from` on, counted from 0; as if all from `count` on were unused.
  Eight(const std::byte* lines, int from, int count) {
    const __m128i left = _mm_set1_epi32(count - from);
    const std::byte* const here = lines + from * static_cast<int>(kLinePointerBytes);
    const __m128i first =
        _mm_and_si128(Load128(here), _mm_cmpgt_epi32(left, _mm_setr_epi32(0, 1, 2, 3)));
    const __m128i second =
        _mm_and_si128(Load128(here + 16), _mm_cmpgt_epi32(left, _mm_setr_epi32(4, 5, 6, 7)));
    const __m128i zero = _mm_setzero_si128();
    const __m128i lengths = Lengths(first, second);
    empty = _mm_cmpeq_epi16(lengths, zero);
    unused = _mm_cmpeq_epi16(_mm_packs_epi32(first, second), zero);
    taken = _mm_andnot_si128(_mm_set1_epi16(7), _mm_add_epi16(lengths, _mm_set1_epi16(7)));
    heights = Heights(first, second, empty);
  }
  // All ones in the lanes that lie above one of lower number.
  __m128i Fallen(__m128i running) const {
    return _mm_andnot_si128(empty, _mm_cmpgt_epi16(running, heights));
  }

  __m128i empty;   // all ones where nothing is stored
  __m128i unused;  // all ones where it is unused
  __m128i taken;   // bytes with padding
  __m128i heights;
};

// Up to sixteen line pointers, and their order too.
void ScanFew(const std::byte* lines, size_t count, LineScan* scan) {
  const __m128i zero = _mm_setzero_si128();
  const Eight low(lines, 0, static_cast<int>(count));
  const __m128i running = RunningMaximum(low.heights, zero);
  __m128i fallen = low.Fallen(running);
  __m128i empty = _mm_packs_epi16(low.empty, _mm_set1_epi16(-1));
  __m128i unused = _mm_packs_epi16(low.unused, _mm_set1_epi16(-1));
  scan->stored_bytes = Sum16(low.taken);
  if (count > kGroupLines / 2) {
    const Eight high(lines, 8, static_cast<int>(count));
    fallen =
        _mm_or_si128(fallen, high.Fallen(RunningMaximum(high.heights, BroadcastLast(running))));
    empty = _mm_packs_epi16(low.empty, high.empty);
    unused = _mm_packs_epi16(low.unused, high.unused);
    scan->stored_bytes += Sum16(high.taken);
  }
  const auto count_ones = [&](__m128i bytes) {
    const __m128i halves = _mm_sad_epu8(_mm_sub_epi8(zero, bytes), zero);
    return static_cast<size_t>(_mm_cvtsi128_si32(halves) + _mm_extract_epi16(halves, 4));
  };
  scan->stored[0] = ~static_cast<uint64_t>(_mm_movemask_epi8(empty)) & 0xffff;
  scan->stored_count = kGroupLines - count_ones(empty);
  scan->unused = count_ones(unused) - (kGroupLines - count);
  scan->order = _mm_movemask_epi8(fallen) == 0 ? DataOrder::kDescending : DataOrder::kOther;
}

size_t FirstUnusedInGroups(const std::byte* lines, size_t count) {
  const __m128i zero = _mm_setzero_si128();
  for (size_t from = 0; from < count; from += kGroupLines) {
    const std::byte* const group = lines + from * kLinePointerBytes;
    // Saturation keeps what is not zero from becoming zero.
    const __m128i low = _mm_cmpeq_epi16(_mm_packs_epi32(Load128(group), Load128(group + 16)), zero);
    const __m128i high =
        _mm_cmpeq_epi16(_mm_packs_epi32(Load128(group + 32), Load128(group + 48)), zero);
    const auto found = static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16(low, high)));
    if (found == 0) continue;
    const size_t line = from + static_cast<size_t>(std::countr_zero(found)) + 1;
    return line <= count ? line : 0;
  }
  return 0;
}

// Eight line pointers a turn, to the end of the last eight; those beyond `count` are masked out.
bool DescendInGroups(const std::byte* lines, size_t count) {
  const __m128i zero = _mm_setzero_si128();
  const __m128i numbers = _mm_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7);
  __m128i fallen = zero;
  __m128i highest = zero;
  for (size_t from = 0; from < count; from += 8) {
    const __m128i first = Load128(lines + from * kLinePointerBytes);
    const __m128i second = Load128(lines + (from + 4) * kLinePointerBytes);
    __m128i empty = _mm_cmpeq_epi16(Lengths(first, second), zero);
    if (count - from < 8) {
      const __m128i last = _mm_set1_epi16(static_cast<int16_t>(count - from - 1));
      empty = _mm_or_si128(empty, _mm_cmpgt_epi16(numbers, last));
    }
    const __m128i heights = Heights(first, second, empty);
    const __m128i running = RunningMaximum(heights, highest);
    fallen = _mm_or_si128(fallen, _mm_andnot_si128(empty, _mm_cmpgt_epi16(running, heights)));
    highest = BroadcastLast(running);
  }
  return _mm_movemask_epi8(fallen) == 0;
}

#endif

}  // namespace

void ScanLinesPlainly(const std::byte* lines, size_t count, LineScan* scan) {
  LineScan sum;  // in registers
  uint64_t word = 0;
  for (size_t i = 0; i < count; ++i) {
    const LinePointer pointer(Load<uint32_t>(lines + i * kLinePointerBytes));
    const size_t at = i % LineScan::kWordBits;
    const bool stores = pointer.has_storage();
    word = (at == 0 ? 0 : word) | uint64_t{stores} << at;
    scan->stored[i / LineScan::kWordBits] = word;
    sum.stored_count += stores ? 1 : 0;
    sum.unused += pointer.bits() == 0 ? 1 : 0;
    sum.stored_bytes += pointer.stored_bytes();
  }
  scan->stored_count = sum.stored_count;
  scan->unused = sum.unused;
  scan->stored_bytes = sum.stored_bytes;
}

bool DescendPlainly(const std::byte* lines, size_t count) {
  size_t lowest = size_t{1} << 15;
  bool descending = true;
  for (size_t i = 0; i < count; ++i) {
    const LinePointer pointer(Load<uint32_t>(lines + i * kLinePointerBytes));
    const bool stores = pointer.has_storage();
    descending &= !stores | (pointer.offset() < lowest);
    lowest = stores ? pointer.offset() : lowest;
  }
  return descending;
}

size_t FirstUnusedPlainly(const std::byte* lines, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (Load<uint32_t>(lines + i * kLinePointerBytes) == 0) return i + 1;
  }
  return 0;
}

size_t FirstUnused(const std::byte* lines, size_t count) {
#if defined(__SSE2__)
  if (GroupsPay(count)) return FirstUnusedInGroups(lines, count);
#endif
  return FirstUnusedPlainly(lines, count);
}

bool Descend(const std::byte* lines, size_t count) {
#if defined(__SSE2__)
  if (GroupsPay(count)) return DescendInGroups(lines, count);
#endif
  return DescendPlainly(lines, count);
}

void ScanLines(const std::byte* lines, size_t count, LineScan* scan) {
  scan->count = count;
#if defined(__SSE2__)
  if (count <= kGroupLines) return ScanFew(lines, count, scan);
  if (GroupsPay(count)) return ScanInGroups(lines, count, scan);
#endif
  ScanLinesPlainly(lines, count, scan);
}

}  // namespace tuplestone::page
