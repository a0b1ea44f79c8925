// H7: the block-size rule equals the historical loop for every limit from 0 to 2^31 - 1 kB, one by
// one. Some four seconds of optimised code, which is why it is a binary of its own.
#include <gtest/gtest.h>

#include <cstdint>

#include "engine/memory/block_size_rule.h"
#include "engine/memory/historical_block_size.h"

namespace tuplestone::memory {
namespace {

TEST(BlockSizeRuleExhaustive, EqualsTheHistoricalLoopForEveryLimit) {
  uint64_t different = 0;
  for (int64_t kb = 0; kb < int64_t{1} << 31; ++kb) {
    different += BlockBytesMax(static_cast<size_t>(kb)) != HistoricalBlockBytesMax(kb) ? 1 : 0;
  }
  EXPECT_EQ(different, 0u);
}

}  // namespace
}  // namespace tuplestone::memory
