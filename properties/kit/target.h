// A suite behind one interface, for drivers that know it only by name: the command line,
// properties, shrinking. An input is bytes: text or binary of a program, or, for byte targets, the
// bytes themselves.
#ifndef TUPLESTONE_PROPERTIES_KIT_TARGET_H_
#define TUPLESTONE_PROPERTIES_KIT_TARGET_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "properties/kit/codec.h"
#include "properties/kit/emit.h"
#include "properties/kit/generate.h"
#include "properties/kit/isolate.h"
#include "properties/kit/mutate.h"
#include "properties/kit/random.h"
#include "properties/kit/run.h"
#include "properties/kit/shrink.h"
#include "properties/kit/text.h"

namespace tuplestone::kit {

using Input = std::vector<std::byte>;

// Inputs that are simpler than some input, the boldest first, made when asked for.
struct SimplerInputs {
  size_t count = 0;
  std::function<Input(size_t)> at;
};

// What a suite shows of itself, in lines.
struct States {
  std::string model;
  std::string subject;
};

class Target {
 public:
  virtual ~Target() = default;
  virtual std::string name() const = 0;
  virtual bool is_program() const = 0;

  // Runs `input` in this process. Any bytes are legal; a failure ends the process.
  virtual void Run(Bytes input) const = 0;

  // The same, and calls `tell` with the states before `operation` (kAfterOperations: before the
  // closing balance) and again when it dies later than that. Never where the suite shows none.
  virtual void RunShown(Bytes input, uint32_t operation,
                        const std::function<void(const States&)>& tell) const;

  // The input as a GoogleTest case called `name` that needs the suite and nothing else.
  virtual std::string EmitTest(Bytes input, absl::string_view name) const = 0;

  // The input for people: operations, or a hexadecimal listing.
  virtual std::string Print(Bytes input) const = 0;
  virtual absl::StatusOr<Input> Parse(absl::string_view text) const = 0;

  // The binary that means the same as `input`, with everything ignored written as 0.
  virtual Input Normalize(Bytes input) const = 0;

  // The input in words with `operation` marked.
  virtual std::string Trace(Bytes input, uint32_t operation) const = 0;

  virtual Input Draw(Random& random, size_t operations_max) const = 0;

  // Changes an input in place, at random, and returns its new size; a splice of two is written to
  // `out`. As bytes, unless the target knows better.
  virtual size_t Mutate(uint8_t* data, size_t size, size_t size_max, uint64_t seed,
                        ByteMutator mutate_bytes) const;
  virtual size_t Splice(Bytes first, Bytes second, uint8_t* out, size_t out_size_max,
                        uint64_t seed) const;

  // What `input`, which ran as `trace` says, means without anything that did not matter: it behaves
  // the same.
  virtual Input NormalForm(Bytes input, const RunTrace& trace) const = 0;
  // Candidates for shrinking. Requires: `normal` is in normal form and ran as `trace` says.
  virtual SimplerInputs Simpler(Bytes normal, const RunTrace& trace) const = 0;
  // A total order of normal forms without infinite descent.
  virtual bool IsSimpler(Bytes a, Bytes b) const = 0;

  // One line a fact that stored files depend on: sizes, then tag, name and fields of each
  // operation.
  virtual std::vector<std::string> Language() const = 0;
};

// The compiler makes it once: a suite's header declares `extern template class
// ProgramTarget<PageSuite>;` in this namespace and its source instantiates it.
template <class Suite>
class ProgramTarget final : public Target {
 public:
  using P = typename Suite::Program;

  // `after` sees the suite when a program has run.
  explicit ProgramTarget(std::function<void(Suite&)> after = nullptr) : after_(std::move(after)) {}

  std::string name() const override { return LanguageName<P>(); }
  bool is_program() const override { return true; }
  void Run(Bytes input) const override {
    RunWatched(input, [](Suite&, uint32_t) {});
  }
  void RunShown(Bytes input, uint32_t operation,
                const std::function<void(const States&)>& tell) const override {
    if constexpr (requires(const Suite& suite) { suite.ShowModel(), suite.ShowSubject(); }) {
      RunWatched(input, [&](Suite& suite, uint32_t at) {
        if (at != operation) return;
        const auto show = [&suite, &tell] { tell({suite.ShowModel(), suite.ShowSubject()}); };
        show();
        SetLastWords(show);
      });
    } else {
      Run(input);
    }
  }
  std::string EmitTest(Bytes input, absl::string_view test_name) const override {
    return EmitProgramTest<Suite>(ReadProgram<P>(input), test_name);
  }
  std::string Print(Bytes input) const override { return kit::Print(ReadProgram<P>(input)); }
  absl::StatusOr<Input> Parse(absl::string_view text) const override {
    auto program = kit::Parse<P>(text);
    if (!program.ok()) return program.status();
    return Encode(*program);
  }
  Input Normalize(Bytes input) const override { return Encode(ReadProgram<P>(input)); }
  std::string Trace(Bytes input, uint32_t operation) const override {
    return kit::Trace(ReadProgram<P>(input), operation);
  }
  Input Draw(Random& random, size_t operations_max) const override {
    return Encode(DrawProgram<P>(random, operations_max));
  }
  size_t Mutate(uint8_t* data, size_t size, size_t size_max, uint64_t seed,
                ByteMutator mutate_bytes) const override {
    return MutateInput<P>(data, size, size_max, seed, mutate_bytes);
  }
  size_t Splice(Bytes first, Bytes second, uint8_t* out, size_t out_size_max,
                uint64_t seed) const override {
    return SpliceInputs<P>(first, second, out, out_size_max, seed);
  }
  Input NormalForm(Bytes input, const RunTrace& trace) const override {
    return Encode(kit::NormalForm(ReadProgram<P>(input), trace));
  }
  SimplerInputs Simpler(Bytes normal, const RunTrace& trace) const override {
    const auto program = std::make_shared<const P>(ReadProgram<P>(normal));
    const auto edits = std::make_shared<const std::vector<Edit>>(Edits(*program));
    return {edits->size(), [program, edits, trace](size_t i) {
              return Encode(ApplyEdit(*program, trace, (*edits)[i]));
            }};
  }
  bool IsSimpler(Bytes a, Bytes b) const override {
    return kit::IsSimpler(ReadProgram<P>(a), ReadProgram<P>(b));
  }
  std::vector<std::string> Language() const override {
    std::vector<std::string> lines;
    lines.push_back(absl::StrCat(name(), " head_bytes=", P::kShape.head_bytes,
                                 " record_bytes=", P::kShape.record_bytes));
    lines.push_back(Declaration<typename P::Head>());
    P::ForEachKind([&]<class T>() { lines.push_back(Declaration<T>()); });
    return lines;
  }

 private:
  template <class T>
  static std::string Declaration() {
    std::string line =
        absl::StrCat(LanguageName<P>(), " tag ", int{T::kText.kTag}, " ", T::kText.name);
    T t{};
    ForEachField(t, [&](const char* field_name, auto& field) {
      absl::StrAppend(&line, ", ", field_name, ": ",
                      std::remove_reference_t<decltype(field)>::Describe());
    });
    return line;
  }

  using Watch = std::function<void(Suite&, uint32_t)>;
  void RunWatched(Bytes input, const Watch& watch) const {
    kit::Run<Suite>(ReadProgram<P>(input), [&](Suite& suite, uint32_t at) {
      if (at == kAfterOperations && after_ != nullptr) after_(suite);
      watch(suite, at);
    });
  }

  std::function<void(Suite&)> after_;
};

// For suites that take bytes from outside as they are:
//   struct PageImageSuite { static constexpr const char* kName = "page_image";
//                           static void Run(Bytes bytes); };
// An input is the bytes, or a listing of them. Bytes that are themselves a listing are written as
// the listing of that listing.
class ByteTarget final : public Target {
 public:
  // `suite` and `header`: how a test that is emitted names the suite and includes it.
  ByteTarget(std::string name, void (*run)(Bytes), std::string suite = "", std::string header = "")
      : name_(std::move(name)), run_(run), suite_(std::move(suite)), header_(std::move(header)) {}

  std::string name() const override { return name_; }
  bool is_program() const override { return false; }
  void Run(Bytes input) const override;
  std::string Print(Bytes input) const override;
  absl::StatusOr<Input> Parse(absl::string_view text) const override;
  Input Normalize(Bytes input) const override;
  std::string Trace(Bytes input, uint32_t operation) const override;
  std::string EmitTest(Bytes input, absl::string_view test_name) const override;
  Input Draw(Random& random, size_t bytes_max) const override;
  Input NormalForm(Bytes input, const RunTrace&) const override { return Normalize(input); }
  // Fewer bytes, then zeros in stretches, then smaller bytes.
  SimplerInputs Simpler(Bytes normal, const RunTrace& trace) const override;
  bool IsSimpler(Bytes a, Bytes b) const override;
  std::vector<std::string> Language() const override { return {}; }

 private:
  // The bytes that `input` stands for, and an input that stands for `content`.
  Input ContentOf(Bytes input) const;
  Input InputOf(Input content) const;

  std::string name_;
  void (*run_)(Bytes);
  std::string suite_;
  std::string header_;
};

// The target of a suite of either sort.
template <class Suite>
std::unique_ptr<Target> MakeTarget() {
  if constexpr (requires { typename Suite::Program; }) {
    return std::make_unique<ProgramTarget<Suite>>();
  } else {
    return std::make_unique<ByteTarget>(Suite::kName, &Suite::Run, TypeName<Suite>(),
                                        SuiteHeader<Suite>());
  }
}

}  // namespace tuplestone::kit

#endif  // TUPLESTONE_PROPERTIES_KIT_TARGET_H_
