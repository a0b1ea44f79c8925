// Whether options are within their bounds. Apart from options.h, which models include.
#ifndef TUPLESTONE_ENGINE_MEMORY_OPTIONS_CHECK_H_
#define TUPLESTONE_ENGINE_MEMORY_OPTIONS_CHECK_H_

#include "engine/memory/options.h"

namespace tuplestone::memory {

// Abort, naming M8 options, on the first option out of bounds.
void CheckOptions(const Options& options);
void CheckOptions(const SlabOptions& options);

}  // namespace tuplestone::memory

#endif  // TUPLESTONE_ENGINE_MEMORY_OPTIONS_CHECK_H_
