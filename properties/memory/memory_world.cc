#include "properties/memory/memory_world.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string>

#include "absl/strings/str_cat.h"

namespace tuplestone::properties {

using memory::Account;
using memory::kM1;
using memory::kM2;
using memory::kM3;
using memory::kM6;

namespace memory_internal {

ModelOptions OptionsOf(uint64_t initial, uint64_t grown, uint64_t divisor, uint64_t header,
                       MemoryClasses classes, MemoryGrowth growth, uint64_t spares,
                       uint64_t slab_bytes, uint64_t slab_alignment, uint64_t refs) {
  ModelOptions options;
  memory::Limits& limits = options.shared.limits;
  limits.block_initial_bytes = size_t{128} << initial;
  limits.block_max_bytes = limits.block_initial_bytes << grown;
  limits.chunk_limit_divisor = 2 + divisor;
  limits.spare_blocks_max = std::min<size_t>(spares, 1);
  limits.request_bytes_max = (1 << 16) - 1;
  limits.ref_granule_bytes = 256;
  if (refs != 0) {
    const size_t granule = std::max(limits.block_initial_bytes, size_t{256});
    limits.ref_units_max = refs * granule / 8;
  }
  memory::Layout& layout = options.shared.layout;
  layout.header_bytes = 8 + 8 * header;
  layout.classes = classes == MemoryClasses::kSteps ? memory::ClassRule::kSteps
                                                    : memory::ClassRule::kPowersOfTwo;
  layout.growth =
      growth == MemoryGrowth::kCompact ? memory::Growth::kCompact : memory::Growth::kDoubling;
  memory::SlabOptions& slab = options.slab;
  slab.limits = limits;
  slab.limits.spare_blocks_max = spares;
  slab.chunk_bytes = slab_bytes;
  slab.alignment = size_t{8} << slab_alignment;
  slab.header_bytes = layout.header_bytes;
  // Room for one chunk and what the first block would hold.
  slab.limits.slab_block_bytes =
      limits.block_initial_bytes + AlignUp(slab_bytes + slab.alignment + 24, 8);
  return options;
}

}  // namespace memory_internal

void ExpectSameAccount(const Invariant& invariant, const Account& expected, const Account& actual) {
  kit::ExpectEqual(invariant, expected.obtained, actual.obtained, "obtained");
  kit::ExpectEqual(invariant, expected.overhead, actual.overhead, "overhead");
  kit::ExpectEqual(invariant, expected.live, actual.live, "live");
  kit::ExpectEqual(invariant, expected.guards, actual.guards, "guards");
  kit::ExpectEqual(invariant, expected.free, actual.free, "free");
  kit::ExpectEqual(invariant, expected.dead, actual.dead, "dead");
  kit::ExpectEqual(invariant, expected.tail, actual.tail, "tail");
  kit::ExpectEqual(invariant, expected.requested, actual.requested, "requested");
  kit::ExpectEqual(invariant, expected.live_chunks, actual.live_chunks, "live chunks");
  kit::ExpectEqual(invariant, expected.blocks, actual.blocks, "blocks");
}

size_t MemoryWorld::Adopt(size_t context, void* p, size_t bytes, size_t alignment, uint64_t fill) {
  run_.SpendBytes(bytes);
  const size_t chunk = run_.population(kChunks).Born();
  auto* bytes_at = static_cast<uint8_t*>(p);
  pointers_.resize(chunk + 1);
  Occupy(chunk, bytes_at, bytes, alignment);
  const auto filling = static_cast<uint8_t>(fill);
  std::memset(bytes_at, filling, bytes);
  model.Allocate(chunk, context, alignment, bytes, filling);
  return chunk;
}

void MemoryWorld::CheckContents(size_t chunk) const { CheckContents(chunk, model.chunk(chunk)); }

void MemoryWorld::CheckContents(size_t chunk, const ModelChunk& expected) const {
  kit::Expect(kM2, expected.contents.Hold(at(chunk), expected.bytes),
              "the chunk's bytes are as they were left");
}

void MemoryWorld::Move(size_t chunk, void* p, size_t bytes, uint64_t fill) {
  run_.SpendBytes(bytes);
  auto* moved = static_cast<uint8_t*>(p);
  const ModelContents& before = model.chunk(chunk).contents;
  const size_t kept = std::min(bytes, before.bytes());
  kit::Expect(kM2, before.Hold(moved, kept), "min(old, new) bytes are kept");
  const auto filling = static_cast<uint8_t>(fill);
  std::memset(moved + kept, filling, bytes - kept);
  Vacate(chunk);
  Occupy(chunk, moved, bytes, model.chunk(chunk).alignment);
  model.Reallocate(chunk, bytes, filling);
}

void MemoryWorld::Died(size_t chunk) {
  Vacate(chunk);
  model.Free(chunk);
  run_.population(kChunks).Died(chunk);
}

void MemoryWorld::Died(const std::vector<size_t>& chunks) {
  for (const size_t chunk : chunks) {
    Vacate(chunk);
    run_.population(kChunks).Died(chunk);
  }
}

std::vector<MemoryWorld::Range>::iterator MemoryWorld::RangeAtOrAfter(uintptr_t begin) {
  return std::lower_bound(ranges_.begin(), ranges_.end(), begin,
                          [](const Range& range, uintptr_t at) { return range.begin < at; });
}

void MemoryWorld::Occupy(size_t chunk, uint8_t* p, size_t bytes, size_t alignment) {
  const auto begin = reinterpret_cast<uintptr_t>(p);
  const uintptr_t end = begin + std::max<size_t>(bytes, 1);
  kit::Expect(kM1, IsAligned(p, std::max(alignment, kMaxAlign)), "the chunk is aligned");
  const auto after = RangeAtOrAfter(begin);
  kit::Expect(kM1, after == ranges_.end() || after->begin >= end, "no chunk begins in this one");
  kit::Expect(kM1, after == ranges_.begin() || std::prev(after)->end <= begin,
              "this chunk begins in no other");
  ranges_.insert(after, {begin, end});
  pointers_[chunk] = p;
}

void MemoryWorld::Vacate(size_t chunk) {
  ranges_.erase(RangeAtOrAfter(reinterpret_cast<uintptr_t>(at(chunk))));
}

void MemoryWorld::ExpectNullExcused(memory::Kind kind, size_t bytes, size_t alignment,
                                    uint64_t failures_before) const {
  const bool refused = ModelRefuses(kind, model.options(), bytes, alignment);
  const bool failed = source.failures() > failures_before;
  // How many Refs are left is the one limit that the model does not follow.
  const bool short_of_refs = kind == memory::Kind::kBump &&
                             model.options().shared.limits.ref_units_max < uint64_t{1} << 32;
  kit::Expect(kM6, refused || failed || short_of_refs, "a request that may succeed does");
}

void MemoryWorld::ExpectNotRefused(memory::Kind kind, size_t bytes, size_t alignment) const {
  kit::Expect(kM6, !ModelRefuses(kind, model.options(), bytes, alignment),
              "a request beyond the limits fails");
}

void MemoryWorld::CheckAccount(const memory::Context& context, size_t id) const {
  const Account a = context.account();
  const ModelFigures& expected = model.Figures(id);
  kit::ExpectEqual(kM3, expected.live, a.live, "live");
  kit::ExpectEqual(kM3, expected.requested, a.requested, "requested");
  kit::ExpectEqual(kM3, expected.chunks, a.live_chunks, "live chunks");
  kit::ExpectEqual(kM3, a.obtained, a.overhead + a.live + a.guards + a.free + a.dead + a.tail,
                   "obtained = overhead + live + guards + free + dead + tail");
}

void MemoryWorld::CheckAllContents() const {
  for (const size_t chunk : model.live()) CheckContents(chunk, model.chunk(chunk));
}

std::string ShowAccount(const memory::Context& context) {
  const memory::Account account = context.account();
  return absl::StrCat(context.name(), " (", memory::KindName(context.kind()), "): held ",
                      account.held(), " = overhead ", account.overhead, " + live ", account.live,
                      " + free ", account.free, " + dead ", account.dead, " + tail ", account.tail,
                      "; ", account.live_chunks, " chunks of ", account.requested, " bytes in ",
                      account.blocks, " blocks\n");
}

std::string MemoryWorld::ShowModel() const {
  std::string text;
  for (const size_t id : model.live()) {
    const ModelChunk& chunk = model.chunk(id);
    absl::StrAppend(&text, "chunk @", id, " of context @", chunk.context, ": ", chunk.bytes,
                    " bytes at ", chunk.alignment, ", takes ", chunk.space, "\n");
  }
  return absl::StrCat(text, model.live().size(), " live chunks\n");
}

}  // namespace tuplestone::properties
