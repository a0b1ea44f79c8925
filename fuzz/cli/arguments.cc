#include "fuzz/cli/arguments.h"

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace tuplestone::cli {
namespace {

const Option* FindOption(const std::vector<Option>& options, const std::string& name) {
  for (const Option& option : options) {
    if (option.name == name) return &option;
  }
  return nullptr;
}

std::string Shown(const Option& option) {
  return option.value == nullptr ? option.name : absl::StrCat(option.name, " ", option.value);
}

}  // namespace

std::optional<std::string> Arguments::Text(const std::string& option) const {
  const auto found = options_.find(option);
  if (found == options_.end()) return std::nullopt;
  return found->second;
}

absl::StatusOr<double> Arguments::Number(const std::string& option, double low, double high,
                                         double otherwise) const {
  const std::optional<std::string> text = Text(option);
  if (!text.has_value()) return otherwise;
  double number = 0;
  if (!absl::SimpleAtod(*text, &number) || !(number >= low && number <= high)) {
    return absl::InvalidArgumentError(absl::StrFormat("%s: '%s' is no number from %g to %g", option,
                                                      absl::CHexEscape(*text), low, high));
  }
  return number;
}

absl::StatusOr<Arguments> Command::Read(const std::vector<std::string>& words) const {
  Arguments arguments;
  bool options_end = false;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (options_end || word.size() < 2 || word[0] != '-') {
      arguments.operands_.push_back(word);
      continue;
    }
    if (word == "--") {
      options_end = true;
      continue;
    }
    const size_t equals = word.find('=');
    const std::string option_name = word.substr(0, equals);
    const Option* option = FindOption(options, option_name);
    if (option == nullptr) {
      return absl::InvalidArgumentError(absl::StrCat("unknown option: ", option_name));
    }
    const bool takes = option->value != nullptr;
    const bool joined = equals != std::string::npos;
    if (!takes && joined) {
      return absl::InvalidArgumentError(absl::StrCat(option_name, " takes no value"));
    }
    if (takes && !joined && i + 1 == words.size()) {
      return absl::InvalidArgumentError(absl::StrCat(option_name, " needs ", option->value));
    }
    const std::string value = !takes ? "" : joined ? word.substr(equals + 1) : words[++i];
    if (!arguments.options_.emplace(option_name, value).second) {
      return absl::InvalidArgumentError(absl::StrCat(option_name, " is given twice"));
    }
  }
  const size_t count = arguments.operands_.size();
  if (count < operands_min) {
    return absl::InvalidArgumentError(absl::StrCat("is missing ", operands));
  }
  if (count > operands_max) {
    return absl::InvalidArgumentError(
        absl::StrCat("does not know what to do with '", arguments.operands_.back(), "'"));
  }
  return arguments;
}

std::string Command::Usage() const {
  std::string usage = absl::StrCat("usage: tuplestone ", name);
  for (const Option& option : options) absl::StrAppend(&usage, " [", Shown(option), "]");
  if (operands[0] != '\0') absl::StrAppend(&usage, " ", operands);
  return usage + "\n";
}

std::string Command::Help() const {
  std::string help = absl::StrCat(Usage(), "\n", summary, "\n\n", details);
  if (!options.empty()) help += "\noptions:\n";
  for (const Option& option : options) {
    absl::StrAppendFormat(&help, "  %-26s %s\n", Shown(option), option.help);
  }
  return help;
}

}  // namespace tuplestone::cli
