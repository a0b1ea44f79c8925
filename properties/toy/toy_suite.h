// The toy's suite. It plays component, model and bug at once: what is tested with it is the kit.
#ifndef TUPLESTONE_PROPERTIES_TOY_TOY_SUITE_H_
#define TUPLESTONE_PROPERTIES_TOY_TOY_SUITE_H_

#include <cstddef>
#include <map>
#include <string>

#include "engine/base/check.h"
#include "properties/kit/run.h"
#include "properties/kit/target.h"
#include "properties/toy/toy_ops.h"

namespace tuplestone::properties {

inline constexpr Invariant kX1{"X1", "a loaded box must not be fired"};
inline constexpr Invariant kX2{"X2", "an empty box must not be fired"};

class ToySuite {
 public:
  using Program = ToyProgram;
  static constexpr const char* kHeader = "properties/toy/toy_suite.h";

  ToySuite(const ToyHead& head, kit::Runner& run)
      : death_(head.death), empty_kills_(head.spare >= 90), run_(run) {}

  void Step(const ToyOpen& open);
  void Step(const ToyLoad& load);
  void Step(const ToyFire& fire);
  void Step(const ToyClose& close);
  void Step(const ToyWait&) {}
  void Verify() const {}
  void Finish() {}

  // The toy is its own model.
  std::string ShowModel() const;
  std::string ShowSubject() const { return ShowModel(); }

  size_t box_count() const { return loaded_.size(); }

 private:
  ToyDeath death_;
  bool empty_kills_;
  kit::Runner& run_;
  std::map<size_t, bool> loaded_;  // by birth
};

}  // namespace tuplestone::properties

namespace tuplestone::kit {
extern template class ProgramTarget<properties::ToySuite>;
}

#endif  // TUPLESTONE_PROPERTIES_TOY_TOY_SUITE_H_
