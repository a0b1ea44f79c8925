// What guarded builds add to blocks and contexts so that each misuse dies by name.
//
// Two builds are guarded: AddressSanitizer's, where everything but the requested bytes is poisoned,
// and the hardened one, where canaries stand instead. Both keep, for each block, a bit for every
// place where a live chunk starts, and for each context an index of its blocks by address: so a
// pointer is judged before its memory is touched. Red zones of 8 bytes part the chunks.
//
// Not found: reads past a chunk in a hardened build, writes that skip its red zone, writes into
// freed memory beyond its first 8 bytes there, use of a chunk after its address was handed out
// again, use of a context deleted long ago.
#ifndef TUPLESTONE_ENGINE_MEMORY_GUARD_H_
#define TUPLESTONE_ENGINE_MEMORY_GUARD_H_

#include <cstddef>
#include <cstdint>

#include "engine/base/check.h"
#include "engine/base/poison.h"

namespace tuplestone::memory {

class Context;
struct Block;

#if defined(TUPLESTONE_HARDENED) && !defined(TUPLESTONE_ADDRESS_SANITIZER)
inline constexpr bool kHardened = true;
#else
inline constexpr bool kHardened = false;
#endif
inline constexpr bool kGuarded = kHardened || kAddressSanitizer;

inline constexpr size_t kRedZoneBytes = kGuarded ? 8 : 0;  // after every chunk that has a header
inline constexpr size_t kBumpStretch = kGuarded ? 2 : 1;   // a Bump block's bytes for a nominal one

#if defined(TUPLESTONE_HARDENED) || defined(TUPLESTONE_ADDRESS_SANITIZER)

inline constexpr size_t kGuardedBlockBytes = 56;
inline constexpr size_t kGuardedContextBytes = 16;

// The guard fields of a block.
struct BlockGuard {
  Block* left;       // the index: a treap by address
  Block* right;      //
  std::byte* limit;  // behind the last byte a chunk or its red zone may take
  uint64_t* starts;  // one bit for each 8 bytes of the area; null in a dedicated block
  union {
    std::byte* high_water;  // no chunk has reached past here since the block was obtained
    std::byte* dedicated;   // the one chunk of a dedicated block; null while there is none
  };
  size_t bytes;     // obtained beyond the nominal size
  size_t red_zone;  // before a first chunk that has no header
};

// The guard fields of a context: its blocks by address. O(log blocks) expected.
struct ContextGuard {
  Block* root = nullptr;
  Block* last = nullptr;  // found last

  void Insert(Block* block);
  void Erase(Block* block);
  Block* Find(const void* p);  // the block whose area holds `p`, or null
};

#else

inline constexpr size_t kGuardedBlockBytes = 0;
inline constexpr size_t kGuardedContextBytes = 0;
struct BlockGuard {};
struct ContextGuard {};

#endif

// Guard bytes of a regular block of nominal `bytes` whose smallest chunk takes `stride_min`, of a
// Bump block, and of a dedicated block. 0 in plain builds.
size_t GuardBytes(size_t bytes, size_t stride_min);
size_t BumpGuardBytes(size_t bytes);
size_t DedicatedGuardBytes();
// What the block was obtained with beyond its nominal size.
size_t BlockGuardBytes(const Block* block);

// Sets up the guard fields of a fresh block: no chunk starts, everything poisoned.
// `dedicated`: the block has no start bits. `context_guard`: indexes it.
void GuardNewBlock(Block* block, size_t guard_bytes, bool dedicated, ContextGuard& context_guard);
// Forgets a block that is about to be returned: not poisoned, its chunks remembered as given back.
void GuardOldBlock(Block* block, ContextGuard& context_guard);
// Forgets every chunk of a block that stays: all poisoned again.
void GuardEmptyBlock(Block* block);

// The start bit of `p`, or for a dedicated block whether `p` is its chunk. Requires: `p` in
// `block`.
bool IsStart(const Block* block, const void* p);
// `end`: behind the chunk and its red zone.
void MarkStart(Block* block, void* p, std::byte* end);
void ClearStart(Block* block, void* p);
// The first marked place of a regular block at or after `p`, or null.
std::byte* NextStart(Block* block, std::byte* p);
bool IsDedicatedBlock(const Block* block);
// The block whose area holds `p`, or null.
Block* FindBlock(ContextGuard& context_guard, const void* p);
// Behind the last chunk handed out since the block was obtained or emptied.
std::byte* HighWater(Block* block);

// Canaries (hardened builds only; the check is true and the fill nothing elsewhere).
uint64_t Canary(uint64_t seed);
void FillSlack(std::byte* from, std::byte* to);
bool IsSlackWhole(const std::byte* from, const std::byte* to);

// Remembers deleted contexts by address, some hundred of them. O(1).
void RememberDeleted(const Context* context);
void ForgetDeleted(const Context* context);
void CheckNotDeletedSlow(const Context* context);
inline void CheckNotDeleted([[maybe_unused]] const Context* context) {
  if constexpr (kGuarded) CheckNotDeletedSlow(context);
}

// Whether `p` lay in a chunk of a block that was returned or emptied not long ago.
bool WasGivenBack(const void* p);

// The death of a misuse: its name, and in AddressSanitizer builds that tool's report on `p`.
[[noreturn]] void DieOfMisuse(const CheckSite& site, const void* p);

}  // namespace tuplestone::memory

// Dies, naming `misuse`, unless `condition` holds. Guarded builds only.
#define TUPLESTONE_MISUSE_CHECK(misuse, condition, p)             \
  do {                                                            \
    if (!(condition)) [[unlikely]] {                              \
      DieOfMisuse(TUPLESTONE_CHECK_SITE_(misuse, #condition), p); \
    }                                                             \
  } while (false)

#endif  // TUPLESTONE_ENGINE_MEMORY_GUARD_H_
