#include "properties/memory/memory_suite.h"

namespace tuplestone::properties {

template class HeapSuite<ContextHeap<memory::Kind::kAllocSet>, 1>;
template class HeapSuite<ContextHeap<memory::Kind::kGeneration>, 2>;
template class HeapSuite<ContextHeap<memory::Kind::kSlab>, 3>;
template class HeapSuite<ContextHeap<memory::Kind::kBump>, 4>;

}  // namespace tuplestone::properties

namespace tuplestone::kit {
template class ProgramTarget<properties::MemoryAllocSetSuite>;
template class ProgramTarget<properties::MemoryGenerationSuite>;
template class ProgramTarget<properties::MemorySlabSuite>;
template class ProgramTarget<properties::MemoryBumpSuite>;
}  // namespace tuplestone::kit
