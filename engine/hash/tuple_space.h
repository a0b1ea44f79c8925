// Where the tuples of one table lie, or of several: a Bump context, which is emptied only as a
// whole. Since a table that was emptied alone would leave the others with tuples that are gone, the
// space knows its tables and empties all of them with it; a table of a shared space refuses to be
// reset alone.
//
//   TupleSpace ── Bump | tuple of A | tuple of B | tuple of A | ...
//     ├── table A
//     └── table B
#ifndef TUPLESTONE_ENGINE_HASH_TUPLE_SPACE_H_
#define TUPLESTONE_ENGINE_HASH_TUPLE_SPACE_H_

#include "engine/memory/bump.h"

namespace tuplestone::hash {

class TupleTable;

class TupleSpace {
 public:
  // Requires (H11): `tuples` outlives the space, has nothing else in it, and is reset only here.
  explicit TupleSpace(memory::Bump& tuples) : tuples_(tuples) {}
  // Requires (H11): the tables are gone.
  ~TupleSpace();
  TupleSpace(const TupleSpace&) = delete;
  TupleSpace& operator=(const TupleSpace&) = delete;

  // Empties every table of the space; each keeps its buckets. O(buckets of all).
  void Reset();

  memory::Bump& tuples() const { return tuples_; }
  bool IsShared() const;

 private:
  friend class TupleTable;
  void Attach(TupleTable* table);
  void Detach(TupleTable* table);

  memory::Bump& tuples_;
  TupleTable* first_ = nullptr;
};

}  // namespace tuplestone::hash

#endif  // TUPLESTONE_ENGINE_HASH_TUPLE_SPACE_H_
