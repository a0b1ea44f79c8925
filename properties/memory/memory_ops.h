// The languages of the memory room.
//
// Heap programs drive one allocator: an AllocSet, Generation, Slab or Bump context, or a user's
// own. Tree programs drive a tree of contexts of all kinds. A head draws the limits small, so that
// a program of forty operations fills blocks, empties them, cuts tails and runs out of memory.
// Population 0 are chunks, population 1 contexts.
#ifndef TUPLESTONE_PROPERTIES_MEMORY_MEMORY_OPS_H_
#define TUPLESTONE_PROPERTIES_MEMORY_MEMORY_OPS_H_

#include <array>
#include <cstddef>

#include "properties/kit/program.h"

namespace tuplestone::properties {

inline constexpr std::array kMemoryTargetNames = {
    "memory_tree", "memory_alloc_set", "memory_generation", "memory_slab", "memory_bump"};

enum class MemoryClasses { kSteps, kPowersOfTwo };
inline constexpr std::array kMemoryClassesNames = {"steps", "powers_of_two"};
enum class MemoryGrowth { kCompact, kDoubling };
inline constexpr std::array kMemoryGrowthNames = {"compact", "doubling"};

template <size_t kTarget>
struct MemoryHead {
  static constexpr auto kText =
      kit::Text<0>(kMemoryTargetNames[kTarget], "initial", "grown", "divisor", "header", "classes",
                   "growth", "spares", "slab_bytes", "slab_alignment", "refs");
  static constexpr kit::Shape kShape{.head_bytes = 24, .record_bytes = 16, .operations_max = 256};

  kit::Size<0, 6> initial;  // first block: 128 << initial bytes
  kit::Size<0, 6> grown;    // largest block: that << grown
  kit::Size<0, 6> divisor;  // a chunk in a shared block is a 2 + divisor-th at most
  kit::Size<0, 2> header;   // 8, 16 or 24 bytes
  kit::Choice<MemoryClasses, kMemoryClassesNames> classes;
  kit::Choice<MemoryGrowth, kMemoryGrowthNames> growth;
  kit::Size<0, 3> spares;
  kit::Size<0, 255> slab_bytes;
  kit::Size<0, 4> slab_alignment;  // 8 << slab_alignment
  kit::Size<0, 255> refs;          // a Bump's granules of Refs; 0: as many as there are
};

struct MemoryAllocate {
  static constexpr auto kText = kit::Text<1>("allocate", "bytes", "alignment", "fill");
  static constexpr int kWeight = 6;
  kit::Size<0, 9000> bytes;
  kit::Size<0, 14> alignment;  // its logarithm
  kit::Byte fill;
};
struct MemoryZeroed {
  static constexpr auto kText = kit::Text<2>("zeroed", "bytes", "alignment");
  kit::Size<0, 2000> bytes;
  kit::Size<0, 8> alignment;
};
struct MemoryFree {
  static constexpr auto kText = kit::Text<3>("free", "chunk");
  static constexpr int kWeight = 6;
  kit::Pick<0> chunk;
};
struct MemoryReallocate {
  static constexpr auto kText = kit::Text<4>("reallocate", "chunk", "bytes", "fill");
  static constexpr int kWeight = 3;
  kit::Pick<0> chunk;
  kit::Size<0, 9000> bytes;
  kit::Byte fill;
};
struct MemoryReset {
  static constexpr auto kText = kit::Text<5>("reset");
};
struct MemoryFill {
  static constexpr auto kText = kit::Text<6>("fill", "bytes", "count", "fill");
  static constexpr int kWeight = 3;
  kit::Size<0, 200> bytes;
  kit::Size<1, 64> count;
  kit::Byte fill;
};
enum class MemoryOrder { kOldest, kNewest, kEveryOther };
inline constexpr std::array kMemoryOrderNames = {"oldest", "newest", "every_other"};
struct MemoryDrain {
  static constexpr auto kText = kit::Text<7>("drain", "order", "count");
  static constexpr int kWeight = 2;
  kit::Choice<MemoryOrder, kMemoryOrderNames> order;
  kit::Size<1, 64> count;
};
struct MemoryFault {
  static constexpr auto kText = kit::Text<8>("fault", "after", "failures");
  kit::Size<0, 8> after;
  kit::Size<1, 3> failures;
};
enum class MemoryHugeSize { kSizeMax, kHalf, kQuarter, kRequestMax };
inline constexpr std::array kMemoryHugeSizeNames = {"size_max", "half", "quarter", "request_max"};
struct MemoryHuge {
  static constexpr auto kText = kit::Text<9>("huge", "size", "less", "alignment", "chunk");
  kit::Choice<MemoryHugeSize, kMemoryHugeSizeNames> size;
  kit::Size<0, 64> less;
  kit::Size<0, 16> alignment;
  kit::Pick<0> chunk;  // also reallocated to that size
};
struct MemoryLoop {
  static constexpr auto kText = kit::Text<10>("loop", "bytes", "count", "doubled");
  kit::Size<0, 600> bytes;
  kit::Size<1, 32> count;
  kit::Flag doubled;  // each chunk is reallocated to twice its size before it is freed
};

template <size_t kTarget>
using MemoryHeapProgram =
    kit::Program<MemoryHead<kTarget>, MemoryAllocate, MemoryZeroed, MemoryFree, MemoryReallocate,
                 MemoryReset, MemoryFill, MemoryDrain, MemoryFault, MemoryHuge, MemoryLoop>;

enum class MemoryKind { kAllocSet, kGeneration, kSlab, kBump };
inline constexpr std::array kMemoryKindNames = {"alloc_set", "generation", "slab", "bump"};

struct TreeCreate {
  static constexpr auto kText = kit::Text<1>("create", "kind", "parent");
  static constexpr int kWeight = 3;
  kit::Choice<MemoryKind, kMemoryKindNames> kind;
  kit::Pick<1> parent;
};
struct TreeAllocate {
  static constexpr auto kText = kit::Text<2>("allocate", "context", "bytes", "alignment", "fill");
  static constexpr int kWeight = 4;
  kit::Pick<1> context;
  kit::Size<0, 3000> bytes;
  kit::Size<0, 13> alignment;
  kit::Byte fill;
};
struct TreeFree {
  static constexpr auto kText = kit::Text<3>("free", "chunk");
  static constexpr int kWeight = 4;
  kit::Pick<0> chunk;
};
struct TreeReallocate {
  static constexpr auto kText = kit::Text<4>("reallocate", "chunk", "bytes", "fill");
  kit::Pick<0> chunk;
  kit::Size<0, 3000> bytes;
  kit::Byte fill;
};
struct TreeReset {
  static constexpr auto kText = kit::Text<5>("reset", "context", "keep_children");
  kit::Pick<1> context;
  kit::Flag keep_children;
};
struct TreeDelete {
  static constexpr auto kText = kit::Text<6>("delete", "context");
  kit::Pick<1> context;
};
struct TreeDeleteChildren {
  static constexpr auto kText = kit::Text<7>("delete_children", "context");
  kit::Pick<1> context;
};
struct TreeSetParent {
  static constexpr auto kText = kit::Text<8>("set_parent", "context", "parent", "none");
  kit::Pick<1> context;
  kit::Pick<1> parent;
  kit::Flag none;  // a root of its own
};
enum class TreeCallbackDoes { kNothing, kAllocates, kCreates };
inline constexpr std::array kTreeCallbackDoesNames = {"nothing", "allocates", "creates"};
struct TreeCallback {
  static constexpr auto kText = kit::Text<9>("callback", "context", "does");
  kit::Pick<1> context;
  kit::Choice<TreeCallbackDoes, kTreeCallbackDoesNames> does;
};
struct TreeFill {
  static constexpr auto kText = kit::Text<10>("fill", "context", "bytes", "count", "fill");
  static constexpr int kWeight = 2;
  kit::Pick<1> context;
  kit::Size<0, 200> bytes;
  kit::Size<1, 64> count;
  kit::Byte fill;
};
struct TreeFault {
  static constexpr auto kText = kit::Text<11>("fault", "after", "failures");
  kit::Size<0, 8> after;
  kit::Size<1, 3> failures;
};

using MemoryTreeProgram =
    kit::Program<MemoryHead<0>, TreeCreate, TreeAllocate, TreeFree, TreeReallocate, TreeReset,
                 TreeDelete, TreeDeleteChildren, TreeSetParent, TreeCallback, TreeFill, TreeFault>;

}  // namespace tuplestone::properties

#endif  // TUPLESTONE_PROPERTIES_MEMORY_MEMORY_OPS_H_
