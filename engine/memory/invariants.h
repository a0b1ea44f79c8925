// The promises of the memory room, by id. M1 to M9 are what contexts keep; the M8 entries are the
// misuses that a guarded build names when it dies.
#ifndef TUPLESTONE_ENGINE_MEMORY_INVARIANTS_H_
#define TUPLESTONE_ENGINE_MEMORY_INVARIANTS_H_

#include "engine/base/check.h"

namespace tuplestone::memory {

inline constexpr Invariant kM1{"M1", "live chunks are disjoint, inside one block, and aligned"};
inline constexpr Invariant kM2{"M2", "contents last until free, reset or delete"};
inline constexpr Invariant kM3{
    "M3", "obtained = overhead + live + guards + free + dead + tail, every term as walked"};
inline constexpr Invariant kM4{"M4", "what the source lent is the sum over the tree"};
inline constexpr Invariant kM5{"M5", "reset and delete give back all that the kind says"};
inline constexpr Invariant kM6{"M6", "a failed request changes no figure"};
inline constexpr Invariant kM7{"M7", "figures do not depend on what came before"};
inline constexpr Invariant kM9{"M9", "a steady loop does not grow"};

// Named in every build, since they cost nothing on a fast path.
inline constexpr Invariant kMisuseOptions{"M8 options", "a context's options are within bounds"};
inline constexpr Invariant kMisuseAlignment{"M8 alignment",
                                            "an alignment is a power of two of at most 64 MB"};
inline constexpr Invariant kMisuseParent{
    "M8 parent", "a context's parent is of the same source and not below the context"};
inline constexpr Invariant kMisuseBumpFree{
    "M8 free in bump", "a chunk of a Bump context is not freed, reallocated or measured"};
inline constexpr Invariant kMisuseForeignKind{
    "M8 foreign kind", "a chunk goes back to a context of the kind that handed it out"};

// Named in guarded builds only.
inline constexpr Invariant kMisuseDoubleFree{"M8 double free", "a chunk is given back once"};
inline constexpr Invariant kMisuseForeignPointer{
    "M8 foreign pointer", "a pointer goes back to the context that handed it out"};
inline constexpr Invariant kMisuseInteriorPointer{
    "M8 interior pointer", "a pointer given back is the one that was handed out"};
inline constexpr Invariant kMisuseStompedHeader{"M8 stomped header",
                                                "the bytes before a chunk are the allocator's"};
inline constexpr Invariant kMisuseStompedCanary{
    "M8 stomped canary", "the bytes past the requested size are the allocator's"};
inline constexpr Invariant kMisuseWriteAfterFree{"M8 write after free",
                                                 "a freed chunk is the allocator's"};
inline constexpr Invariant kMisuseDeletedContext{"M8 deleted context",
                                                 "a deleted context is not used"};
inline constexpr Invariant kMisuseForeignRef{
    "M8 foreign ref", "a Ref is resolved by the Bump context that handed it out"};

}  // namespace tuplestone::memory

#endif  // TUPLESTONE_ENGINE_MEMORY_INVARIANTS_H_
