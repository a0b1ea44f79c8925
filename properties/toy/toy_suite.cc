#include "properties/toy/toy_suite.h"

#include <climits>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/probe.h"

namespace tuplestone::properties {
namespace {

volatile int g_sink = 0;
volatile int g_many = INT_MAX;
volatile bool g_forever = true;

// Out of line, so that no pointer to what is lost stays in a register or on the stack.
[[gnu::noinline]] void LoseMemory() {
  char* lost = static_cast<char*>(std::malloc(100));
  lost[0] = 1;
  g_sink = g_sink + lost[0];
}

[[gnu::noinline]] void ReadAfterFree() {
  char* volatile freed = static_cast<char*>(std::malloc(100));
  std::free(freed);
  g_sink = g_sink + freed[10];
}

[[noreturn, gnu::noinline]] void TakeAllMemory() {
  constexpr size_t kPiece = size_t{1} << 20;
  std::vector<char*> pieces;
  while (true) {
    pieces.push_back(static_cast<char*>(std::malloc(kPiece)));
    if (pieces.back() == nullptr) std::abort();
    std::memset(pieces.back(), 1, kPiece);
  }
}

void Die(ToyDeath death) {
  switch (death) {
    case ToyDeath::kCheck:
      return TUPLESTONE_CHECK(kX1, g_sink < 0);
    case ToyDeath::kAbort:
      return std::abort();
    case ToyDeath::kAddress:
      return ReadAfterFree();
    case ToyDeath::kUndefined:
      g_sink = g_many + 1;
      return;
    case ToyDeath::kLeak:
      return LoseMemory();
    case ToyDeath::kHang:
      while (g_forever) {
      }
      return;
    case ToyDeath::kMemory:
      return TakeAllMemory();
    case ToyDeath::kNone:
      return;
  }
}

}  // namespace

void ToySuite::Step(const ToyOpen&) { loaded_[run_.population(0).Born()] = false; }

void ToySuite::Step(const ToyLoad& load) {
  if (!load.box.hit()) return;
  TUPLESTONE_PROBE("toy.loaded");
  loaded_[load.box.birth()] = true;
}

void ToySuite::Step(const ToyFire& fire) {
  if (!fire.box.hit()) return;
  if (loaded_[fire.box.birth()]) {
    Die(death_);
  } else if (empty_kills_) {
    TUPLESTONE_CHECK(kX2, g_sink < 0);
  }
}

void ToySuite::Step(const ToyClose& close) {
  if (!close.box.hit()) return;
  loaded_.erase(close.box.birth());
  run_.population(0).Died(close.box.birth());
}

std::string ToySuite::ShowModel() const {
  std::string text;
  for (const auto& [box, loaded] : loaded_) {
    absl::StrAppend(&text, "box @", box, loaded ? " loaded\n" : " empty\n");
  }
  return text.empty() ? "no boxes\n" : text;
}

}  // namespace tuplestone::properties

namespace tuplestone::kit {
template class ProgramTarget<properties::ToySuite>;
}
