// The tree of contexts as a person wants to read it.
//
//   context                    kind        obtained   overhead       live   free ...  chunks
//   sort                       AllocSet       9,632      1,496      8,136      0 ...      12
//     tuples                   Bump       7,208,960     14,912  7,143,552 ...
//   all 2
//
// A copy: it stays true of the moment it was taken.
#ifndef TUPLESTONE_ENGINE_MEMORY_STATS_H_
#define TUPLESTONE_ENGINE_MEMORY_STATS_H_

#include <string>
#include <vector>

#include "engine/memory/account.h"
#include "engine/memory/context.h"
#include "engine/memory/options.h"

namespace tuplestone::memory {

struct ContextStats {
  struct Line {
    size_t depth;  // 0: where the walk began
    std::string name;
    Kind kind;
    Account account;  // of this context alone
  };
  std::vector<Line> lines;  // parents first, newest child first
  Account total;

  // A table, one context a line, in bytes with thousands separated.
  std::string ToString() const;
};

// `root` and all below it.
ContextStats Stats(const Context& root);

}  // namespace tuplestone::memory

#endif  // TUPLESTONE_ENGINE_MEMORY_STATS_H_
