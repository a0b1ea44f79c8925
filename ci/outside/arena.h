// A project's own allocator: size classes of powers of two, cut from large blocks. It has a bug.
#ifndef ARENA_H_
#define ARENA_H_

#include <bit>
#include <cstddef>
#include <cstdlib>
#include <vector>

class Arena {
 public:
  ~Arena() { Reset(); }

  // 16-aligned. Null above 64 kB.
  void* Allocate(size_t bytes) {
    if (bytes > kBytesMax) return nullptr;
    const size_t size = std::bit_ceil(bytes < 16 ? 16 : bytes);
    Node*& list = free_[std::bit_width(size) - 1];
    if (list != nullptr) {
      Node* node = list;
      list = node->next;
      return node;
    }
    if (blocks_.empty() || used_ + size > kBlockBytes) {
      blocks_.push_back(static_cast<char*>(std::aligned_alloc(16, kBlockBytes)));
      used_ = 0;
    }
    void* p = blocks_.back() + used_;
    used_ += size;
    return p;
  }

  // `bytes`: as allocated.
  void Free(void* p, size_t bytes) {
    const size_t size = bytes < 16 ? 16 : bytes;
    Node* node = static_cast<Node*>(p);
    Node*& list = free_[std::bit_width(size)];  // one class too high for powers of two
    node->next = list;
    list = node;
  }

  void Reset() {
    for (char* block : blocks_) std::free(block);
    blocks_.clear();
    for (Node*& list : free_) list = nullptr;
  }

 private:
  struct Node {
    Node* next;
  };
  static constexpr size_t kBytesMax = 64 << 10;
  static constexpr size_t kBlockBytes = 256 << 10;
  std::vector<char*> blocks_;
  size_t used_ = 0;
  Node* free_[20] = {};
};

#endif  // ARENA_H_
