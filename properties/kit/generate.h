// Drawing programs. Swarm testing: each draw switches some kinds of operation off and weighs the
// others anew, so that a program full of one thing is as likely as an even mixture.
#ifndef TUPLESTONE_PROPERTIES_KIT_GENERATE_H_
#define TUPLESTONE_PROPERTIES_KIT_GENERATE_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "properties/kit/program.h"
#include "properties/kit/random.h"

namespace tuplestone::kit {

template <class T>
T DrawFields(Random& random) {
  T t{};
  ForEachField(t, [&](const char*, auto& field) {
    field = std::remove_reference_t<decltype(field)>::Draw(random);
  });
  return t;
}

// How often each kind of operation is drawn; 0 is off.
template <class P>
using SwarmWeights = std::array<uint64_t, P::kKindCount>;

// At least one weight is not 0. A quarter of the kinds is off in the mean.
template <class P>
SwarmWeights<P> DrawSwarm(Random& random) {
  SwarmWeights<P> weights{};
  bool any = false;
  while (!any) {
    size_t kind = 0;
    P::ForEachKind([&]<class T>() {
      const bool off = random.OneIn(4);
      const uint64_t factor = uint64_t{1} << random.Below(4);
      weights[kind++] = off ? 0 : factor * static_cast<uint64_t>(WeightOf<T>());
      any |= !off;
    });
  }
  return weights;
}

// Requires: some weight is not 0.
template <class P>
typename P::Operation DrawOperation(Random& random, const SwarmWeights<P>& weights) {
  uint64_t total = 0;
  for (uint64_t weight : weights) total += weight;
  uint64_t at = random.Below(total);
  typename P::Operation operation;
  size_t kind = 0;
  bool drawn = false;
  P::ForEachKind([&]<class T>() {
    const uint64_t weight = weights[kind++];
    if (drawn) return;
    if (at >= weight) {
      at -= weight;
      return;
    }
    operation = DrawFields<T>(random);
    drawn = true;
  });
  return operation;
}

// A program of up to `operations_max` operations (and the language's own limit). Pure function of
// the random state.
template <class P>
P DrawProgram(Random& random, size_t operations_max) {
  P program;
  program.head = DrawFields<typename P::Head>(random);
  const SwarmWeights<P> weights = DrawSwarm<P>(random);
  const size_t count = random.Between(0, std::min(operations_max, P::kShape.operations_max));
  program.operations.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    program.operations.push_back(DrawOperation<P>(random, weights));
  }
  return program;
}

}  // namespace tuplestone::kit

#endif  // TUPLESTONE_PROPERTIES_KIT_GENERATE_H_
