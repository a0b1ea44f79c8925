#include "properties/page/checksum_model.h"

namespace tuplestone::properties {

uint32_t ChecksumWord(absl::Span<const std::byte> page, size_t row, size_t lane) {
  const std::byte* at = page.data() + (row * kChecksumLanes + lane) * 4;
  uint32_t word = 0;
  for (size_t i = 0; i < 4; ++i) word |= std::to_integer<uint32_t>(at[i]) << 8 * i;
  return row == 0 && lane == 2 ? word & 0xFFFF0000 : word;
}

uint16_t ModelChecksum(absl::Span<const std::byte> page, uint32_t block) {
  uint32_t folded = block;
  for (size_t lane = 0; lane < kChecksumLanes; ++lane) {
    uint32_t hash = kChecksumStarts[lane];
    for (size_t row = 0; row < kChecksumRows; ++row) {
      hash = ChecksumStep(hash, ChecksumWord(page, row, lane));
    }
    folded ^= ChecksumStep(ChecksumStep(hash, 0), 0);
  }
  return static_cast<uint16_t>(folded % 65535 + 1);
}

}  // namespace tuplestone::properties
