// The kit's source of random numbers: splitmix64. Small, seeded, the same on every machine and
// compiler; the standard library's distributions are not. For drawing programs, not for anything
// that must be hard to guess.
#ifndef TUPLESTONE_PROPERTIES_KIT_RANDOM_H_
#define TUPLESTONE_PROPERTIES_KIT_RANDOM_H_

#include <cstdint>

namespace tuplestone::kit {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t Next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  // In [0, n). Requires: n > 0. The bias of the remainder does not matter here.
  uint64_t Below(uint64_t n) { return Next() % n; }
  // In [low, high], the whole range included.
  uint64_t Between(uint64_t low, uint64_t high) {
    const uint64_t width = high - low + 1;
    return width == 0 ? Next() : low + Below(width);
  }
  // True once in n.
  bool OneIn(uint64_t n) { return Below(n) == 0; }

 private:
  uint64_t state_;
};

}  // namespace tuplestone::kit

#endif  // TUPLESTONE_PROPERTIES_KIT_RANDOM_H_
