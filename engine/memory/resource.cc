#include "engine/memory/resource.h"

#include <new>

namespace tuplestone::memory {

void ThrowBadAlloc() { throw std::bad_alloc(); }

void* AllocateOrThrow(Context& context, size_t bytes, size_t alignment) {
  void* p = context.Allocate(bytes, alignment);
  if (p == nullptr) ThrowBadAlloc();
  return p;
}

void* ContextResource::do_allocate(size_t bytes, size_t alignment) {
  return AllocateOrThrow(*context_, bytes, alignment);
}

void ContextResource::do_deallocate(void* p, size_t, size_t) { FreeUnlessBump(*context_, p); }

bool ContextResource::do_is_equal(const std::pmr::memory_resource& other) const noexcept {
  const auto* resource = dynamic_cast<const ContextResource*>(&other);
  return resource != nullptr && resource->context_ == context_;
}

}  // namespace tuplestone::memory
