// Probes mark rare states, so that a run can say which it never reached.
//
//   TUPLESTONE_PROBE("sort.third_pass");
//
// The part before the first dot is the component. Every probe of the program is known from its
// start, reached or not; the same name at two places is one probe. Hitting a probe adds one to a
// counter and decides nothing.
#ifndef TUPLESTONE_ENGINE_BASE_PROBE_H_
#define TUPLESTONE_ENGINE_BASE_PROBE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tuplestone {

class Probe {
 public:
  explicit Probe(const char* name);
  void Hit() { ++hits_; }
  // What another process counted.
  void Add(uint64_t hits) { hits_ += hits; }
  const char* name() const { return name_; }
  uint64_t hits() const { return hits_; }

 private:
  friend std::vector<Probe*> AllProbes();
  const char* name_;
  uint64_t hits_ = 0;
  Probe* next_;
};

// Every probe linked into the program, by name. O(n log n).
std::vector<Probe*> AllProbes();

namespace probe_internal {

template <size_t N>
struct Name {
  // NOLINTNEXTLINE: implicit on purpose, from a string literal.
  constexpr Name(const char (&literal)[N]) { std::copy_n(literal, N, text); }
  char text[N];
};

template <Name kName>
struct Site {
  static inline Probe probe{kName.text};
};

}  // namespace probe_internal
}  // namespace tuplestone

#define TUPLESTONE_PROBE(name) ::tuplestone::probe_internal::Site<name>::probe.Hit()

#endif  // TUPLESTONE_ENGINE_BASE_PROBE_H_
