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

namespace {

// As memcmp, whose arguments may not be null even for no bytes.
bool SameBytes(const uint8_t* a, const uint8_t* b, size_t bytes) {
  return bytes == 0 || std::memcmp(a, b, bytes) == 0;
}

}  // namespace

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

void MemoryWorld::Adopt(size_t context, void* p, size_t bytes, size_t alignment, uint64_t fill) {
  run_.SpendBytes(bytes);
  const size_t chunk = run_.population(kChunks).Born();
  auto* bytes_at = static_cast<uint8_t*>(p);
  Occupy(chunk, bytes_at, bytes, alignment);
  const auto filling = static_cast<uint8_t>(fill);
  std::memset(bytes_at, filling, bytes);
  model.Allocate(chunk, context, alignment, std::vector<uint8_t>(bytes, filling));
}

void MemoryWorld::CheckContents(size_t chunk) const {
  const std::vector<uint8_t>& expected = model.chunks().at(chunk).contents;
  kit::Expect(kM2, SameBytes(expected.data(), at(chunk), expected.size()),
              "the chunk's bytes are as they were left");
}

void MemoryWorld::Move(size_t chunk, void* p, size_t bytes, uint64_t fill) {
  run_.SpendBytes(bytes);
  auto* moved = static_cast<uint8_t*>(p);
  const std::vector<uint8_t>& before = model.chunks().at(chunk).contents;
  const size_t kept = std::min(bytes, before.size());
  kit::Expect(kM2, SameBytes(before.data(), moved, kept), "min(old, new) bytes are kept");
  const auto filling = static_cast<uint8_t>(fill);
  std::memset(moved + kept, filling, bytes - kept);
  Vacate(chunk);
  Occupy(chunk, moved, bytes, model.chunks().at(chunk).alignment);
  model.Reallocate(chunk, bytes, filling);
}

void MemoryWorld::Died(size_t chunk) {
  Vacate(chunk);
  pointers_.erase(chunk);
  model.Free(chunk);
  run_.population(kChunks).Died(chunk);
}

void MemoryWorld::Died(const std::vector<size_t>& chunks) {
  for (const size_t chunk : chunks) {
    Vacate(chunk);
    pointers_.erase(chunk);
    run_.population(kChunks).Died(chunk);
  }
}

void MemoryWorld::Occupy(size_t chunk, uint8_t* p, size_t bytes, size_t alignment) {
  const auto begin = reinterpret_cast<uintptr_t>(p);
  const uintptr_t end = begin + std::max<size_t>(bytes, 1);
  kit::Expect(kM1, IsAligned(p, std::max(alignment, kMaxAlign)), "the chunk is aligned");
  const auto after = ranges_.lower_bound(begin);
  kit::Expect(kM1, after == ranges_.end() || after->first >= end, "no chunk begins in this one");
  kit::Expect(kM1, after == ranges_.begin() || std::prev(after)->second <= begin,
              "this chunk begins in no other");
  ranges_[begin] = end;
  pointers_[chunk] = p;
}

void MemoryWorld::Vacate(size_t chunk) {
  ranges_.erase(reinterpret_cast<uintptr_t>(pointers_.at(chunk)));
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
  for (const auto& [chunk, p] : pointers_) CheckContents(chunk);
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
  for (const auto& [id, chunk] : model.chunks()) {
    absl::StrAppend(&text, "chunk @", id, " of context @", chunk.context, ": ", chunk.bytes,
                    " bytes at ", chunk.alignment, ", takes ", chunk.space, "\n");
  }
  return absl::StrCat(text, model.chunks().size(), " live chunks\n");
}

}  // namespace tuplestone::properties
