#include "fuzz/cli/shown.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "engine/base/probe.h"
#include "properties/kit/files.h"

namespace tuplestone::cli {
namespace {

void WriteText(int file, const std::string& text) {
  const uint64_t size = text.size();
  const bool written = write(file, &size, sizeof(size)) == sizeof(size) &&
                       write(file, text.data(), size) == static_cast<ssize_t>(size);
  if (!written) std::perror("cannot note the states");
}

std::vector<kit::States> ReadStates(int file) {
  std::vector<std::string> texts;
  lseek(file, 0, SEEK_SET);
  uint64_t size = 0;
  while (read(file, &size, sizeof(size)) == sizeof(size)) {
    std::string text(size, ' ');
    if (read(file, text.data(), size) != static_cast<ssize_t>(size)) break;
    texts.push_back(text);
  }
  std::vector<kit::States> states;
  for (size_t i = 0; i + 1 < texts.size(); i += 2) states.push_back({texts[i], texts[i + 1]});
  return states;
}

}  // namespace

Shown RunShown(const LoadedInput& input, uint32_t operation, const kit::IsolationLimits& limits) {
  const int file = memfd_create("states", MFD_CLOEXEC);
  if (file < 0) {
    std::perror("cannot make room for the states");
    std::exit(kBadUsage);
  }
  Shown shown;
  shown.outcome = kit::Isolate(
      [&] {
        input.target->RunShown(input.bytes, operation, [&](const kit::States& states) {
          WriteText(file, states.model);
          WriteText(file, states.subject);
        });
      },
      limits);
  shown.states = ReadStates(file);
  close(file);
  return shown;
}

std::string TraceOf(const Shown& shown) {
  std::string text = absl::StrCat(shown.outcome.death.ToString(), "\n");
  const kit::RunTrace& trace = shown.outcome.trace;
  for (size_t i = 0; i < trace.picks.size(); ++i) {
    for (uint32_t births : trace.births_before[i]) absl::StrAppend(&text, births, " ");
    for (uint16_t pick : trace.picks[i]) absl::StrAppend(&text, pick, " ");
  }
  const auto probes = AllProbes();
  for (size_t i = 0; i < probes.size(); ++i) {
    // The fast paths of memory contexts, which guarded builds have not, pass its probes by.
    if (absl::StartsWith(probes[i]->name(), "memory.")) continue;
    absl::StrAppend(&text, "\n", probes[i]->name(), " ", kit::ProcessJournal().probe_hits[i]);
  }
  for (const kit::States& states : shown.states) {
    absl::StrAppend(&text, "\n", states.model, states.subject);
  }
  return kit::NameOfContent(Bytes(reinterpret_cast<const std::byte*>(text.data()), text.size()));
}

}  // namespace tuplestone::cli
