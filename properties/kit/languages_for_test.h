// Languages that only tests speak: one with every type of field, and the toy as it was before it
// learned `wait` and the `fill` of a load.
#ifndef TUPLESTONE_PROPERTIES_KIT_LANGUAGES_FOR_TEST_H_
#define TUPLESTONE_PROPERTIES_KIT_LANGUAGES_FOR_TEST_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "properties/kit/program.h"
#include "properties/toy/toy_ops.h"

namespace tuplestone::kit {

enum class Colour { kRed, kGreen, kBlue };
inline constexpr std::array kColourNames = {"red", "green", "blue"};

struct WideHead {
  static constexpr auto kText = Text<0>("wide", "colour", "limit");
  static constexpr Shape kShape{.head_bytes = 16, .record_bytes = 32, .operations_max = 40};
  Choice<Colour, kColourNames> colour;
  Size<100, 1'000'000> limit;
};
struct WideNumbers {
  static constexpr auto kText = Text<1>("numbers", "one", "small", "medium", "large", "full");
  Size<7, 7> one;
  Size<3, 200> small;
  Size<0, 65'535> medium;
  Size<1, 4'000'000'000> large;
  Size<0, ~uint64_t{0}> full;
};
struct WideBits {
  static constexpr auto kText = Text<2>("bits", "eight", "sixteen", "thirty_two", "sixty_four");
  Byte eight;
  Bits<16> sixteen;
  Bits<32> thirty_two;
  Bits<64> sixty_four;
};
struct WideWords {
  static constexpr auto kText = Text<3>("words", "flag", "colour");
  Flag flag;
  Choice<Colour, kColourNames> colour;
};
struct WideMake {
  static constexpr auto kText = Text<4>("make");
};
struct WideUse {
  static constexpr auto kText = Text<31>("use", "first", "second", "other", "last");
  Pick<0> first;
  Pick<0> second;
  Pick<1> other;
  Pick<3> last;
};
using WideProgram = Program<WideHead, WideNumbers, WideBits, WideWords, WideMake, WideUse>;

struct OldToyLoad {
  static constexpr auto kText = Text<2>("load", "box");
  Pick<0> box;
};
using OldToyProgram = Program<properties::ToyHead, properties::ToyOpen, OldToyLoad,
                              properties::ToyFire, properties::ToyClose>;

}  // namespace tuplestone::kit

#endif  // TUPLESTONE_PROPERTIES_KIT_LANGUAGES_FOR_TEST_H_
