// CRC-32C (Castagnoli: polynomial 0x1edc6f41, reflected, all ones before and after), the checksum
// of tape blocks. It finds every error within 32 neighbouring bits, bits counted from the lowest of
// each byte, and any other with a probability of 1 - 2^-32.
//
// The machine's instruction where there is one (three streams at a time, since it takes three
// cycles to answer), else tables; both give the same.
#ifndef TUPLESTONE_ENGINE_BASE_CRC32C_H_
#define TUPLESTONE_ENGINE_BASE_CRC32C_H_

#include <cstdint>

#include "engine/base/bytes.h"

namespace tuplestone {

// The checksum of `bytes`, appended to bytes whose checksum is `before` (0 for none). O(bytes).
uint32_t Crc32c(Bytes bytes, uint32_t before = 0);

// The same by tables only; for machines without the instruction, and to compare with.
uint32_t Crc32cByTable(Bytes bytes, uint32_t before = 0);

}  // namespace tuplestone

#endif  // TUPLESTONE_ENGINE_BASE_CRC32C_H_
