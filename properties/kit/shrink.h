// Simpler programs: first fewer operations, then smaller values. The candidates are for whoever
// looks for the smallest program that still dies in the same way; this file runs nothing.
//
// Candidates are made from the program's normal form: cut after the operation at which it died,
// every pick rewritten to the birth number it hit. So an operation can be dropped together with
// those that used its products, and the births after it renumbered, without re-aiming anybody else.
#ifndef TUPLESTONE_PROPERTIES_KIT_SHRINK_H_
#define TUPLESTONE_PROPERTIES_KIT_SHRINK_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "properties/kit/isolate.h"
#include "properties/kit/program.h"

namespace tuplestone::kit {

// One way to make a program simpler.
struct Edit {
  enum class Kind : uint8_t { kRemove, kRemoveAlone, kHeadField, kField };
  Kind kind;
  size_t at = 0;      // the operation
  size_t count = 0;   // kRemove: how many operations
  size_t field = 0;   // kHeadField, kField
  size_t choice = 0;  // which of the field's simpler values
};

namespace shrink_internal {

// Births [first, end) that no longer happen.
struct BirthRange {
  uint32_t first;
  uint32_t end;
};
using LostBirths = std::array<std::vector<BirthRange>, kPopulationCount>;  // each ascending

inline bool IsLost(const std::vector<BirthRange>& lost, uint64_t birth) {
  return std::any_of(lost.begin(), lost.end(),
                     [&](const BirthRange& r) { return r.first <= birth && birth < r.end; });
}

inline uint64_t LostBelow(const std::vector<BirthRange>& lost, uint64_t birth) {
  uint64_t below = 0;
  for (const BirthRange& r : lost) {
    if (r.first < birth) below += std::min<uint64_t>(r.end, birth) - r.first;
  }
  return below;
}

template <class Operation, class F>
void ForEachPick(Operation& operation, F&& f) {
  std::visit(
      [&](auto& op) {
        ForEachField(op, [&](const char*, auto& field) {
          if constexpr (kIsPick<std::remove_cvref_t<decltype(field)>>) f(field);
        });
      },
      operation);
}

template <class T>
void AddFieldEdits(const T& t, Edit::Kind kind, size_t at, std::vector<Edit>* edits) {
  size_t field_index = 0;
  ForEachField(t, [&](const char*, const auto& field) {
    const size_t choices = field.Simpler().size();
    for (size_t choice = 0; choice < choices; ++choice) {
      edits->push_back({kind, at, 0, field_index, choice});
    }
    ++field_index;
  });
}

template <class T>
void ApplyFieldEdit(T& t, const Edit& edit) {
  size_t field_index = 0;
  ForEachField(t, [&](const char*, auto& field) {
    if (field_index++ == edit.field) field = field.Simpler()[edit.choice];
  });
}

}  // namespace shrink_internal

// `program` cut after the operation at which `trace` ended, with the picks that were hit.
template <class P>
P NormalForm(const P& program, const RunTrace& trace) {
  P normal = program;
  if (trace.operation < normal.operations.size()) normal.operations.resize(trace.operation + 1);
  if (trace.operation == kBeforeOperations) normal.operations.clear();
  for (size_t i = 0; i < normal.operations.size() && i < trace.picks.size(); ++i) {
    size_t pick = 0;
    shrink_internal::ForEachPick(normal.operations[i], [&](auto& field) {
      field = std::remove_cvref_t<decltype(field)>(trace.picks[i][pick++]);
    });
  }
  return normal;
}

// `normal` without `count` operations from `at`. With `dependants` those go too whose picks hit a
// lost product.
template <class P>
P WithoutOperations(const P& normal, const RunTrace& trace, size_t at, size_t count,
                    bool dependants) {
  shrink_internal::LostBirths lost;
  P simpler;
  simpler.head = normal.head;
  for (size_t i = 0; i < normal.operations.size(); ++i) {
    typename P::Operation operation = normal.operations[i];
    bool removed = i >= at && i < at + count;
    if (dependants) {
      shrink_internal::ForEachPick(operation, [&](const auto& pick) {
        removed |= pick.hit() && shrink_internal::IsLost(lost[pick.kPopulation], pick.birth());
      });
    }
    if (!removed) {
      shrink_internal::ForEachPick(operation, [&](auto& pick) {
        if (pick.hit()) {
          pick = std::remove_cvref_t<decltype(pick)>(
              pick.birth() - shrink_internal::LostBelow(lost[pick.kPopulation], pick.birth()));
        }
      });
      simpler.operations.push_back(std::move(operation));
    } else if (i + 1 < trace.births_before.size()) {
      for (int k = 0; k < kPopulationCount; ++k) {
        lost[k].push_back({trace.births_before[i][k], trace.births_before[i + 1][k]});
      }
    }
  }
  return simpler;
}

// Every edit of `normal`, the boldest first. O(operations x values).
template <class P>
std::vector<Edit> Edits(const P& normal) {
  const size_t count = normal.operations.size();
  std::vector<Edit> edits;
  for (size_t size = count; size >= 1; size /= 2) {
    for (size_t at = 0; at < count; at += size) edits.push_back({Edit::Kind::kRemove, at, size});
  }
  for (size_t at = 0; at < count; ++at) edits.push_back({Edit::Kind::kRemoveAlone, at, 1});
  shrink_internal::AddFieldEdits(normal.head, Edit::Kind::kHeadField, 0, &edits);
  for (size_t at = 0; at < count; ++at) {
    std::visit(
        [&](const auto& op) { shrink_internal::AddFieldEdits(op, Edit::Kind::kField, at, &edits); },
        normal.operations[at]);
  }
  return edits;
}

template <class P>
P ApplyEdit(const P& normal, const RunTrace& trace, const Edit& edit) {
  switch (edit.kind) {
    case Edit::Kind::kRemove:
      return WithoutOperations(normal, trace, edit.at, edit.count, /*dependants=*/true);
    case Edit::Kind::kRemoveAlone:
      return WithoutOperations(normal, trace, edit.at, edit.count, /*dependants=*/false);
    default:
      break;
  }
  P simpler = normal;
  if (edit.kind == Edit::Kind::kHeadField) shrink_internal::ApplyFieldEdit(simpler.head, edit);
  if (edit.kind == Edit::Kind::kField) {
    std::visit([&](auto& op) { shrink_internal::ApplyFieldEdit(op, edit); },
               simpler.operations[edit.at]);
  }
  return simpler;
}

// A total order in which every edit that does what it says makes a program smaller: fewer
// operations, then smaller values from the head on. Shrinking takes only what is smaller, in normal
// form, than the best so far; so it ends.
template <class P>
bool IsSimpler(const P& a, const P& b) {
  if (a.operations.size() != b.operations.size()) {
    return a.operations.size() < b.operations.size();
  }
  const auto values = [](const P& program) {
    std::vector<uint64_t> raw;
    const auto add = [&](const char*, const auto& field) { raw.push_back(field.ToRaw()); };
    ForEachField(program.head, add);
    for (const auto& operation : program.operations) {
      raw.push_back(operation.index());
      P::Visit(operation, [&](const auto& op) { ForEachField(op, add); });
    }
    return raw;
  };
  return values(a) < values(b);
}

}  // namespace tuplestone::kit

#endif  // TUPLESTONE_PROPERTIES_KIT_SHRINK_H_
