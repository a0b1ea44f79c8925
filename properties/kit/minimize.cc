#include "properties/kit/minimize.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace tuplestone::kit {
namespace {

constexpr size_t kTogetherMax = 64;

}  // namespace

IsolationLimits CandidateLimits(const Outcome& outcome, IsolationLimits limits) {
  constexpr double kLeast = 0.25;
  const bool hangs = outcome.death.kind == DeathKind::kHang;
  const double enough = hangs ? kLeast : kLeast + 4 * outcome.cpu_seconds;
  limits.leaks = outcome.death.kind == DeathKind::kLeak;
  if (outcome.death.kind == DeathKind::kMemory) {
    limits.resident_bytes = std::min(limits.resident_bytes, size_t{256} << 20);
  }
  limits.cpu_seconds = std::min(limits.cpu_seconds, enough);
  return limits;
}

Attempts::Attempts(const Target& target, SimplerInputs simpler, const Death& wanted,
                   const IsolationLimits& limits)
    : target_(target), simpler_(std::move(simpler)), wanted_(wanted), limits_(limits) {}

Outcome Attempts::Try(size_t i) {
  if (i == held_end_ && died_.death.happened()) return died_;
  if (i < held_first_ || i >= held_end_) RunFrom(i);
  return i < held_end_ ? Outcome() : died_;
}

void Attempts::RunFrom(size_t first) {
  const size_t count = std::min(kTogetherMax, simpler_.count - first);
  died_ = IsolateEach(count, [&](size_t i) { target_.Run(simpler_.at(first + i)); }, limits_);
  held_first_ = first;
  held_end_ = first + (died_.death.happened() ? died_.trace.case_index : count);
  // What those before it left behind may have killed it. Some deaths cost too much to see them
  // twice.
  const bool costly = wanted_.kind == DeathKind::kHang || wanted_.kind == DeathKind::kLeak ||
                      wanted_.kind == DeathKind::kMemory;
  if (held_end_ == first || died_.death != wanted_ || costly) return;
  died_ = Isolate([&] { target_.Run(simpler_.at(held_end_)); }, limits_);
  if (!died_.death.happened()) ++held_end_;
}

Minimized Minimize(const Target& target, const Input& input, const Outcome& outcome,
                   const IsolationLimits& limits,
                   const std::function<bool(const MinimizeProgress&)>& go_on) {
  const Death death = outcome.death;
  const IsolationLimits candidate_limits = CandidateLimits(outcome, limits);
  Minimized best{target.NormalForm(input, outcome.trace), outcome, false, {}};
  while (true) {
    Attempts attempts(target, target.Simpler(best.input, best.outcome.trace), death,
                      candidate_limits);
    bool accepted = false;
    for (size_t i = 0; i < attempts.count() && !accepted; ++i) {
      if (!go_on(best.progress)) return best;
      ++best.progress.candidates;
      Outcome tried = attempts.Try(i);
      if (tried.death != death) continue;
      Input normal = target.NormalForm(attempts.at(i), tried.trace);
      if (!target.IsSimpler(normal, best.input)) continue;
      ++best.progress.accepted;
      best.input = std::move(normal);
      best.outcome = std::move(tried);
      accepted = true;
    }
    if (!accepted) {
      best.minimal = true;
      return best;
    }
  }
}

}  // namespace tuplestone::kit
