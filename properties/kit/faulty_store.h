// The BlockStore of suites: it remembers what was written, fails on request, and lets what it holds
// be damaged. It knows which of its answers were wrong, so that a suite can demand an error for
// each.
#ifndef TUPLESTONE_PROPERTIES_KIT_FAULTY_STORE_H_
#define TUPLESTONE_PROPERTIES_KIT_FAULTY_STORE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "engine/base/block_store.h"
#include "engine/base/bytes.h"

namespace tuplestone::kit {

enum class StoreFault : uint8_t { kNoSpace, kShortWrite, kWriteError, kShortRead, kReadError };
inline constexpr size_t kStoreFaultCount = 5;

// An answer that was not what a good store gives.
struct WrongAnswer {
  uint32_t block = 0;
  absl::StatusCode code = absl::StatusCode::kOk;  // kOk: it gave damaged bytes
};

class FaultyStore final : public BlockStore {
 public:
  explicit FaultyStore(size_t block_bytes) : block_bytes_(block_bytes) {}

  size_t block_bytes() const override { return block_bytes_; }
  absl::Status Write(uint32_t number, Bytes block) override;
  absl::Status Read(uint32_t number, MutableBytes block) override;

  // After `successes` more calls that the fault concerns (writes or reads), one fails. Replaces
  // what was said before. A short write leaves the block half written.
  void FailAfter(uint64_t successes, StoreFault fault);
  void FailNever() { fault_.reset(); }

  // Damage to what is held. Each returns false where there is no such block, or nothing to change.
  // `flips` is exclusive-ored into 32 bits from bit `bit` (counted from the lowest of byte 0), as
  // far as the block reaches.
  bool Flip(uint32_t number, size_t bit, uint32_t flips);
  // The bytes from `from` on are those that the block held before it was last written; zeroes where
  // it was written once.
  bool Tear(uint32_t number, size_t from);
  bool MakeStale(uint32_t number) { return Tear(number, 0); }
  bool Swap(uint32_t a, uint32_t b);
  // Block `to` holds what `from` holds: a misdirected write.
  bool Copy(uint32_t from, uint32_t to);
  // Requires: block_bytes() bytes.
  bool Replace(uint32_t number, Bytes bytes);

  // Numbers of blocks ever written, ascending.
  std::vector<uint32_t> Numbers() const;
  // True if the block holds what was last written to it.
  bool IsGood(uint32_t number) const;
  // What the block holds. Requires: it was written.
  const std::vector<std::byte>& Held(uint32_t number) const { return blocks_.at(number).held; }

  uint64_t writes() const { return writes_; }  // calls, failed ones included
  uint64_t reads() const { return reads_; }

  // The wrong answer since the last call of this, if there was one; the first if several.
  std::optional<WrongAnswer> TakeWrongAnswer();

 private:
  struct Block {
    std::vector<std::byte> held;
    std::vector<std::byte> intended;  // what was last written
    std::vector<std::byte> before;    // what was written before that, or zeroes
  };
  struct Armed {
    uint64_t successes_left;
    StoreFault fault;
  };
  bool FailsNow(bool is_write);
  absl::Status Answer(uint32_t number, const absl::Status& status);

  size_t block_bytes_;
  std::map<uint32_t, Block> blocks_;
  std::optional<Armed> fault_;
  std::optional<WrongAnswer> wrong_;
  uint64_t writes_ = 0;
  uint64_t reads_ = 0;
};

}  // namespace tuplestone::kit

#endif  // TUPLESTONE_PROPERTIES_KIT_FAULTY_STORE_H_
