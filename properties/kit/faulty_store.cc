#include "properties/kit/faulty_store.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"

namespace tuplestone::kit {
namespace {

bool ConcernsWrites(StoreFault fault) {
  return fault != StoreFault::kShortRead && fault != StoreFault::kReadError;
}

}  // namespace

void FaultyStore::FailAfter(uint64_t successes, StoreFault fault) {
  fault_ = Armed{successes, fault};
}

bool FaultyStore::FailsNow(bool is_write) {
  if (!fault_.has_value() || ConcernsWrites(fault_->fault) != is_write) return false;
  return fault_->successes_left-- == 0;
}

absl::Status FaultyStore::Answer(uint32_t number, const absl::Status& status) {
  if (!wrong_.has_value()) wrong_ = WrongAnswer{number, status.code()};
  return status;
}

absl::Status FaultyStore::Write(uint32_t number, Bytes block) {
  TUPLESTONE_CHECK_EQ(kB1, block_bytes_, block.size());
  ++writes_;
  if (FailsNow(/*is_write=*/true)) {
    const StoreFault fault = std::exchange(fault_, std::nullopt)->fault;
    const size_t done = fault == StoreFault::kShortWrite ? block_bytes_ / 2 : 0;
    auto known = blocks_.find(number);
    if (known != blocks_.end()) std::copy_n(block.begin(), done, known->second.held.begin());
    const std::string text =
        absl::StrFormat("block %d: write: %d of %d bytes, by a test", number, done, block_bytes_);
    return Answer(number, fault == StoreFault::kWriteError ? absl::InternalError(text)
                                                           : absl::ResourceExhaustedError(text));
  }
  const std::vector<std::byte> bytes(block.begin(), block.end());
  auto [at, is_new] = blocks_.try_emplace(number);
  at->second.before =
      is_new ? std::vector<std::byte>(block_bytes_) : std::move(at->second.intended);
  at->second.held = bytes;
  at->second.intended = bytes;
  return absl::OkStatus();
}

absl::Status FaultyStore::Read(uint32_t number, MutableBytes block) {
  TUPLESTONE_CHECK_EQ(kB1, block_bytes_, block.size());
  ++reads_;
  const auto known = blocks_.find(number);
  if (known == blocks_.end()) {
    return Answer(number, absl::DataLossError(
                              absl::StrFormat("block %d: read: it was never written", number)));
  }
  if (FailsNow(/*is_write=*/false)) {
    const StoreFault fault = std::exchange(fault_, std::nullopt)->fault;
    const size_t done = fault == StoreFault::kShortRead ? block_bytes_ / 2 : 0;
    std::copy_n(known->second.held.begin(), done, block.begin());
    const std::string text =
        absl::StrFormat("block %d: read: %d of %d bytes, by a test", number, done, block_bytes_);
    return Answer(number, fault == StoreFault::kShortRead ? absl::DataLossError(text)
                                                          : absl::InternalError(text));
  }
  std::copy(known->second.held.begin(), known->second.held.end(), block.begin());
  if (!IsGood(number) && !wrong_.has_value()) wrong_ = WrongAnswer{number, absl::StatusCode::kOk};
  return absl::OkStatus();
}

bool FaultyStore::Flip(uint32_t number, size_t bit, uint32_t flips) {
  const auto known = blocks_.find(number);
  if (known == blocks_.end()) return false;
  bool changed = false;
  for (size_t i = 0; i < 32; ++i) {
    const size_t at = bit + i;
    if ((flips >> i & 1) == 0 || at >= 8 * block_bytes_) continue;
    known->second.held[at / 8] ^= static_cast<std::byte>(1 << (at % 8));
    changed = true;
  }
  return changed;
}

bool FaultyStore::Tear(uint32_t number, size_t from) {
  const auto known = blocks_.find(number);
  if (known == blocks_.end()) return false;
  Block& block = known->second;
  const std::vector<std::byte> was = block.held;
  for (size_t i = from; i < block_bytes_; ++i) block.held[i] = block.before[i];
  return block.held != was;
}

bool FaultyStore::Swap(uint32_t a, uint32_t b) {
  const auto first = blocks_.find(a);
  const auto second = blocks_.find(b);
  if (first == blocks_.end() || second == blocks_.end()) return false;
  std::swap(first->second.held, second->second.held);
  return first->second.held != second->second.held;
}

bool FaultyStore::Copy(uint32_t from, uint32_t to) {
  const auto source = blocks_.find(from);
  const auto target = blocks_.find(to);
  if (source == blocks_.end() || target == blocks_.end()) return false;
  const bool changed = source->second.held != target->second.held;
  target->second.held = source->second.held;
  return changed;
}

bool FaultyStore::Replace(uint32_t number, Bytes bytes) {
  const auto known = blocks_.find(number);
  if (known == blocks_.end()) return false;
  known->second.held.assign(bytes.begin(), bytes.end());
  return true;
}

std::vector<uint32_t> FaultyStore::Numbers() const {
  std::vector<uint32_t> numbers;
  for (const auto& [number, block] : blocks_) numbers.push_back(number);
  return numbers;
}

bool FaultyStore::IsGood(uint32_t number) const {
  const Block& block = blocks_.at(number);
  return block.held == block.intended;
}

std::optional<WrongAnswer> FaultyStore::TakeWrongAnswer() {
  return std::exchange(wrong_, std::nullopt);
}

}  // namespace tuplestone::kit
