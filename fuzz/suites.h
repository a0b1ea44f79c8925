// Every suite that has a target: the only list. Commands show targets in this order, and the
// readers of files are tried on all of them. A new suite takes one include and one line here, and
// one word of CMakeLists.txt (tuplestone_suite_all).
#ifndef TUPLESTONE_FUZZ_SUITES_H_
#define TUPLESTONE_FUZZ_SUITES_H_

#include "properties/hash/aggregate_suite.h"
#include "properties/hash/table_suite.h"
#include "properties/kit/text_suite.h"
#include "properties/memory/memory_suite.h"
#include "properties/memory/memory_tree_suite.h"
#include "properties/page/page_image_suite.h"
#include "properties/page/page_suite.h"
#include "properties/sort/sort_suite.h"
#include "properties/tape/tape_image_suite.h"
#include "properties/tape/tape_suite.h"
#include "properties/toy/toy_suite.h"
#include "properties/tuple/tuple_image_suite.h"
#include "properties/tuple/tuple_suite.h"

namespace tuplestone::fuzz {

template <class... Suites>
struct SuiteList {
  using OpsText = kit::TextSuite<Suites...>;

  // Calls f.template operator()<Suite>() for each, the reader of all texts last.
  template <class F>
  static void ForEach(F&& f) {
    (f.template operator()<Suites>(), ...);
    f.template operator()<OpsText>();
  }
};

using AllSuites = SuiteList<  //
    properties::ToySuite,     //
    properties::PageSuite, properties::PageImageSuite, properties::RelationFileSuite,
    properties::MemoryTreeSuite, properties::MemoryAllocSetSuite, properties::MemoryGenerationSuite,
    properties::MemorySlabSuite, properties::MemoryBumpSuite,  //
    properties::TapeSuite, properties::TapeImageSuite,         //
    properties::TableSuite, properties::AggregateSuite,        //
    properties::TupleSuite, properties::TupleImageSuite,       //
    properties::SortSuite>;

using OpsTextSuite = AllSuites::OpsText;

}  // namespace tuplestone::fuzz

#endif  // TUPLESTONE_FUZZ_SUITES_H_
