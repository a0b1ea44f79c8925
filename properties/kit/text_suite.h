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

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "properties/kit/codec.h"
#include "properties/kit/expect.h"
#include "properties/kit/program.h"
#include "properties/kit/target.h"
#include "properties/kit/text.h"

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

template <class P>
void CheckProgram(const P& program) {
  const absl::StatusOr<P> parsed = Parse<P>(Print(program));
  ExpectOk(kF8, parsed.status());
  Expect(kF8, *parsed == program, "Parse(Print(p)) == p");
  const std::vector<std::byte> bytes = Encode(program);
  Expect(kF9, Decode<P>(bytes) == program, "Decode(Encode(p)) == p");
  Expect(kF9, ReadProgram<P>(bytes) == program, "the binary form is not taken for text");
}

template <class P>
void ReadAsProgram(Bytes bytes, absl::string_view text) {
  const absl::StatusOr<P> parsed = Parse<P>(text);
  if (parsed.ok()) {
    CheckProgram(*parsed);
  } else {
    CheckError(parsed.status());
  }
  CheckProgram(Decode<P>(bytes));
}

inline void ReadAsListing(const ByteTarget& target, absl::string_view text) {
  const absl::StatusOr<Input> parsed = target.Parse(text);
  if (!parsed.ok()) return CheckError(parsed.status());
  const absl::StatusOr<Input> again = target.Parse(target.Print(*parsed));
  ExpectOk(kF8, again.status());
  ExpectEqual(kF8, *parsed, *again);
}

template <class Suite>
void ReadAs(Bytes bytes, absl::string_view text) {
  if constexpr (requires { typename Suite::Program; }) {
    ReadAsProgram<typename Suite::Program>(bytes, text);
  } else {
    ReadAsListing(ByteTarget(Suite::kName, &Suite::Run), text);
  }
}

}  // namespace text_suite_internal

template <class... Suites>
struct TextSuite {
  static constexpr const char* kName = "ops_text";
  static void Run(Bytes bytes) {
    const absl::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    (text_suite_internal::ReadAs<Suites>(bytes, text), ...);
    text_suite_internal::ReadAsListing(ByteTarget(kName, &Run), text);
  }
};

}  // namespace tuplestone::kit

#endif  // TUPLESTONE_PROPERTIES_KIT_TEXT_SUITE_H_
