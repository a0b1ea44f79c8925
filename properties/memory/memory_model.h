// What a tree of memory contexts is, without memory: who is whose child, which chunks live where
// with which bytes in them, and what each takes. Maps and loops; nothing of the engine but the
// plain figures of its options.
#ifndef TUPLESTONE_PROPERTIES_MEMORY_MEMORY_MODEL_H_
#define TUPLESTONE_PROPERTIES_MEMORY_MEMORY_MODEL_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "engine/memory/options.h"

namespace tuplestone::properties {

struct ModelOptions {
  memory::Options shared;  // AllocSet, Generation, Bump
  memory::SlabOptions slab;
};

// The bytes that a live chunk of `kind` counts as: header, and the size it is rounded to.
size_t ModelSpace(memory::Kind kind, const ModelOptions& options, size_t bytes, size_t alignment);

// Whether the kind refuses the request however much memory there is.
bool ModelRefuses(memory::Kind kind, const ModelOptions& options, size_t bytes, size_t alignment);

// A chunk's bytes: stretches, each of one value, as programs write no others.
class ModelContents {
 public:
  ModelContents(size_t bytes, uint8_t fill) : first_{bytes, fill} {}

  // The first min(old, new) bytes stay; the others are `fill`.
  void Resize(size_t bytes, uint8_t fill);
  // Whether the first `bytes` at `p` are these. Requires: bytes <= this->bytes().
  bool Hold(const uint8_t* p, size_t bytes) const;
  size_t bytes() const { return rest_.empty() ? first_.end : rest_.back().end; }

 private:
  struct Stretch {
    size_t end;
    uint8_t fill;
  };
  Stretch first_;
  std::vector<Stretch> rest_;
};

struct ModelChunk {
  size_t context;
  size_t bytes;
  size_t alignment;
  size_t space;
  ModelContents contents;
};

struct ModelFigures {
  size_t live = 0;
  size_t requested = 0;
  size_t chunks = 0;
};

class MemoryModel {
 public:
  static constexpr size_t kNoContext = SIZE_MAX;

  explicit MemoryModel(const ModelOptions& options) : options_(options) {}

  void Create(size_t context, memory::Kind kind, size_t parent);
  // Requires: `chunk` is the number of chunks so far.
  void Allocate(size_t chunk, size_t context, size_t alignment, size_t bytes, uint8_t fill);
  void Free(size_t chunk);
  // The first min(old, new) bytes stay; the others are `fill`.
  void Reallocate(size_t chunk, size_t bytes, uint8_t fill);
  void SetParent(size_t context, size_t parent);

  // These return the chunks that died.
  std::vector<size_t> ResetKeepingChildren(size_t context);
  std::vector<size_t> Delete(size_t context);  // and all below it

  // The context and all below it, children before their parents, as deletion goes.
  std::vector<size_t> DeletionOrder(size_t context) const;
  bool IsBelow(size_t context, size_t above) const;    // or the same
  std::vector<size_t> Children(size_t context) const;  // newest first

  // Requires: `chunk` is alive.
  const ModelChunk& chunk(size_t chunk) const { return chunks_[chunk]; }
  const std::vector<size_t>& live() const { return live_; }  // ascending
  memory::Kind kind(size_t context) const { return contexts_.at(context).kind; }
  size_t parent(size_t context) const { return contexts_.at(context).parent; }
  const ModelOptions& options() const { return options_; }
  // Of the context alone.
  const ModelFigures& Figures(size_t context) const { return contexts_.at(context).figures; }

 private:
  struct ModelContext {
    memory::Kind kind;
    size_t parent;
    std::vector<size_t> children;  // oldest first
    ModelFigures figures;
  };

  void Count(const ModelChunk& chunk);
  void Uncount(const ModelChunk& chunk);

  ModelOptions options_;
  std::map<size_t, ModelContext> contexts_;
  std::vector<ModelChunk> chunks_;  // by number; with those that died
  std::vector<size_t> live_;
};

}  // namespace tuplestone::properties

#endif  // TUPLESTONE_PROPERTIES_MEMORY_MEMORY_MODEL_H_
