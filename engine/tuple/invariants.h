// What always holds of tuples, their order and their hashes. U1, U4 and U5 relate several tuples
// and need somebody who remembers the values: the suites in properties/tuple.
#ifndef TUPLESTONE_ENGINE_TUPLE_INVARIANTS_H_
#define TUPLESTONE_ENGINE_TUPLE_INVARIANTS_H_

#include "engine/base/check.h"

namespace tuplestone::tuple {

inline constexpr Invariant kU1{"U1", "a tuple reads back as the values it was formed of"};
inline constexpr Invariant kU2{
    "U2", "a tuple's bytes are a function of its values: exact length, padding and pads zero"};
inline constexpr Invariant kU3{
    "U3", "validation accepts what forming writes and nothing else, and names what it refuses"};
inline constexpr Invariant kU4{"U4", "comparison is PostgreSQL's b-tree order: total, transitive"};
inline constexpr Invariant kU5{
    "U5", "a smaller prefix means a smaller tuple; a deciding prefix, an equal first key"};
inline constexpr Invariant kU6{"U6", "equal values hash equal, of tuples as of rows of values"};
inline constexpr Invariant kU7{"U7", "callers keep to what an operation requires"};

}  // namespace tuplestone::tuple

#endif  // TUPLESTONE_ENGINE_TUPLE_INVARIANTS_H_
