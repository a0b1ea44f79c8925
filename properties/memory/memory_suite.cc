#include "properties/memory/memory_suite.h"

namespace tuplestone::properties {

template class HeapSuite<ContextHeap<memory::Kind::kAllocSet>, 1>;
template class HeapSuite<ContextHeap<memory::Kind::kGeneration>, 2>;
template class HeapSuite<ContextHeap<memory::Kind::kSlab>, 3>;
template class HeapSuite<ContextHeap<memory::Kind::kBump>, 4>;

}  // namespace tuplestone::properties
