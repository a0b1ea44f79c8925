// The language of the toy component, which exists to be broken: boxes are opened, loaded, fired and
// closed. Firing a loaded box dies in the way the head says; firing an empty one dies in another
// where `spare` is 90 or more, so that shrinking could slip from one bug to the other. The smallest
// program that shows the bug is exactly open, load, fire. With `death=none` nothing ever dies.
#ifndef TUPLESTONE_PROPERTIES_TOY_TOY_OPS_H_
#define TUPLESTONE_PROPERTIES_TOY_TOY_OPS_H_

#include <array>

#include "properties/kit/program.h"

namespace tuplestone::properties {

enum class ToyDeath { kCheck, kAbort, kAddress, kUndefined, kLeak, kHang, kMemory, kNone };
inline constexpr std::array kToyDeathNames = {"check", "abort", "address", "undefined",
                                              "leak",  "hang",  "memory",  "none"};

struct ToyHead {
  static constexpr auto kText = kit::Text<0>("canary", "death", "spare");
  static constexpr kit::Shape kShape{.head_bytes = 8, .record_bytes = 8, .operations_max = 64};
  kit::Choice<ToyDeath, kToyDeathNames> death;
  kit::Size<0, 100> spare;
};
struct ToyOpen {
  static constexpr auto kText = kit::Text<1>("open", "size");
  kit::Size<1, 1000> size;
};
struct ToyLoad {
  static constexpr auto kText = kit::Text<2>("load", "box", "fill");
  kit::Pick<0> box;
  kit::Byte fill;
};
struct ToyFire {
  static constexpr auto kText = kit::Text<3>("fire", "box");
  kit::Pick<0> box;
};
struct ToyClose {
  static constexpr auto kText = kit::Text<4>("close", "box");
  kit::Pick<0> box;
};
struct ToyWait {
  static constexpr auto kText = kit::Text<5>("wait");
};
using ToyProgram = kit::Program<ToyHead, ToyOpen, ToyLoad, ToyFire, ToyClose, ToyWait>;

}  // namespace tuplestone::properties

#endif  // TUPLESTONE_PROPERTIES_TOY_TOY_OPS_H_
