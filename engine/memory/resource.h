// A context as the standard library wants it: a memory_resource for std::pmr containers, and an
// Allocator for any others (Abseil's, the plain standard ones).
//
//   ContextResource resource(*context);      std::pmr::vector<int> v(&resource);
//   absl::flat_hash_map<K, V, H, E, Allocator<std::pair<const K, V>>> m(Allocator<...>(*context));
//
// Neither owns the context, which must outlive the containers or be reset only once they are gone.
// Both throw std::bad_alloc without memory, as containers expect. A Bump context ignores frees.
#ifndef TUPLESTONE_ENGINE_MEMORY_RESOURCE_H_
#define TUPLESTONE_ENGINE_MEMORY_RESOURCE_H_

#include <cstddef>
#include <cstdint>
#include <memory_resource>

#include "engine/memory/context.h"

namespace tuplestone::memory {

// Throws std::bad_alloc where Allocate gives null.
void* AllocateOrThrow(Context& context, size_t bytes, size_t alignment);
[[noreturn]] void ThrowBadAlloc();
inline void FreeUnlessBump(Context& context, void* p) {
  if (context.kind() != Kind::kBump) context.Free(p);
}

class ContextResource final : public std::pmr::memory_resource {
 public:
  explicit ContextResource(Context& context) : context_(&context) {}

 private:
  void* do_allocate(size_t bytes, size_t alignment) override;
  void do_deallocate(void* p, size_t bytes, size_t alignment) override;
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override;

  Context* context_;
};

template <typename T>
class Allocator {
 public:
  using value_type = T;

  // NOLINTNEXTLINE: implicit, as containers are constructed from it.
  Allocator(Context& context) : context_(&context) {}
  template <typename U>
  Allocator(const Allocator<U>& other) : context_(&other.context()) {}  // NOLINT: as the standard

  T* allocate(size_t count) {
    if (count > SIZE_MAX / sizeof(T)) ThrowBadAlloc();
    return static_cast<T*>(AllocateOrThrow(*context_, count * sizeof(T), alignof(T)));
  }
  void deallocate(T* p, size_t) { FreeUnlessBump(*context_, p); }

  Context& context() const { return *context_; }
  template <typename U>
  friend bool operator==(const Allocator& a, const Allocator<U>& b) {
    return &a.context() == &b.context();
  }

 private:
  Context* context_;
};

}  // namespace tuplestone::memory

#endif  // TUPLESTONE_ENGINE_MEMORY_RESOURCE_H_
