#include "properties/kit/expect.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace tuplestone::kit {

std::string ShowBytes(Bytes bytes) {
  constexpr size_t kShownMax = 64;
  std::string text = absl::StrCat(bytes.size(), " bytes:");
  for (std::byte b : bytes.subspan(0, std::min(bytes.size(), kShownMax))) {
    absl::StrAppendFormat(&text, " %02x", static_cast<unsigned>(b));
  }
  if (bytes.size() > kShownMax) text += " ...";
  return text;
}

}  // namespace tuplestone::kit
