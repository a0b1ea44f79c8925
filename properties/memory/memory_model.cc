#include "properties/memory/memory_model.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace tuplestone::properties {
namespace {

using memory::Kind;

size_t UpToEight(size_t bytes) {
  while (bytes % 8 != 0) ++bytes;
  return bytes;
}

std::vector<size_t> ListClassSizes(memory::ClassRule rule) {
  std::vector<size_t> sizes;
  if (rule == memory::ClassRule::kPowersOfTwo) {
    for (size_t bytes = 8; bytes <= 8192; bytes *= 2) sizes.push_back(bytes);
    return sizes;
  }
  for (size_t bytes = 8; bytes <= 1024; bytes += 8) sizes.push_back(bytes);
  for (size_t step = 128; step <= 512; step *= 2) {
    for (size_t i = 9; i <= 16; ++i) sizes.push_back(i * step);
  }
  return sizes;
}

// Sizes of an AllocSet's classes, smallest first.
const std::vector<size_t>& ClassSizes(memory::ClassRule rule) {
  static const std::vector<size_t> powers = ListClassSizes(memory::ClassRule::kPowersOfTwo);
  static const std::vector<size_t> steps = ListClassSizes(memory::ClassRule::kSteps);
  return rule == memory::ClassRule::kPowersOfTwo ? powers : steps;
}

// Above this a request has a block of its own: a share of the largest block's room, by halving.
size_t SharedLimit(Kind kind, const memory::Options& options) {
  constexpr size_t kBlockHeader = 56;
  const memory::Limits& limits = options.limits;
  const size_t header = kind == Kind::kBump ? 0 : options.layout.header_bytes;
  size_t limit = limits.chunk_limit_bytes;
  while (limit > 8 &&
         limit + header > (limits.block_max_bytes - kBlockHeader) / limits.chunk_limit_divisor) {
    limit /= 2;
  }
  limit = std::max<size_t>(limit - limit % 8, 8);
  if (kind != Kind::kAllocSet) return limit;
  size_t largest = 0;
  for (const size_t size : ClassSizes(options.layout.classes)) {
    if (size <= limit) largest = size;
  }
  return largest;
}

}  // namespace

size_t ModelSpace(Kind kind, const ModelOptions& options, size_t bytes, size_t alignment) {
  // Room for the request at any address: an alignment above 8 may push it up by that less 8.
  const auto padded = [](size_t n, size_t a) {
    return std::max<size_t>(n, 1) + (a > 8 ? a - 8 : 0);
  };
  if (kind == Kind::kSlab) {
    const memory::SlabOptions& slab = options.slab;
    return slab.header_bytes + UpToEight(padded(slab.chunk_bytes, slab.alignment));
  }
  const size_t needed = padded(bytes, alignment);
  if (kind == Kind::kBump) return UpToEight(needed);
  const memory::Options& shared = options.shared;
  const bool own_block =
      needed > SharedLimit(kind, shared) || alignment > shared.limits.in_block_alignment_max;
  size_t rounded = UpToEight(needed);
  if (kind == Kind::kAllocSet && !own_block) {
    for (const size_t size : ClassSizes(shared.layout.classes)) {
      if (size >= needed) {
        rounded = size;
        break;
      }
    }
  }
  return shared.layout.header_bytes + rounded;
}

bool ModelRefuses(Kind kind, const ModelOptions& options, size_t bytes, size_t alignment) {
  if (kind == Kind::kSlab) {
    return bytes > options.slab.chunk_bytes ||
           alignment > std::max<size_t>(options.slab.alignment, 8);
  }
  return bytes > options.shared.limits.request_bytes_max;
}

void ModelContents::Resize(size_t bytes, uint8_t fill) {
  const auto begin_of_last = [this] {
    return rest_.size() == 1 ? first_.end : rest_[rest_.size() - 2].end;
  };
  while (!rest_.empty() && begin_of_last() >= bytes) rest_.pop_back();
  Stretch& last = rest_.empty() ? first_ : rest_.back();
  const size_t kept = std::min(last.end, bytes);
  last.end = kept;
  if (bytes > kept) rest_.push_back({bytes, fill});
}

bool ModelContents::Hold(const uint8_t* p, size_t bytes) const {
  size_t begin = 0;
  const auto holds = [&](const Stretch& stretch) {
    const size_t count = std::min(stretch.end, bytes) - begin;
    const uint8_t* at = p + begin;
    begin += count;
    return count == 0 || (*at == stretch.fill && std::memcmp(at, at + 1, count - 1) == 0);
  };
  return holds(first_) && std::all_of(rest_.begin(), rest_.end(), holds);
}

void MemoryModel::Create(size_t context, Kind kind, size_t parent) {
  contexts_[context] = {kind, parent, {}, {}};
  if (parent != kNoContext) contexts_.at(parent).children.push_back(context);
}

void MemoryModel::Allocate(size_t chunk, size_t context, size_t alignment, size_t bytes,
                           uint8_t fill) {
  const size_t space = ModelSpace(kind(context), options_, bytes, alignment);
  chunks_.push_back({context, bytes, alignment, space, ModelContents(bytes, fill)});
  live_.push_back(chunk);
  Count(chunks_.back());
}

void MemoryModel::Free(size_t chunk) {
  Uncount(chunks_[chunk]);
  live_.erase(std::lower_bound(live_.begin(), live_.end(), chunk));
}

void MemoryModel::Count(const ModelChunk& chunk) {
  ModelFigures& figures = contexts_.at(chunk.context).figures;
  figures.live += chunk.space;
  figures.requested += chunk.bytes;
  ++figures.chunks;
}

void MemoryModel::Uncount(const ModelChunk& chunk) {
  ModelFigures& figures = contexts_.at(chunk.context).figures;
  figures.live -= chunk.space;
  figures.requested -= chunk.bytes;
  --figures.chunks;
}

void MemoryModel::Reallocate(size_t chunk, size_t bytes, uint8_t fill) {
  ModelChunk& changed = chunks_[chunk];
  Uncount(changed);
  changed.contents.Resize(bytes, fill);
  changed.bytes = bytes;
  changed.space = ModelSpace(kind(changed.context), options_, bytes, changed.alignment);
  Count(changed);
}

void MemoryModel::SetParent(size_t context, size_t parent) {
  ModelContext& moved = contexts_.at(context);
  if (moved.parent == parent) return;
  if (moved.parent != kNoContext) std::erase(contexts_.at(moved.parent).children, context);
  if (parent != kNoContext) contexts_.at(parent).children.push_back(context);
  moved.parent = parent;
}

std::vector<size_t> MemoryModel::ResetKeepingChildren(size_t context) {
  const auto dies = [&](size_t chunk) { return chunks_[chunk].context == context; };
  std::vector<size_t> died;
  std::copy_if(live_.begin(), live_.end(), std::back_inserter(died), dies);
  std::erase_if(live_, dies);
  contexts_.at(context).figures = {};
  return died;
}

std::vector<size_t> MemoryModel::Delete(size_t context) {
  std::vector<size_t> died;
  for (const size_t going : DeletionOrder(context)) {
    const std::vector<size_t> chunks = ResetKeepingChildren(going);
    died.insert(died.end(), chunks.begin(), chunks.end());
    SetParent(going, kNoContext);
    contexts_.erase(going);
  }
  return died;
}

std::vector<size_t> MemoryModel::DeletionOrder(size_t context) const {
  std::vector<size_t> order;
  for (const size_t child : Children(context)) {
    const std::vector<size_t> below = DeletionOrder(child);
    order.insert(order.end(), below.begin(), below.end());
  }
  order.push_back(context);
  return order;
}

bool MemoryModel::IsBelow(size_t context, size_t above) const {
  while (context != kNoContext && context != above) context = parent(context);
  return context == above;
}

std::vector<size_t> MemoryModel::Children(size_t context) const {
  const std::vector<size_t>& children = contexts_.at(context).children;
  return {children.rbegin(), children.rend()};
}

}  // namespace tuplestone::properties
