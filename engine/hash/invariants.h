// What always holds of tuple tables. Contents need somebody who remembers them: the suite in
// properties/hash.
#ifndef TUPLESTONE_ENGINE_HASH_INVARIANTS_H_
#define TUPLESTONE_ENGINE_HASH_INVARIANTS_H_

#include "engine/base/check.h"

namespace tuplestone::hash {

inline constexpr Invariant kH1{"H1", "lookup finds exactly what was inserted"};
inline constexpr Invariant kH2{"H2", "equal values hash equal"};
inline constexpr Invariant kH3{
    "H3", "additional bytes are aligned, zero at birth, before the tuple, and kept over growth"};
inline constexpr Invariant kH4{
    "H4", "iteration visits each member once, with deletion of the current one and over the wrap"};
inline constexpr Invariant kH5{"H5", "a failed growth or insertion leaves the table as it was"};
inline constexpr Invariant kH6{"H6",
                               "buckets <= max(initial, 20 x the most members since creation)"};
inline constexpr Invariant kH11{"H11", "callers keep to what an operation requires"};

}  // namespace tuplestone::hash

#endif  // TUPLESTONE_ENGINE_HASH_INVARIANTS_H_
