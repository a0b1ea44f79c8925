// Tree programs against a tree of contexts of all kinds.
//
// Checked after each operation: every context's account against the model (M3), the figures of each
// subtree and of the source (M4), that failures change nothing (M6). At resets and deletions: which
// chunks and contexts go, and which callbacks run, once, in which order (M5).
//
// Not covered: what one context does with its blocks (memory_suite.h), misuse (M8).
#ifndef TUPLESTONE_PROPERTIES_MEMORY_MEMORY_TREE_SUITE_H_
#define TUPLESTONE_PROPERTIES_MEMORY_MEMORY_TREE_SUITE_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "engine/memory/context.h"
#include "properties/kit/run.h"
#include "properties/kit/target.h"
#include "properties/memory/memory_ops.h"
#include "properties/memory/memory_world.h"

namespace tuplestone::properties {

class MemoryTreeSuite {
 public:
  using Program = MemoryTreeProgram;
  static constexpr const char* kHeader = "properties/memory/memory_tree_suite.h";

  MemoryTreeSuite(const MemoryHead<0>& head, kit::Runner& run);
  ~MemoryTreeSuite();
  MemoryTreeSuite(const MemoryTreeSuite&) = delete;
  MemoryTreeSuite& operator=(const MemoryTreeSuite&) = delete;

  void Step(const TreeCreate& op);
  void Step(const TreeAllocate& op);
  void Step(const TreeFree& op);
  void Step(const TreeReallocate& op);
  void Step(const TreeReset& op);
  void Step(const TreeDelete& op);
  void Step(const TreeDeleteChildren& op);
  void Step(const TreeSetParent& op);
  void Step(const TreeCallback& op);
  void Step(const TreeFill& op);
  void Step(const TreeFault& op) { world_.source.FailAfter(op.after, op.failures); }

  void Compare();
  void Verify();
  void Finish();

  std::string ShowModel() const { return world_.ShowModel(); }
  std::string ShowSubject() const;

 private:
  // A callback and what it does when it runs. Stays where it is, as the engine knows its address.
  struct Callback {
    memory::ResetCallback node;
    MemoryTreeSuite* suite;
    size_t id;
    memory::Context* context;
    TreeCallbackDoes does;
    memory::Context* created;
  };

  memory::Context* NewContext(memory::Kind kind, memory::Context* parent);
  void Adopt(memory::Context* context, memory::Kind kind, size_t parent);
  void Allocate(size_t id, size_t bytes, size_t alignment, uint64_t fill);
  void ExpectUnchanged(size_t id, const memory::Account& before, size_t held_before) const;
  // The callbacks of contexts that go, in the order they are to run.
  void ExpectCallbacks(size_t context);
  void CheckCallbacksRan();
  void Forget(size_t context);  // it and all below it were deleted
  static void Run(void* argument);

  MemoryWorld world_;
  kit::Runner& run_;
  std::map<size_t, memory::Context*> contexts_;
  std::map<size_t, memory::Account> fresh_;
  std::map<size_t, std::vector<size_t>> pending_;  // callbacks by context, oldest first
  std::deque<Callback> callbacks_;
  std::vector<size_t> expected_;  // callbacks that are to run in this step...
  std::vector<size_t> ran_;       // ...and those that did
};

}  // namespace tuplestone::properties

namespace tuplestone::kit {
extern template class ProgramTarget<properties::MemoryTreeSuite>;
}

#endif  // TUPLESTONE_PROPERTIES_MEMORY_MEMORY_TREE_SUITE_H_
