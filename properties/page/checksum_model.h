// The checksum of a page as its description says it, a word at a time, to compare the engine's
// with.
#ifndef TUPLESTONE_PROPERTIES_PAGE_CHECKSUM_MODEL_H_
#define TUPLESTONE_PROPERTIES_PAGE_CHECKSUM_MODEL_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"

namespace tuplestone::properties {

inline constexpr size_t kChecksumLanes = 32;
inline constexpr size_t kChecksumRows = 64;

// Where each lane starts; part of the format.
inline constexpr std::array<uint32_t, kChecksumLanes> kChecksumStarts = {
    0x5B1F36E9, 0xB8525960, 0x02AB50AA, 0x1DE66D2A, 0x79FF467A, 0x9BB9F8A3, 0x217E7CD2, 0x83E13D2C,
    0xF8D4474F, 0xE39EB970, 0x42C6AE16, 0x993216FA, 0x7B093B5D, 0x98DAFF3C, 0xF718902A, 0x0B1C9CDB,
    0xE58F764B, 0x187636BC, 0x5D7B3BB1, 0xE73DE7DE, 0x92BEC979, 0xCCA6C0B2, 0x304A0979, 0x85AA43D4,
    0x783125BB, 0x6CA8EAA2, 0xE407EAC6, 0x4B5CFC3E, 0x9FBF8C76, 0x15CA20BE, 0xF2CA9FD3, 0x959BD756};

// What one word makes of a lane.
constexpr uint32_t ChecksumStep(uint32_t lane, uint32_t word) {
  return (lane ^ word) * 16777619u ^ (lane ^ word) >> 17;
}

// The word at `row` and `lane` of a page of 8192 bytes, the checksum's own half-word zero.
uint32_t ChecksumWord(absl::Span<const std::byte> page, size_t row, size_t lane);

// Requires: 8192 bytes.
uint16_t ModelChecksum(absl::Span<const std::byte> page, uint32_t block);

}  // namespace tuplestone::properties

#endif  // TUPLESTONE_PROPERTIES_PAGE_CHECKSUM_MODEL_H_
