// Programs of rows: each row is formed and held against the model's bytes; each pair of rows is
// compared under the order of the moment, by prefix and in whole, and hashed by the columns of the
// moment. Since every comparison is the model's, which sorts by a plain lexicographic rule, the
// engine's is total and transitive.
#ifndef TUPLESTONE_PROPERTIES_TUPLE_TUPLE_SUITE_H_
#define TUPLESTONE_PROPERTIES_TUPLE_TUPLE_SUITE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/memory/alloc_set.h"
#include "engine/tuple/hash.h"
#include "engine/tuple/minimal_tuple.h"
#include "engine/tuple/order.h"
#include "properties/kit/faulty_source.h"
#include "properties/kit/run.h"
#include "properties/kit/target.h"
#include "properties/tuple/tuple_model.h"
#include "properties/tuple/tuple_ops.h"

namespace tuplestone::properties {

ModelTypes TypesOf(const TupleHead& head);
// What a type makes of an edge.
ModelValue EdgeValue(ModelType type, ValueEdge edge);

class TupleSuite {
 public:
  using Program = TupleProgram;

  struct LiveRow {
    ModelRow row;
    tuple::Tuple tuple;
    size_t extra = 0;  // bytes in front
    std::string printed;
    std::vector<tuple::Value> values;  // views of `row`
  };

  TupleSuite(const TupleHead& head, kit::Runner& run);

  void Step(const TupleSetNumber& set);
  void Step(const TupleSetEdge& set);
  void Step(const TupleSetBytes& set);
  void Step(const TupleSetAll& set);
  void Step(const TupleAdd& add);
  void Step(const TupleCopy& copy);
  void Step(const TupleDrop& drop);
  void Step(const TupleOrderBy& by);
  void Step(const TupleHashBy& by);
  void Step(const TupleFailMemory& fail);
  void Step(const TupleMistype& mistype);
  void Step(const TupleOversize& oversize);
  void Step(const TupleDamage& damage);
  void Step(const TupleChangeByte& change);
  void Verify();
  // Sorts the rows both ways and frees them.
  void Finish();

  const ModelTypes& types() const { return types_; }
  const tuple::Schema& schema() const { return schema_; }
  const tuple::Order& order() const { return order_; }
  const tuple::Hasher& hasher() const { return hasher_; }
  const std::map<size_t, LiveRow>& rows() const { return rows_; }

 private:
  size_t ColumnOf(uint64_t column) const { return column % types_.size(); }
  // What forming or copying gave: none exactly if memory was missing.
  void Accept(tuple::Tuple tuple, const ModelRow& row, size_t extra);
  void CheckOne(const LiveRow& row) const;
  void CheckTwo(const LiveRow& a, const LiveRow& b) const;
  void CheckHashes(const LiveRow& a, const LiveRow& b) const;
  void CheckAll() const;

  kit::Runner& run_;
  ModelTypes types_;
  tuple::Schema schema_;
  kit::FaultySource source_;
  memory::OwnedContext<memory::AllocSet> context_;
  std::vector<ModelKey> keys_;
  std::vector<size_t> hashed_;
  tuple::Order order_;
  tuple::Hasher hasher_;
  ModelRow current_;
  std::map<size_t, LiveRow> rows_;  // by birth
  uint64_t failures_before_ = 0;
  size_t requested_ = 0;  // bytes of all live rows and what is in front of them
};

}  // namespace tuplestone::properties

namespace tuplestone::kit {
extern template class ProgramTarget<properties::TupleSuite>;
}

#endif  // TUPLESTONE_PROPERTIES_TUPLE_TUPLE_SUITE_H_
