// What always holds of tapes. T2, T3 and T5 are about bytes and need somebody who remembers them:
// the suite in properties/tape.
#ifndef TUPLESTONE_ENGINE_TAPE_INVARIANTS_H_
#define TUPLESTONE_ENGINE_TAPE_INVARIANTS_H_

#include "engine/base/check.h"

namespace tuplestone::tape {

inline constexpr Invariant kT1{
    "T1", "every block below the high-water mark is owned once, by the free set or by a tape"};
inline constexpr Invariant kT2{"T2", "what is read is what was written, forwards and backwards"};
inline constexpr Invariant kT3{"T3", "seek returns to where tell was, in the last block too"};
inline constexpr Invariant kT4{"T4", "the lowest free block is taken first"};
inline constexpr Invariant kT5{"T5", "damage is reported, never returned as data"};
inline constexpr Invariant kT6{"T6", "closing a tape returns the blocks it still owns"};
inline constexpr Invariant kT7{"T7", "callers keep to what an operation requires"};

}  // namespace tuplestone::tape

#endif  // TUPLESTONE_ENGINE_TAPE_INVARIANTS_H_
