// What always holds of tuple tables and of aggregations. Contents need somebody who remembers them:
// the suites in properties/hash.
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
inline constexpr Invariant kH7{"H7", "the block-size rule is the largest power of two that fits"};
inline constexpr Invariant kH8{
    "H8", "the estimate of an entry is within a factor of two of the measured"};
inline constexpr Invariant kH9{"H9", "the aggregate does not depend on the limit"};
inline constexpr Invariant kH10{"H10",
                                "partitions of a level are disjoint, and rows are conserved"};
inline constexpr Invariant kH11{"H11", "callers keep to what an operation requires"};
inline constexpr Invariant kH12{
    "H12", "an aggregation holds its limit, a block a context, and two of the largest row at most"};

}  // namespace tuplestone::hash

#endif  // TUPLESTONE_ENGINE_HASH_INVARIANTS_H_
