// A component's operation language: plain structs, declared once. Codec, text, generation,
// shrinking and mutation are derived from the declaration.
//
//   struct PageHead { static constexpr auto kText = kit::Text<0>("page_program", "kind");
//                     static constexpr kit::Shape kShape{.head_bytes = 16, .record_bytes = 16,
//                     .operations_max = 256}; kit::Choice<Kind, kKindNames> kind; };
//   struct Add      { static constexpr auto kText = kit::Text<1>("add", "bytes", "fill");
//                     kit::Size<1, 8160> bytes; kit::Byte fill; };
//   struct Delete   { static constexpr auto kText = kit::Text<2>("delete", "line");
//                     kit::Pick<0> line; };  using Page = kit::Program<PageHead, Add, Delete>;
//
// Text<n> gives an operation its tag, 1 to 31, for ever; fields keep their order and may only be
// appended, as long as they fit the record. kWeight, where an operation declares it, makes
// generation choose it that much more often.
#ifndef TUPLESTONE_PROPERTIES_KIT_PROGRAM_H_
#define TUPLESTONE_PROPERTIES_KIT_PROGRAM_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "properties/kit/fields.h"

namespace tuplestone::kit {

inline constexpr int kTagMax = 31;

template <int kTagNumber, size_t kFieldCount>
struct OperationText {
  static constexpr int kTag = kTagNumber;
  const char* name;
  std::array<const char*, kFieldCount> fields;
};

template <int kTag, class... Names>
consteval OperationText<kTag, sizeof...(Names)> Text(const char* name, Names... fields) {
  static_assert(kTag >= 0 && kTag <= kTagMax);
  return {name, {fields...}};
}

// The lengths of a binary program: one head, then records of one size. Fixed for ever.
struct Shape {
  size_t head_bytes;
  size_t record_bytes;
  size_t operations_max;
};

// References to the fields of a head or an operation, in declared order.
template <class T>
constexpr auto Fields(T& t) {
  constexpr size_t n = std::remove_const_t<T>::kText.fields.size();
  static_assert(n <= 12, "teach Fields() more fields");
  if constexpr (n == 0) {
    return std::tuple<>();
  } else if constexpr (n == 1) {
    auto& [a] = t;
    return std::tie(a);
  } else if constexpr (n == 2) {
    auto& [a, b] = t;
    return std::tie(a, b);
  } else if constexpr (n == 3) {
    auto& [a, b, c] = t;
    return std::tie(a, b, c);
  } else if constexpr (n == 4) {
    auto& [a, b, c, d] = t;
    return std::tie(a, b, c, d);
  } else if constexpr (n == 5) {
    auto& [a, b, c, d, e] = t;
    return std::tie(a, b, c, d, e);
  } else if constexpr (n == 6) {
    auto& [a, b, c, d, e, f] = t;
    return std::tie(a, b, c, d, e, f);
  } else if constexpr (n == 7) {
    auto& [a, b, c, d, e, f, g] = t;
    return std::tie(a, b, c, d, e, f, g);
  } else if constexpr (n == 8) {
    auto& [a, b, c, d, e, f, g, h] = t;
    return std::tie(a, b, c, d, e, f, g, h);
  } else if constexpr (n == 9) {
    auto& [a, b, c, d, e, f, g, h, i] = t;
    return std::tie(a, b, c, d, e, f, g, h, i);
  } else if constexpr (n == 10) {
    auto& [a, b, c, d, e, f, g, h, i, j] = t;
    return std::tie(a, b, c, d, e, f, g, h, i, j);
  } else if constexpr (n == 11) {
    auto& [a, b, c, d, e, f, g, h, i, j, k] = t;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k);
  } else {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l] = t;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l);
  }
}

// Calls f(name, field) for each field.
template <class T, class F>
constexpr void ForEachField(T& t, F&& f) {
  std::apply(
      [&](auto&... field) {
        size_t i = 0;
        (f(std::remove_const_t<T>::kText.fields[i++], field), ...);
      },
      Fields(t));
}

// Bytes that the fields of T take on the wire.
template <class T>
constexpr size_t WireBytes() {
  T t{};
  size_t bytes = 0;
  ForEachField(t, [&](const char*, auto& field) {
    bytes += std::remove_reference_t<decltype(field)>::kWireBytes;
  });
  return bytes;
}

template <class T>
constexpr int WeightOf() {
  if constexpr (requires { T::kWeight; }) {
    return T::kWeight;
  } else {
    return 1;
  }
}

template <class T>
bool SameFields(const T& a, const T& b) {
  bool same = true;
  std::apply(
      [&](const auto&... left) {
        std::apply([&](const auto&... right) { same = ((left.ToRaw() == right.ToRaw()) && ...); },
                   Fields(b));
      },
      Fields(a));
  return same;
}

template <class HeadType, class... OperationTypes>
struct Program {
  using Head = HeadType;
  using Operation = std::variant<OperationTypes...>;
  static constexpr Shape kShape = Head::kShape;
  static constexpr size_t kKindCount = sizeof...(OperationTypes);

  static_assert(WireBytes<Head>() < kShape.head_bytes,
                "a spare byte of the head tells the binary form from text");
  static_assert(((1 + WireBytes<OperationTypes>() <= kShape.record_bytes) && ...));
  static_assert(((OperationTypes::kText.kTag >= 1) && ...), "tag 0 is the head's");

  static constexpr bool TagsAreDistinct() {
    uint32_t seen = 0;
    bool distinct = true;
    ((distinct &= (seen >> OperationTypes::kText.kTag & 1) == 0,
      seen |= uint32_t{1} << OperationTypes::kText.kTag),
     ...);
    return distinct;
  }
  static_assert(TagsAreDistinct());

  Head head{};
  std::vector<Operation> operations;

  friend bool operator==(const Program& a, const Program& b) {
    if (!SameFields(a.head, b.head)) return false;
    if (a.operations.size() != b.operations.size()) return false;
    for (size_t i = 0; i < a.operations.size(); ++i) {
      if (!SameOperation(a.operations[i], b.operations[i])) return false;
    }
    return true;
  }

  static bool SameOperation(const Operation& a, const Operation& b) {
    if (a.index() != b.index()) return false;
    return std::visit(
        [&](const auto& left) {
          return SameFields(left, std::get<std::decay_t<decltype(left)>>(b));
        },
        a);
  }

  // Calls f with the operation that `operation` holds. As std::visit, but with a stack that a
  // person can read.
  template <class O, class F>
  static constexpr void Visit(O& operation, F&& f) {
    (VisitOne<OperationTypes>(operation, f), ...);
  }

  // Calls f.template operator()<T>() for each operation type, in declared order.
  template <class F>
  static constexpr void ForEachKind(F&& f) {
    (f.template operator()<OperationTypes>(), ...);
  }

 private:
  template <class T, class O, class F>
  static constexpr void VisitOne(O& operation, F&& f) {
    if (auto* held = std::get_if<T>(&operation)) f(*held);
  }
};

// The name by which text, corpus folder and fuzz target know this language.
template <class P>
constexpr const char* LanguageName() {
  return P::Head::kText.name;
}

}  // namespace tuplestone::kit

#endif  // TUPLESTONE_PROPERTIES_KIT_PROGRAM_H_
