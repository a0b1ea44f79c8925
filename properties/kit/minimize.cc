#include "properties/kit/minimize.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace tuplestone::kit {

IsolationLimits CandidateLimits(const Death& death, IsolationLimits limits) {
  limits.leaks = death.kind == DeathKind::kLeak;
  if (death.kind == DeathKind::kHang) limits.cpu_seconds = std::min(limits.cpu_seconds, 0.25);
  return limits;
}

Minimized Minimize(const Target& target, const Input& input, const Outcome& outcome,
                   const IsolationLimits& limits,
                   const std::function<bool(const MinimizeProgress&)>& go_on) {
  const Death death = outcome.death;
  const IsolationLimits candidate_limits = CandidateLimits(death, limits);
  Minimized best{target.NormalForm(input, outcome.trace), outcome, false, {}};
  while (true) {
    const SimplerInputs simpler = target.Simpler(best.input, best.outcome.trace);
    bool accepted = false;
    for (size_t i = 0; i < simpler.count && !accepted; ++i) {
      if (!go_on(best.progress)) return best;
      const Input candidate = simpler.at(i);
      ++best.progress.candidates;
      Outcome tried = Isolate([&] { target.Run(candidate); }, candidate_limits);
      if (tried.death != death) continue;
      Input normal = target.NormalForm(candidate, tried.trace);
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
