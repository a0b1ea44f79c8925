#include "engine/memory/stats.h"

#include <algorithm>

#include "absl/strings/str_format.h"

namespace tuplestone::memory {
namespace {

std::string Thousands(size_t n) {
  std::string digits = std::to_string(n);
  for (size_t end = digits.size(); end > 3; end -= 3) digits.insert(end - 3, ",");
  return digits;
}

std::string Row(const std::string& name, const std::string& kind, const Account& account) {
  std::string row = absl::StrFormat("%-28s %-10s", name, kind);
  for (const size_t figure : {account.obtained, account.overhead, account.live, account.free,
                              account.dead, account.tail, account.guards}) {
    absl::StrAppendFormat(&row, " %13s", Thousands(figure));
  }
  absl::StrAppendFormat(&row, " %11s %11s %7s\n", Thousands(account.requested),
                        Thousands(account.live_chunks), Thousands(account.blocks));
  return row;
}

}  // namespace

std::string ContextStats::ToString() const {
  std::string text = absl::StrFormat("%-28s %-10s", "context", "kind");
  for (const char* term : {"obtained", "overhead", "live", "free", "dead", "tail", "guards"}) {
    absl::StrAppendFormat(&text, " %13s", term);
  }
  absl::StrAppendFormat(&text, " %11s %11s %7s\n", "requested", "chunks", "blocks");
  for (const Line& line : lines) {
    text += Row(std::string(2 * line.depth, ' ') + line.name, KindName(line.kind), line.account);
  }
  text += Row("all " + Thousands(lines.size()), "", total);
  return text;
}

ContextStats Stats(const Context& root) {
  ContextStats stats;
  size_t depth = 0;
  const Context* previous = nullptr;
  for (const Context* context = &root; context != nullptr;
       context = NextInSubtree(context, &root)) {
    if (previous != nullptr && context->parent() == previous) {
      ++depth;
    } else if (previous != nullptr) {
      // Up to where the two branches meet.
      while (previous->parent() != context->parent()) {
        previous = previous->parent();
        --depth;
      }
    }
    stats.lines.push_back({depth, context->name(), context->kind(), context->account()});
    stats.total += context->account();
    previous = context;
  }
  return stats;
}

}  // namespace tuplestone::memory
