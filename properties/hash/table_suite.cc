#include "properties/hash/table_suite.h"

namespace tuplestone::properties {

TableWorldOptions TableOptionsOf(const TableHead& head) {
  TableWorldOptions options;
  hash::TableOptions& table = options.table;
  table.limits.buckets_min = uint64_t{1} << head.buckets_min;
  table.limits.buckets_max = table.limits.buckets_min << head.buckets_max;
  table.limits.load_percent = static_cast<uint32_t>(head.load);
  table.limits.probe_max = static_cast<uint32_t>(head.probe_max);
  table.layout = static_cast<hash::Layout>(head.layout.ToRaw());
  table.additional_bytes = head.additional;
  table.hash_mask = static_cast<uint32_t>(uint64_t{0xffffffff} >> head.collide);
  table.copies_minimal =
      head.history == TableHistory::kCopies || head.history == TableHistory::kBoth;
  table.forms_elsewhere =
      head.history == TableHistory::kForms || head.history == TableHistory::kBoth;
  options.block_bytes = size_t{128} << head.block;
  options.tables = head.shared ? 2 : 1;
  return options;
}

template class TableSuiteOf<EngineTables>;

}  // namespace tuplestone::properties

namespace tuplestone::kit {
template class ProgramTarget<properties::TableSuite>;
}
