// The readers of files as a suite: bytes from outside go through the text and the binary reader of
// every language. A broken file must give an error that says where, never an abort; what is read
// must survive being written and read again.
//
//   bytes --+-- Parse, each language ----> error: "line n, column n: ..."           (F7)
//           |                        `---> p:     Parse(Print(p)) == p              (F8)
//           +-- Decode, each language ---> p:     the same, and Decode(Encode(p)) == p  (F9)
//           `-- listings of byte targets   the same
//
// Programs are read, not run.
#ifndef TUPLESTONE_PROPERTIES_KIT_TEXT_SUITE_H_
#define TUPLESTONE_PROPERTIES_KIT_TEXT_SUITE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "properties/kit/expect.h"
#include "properties/kit/target.h"

namespace tuplestone::kit {

inline constexpr Invariant kF8{"F8", "what was printed is parsed to the same input"};
inline constexpr Invariant kF9{"F9", "what was encoded is decoded to the same program"};
inline constexpr Invariant kF7{"F7", "an error of a reader names line and column"};

namespace text_suite_internal {

inline void CheckError(const absl::Status& status) {
  const std::string message(status.message());
  Expect(kF7, absl::StartsWith(message, "line "), message.c_str());
  Expect(kF7, absl::StrContains(message, ", column "), message.c_str());
}

// `normal` is an input as Encode writes it, or bytes.
inline void CheckInput(const Target& target, const Input& normal) {
  const absl::StatusOr<Input> parsed = target.Parse(target.Print(normal));
  ExpectOk(kF8, parsed.status());
  ExpectEqual(kF8, normal, *parsed, "Parse(Print(p)) == p");
  ExpectEqual(kF9, normal, target.Normalize(normal), "Decode(Encode(p)) == p, and is no text");
}

inline void ReadAs(const Target& target, Bytes bytes, absl::string_view text) {
  const absl::StatusOr<Input> parsed = target.Parse(text);
  if (parsed.ok()) {
    CheckInput(target, *parsed);
  } else {
    CheckError(parsed.status());
  }
  CheckInput(target, target.Normalize(bytes));
}

}  // namespace text_suite_internal

// Through the targets, whose readers are compiled with their suites.
template <class... Suites>
struct TextSuite {
  static constexpr const char* kName = "ops_text";
  static void Run(Bytes bytes) {
    static const auto& targets = *[] {
      auto* all = new std::vector<std::unique_ptr<Target>>;
      (all->push_back(MakeTarget<Suites>()), ...);
      all->push_back(std::make_unique<ByteTarget>(kName, &Run));
      return all;
    }();
    const absl::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    for (const auto& target : targets) text_suite_internal::ReadAs(*target, bytes, text);
  }
};

}  // namespace tuplestone::kit

#endif  // TUPLESTONE_PROPERTIES_KIT_TEXT_SUITE_H_
