#include "engine/base/probe.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace tuplestone {
namespace {

// Zero before any probe is constructed, whatever the order of initialisation.
constinit Probe* g_first = nullptr;

}  // namespace

Probe::Probe(const char* name) : name_(name), next_(g_first) { g_first = this; }

std::vector<Probe*> AllProbes() {
  std::vector<Probe*> probes;
  for (Probe* probe = g_first; probe != nullptr; probe = probe->next_) probes.push_back(probe);
  std::sort(probes.begin(), probes.end(),
            [](const Probe* a, const Probe* b) { return std::strcmp(a->name(), b->name()) < 0; });
  return probes;
}

}  // namespace tuplestone
