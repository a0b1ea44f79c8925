#include "engine/tape/block_format.h"

#include "engine/base/crc32c.h"

namespace tuplestone::tape {
namespace {

constexpr size_t kPreviousAt = 16;  // counted from the block's end, as all that follow
constexpr size_t kNextAt = 12;
constexpr size_t kUsedAt = 8;
constexpr size_t kChecksumAt = 4;

}  // namespace

uint32_t BlockChecksum(const BlockPlace& place, Bytes block) {
  std::byte prefix[24];
  Store(prefix, uint64_t{place.block});
  Store(prefix + 8, place.tape);
  Store(prefix + 16, place.position);
  return Crc32c(block.first(block.size() - kChecksumAt), Crc32c(prefix));
}

uint32_t StoredChecksum(Bytes block) {
  return Load<uint32_t>(block.data() + block.size() - kChecksumAt);
}

void SealBlock(const BlockPlace& place, const Trailer& trailer, MutableBytes block) {
  std::byte* end = block.data() + block.size();
  Store(end - kPreviousAt, trailer.previous);
  Store(end - kNextAt, trailer.next);
  Store(end - kUsedAt, trailer.used);
  Store(end - kChecksumAt, BlockChecksum(place, block));
}

Trailer ReadTrailer(Bytes block) {
  const std::byte* end = block.data() + block.size();
  return {.previous = Load<uint32_t>(end - kPreviousAt),
          .next = Load<uint32_t>(end - kNextAt),
          .used = Load<uint32_t>(end - kUsedAt)};
}

}  // namespace tuplestone::tape
