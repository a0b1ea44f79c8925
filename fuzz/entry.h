// A suite as a libFuzzer target. The only place that knows libFuzzer's interface; targets hold one
// line each.
#ifndef TUPLESTONE_FUZZ_ENTRY_H_
#define TUPLESTONE_FUZZ_ENTRY_H_

#include <cstddef>
#include <cstdint>

#include "engine/base/bytes.h"
#include "properties/kit/target.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t size_max);

namespace tuplestone::fuzz {

inline Bytes AsBytes(const uint8_t* data, size_t size) {
  return Bytes(reinterpret_cast<const std::byte*>(data), size);
}

}  // namespace tuplestone::fuzz

// Programs are mutated operation by operation, bytes from outside byte by byte.
//
// AddressSanitizer is asked for what finds bugs and no more, for half as many executions again: no
// stacks of allocations but two frames, without which leaks are not told (the replay of a crash
// prints all), no fake stacks (properties and replay keep them), and a quarantine that still
// outlasts a program. The environment overrides it.
#define TUPLESTONE_FUZZ_TARGET(Suite)                                                             \
  extern "C" const char* __asan_default_options() {                                               \
    return "malloc_context_size=2:detect_stack_use_after_return=0:quarantine_size_mb=8";          \
  }                                                                                               \
  static const tuplestone::kit::Target& TheTarget() {                                             \
    static const tuplestone::kit::Target& target =                                                \
        *tuplestone::kit::MakeTarget<Suite>().release();                                          \
    return target;                                                                                \
  }                                                                                               \
  extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {                       \
    TheTarget().Run(tuplestone::fuzz::AsBytes(data, size));                                       \
    return 0;                                                                                     \
  }                                                                                               \
  extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t size_max,          \
                                            unsigned seed) {                                      \
    return TheTarget().Mutate(data, size, size_max, seed, &LLVMFuzzerMutate);                     \
  }                                                                                               \
  extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* first, size_t first_size,            \
                                              const uint8_t* second, size_t second_size,          \
                                              uint8_t* out, size_t out_size_max, unsigned seed) { \
    return TheTarget().Splice(tuplestone::fuzz::AsBytes(first, first_size),                       \
                              tuplestone::fuzz::AsBytes(second, second_size), out, out_size_max,  \
                              seed);                                                              \
  }

#endif  // TUPLESTONE_FUZZ_ENTRY_H_
