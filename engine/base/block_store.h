// Where tapes keep their blocks: an array of equal blocks, written and read as a whole by number.
//
//   0        1        2        3
//   | block  | block  |        | block  |      2 was never written; reading it is an error
//
// Stores know nothing of what is in a block. Errors say what the store was doing and to which block
// ("block 7: read: Input/output error"); the caller adds whose block it is:
//   ResourceExhausted  no space, or no memory, for the block
//   DataLoss           the block is not there, or only a part of it is
//   Internal           any other failure
#ifndef TUPLESTONE_ENGINE_BASE_BLOCK_STORE_H_
#define TUPLESTONE_ENGINE_BASE_BLOCK_STORE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/block_source.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"

namespace tuplestone {

inline constexpr Invariant kB1{"B1", "a block store moves whole blocks, of 1 byte to 1 MB"};

inline constexpr size_t kBlockBytesMax = size_t{1} << 20;

// Not thread-safe.
class BlockStore {
 public:
  virtual ~BlockStore() = default;

  // Constant over the store's life; 1 to kBlockBytesMax.
  virtual size_t block_bytes() const = 0;

  // Makes block `number` hold a copy of `block`. Blocks between may stay unwritten. After an error
  // the block holds what it held, or a part of either, or nothing.
  // Requires: block.size() == block_bytes().
  virtual absl::Status Write(uint32_t number, Bytes block) = 0;

  // Copies block `number` to `block`, whose contents are indeterminate after an error.
  // Requires: block.size() == block_bytes().
  virtual absl::Status Read(uint32_t number, MutableBytes block) = 0;
};

// Blocks in memory, each obtained from a source when first written and returned at the end.
class MemoryBlockStore final : public BlockStore {
 public:
  // Requires: `source` outlives the store; 1 <= block_bytes <= kBlockBytesMax.
  explicit MemoryBlockStore(size_t block_bytes, BlockSource& source = SystemBlockSource());
  ~MemoryBlockStore() override;
  MemoryBlockStore(const MemoryBlockStore&) = delete;
  MemoryBlockStore& operator=(const MemoryBlockStore&) = delete;

  size_t block_bytes() const override { return block_bytes_; }
  absl::Status Write(uint32_t number, Bytes block) override;
  absl::Status Read(uint32_t number, MutableBytes block) override;

  // What the source lent.
  size_t obtained_bytes() const { return obtained_bytes_; }

 private:
  absl::Status GrowTo(size_t count);

  size_t block_bytes_;
  BlockSource& source_;
  std::byte** blocks_ = nullptr;  // by number; null: never written
  size_t block_count_ = 0;        // entries of blocks_
  size_t obtained_bytes_ = 0;
};

// Blocks in a file without a name, which is gone when the process is, however it ends. Block n lies
// at n * block_bytes. Nothing is forced to disk: the file outlives no crash.
class FileBlockStore final : public BlockStore {
 public:
  // A new file in `folder`; empty: the one that TMPDIR names, else /tmp. An error names the folder.
  // Requires: 1 <= block_bytes <= kBlockBytesMax.
  static absl::StatusOr<std::unique_ptr<FileBlockStore>> Create(size_t block_bytes,
                                                                const std::string& folder = "");
  // Takes over an open descriptor of a file that can be read and written.
  // Requires: 1 <= block_bytes <= kBlockBytesMax.
  static std::unique_ptr<FileBlockStore> FromDescriptor(int descriptor, size_t block_bytes);

  ~FileBlockStore() override;
  FileBlockStore(const FileBlockStore&) = delete;
  FileBlockStore& operator=(const FileBlockStore&) = delete;

  size_t block_bytes() const override { return block_bytes_; }
  absl::Status Write(uint32_t number, Bytes block) override;
  absl::Status Read(uint32_t number, MutableBytes block) override;

 private:
  FileBlockStore(int descriptor, size_t block_bytes);

  int descriptor_;
  size_t block_bytes_;
};

}  // namespace tuplestone

#endif  // TUPLESTONE_ENGINE_BASE_BLOCK_STORE_H_
