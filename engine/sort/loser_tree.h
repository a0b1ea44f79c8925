// The smallest of k heads, found again after it was replaced by log2(k) comparisons along one path.
//
//   node        0: winner
//               1 ________          A node keeps the loser of the match below it, with its prefix,
//            2 __        3 __       so that most matches touch no tuple. Leaf i is node k + i.
//          4    5      6    7
//
// A head that is done loses to every other. k may be any number from 1.
#ifndef TUPLESTONE_ENGINE_SORT_LOSER_TREE_H_
#define TUPLESTONE_ENGINE_SORT_LOSER_TREE_H_

#include <cstddef>
#include <cstdint>
#include <utility>

namespace tuplestone::sort {

struct Contender {
  uint64_t prefix;
  uint32_t input;
  bool done;
};

// Tie is a function (input, input) -> bool: the first one's head comes first, the prefixes being
// equal and both having one. Requires a total order.
template <class Tie>
class LoserTree {
 public:
  // `nodes` has room for `count` of them, and is the caller's. Requires: count > 0.
  LoserTree(Contender* nodes, size_t count, Tie tie)
      : nodes_(nodes), count_(count), tie_(std::move(tie)) {}

  // `leaves(i)` gives the contender of input i. O(count).
  template <class Leaves>
  void Build(const Leaves& leaves) {
    nodes_[0] = count_ == 1 ? leaves(0) : Winner(1, leaves);
  }

  const Contender& winner() const { return nodes_[0]; }

  // The winner's head is now `next`. Requires: next.input is the winner's.
  void Replace(Contender next) {
    for (size_t node = (count_ + next.input) / 2; node > 0; node /= 2) {
      if (Before(nodes_[node], next)) std::swap(nodes_[node], next);
    }
    nodes_[0] = next;
  }

  bool Before(const Contender& a, const Contender& b) const {
    if (a.prefix != b.prefix) return a.prefix < b.prefix;
    if (a.done != b.done) return b.done;
    if (a.done) return a.input < b.input;
    return tie_(a.input, b.input);
  }

 private:
  template <class Leaves>
  Contender Winner(size_t node, const Leaves& leaves) {
    if (node >= count_) return leaves(node - count_);
    Contender left = Winner(2 * node, leaves);
    Contender right = Winner(2 * node + 1, leaves);
    if (Before(right, left)) std::swap(left, right);
    nodes_[node] = right;
    return left;
  }

  Contender* nodes_;
  size_t count_;
  Tie tie_;
};

}  // namespace tuplestone::sort

#endif  // TUPLESTONE_ENGINE_SORT_LOSER_TREE_H_
