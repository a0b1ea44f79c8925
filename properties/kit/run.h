// The only loop that runs programs. A suite steps the thing under test and its model, and compares
// what both can see.
//
//   class ToySuite {
//    public:
//     using Program = ToyProgram;
//     ToySuite(const ToyHead& head, kit::Runner& run);
//     void Step(const Push& push);   // one for each operation
//     void Compare();                // optional: after every operation; cheap
//     void Verify();                 // the structure's own walk, at a stride and at the end
//     void Finish();                 // the closing balance
//     std::string ShowModel() const;    // optional, for people: what should be...
//     std::string ShowSubject() const;  // ...and what is; the same text in every build
//   };
//
// Products are numbered by birth: a suite tells its populations who is born and dies, and every
// Pick that reaches a step holds the birth number of a live product, or nothing. With the picks so
// rewritten a program is in normal form.
#ifndef TUPLESTONE_PROPERTIES_KIT_RUN_H_
#define TUPLESTONE_PROPERTIES_KIT_RUN_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/base/check.h"
#include "properties/kit/journal.h"
#include "properties/kit/program.h"
#include "properties/kit/text.h"

namespace tuplestone::kit {

inline constexpr Invariant kF1{"F1", "a program ends within its fuel of steps"};
inline constexpr Invariant kF2{"F2", "a program ends within its fuel of bytes"};
inline constexpr Invariant kF3{"F3", "a suite reports births and deaths in step with its products"};

// The live products of one kind, in the order of their birth.
class Population {
 public:
  // Returns the birth number of a new product.
  size_t Born() {
    live_.push_back(static_cast<uint32_t>(births_));
    return births_++;
  }
  // Requires: `birth` is alive. O(live products).
  void Died(size_t birth);
  void AllDied() { live_.clear(); }

  size_t births() const { return births_; }
  const std::vector<uint32_t>& live() const { return live_; }

  // `wanted` if it is alive, else some live birth that depends on `wanted` alone. Nothing, which is
  // Pick<0>::kNothing, where nothing lives or is wanted.
  uint64_t Resolve(uint64_t wanted) const;

 private:
  std::vector<uint32_t> live_;  // ascending
  size_t births_ = 0;
};

// How much a program may do. Running out is a death with an id, so that it can be shrunk like any
// other.
struct Fuel {
  uint64_t steps = 4'000'000;
  uint64_t bytes = uint64_t{1} << 30;
};

// What a suite may ask of the loop that runs it.
class Runner {
 public:
  Population& population(int kind) { return populations_[kind]; }
  const Population& population(int kind) const { return populations_[kind]; }

  // A suite spends a step for each turn of a loop whose end the thing under test decides, and bytes
  // for what it obtains.
  void SpendSteps(uint64_t steps);
  void SpendBytes(uint64_t bytes);

 private:
  Population populations_[kPopulationCount];
  Fuel fuel_;
};

namespace run_internal {

// The program with operation `operation` marked, some before it, and what follows.
std::string TraceText(absl::string_view head, const std::vector<std::string>& operations,
                      uint32_t operation);

// Rewrites the picks of `op` to what they hit and notes them in the journal.
template <class T>
void ResolvePicks(T& op, const Runner& run, uint16_t* noted) {
  ForEachField(op, [&](const char*, auto& field) {
    using Field = std::remove_reference_t<decltype(field)>;
    if constexpr (kIsPick<Field>) {
      field = Field(run.population(Field::kPopulation).Resolve(field.ToRaw()));
      *noted++ = static_cast<uint16_t>(field.ToRaw());
    }
  });
}

template <class T>
constexpr size_t PickCount() {
  size_t count = 0;
  T t{};
  ForEachField(t, [&](const char*, auto& field) {
    if constexpr (kIsPick<std::remove_reference_t<decltype(field)>>) ++count;
  });
  return count;
}

// Verification walks everything, so it runs after operation 1, 2, 4, 8, 16 and then eight times a
// doubling.
constexpr bool VerifiesAfter(size_t operation) {
  const size_t done = operation + 1;
  size_t stride = 1;
  while (stride * 2 <= done) stride *= 2;
  if (stride > 16) stride /= 8;
  return done % stride == 0;
}

}  // namespace run_internal

// The program in words, with the running operation marked: what a report shows.
template <class P>
std::string Trace(const P& program, uint32_t operation) {
  std::vector<std::string> operations;
  for (const auto& op : program.operations) operations.push_back(PrintOperation(op));
  return run_internal::TraceText(PrintHead(program), operations, operation);
}

struct Nothing {
  template <class Suite>
  void operator()(Suite&, uint32_t) const {}
};

// Runs `program` in this process. `watch` sees the suite before each operation, and between the
// last one and the closing balance (kAfterOperations). A broken check does not return.
template <class Suite, class Watch = Nothing>
void Run(const typename Suite::Program& program, const Watch& watch = Watch()) {
  using P = typename Suite::Program;
  static_assert(P::kShape.operations_max <= kOperationsMax);
  P::ForEachKind([]<class T>() { static_assert(run_internal::PickCount<T>() <= kPicksMax); });
  BeginProgram(&program, [](const void* p, uint32_t operation) {
    return Trace(*static_cast<const P*>(p), operation);
  });
  Journal& journal = ProcessJournal();
  Runner run;
  {
    Suite suite(program.head, run);
    for (size_t i = 0; i < program.operations.size(); ++i) {
      journal.operation = static_cast<uint32_t>(i);
      for (int k = 0; k < kPopulationCount; ++k) {
        journal.births_before[i][k] = static_cast<uint32_t>(run.population(k).births());
      }
      watch(suite, static_cast<uint32_t>(i));
      run.SpendSteps(1);
      typename P::Operation operation = program.operations[i];
      P::Visit(operation, [&](auto& op) {
        run_internal::ResolvePicks(op, run, journal.picks[i]);
        suite.Step(op);
      });
      if constexpr (requires { suite.Compare(); }) suite.Compare();
      if (run_internal::VerifiesAfter(i)) suite.Verify();
    }
    journal.operation = kAfterOperations;
    suite.Verify();
    watch(suite, kAfterOperations);
    suite.Finish();
  }
  EndProgram();
}

}  // namespace tuplestone::kit

#endif  // TUPLESTONE_PROPERTIES_KIT_RUN_H_
