#include "fuzz/cli/targets.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "fuzz/suites.h"

namespace tuplestone::cli {

const std::vector<std::unique_ptr<kit::Target>>& AllTargets() {
  static const auto* const targets = [] {
    auto* all = new std::vector<std::unique_ptr<kit::Target>>;
    fuzz::AllSuites::ForEach([&]<class Suite>() { all->push_back(kit::MakeTarget<Suite>()); });
    return all;
  }();
  return *targets;
}

const kit::Target* FindTarget(absl::string_view name) {
  for (const auto& target : AllTargets()) {
    if (name == target->name()) return target.get();
  }
  return nullptr;
}

std::string TargetNames() {
  std::string names;
  for (const auto& target : AllTargets()) {
    absl::StrAppend(&names, names.empty() ? "" : ", ", target->name());
  }
  return names;
}

}  // namespace tuplestone::cli
