#include "engine/memory/guard.h"

#include <array>
#include <bit>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "absl/strings/str_format.h"
#include "engine/base/align.h"
#include "engine/memory/block.h"
#include "engine/memory/invariants.h"

namespace tuplestone::memory {

#if defined(TUPLESTONE_HARDENED) || defined(TUPLESTONE_ADDRESS_SANITIZER)

namespace {

constexpr size_t kDeletedCount = 256;
constexpr size_t kGivenBackCount = 64;
constexpr std::byte kSlack{0xCA};

struct Range {
  uintptr_t begin;
  uintptr_t end;
};

// Addresses only; nothing here decides anything but a death.
constinit std::array<const Context*, kDeletedCount> g_deleted = {};
constinit std::array<Range, kGivenBackCount> g_given_back = {};
constinit size_t g_given_back_next = 0;

uint64_t HashAddress(const void* p) {
  return (reinterpret_cast<uintptr_t>(p) >> 4) * 0x9E3779B97F4A7C15;
}

size_t DeletedSlot(const Context* context) { return HashAddress(context) >> 56; }

uint64_t Priority(const Block* block) { return HashAddress(block); }

size_t StartBytes(size_t area_bytes) { return (area_bytes / 8 + 63) / 64 * 8; }

// Chunks of blocks that left, so that giving one back again is called by its name.
void RememberGivenBack(Block* block) {
  g_given_back[g_given_back_next] = {reinterpret_cast<uintptr_t>(block->area()),
                                     reinterpret_cast<uintptr_t>(HighWater(block))};
  g_given_back_next = (g_given_back_next + 1) % kGivenBackCount;
}

// The address range is someone's again.
void ForgetGivenBack(const Block* block, const std::byte* end) {
  const auto begin = reinterpret_cast<uintptr_t>(block);
  for (Range& range : g_given_back) {
    if (range.begin < reinterpret_cast<uintptr_t>(end) && range.end > begin) range = {};
  }
}

size_t StartIndex(const Block* block, const void* p) {
  const auto* area = reinterpret_cast<const std::byte*>(block) + sizeof(Block);
  return static_cast<size_t>(static_cast<const std::byte*>(p) - area) / 8;
}

}  // namespace

void ContextGuard::Insert(Block* block) {
  Block** link = &root;
  while (*link != nullptr && Priority(*link) >= Priority(block)) {
    link = *link < block ? &(*link)->guard.right : &(*link)->guard.left;
  }
  Block* rest = *link;
  *link = block;
  Block** left = &block->guard.left;
  Block** right = &block->guard.right;
  while (rest != nullptr) {
    if (rest < block) {
      *left = rest;
      left = &rest->guard.right;
      rest = *left;
    } else {
      *right = rest;
      right = &rest->guard.left;
      rest = *right;
    }
  }
  *left = nullptr;
  *right = nullptr;
}

void ContextGuard::Erase(Block* block) {
  if (last == block) last = nullptr;
  Block** link = &root;
  while (*link != block) {
    link = *link < block ? &(*link)->guard.right : &(*link)->guard.left;
  }
  Block* left = block->guard.left;
  Block* right = block->guard.right;
  while (left != nullptr && right != nullptr) {
    if (Priority(left) >= Priority(right)) {
      *link = left;
      link = &left->guard.right;
      left = *link;
    } else {
      *link = right;
      link = &right->guard.left;
      right = *link;
    }
  }
  *link = left != nullptr ? left : right;
}

Block* ContextGuard::Find(const void* p) {
  const auto holds = [p](Block* block) { return p >= block->area() && p < block->guard.limit; };
  if (last != nullptr && holds(last)) return last;
  Block* block = root;
  while (block != nullptr && !holds(block)) {
    block = p < static_cast<void*>(block) ? block->guard.left : block->guard.right;
  }
  if (block != nullptr) last = block;
  return block;
}

size_t GuardBytes(size_t bytes, size_t stride_min) {
  const size_t area = bytes - kBlockHeaderBytes;
  const size_t red_zones = area / stride_min * kRedZoneBytes;
  return kGuardedBlockBytes + red_zones + StartBytes(area + red_zones);
}

size_t BumpGuardBytes(size_t bytes) {
  const size_t area = bytes - kBlockHeaderBytes;
  return kGuardedBlockBytes + area + StartBytes(2 * area);
}

size_t DedicatedGuardBytes() { return kGuardedBlockBytes + kRedZoneBytes; }

size_t BlockGuardBytes(const Block* block) { return block->guard.bytes; }

void GuardNewBlock(Block* block, size_t guard_bytes, bool dedicated, ContextGuard& context_guard) {
  std::byte* end = block->start() + block->bytes + guard_bytes;
  BlockGuard& guard = block->guard;
  ForgetGivenBack(block, end);
  guard = {};
  guard.bytes = guard_bytes;
  guard.limit = end;
  if (dedicated) {
    guard.dedicated = nullptr;
  } else {
    guard.high_water = block->area();
    // area + starts = all that is left, and starts hold a bit for every 8 bytes of the area.
    const auto left = static_cast<size_t>(end - block->area());
    size_t starts = StartBytes(left);
    while (StartBytes(left - (starts - 8)) <= starts - 8) starts -= 8;
    guard.limit = end - starts;
    guard.starts = reinterpret_cast<uint64_t*>(guard.limit);
    std::memset(guard.starts, 0, starts);
  }
  Poison(&guard.red_zone, static_cast<size_t>(guard.limit - block->area()) + kRedZoneBytes);
  context_guard.Insert(block);
}

void GuardOldBlock(Block* block, ContextGuard& context_guard) {
  context_guard.Erase(block);
  RememberGivenBack(block);
  const auto area = static_cast<size_t>(block->guard.limit - block->area());
  Unpoison(&block->guard.red_zone, area + kRedZoneBytes);
}

void GuardEmptyBlock(Block* block) {
  RememberGivenBack(block);
  BlockGuard& guard = block->guard;
  const auto area = static_cast<size_t>(guard.limit - block->area());
  std::memset(guard.starts, 0, StartBytes(area));
  guard.high_water = block->area();
  Poison(block->area(), area);
}

bool IsStart(const Block* block, const void* p) {
  if (block->guard.starts == nullptr) return p == block->guard.dedicated;
  const size_t index = StartIndex(block, p);
  return IsAligned(p, 8) && ((block->guard.starts[index / 64] >> (index % 64)) & 1) != 0;
}

void MarkStart(Block* block, void* p, std::byte* end) {
  if (IsDedicatedBlock(block)) {
    block->guard.dedicated = static_cast<std::byte*>(p);
    return;
  }
  if (end > block->guard.high_water) block->guard.high_water = end;
  const size_t index = StartIndex(block, p);
  block->guard.starts[index / 64] |= uint64_t{1} << (index % 64);
}

void ClearStart(Block* block, void* p) {
  if (block->guard.starts == nullptr) {
    block->guard.dedicated = nullptr;
    return;
  }
  const size_t index = StartIndex(block, p);
  block->guard.starts[index / 64] &= ~(uint64_t{1} << (index % 64));
}

bool IsDedicatedBlock(const Block* block) { return block->guard.starts == nullptr; }

Block* FindBlock(ContextGuard& context_guard, const void* p) { return context_guard.Find(p); }

std::byte* HighWater(Block* block) {
  return IsDedicatedBlock(block) ? block->guard.limit : block->guard.high_water;
}

std::byte* NextStart(Block* block, std::byte* p) {
  const auto area = static_cast<size_t>(block->guard.limit - block->area());
  size_t index = StartIndex(block, p);
  while (index < area / 8) {
    const uint64_t word = block->guard.starts[index / 64] >> (index % 64);
    if (word != 0) return block->area() + 8 * (index + std::countr_zero(word));
    index = (index / 64 + 1) * 64;
  }
  return nullptr;
}

uint64_t Canary(uint64_t seed) {
  const uint64_t mixed = (seed ^ 0x5EED0FCA7AB1E000) * 0x9E3779B97F4A7C15;
  return mixed ^ (mixed >> 32);
}

void FillSlack(std::byte* from, std::byte* to) {
  if constexpr (kHardened) {
    for (; from < to; ++from) *from = kSlack;
  }
}

bool IsSlackWhole(const std::byte* from, const std::byte* to) {
  if constexpr (kHardened) {
    for (; from < to; ++from) {
      if (*from != kSlack) return false;
    }
  }
  return true;
}

void RememberDeleted(const Context* context) { g_deleted[DeletedSlot(context)] = context; }

void ForgetDeleted(const Context* context) {
  const Context*& slot = g_deleted[DeletedSlot(context)];
  if (slot == context) slot = nullptr;
}

void CheckNotDeletedSlow(const Context* context) {
  TUPLESTONE_MISUSE_CHECK(kMisuseDeletedContext, g_deleted[DeletedSlot(context)] != context,
                          context);
}

bool WasGivenBack(const void* p) {
  const auto address = reinterpret_cast<uintptr_t>(p);
  for (const Range& range : g_given_back) {
    if (address >= range.begin && address < range.end) return true;
  }
  return false;
}

#else

size_t GuardBytes(size_t, size_t) { return 0; }
size_t BumpGuardBytes(size_t) { return 0; }
size_t DedicatedGuardBytes() { return 0; }
size_t BlockGuardBytes(const Block*) { return 0; }
void GuardNewBlock(Block*, size_t, bool, ContextGuard&) {}
void GuardOldBlock(Block*, ContextGuard&) {}
void GuardEmptyBlock(Block*) {}
bool IsStart(const Block*, const void*) { return true; }
void MarkStart(Block*, void*, std::byte*) {}
void ClearStart(Block*, void*) {}
std::byte* NextStart(Block*, std::byte*) { return nullptr; }
bool IsDedicatedBlock(const Block*) { return false; }
Block* FindBlock(ContextGuard&, const void*) { return nullptr; }
std::byte* HighWater(Block*) { return nullptr; }
uint64_t Canary(uint64_t) { return 0; }
void FillSlack(std::byte*, std::byte*) {}
bool IsSlackWhole(const std::byte*, const std::byte*) { return true; }
void RememberDeleted(const Context*) {}
void ForgetDeleted(const Context*) {}
void CheckNotDeletedSlow(const Context*) {}
bool WasGivenBack(const void*) { return false; }

#endif

void DieOfMisuse(const CheckSite& site, const void* p) {
#ifdef TUPLESTONE_ADDRESS_SANITIZER
  std::fprintf(stderr, "\n%s: %s\n  check     %s\n  at        %s:%d\n", site.invariant->id,
               site.invariant->sentence, site.condition, site.file, site.line);
  int frame = 0;
  __asan_report_error(__builtin_return_address(0), __builtin_frame_address(0), &frame,
                      const_cast<void*>(p), 0, 1);
  std::abort();
#else
  FailCheck(site, absl::StrFormat("  pointer   %p", p));
#endif
}

}  // namespace tuplestone::memory
