// The 16-bit checksum of a page: 32 lanes of a multiplicative hash over the page taken as 64 rows
// of 32 words, folded with the block number so that a page in the wrong place is noticed. The field
// itself counts as zero. It never is 0, and misses about one single-bit flip in 65,536.
#ifndef TUPLESTONE_ENGINE_PAGE_CHECKSUM_H_
#define TUPLESTONE_ENGINE_PAGE_CHECKSUM_H_

#include <cstdint>

#include "engine/base/bytes.h"

namespace tuplestone::page {

// For any bytes, a page or not. Requires: kPageBytes bytes.
uint16_t Checksum(Bytes page, uint32_t block);

// True if the stored checksum is right, or the page is new (new pages carry none).
// Requires: kPageBytes bytes.
bool ChecksumMatches(Bytes page, uint32_t block);

// Stores the checksum, but for a new page. Requires: kPageBytes bytes.
void SealChecksum(MutableBytes page, uint32_t block);

}  // namespace tuplestone::page

#endif  // TUPLESTONE_ENGINE_PAGE_CHECKSUM_H_
