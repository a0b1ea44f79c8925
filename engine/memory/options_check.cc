#include "engine/memory/options_check.h"

#include "engine/base/align.h"
#include "engine/base/check.h"
#include "engine/memory/invariants.h"

namespace tuplestone::memory {
namespace {

void CheckBlockBytes(size_t bytes) {
  TUPLESTONE_CHECK(kMisuseOptions, bytes >= kBlockBytesFloor);
  TUPLESTONE_CHECK(kMisuseOptions, bytes <= kBlockBytesCeiling);
  TUPLESTONE_CHECK(kMisuseOptions, IsAligned(bytes, 8));
}

void CheckHeaderBytes(size_t bytes) {
  TUPLESTONE_CHECK(kMisuseOptions, IsAligned(bytes, 8));
  TUPLESTONE_CHECK(kMisuseOptions, bytes >= 8);
  TUPLESTONE_CHECK(kMisuseOptions, bytes <= 24);
}

void CheckRequestLimits(const Limits& limits) {
  TUPLESTONE_CHECK(kMisuseOptions, limits.request_bytes_max <= kRequestBytesCeiling);
  TUPLESTONE_CHECK(kMisuseOptions, IsPowerOfTwo(limits.in_block_alignment_max));
  TUPLESTONE_CHECK(kMisuseOptions, limits.in_block_alignment_max >= 8);
  TUPLESTONE_CHECK(kMisuseOptions, limits.in_block_alignment_max <= kAlignmentCeiling);
}

}  // namespace

void CheckOptions(const Options& options) {
  const Limits& limits = options.limits;
  CheckBlockBytes(limits.block_initial_bytes);
  CheckBlockBytes(limits.block_max_bytes);
  CheckHeaderBytes(options.layout.header_bytes);
  CheckRequestLimits(limits);
  TUPLESTONE_CHECK(kMisuseOptions, limits.block_initial_bytes <= limits.block_max_bytes);
  TUPLESTONE_CHECK(kMisuseOptions, limits.chunk_limit_bytes >= 8);
  TUPLESTONE_CHECK(kMisuseOptions, limits.chunk_limit_bytes <= kChunkLimitCeiling);
  TUPLESTONE_CHECK(kMisuseOptions, limits.chunk_limit_divisor >= 2);
  TUPLESTONE_CHECK(kMisuseOptions, limits.growth_divisor >= 1);
  TUPLESTONE_CHECK(kMisuseOptions, limits.spare_blocks_max <= 1);
  TUPLESTONE_CHECK(kMisuseOptions, IsPowerOfTwo(limits.ref_granule_bytes));
  TUPLESTONE_CHECK(kMisuseOptions, limits.ref_granule_bytes >= kBlockBytesFloor);
  TUPLESTONE_CHECK(kMisuseOptions, limits.ref_units_max <= uint64_t{1} << 32);
}

void CheckOptions(const SlabOptions& options) {
  const Limits& limits = options.limits;
  CheckBlockBytes(limits.slab_block_bytes);
  CheckHeaderBytes(options.header_bytes);
  CheckRequestLimits(limits);
  TUPLESTONE_CHECK(kMisuseOptions, options.chunk_bytes <= kChunkLimitCeiling);
  TUPLESTONE_CHECK(kMisuseOptions, IsPowerOfTwo(options.alignment));
  TUPLESTONE_CHECK(kMisuseOptions, options.alignment <= limits.in_block_alignment_max);
}

}  // namespace tuplestone::memory
