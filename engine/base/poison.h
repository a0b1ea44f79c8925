// AddressSanitizer poisoning; nothing in other builds. Shadow memory works in 8-byte granules:
// poison whole chunks, then unpoison exactly the bytes requested from an 8-aligned start, and
// unpoison everything before a block is given back.
#ifndef TUPLESTONE_ENGINE_BASE_POISON_H_
#define TUPLESTONE_ENGINE_BASE_POISON_H_

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define TUPLESTONE_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TUPLESTONE_ADDRESS_SANITIZER 1
#endif
#endif

#ifdef TUPLESTONE_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#endif

namespace tuplestone {

#ifdef TUPLESTONE_ADDRESS_SANITIZER
inline constexpr bool kAddressSanitizer = true;
inline void Poison(const volatile void* p, size_t bytes) { __asan_poison_memory_region(p, bytes); }
inline void Unpoison(const volatile void* p, size_t bytes) {
  __asan_unpoison_memory_region(p, bytes);
}
#else
inline constexpr bool kAddressSanitizer = false;
inline void Poison(const volatile void*, size_t) {}
inline void Unpoison(const volatile void*, size_t) {}
#endif

}  // namespace tuplestone

#endif  // TUPLESTONE_ENGINE_BASE_POISON_H_
