#include <algorithm>
#include <cstring>

#include "absl/strings/str_format.h"
#include "engine/base/block_store.h"
#include "engine/base/probe.h"

namespace tuplestone {
namespace {

constexpr size_t kAlignment = 64;        // a cache line
constexpr size_t kFirstBlockCount = 64;  // entries of the first array
constexpr size_t kPointer = sizeof(std::byte*);

absl::Status NoMemory(uint32_t number, size_t bytes) {
  TUPLESTONE_PROBE("base.memory_store_full");
  return absl::ResourceExhaustedError(
      absl::StrFormat("block %d: write: no memory for %d bytes", number, bytes));
}

}  // namespace

MemoryBlockStore::MemoryBlockStore(size_t block_bytes, BlockSource& source)
    : block_bytes_(block_bytes), source_(source) {
  TUPLESTONE_CHECK(kB1, block_bytes > 0);
  TUPLESTONE_CHECK(kB1, block_bytes <= kBlockBytesMax);
}

MemoryBlockStore::~MemoryBlockStore() {
  for (size_t i = 0; i < block_count_; ++i) {
    if (blocks_[i] != nullptr) source_.Return(blocks_[i], block_bytes_, kAlignment);
  }
  if (blocks_ != nullptr) source_.Return(blocks_, block_count_ * kPointer, kPointer);
}

absl::Status MemoryBlockStore::GrowTo(size_t count) {
  const size_t grown = std::max({count, 2 * block_count_, kFirstBlockCount});
  auto* blocks = static_cast<std::byte**>(source_.Obtain(grown * kPointer, kPointer));
  if (blocks == nullptr) return NoMemory(static_cast<uint32_t>(count - 1), grown * kPointer);
  std::copy_n(blocks_, block_count_, blocks);
  std::fill(blocks + block_count_, blocks + grown, nullptr);
  if (blocks_ != nullptr) source_.Return(blocks_, block_count_ * kPointer, kPointer);
  obtained_bytes_ += (grown - block_count_) * kPointer;
  blocks_ = blocks;
  block_count_ = grown;
  return absl::OkStatus();
}

absl::Status MemoryBlockStore::Write(uint32_t number, Bytes block) {
  TUPLESTONE_CHECK_EQ(kB1, block_bytes_, block.size());
  if (number >= block_count_) {
    absl::Status grown = GrowTo(size_t{number} + 1);
    if (!grown.ok()) return grown;
  }
  std::byte*& memory = blocks_[number];
  if (memory == nullptr) {
    memory = static_cast<std::byte*>(source_.Obtain(block_bytes_, kAlignment));
    if (memory == nullptr) return NoMemory(number, block_bytes_);
    obtained_bytes_ += block_bytes_;
  }
  std::memcpy(memory, block.data(), block_bytes_);
  return absl::OkStatus();
}

absl::Status MemoryBlockStore::Read(uint32_t number, MutableBytes block) {
  TUPLESTONE_CHECK_EQ(kB1, block_bytes_, block.size());
  if (number >= block_count_ || blocks_[number] == nullptr) {
    return absl::DataLossError(absl::StrFormat("block %d: read: it was never written", number));
  }
  std::memcpy(block.data(), blocks_[number], block_bytes_);
  return absl::OkStatus();
}

}  // namespace tuplestone
