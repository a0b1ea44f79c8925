// The typed fields of operations. A field knows its bytes on the wire, its text, how to draw a
// value and which values are simpler; the rest of the kit derives everything else from that.
//
//   Size<1, 8160>        a number in a range          bytes=32
//   Byte                 eight bits                   fill=0x41
//   Bits<64>             that many bits               seed=0x1f
//   Flag                 yes or no                    random_access=yes
//   Choice<E, kNames>    one of an enum               kind=heap
//   Pick<0>              a product born earlier       line=@3
//
// Each field type F offers
//   kWireBytes               bytes in a record, for ever
//   F::FromRaw(raw)          total: every raw number means some value; a canonical one (ToRaw)
//   means itself; 0 the default ToRaw(), Print(), F::Parse(text), F::Draw(random), Simpler(),
//   F::Describe()
// Ranges and names of choices may only grow at their end: files that Encode wrote keep their
// meaning.
#ifndef TUPLESTONE_PROPERTIES_KIT_FIELDS_H_
#define TUPLESTONE_PROPERTIES_KIT_FIELDS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "properties/kit/random.h"

namespace tuplestone::kit {

namespace fields_internal {

// Bytes that hold every number up to `max`.
constexpr size_t WireBytes(uint64_t max) {
  return max <= 0xff ? 1 : max <= 0xffff ? 2 : max <= 0xffffffff ? 4 : 8;
}

// A number in [low, high], half of the time at an edge: the ends, a power of two, or one beside
// them.
uint64_t DrawNumber(Random& random, uint64_t low, uint64_t high);

// Smaller numbers worth trying, boldest first: low, then ever closer to `value`, last value - 1.
std::vector<uint64_t> SimplerNumbers(uint64_t value, uint64_t low);

// Decimal, or hexadecimal after 0x. InvalidArgument says what is wrong.
absl::StatusOr<uint64_t> ParseNumber(absl::string_view text, uint64_t low, uint64_t high);

std::string PrintHex(uint64_t value);

absl::StatusOr<size_t> ParseName(absl::string_view text, const char* const* names, size_t count);

}  // namespace fields_internal

// A number from kLow to kHigh.
template <uint64_t kLow, uint64_t kHigh>
class Size {
 public:
  static_assert(kLow <= kHigh);
  static constexpr size_t kWireBytes = fields_internal::WireBytes(kHigh);

  // NOLINTNEXTLINE: implicit, so that tests write Add{.bytes = 32}.
  constexpr Size(uint64_t value = kLow) : value_(FromRaw(value).value_) {}
  // NOLINTNEXTLINE: reads as a number.
  constexpr operator uint64_t() const { return value_; }

  static constexpr Size FromRaw(uint64_t raw) {
    Size size(Exact{}, raw);
    if constexpr (kLow > 0 || kHigh < ~uint64_t{0}) {
      if (raw < kLow || raw > kHigh) size.value_ = kLow + raw % (kHigh - kLow + 1);
    }
    return size;
  }
  constexpr uint64_t ToRaw() const { return value_; }
  std::string Print() const { return absl::StrCat(value_); }
  static absl::StatusOr<Size> Parse(absl::string_view text) {
    auto number = fields_internal::ParseNumber(text, kLow, kHigh);
    if (!number.ok()) return number.status();
    return Size(*number);
  }
  static Size Draw(Random& random) {
    return Size(fields_internal::DrawNumber(random, kLow, kHigh));
  }
  std::vector<Size> Simpler() const {
    const std::vector<uint64_t> numbers = fields_internal::SimplerNumbers(value_, kLow);
    return {numbers.begin(), numbers.end()};
  }
  static std::string Describe() { return absl::StrCat("size ", kLow, "..", kHigh); }

 private:
  struct Exact {};
  constexpr Size(Exact, uint64_t value) : value_(value) {}
  uint64_t value_;
};

// kBitCount bits without an order: fills, seeds, masks.
template <int kBitCount>
class Bits {
 public:
  static_assert(kBitCount == 8 || kBitCount == 16 || kBitCount == 32 || kBitCount == 64);
  static constexpr size_t kWireBytes = kBitCount / 8;

  // NOLINTNEXTLINE: implicit, as Size.
  constexpr Bits(uint64_t value = 0) : value_(value & kMask) {}
  // NOLINTNEXTLINE
  constexpr operator uint64_t() const { return value_; }

  static constexpr Bits FromRaw(uint64_t raw) { return Bits(raw); }
  constexpr uint64_t ToRaw() const { return value_; }
  std::string Print() const { return fields_internal::PrintHex(value_); }
  static absl::StatusOr<Bits> Parse(absl::string_view text) {
    auto number = fields_internal::ParseNumber(text, 0, kMask);
    if (!number.ok()) return number.status();
    return Bits(*number);
  }
  static Bits Draw(Random& random) {
    switch (random.Below(4)) {
      case 0:
        return Bits(random.Below(4));
      case 1:
        return Bits(~random.Below(4));
      default:
        return Bits(random.Next());
    }
  }
  std::vector<Bits> Simpler() const {
    std::vector<Bits> simpler;
    if ((value_ & (value_ - 1)) != 0) simpler.push_back(Bits(0));  // several bits
    for (uint64_t bit = value_; bit != 0; bit &= bit - 1) {
      simpler.push_back(Bits(value_ & ~(bit & (~bit + 1))));  // one bit fewer
    }
    return simpler;
  }
  static std::string Describe() { return absl::StrCat("bits ", kBitCount); }

 private:
  static constexpr uint64_t kMask =
      kBitCount == 64 ? ~uint64_t{0} : (uint64_t{1} << (kBitCount % 64)) - 1;
  uint64_t value_;
};

using Byte = Bits<8>;

// Yes or no.
class Flag {
 public:
  static constexpr size_t kWireBytes = 1;

  // NOLINTNEXTLINE: implicit, as Size.
  constexpr Flag(bool value = false) : value_(value) {}
  // NOLINTNEXTLINE
  constexpr operator bool() const { return value_; }

  static constexpr Flag FromRaw(uint64_t raw) { return Flag((raw & 1) != 0); }
  constexpr uint64_t ToRaw() const { return value_ ? 1 : 0; }
  std::string Print() const { return value_ ? "yes" : "no"; }
  static absl::StatusOr<Flag> Parse(absl::string_view text);
  static Flag Draw(Random& random) { return Flag(random.OneIn(2)); }
  std::vector<Flag> Simpler() const {
    return value_ ? std::vector<Flag>{Flag(false)} : std::vector<Flag>{};
  }
  static std::string Describe() { return "flag"; }

 private:
  bool value_;
};

// One of an enum whose values are 0, 1, 2..., named in that order by the std::array kNames. The
// first is the simplest.
template <class Enum, const auto& kNames>
class Choice {
 public:
  using Value = Enum;
  static_assert(kNames.size() >= 1 && kNames.size() <= 256);
  static constexpr size_t kWireBytes = 1;

  // NOLINTNEXTLINE: implicit, as Size.
  constexpr Choice(Enum value = Enum{}) : value_(value) {}
  // NOLINTNEXTLINE
  constexpr operator Enum() const { return value_; }

  static constexpr Choice FromRaw(uint64_t raw) {
    return Choice(static_cast<Enum>(raw % kNames.size()));
  }
  constexpr uint64_t ToRaw() const { return static_cast<uint64_t>(value_); }
  std::string Print() const { return kNames[ToRaw()]; }
  static absl::StatusOr<Choice> Parse(absl::string_view text) {
    auto index = fields_internal::ParseName(text, kNames.data(), kNames.size());
    if (!index.ok()) return index.status();
    return FromRaw(*index);
  }
  static Choice Draw(Random& random) { return FromRaw(random.Below(kNames.size())); }
  std::vector<Choice> Simpler() const {
    std::vector<Choice> simpler;
    for (uint64_t raw = 0; raw < ToRaw(); ++raw) simpler.push_back(FromRaw(raw));
    return simpler;
  }
  static std::string Describe() {
    std::string text = "choice";
    for (const char* name : kNames) absl::StrAppend(&text, " ", name);
    return text;
  }

 private:
  Enum value_;
};

// A product of an earlier operation, of population kPopulation (0 to 3). Before a step the runner
// rewrites a pick to the birth number of the live product it hits, or to nothing when none lives; a
// suite sees only that.
template <int kPopulationIndex>
class Pick {
 public:
  static constexpr int kPopulation = kPopulationIndex;
  static constexpr size_t kWireBytes = 2;
  static constexpr uint64_t kNothing = 0xffff;

  // NOLINTNEXTLINE: implicit, as Size.
  constexpr Pick(uint64_t birth = 0) : value_(birth & 0xffff) {}
  constexpr bool hit() const { return value_ != kNothing; }
  // The birth number. Requires, in a step: hit().
  constexpr size_t birth() const { return value_; }

  static constexpr Pick FromRaw(uint64_t raw) { return Pick(raw); }
  constexpr uint64_t ToRaw() const { return value_; }
  std::string Print() const { return hit() ? absl::StrCat("@", value_) : "@none"; }
  static absl::StatusOr<Pick> Parse(absl::string_view text) {
    if (text.empty() || text[0] != '@') {
      return absl::InvalidArgumentError("a pick is @ and the number of a birth, as in @3");
    }
    if (text == "@none") return Pick(kNothing);
    auto number = fields_internal::ParseNumber(text.substr(1), 0, kNothing - 1);
    if (!number.ok()) return number.status();
    return Pick(*number);
  }
  static Pick Draw(Random& random) { return Pick(random.Below(random.OneIn(2) ? 4 : kNothing)); }
  std::vector<Pick> Simpler() const {
    std::vector<Pick> simpler;
    for (uint64_t number : fields_internal::SimplerNumbers(value_, 0)) simpler.push_back(number);
    return simpler;
  }
  static std::string Describe() { return absl::StrCat("pick ", kPopulation); }

 private:
  uint64_t value_;
};

template <class T>
inline constexpr bool kIsPick = false;
template <int kPopulation>
inline constexpr bool kIsPick<Pick<kPopulation>> = true;

}  // namespace tuplestone::kit

#endif  // TUPLESTONE_PROPERTIES_KIT_FIELDS_H_
