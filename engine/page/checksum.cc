#include "engine/page/checksum.h"

#include <algorithm>
#include <array>

#include "engine/page/page.h"

namespace tuplestone::page {
namespace {

constexpr size_t kLanes = 32;
constexpr size_t kRows = kPageBytes / (kLanes * sizeof(uint32_t));
constexpr uint32_t kPrime = 16777619;

using Lanes = std::array<uint32_t, kLanes>;

// Where each lane starts; part of the format.
constexpr Lanes kStart = {
    0x5B1F36E9, 0xB8525960, 0x02AB50AA, 0x1DE66D2A, 0x79FF467A, 0x9BB9F8A3, 0x217E7CD2, 0x83E13D2C,
    0xF8D4474F, 0xE39EB970, 0x42C6AE16, 0x993216FA, 0x7B093B5D, 0x98DAFF3C, 0xF718902A, 0x0B1C9CDB,
    0xE58F764B, 0x187636BC, 0x5D7B3BB1, 0xE73DE7DE, 0x92BEC979, 0xCCA6C0B2, 0x304A0979, 0x85AA43D4,
    0x783125BB, 0x6CA8EAA2, 0xE407EAC6, 0x4B5CFC3E, 0x9FBF8C76, 0x15CA20BE, 0xF2CA9FD3, 0x959BD756};

uint32_t Mix(uint32_t lane, uint32_t word) {
  const uint32_t mixed = lane ^ word;
  return (mixed * kPrime) ^ (mixed >> 17);
}

// The row as words, the checksum field's two bytes zero.
Lanes Row(const std::byte* page, size_t row) {
  Lanes words = Load<Lanes>(page + row * sizeof(Lanes));
  if (row == 0) words[kChecksumAt / sizeof(uint32_t)] &= 0xFFFF0000;
  return words;
}

bool IsNew(Bytes page) { return Load<uint16_t>(page.data() + kUpperAt) == 0 && AllZero(page); }

}  // namespace

uint16_t Checksum(Bytes page, uint32_t block) {
  TUPLESTONE_CHECK_EQ(kP12, kPageBytes, page.size());
  Lanes lanes = kStart;
  for (size_t row = 0; row < kRows; ++row) {
    const Lanes words = Row(page.data(), row);
    for (size_t i = 0; i < kLanes; ++i) lanes[i] = Mix(lanes[i], words[i]);
  }
  for (uint32_t& lane : lanes) lane = Mix(Mix(lane, 0), 0);
  uint32_t folded = block;
  for (uint32_t lane : lanes) folded ^= lane;
  return static_cast<uint16_t>(folded % 65535 + 1);
}

bool ChecksumMatches(Bytes page, uint32_t block) {
  TUPLESTONE_CHECK_EQ(kP12, kPageBytes, page.size());
  if (IsNew(page)) return true;
  return Load<uint16_t>(page.data() + kChecksumAt) == Checksum(page, block);
}

void SealChecksum(MutableBytes page, uint32_t block) {
  TUPLESTONE_CHECK_EQ(kP12, kPageBytes, page.size());
  if (IsNew(page)) return;
  Store(page.data() + kChecksumAt, Checksum(page, block));
}

void Page::Seal(uint32_t block) { SealChecksum(MutableBytes(bytes_, kPageBytes), block); }

bool Page::ChecksumMatches(uint32_t block) const { return page::ChecksumMatches(bytes(), block); }

}  // namespace tuplestone::page
