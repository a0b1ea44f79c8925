// The BlockSource of suites: it counts, caps and fails on request, and notices what is given back
// wrongly. Every block is filled with a pattern before it is lent, so that nothing can depend on
// what memory held before.
#ifndef TUPLESTONE_PROPERTIES_KIT_FAULTY_SOURCE_H_
#define TUPLESTONE_PROPERTIES_KIT_FAULTY_SOURCE_H_

#include <cstddef>
#include <cstdint>
#include <map>

#include "engine/base/block_source.h"
#include "engine/base/check.h"

namespace tuplestone::kit {

inline constexpr Invariant kF5{
    "F5", "a block is returned once, with the size and alignment it was obtained with"};
inline constexpr Invariant kF6{"F6", "every block is returned in the end"};

class FaultySource final : public BlockSource {
 public:
  FaultySource() = default;
  FaultySource(const FaultySource&) = delete;
  FaultySource& operator=(const FaultySource&) = delete;
  // Breaks F6 when blocks are still lent.
  ~FaultySource() override;

  void* Obtain(size_t bytes, size_t alignment) noexcept override;
  void Return(void* block, size_t bytes, size_t alignment) noexcept override;

  // After `successes` more requests, `failures` fail. Replaces what was said before.
  void FailAfter(uint64_t successes, uint64_t failures = 1) {
    successes_left_ = successes;
    failures_left_ = failures;
  }
  void FailNever() { failures_left_ = 0; }
  // Requests that would lend more than this in all fail.
  void SetCap(size_t bytes) { cap_bytes_ = bytes; }
  // Blocks of at least this many bytes are addresses that nobody may touch beyond their first and
  // last page, so that requests near the limits of size_t's lower half can be tried on any machine.
  void SetReserveOnly(size_t bytes) { reserve_only_bytes_ = bytes; }

  size_t lent_bytes() const { return lent_bytes_; }
  size_t lent_bytes_peak() const { return lent_bytes_peak_; }
  size_t lent_blocks() const { return blocks_.size(); }
  uint64_t requests() const { return requests_; }  // failed ones included
  uint64_t failures() const { return failures_; }

 private:
  struct Block {
    size_t bytes;
    size_t alignment;
    bool reserved_only;
  };
  bool Refuses(size_t bytes);

  std::map<void*, Block> blocks_;
  uint64_t successes_left_ = 0;
  uint64_t failures_left_ = 0;
  size_t cap_bytes_ = SIZE_MAX;
  size_t reserve_only_bytes_ = SIZE_MAX;
  size_t lent_bytes_ = 0;
  size_t lent_bytes_peak_ = 0;
  uint64_t requests_ = 0;
  uint64_t failures_ = 0;
};

}  // namespace tuplestone::kit

#endif  // TUPLESTONE_PROPERTIES_KIT_FAULTY_SOURCE_H_
