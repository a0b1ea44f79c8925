// What always holds of a sort. S4 to S6, S8 and S10 are about tuples that somebody must remember:
// the suite in properties/sort.
#ifndef TUPLESTONE_ENGINE_SORT_INVARIANTS_H_
#define TUPLESTONE_ENGINE_SORT_INVARIANTS_H_

#include "engine/base/check.h"

namespace tuplestone::sort {

inline constexpr Invariant kS1{
    "S1", "while tuples come in, what is charged passes the budget by at most one tuple"};
inline constexpr Invariant kS2{
    "S2", "in a merge, at most the budget is charged, or a block a tape and a tuple an input"};
inline constexpr Invariant kS3{
    "S3", "what is held is charged, or free, tail, header or the old array on the move"};
inline constexpr Invariant kS4{"S4", "the output is ordered"};
inline constexpr Invariant kS5{"S5", "the output is the stable sort of the input"};
inline constexpr Invariant kS6{"S6", "a bounded sort gives the first of the full one"};
inline constexpr Invariant kS7{
    "S7", "runs per tape differ by at most one, and each pass leaves fewer runs"};
inline constexpr Invariant kS8{"S8", "runs, passes and blocks are as predicted"};
inline constexpr Invariant kS9{"S9", "backward is forward reversed; restore returns to the mark"};
inline constexpr Invariant kS10{"S10", "a returned tuple stays valid until the next call"};
inline constexpr Invariant kS11{"S11", "after an error or reset all memory and blocks are back"};
inline constexpr Invariant kS12{"S12", "callers keep to what an operation requires"};

}  // namespace tuplestone::sort

#endif  // TUPLESTONE_ENGINE_SORT_INVARIANTS_H_
