// Mutating programs for libFuzzer: by operation, so that one mutation is one small change of
// meaning.
#ifndef TUPLESTONE_PROPERTIES_KIT_MUTATE_H_
#define TUPLESTONE_PROPERTIES_KIT_MUTATE_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "engine/base/bytes.h"
#include "properties/kit/codec.h"
#include "properties/kit/generate.h"
#include "properties/kit/program.h"
#include "properties/kit/random.h"
#include "properties/kit/text.h"

namespace tuplestone::kit {

enum class Mutation { kInsert, kDelete, kDuplicate, kSwap, kChangeField, kChangeHead };
inline constexpr size_t kMutationCount = 6;

namespace mutate_internal {

// Draws one field anew. False when there is none.
template <class T>
bool ChangeOneField(T& t, Random& random) {
  constexpr size_t n = T::kText.fields.size();
  if constexpr (n == 0) {
    return false;
  } else {
    size_t skip = random.Below(n);
    ForEachField(t, [&](const char*, auto& field) {
      if (skip-- == 0) field = std::remove_reference_t<decltype(field)>::Draw(random);
    });
    return true;
  }
}

}  // namespace mutate_internal

// Applies one mutation; false, and the program as it was, where it has no room or nothing to
// change.
template <class P>
bool Apply(Mutation mutation, P& program, Random& random) {
  auto& operations = program.operations;
  const size_t count = operations.size();
  const auto at = [&](size_t i) { return operations.begin() + static_cast<std::ptrdiff_t>(i); };
  const bool grows = mutation == Mutation::kInsert || mutation == Mutation::kDuplicate;
  if (grows && count >= P::kShape.operations_max) return false;
  switch (mutation) {
    case Mutation::kInsert: {
      SwarmWeights<P> weights{};
      size_t kind = 0;
      P::ForEachKind([&]<class T>() { weights[kind++] = static_cast<uint64_t>(WeightOf<T>()); });
      operations.insert(at(random.Below(count + 1)), DrawOperation<P>(random, weights));
      return true;
    }
    case Mutation::kDelete:
      if (count == 0) return false;
      operations.erase(at(random.Below(count)));
      return true;
    case Mutation::kDuplicate: {
      if (count == 0) return false;
      const auto copy = operations[random.Below(count)];
      operations.insert(at(random.Below(count + 1)), copy);
      return true;
    }
    case Mutation::kSwap: {
      if (count < 2) return false;
      const size_t first = random.Below(count);
      const size_t second = (first + 1 + random.Below(count - 1)) % count;
      std::swap(operations[first], operations[second]);
      return true;
    }
    case Mutation::kChangeField:
      if (count == 0) return false;
      return std::visit([&](auto& op) { return mutate_internal::ChangeOneField(op, random); },
                        operations[random.Below(count)]);
    case Mutation::kChangeHead:
      return mutate_internal::ChangeOneField(program.head, random);
  }
  return false;
}

// One to four random mutations. Always leaves a legal program.
template <class P>
void Mutate(P& program, Random& random) {
  for (uint64_t left = random.Between(1, 4); left > 0; --left) {
    // A mutation that does not apply is replaced by an insertion, then by nothing (a full program).
    const auto mutation = static_cast<Mutation>(random.Below(kMutationCount));
    if (!Apply(mutation, program, random)) Apply(Mutation::kInsert, program, random);
  }
}

// The head of `first`, the beginning of its operations, then a piece of `second`, then the rest of
// `first`.
template <class P>
P Splice(const P& first, const P& second, Random& random) {
  P child;
  child.head = first.head;
  const size_t cut = random.Between(0, first.operations.size());
  const size_t resume = random.Between(cut, first.operations.size());
  const size_t begin = random.Between(0, second.operations.size());
  const size_t end = random.Between(begin, second.operations.size());
  auto append = [&](const P& from, size_t from_index, size_t to_index) {
    for (size_t i = from_index; i < to_index; ++i) {
      if (child.operations.size() == P::kShape.operations_max) return;
      child.operations.push_back(from.operations[i]);
    }
  };
  append(first, 0, cut);
  append(second, begin, end);
  append(first, resume, first.operations.size());
  return child;
}

// A fuzzer's own mutation of bytes: changes data[0, size) within size_max bytes and returns the new
// size.
using ByteMutator = size_t (*)(uint8_t* data, size_t size, size_t size_max);

namespace mutate_internal {

// Writes the program's binary to `out`, dropping operations from the end until it fits; 0 where not
// even the head does.
template <class P>
size_t WriteWithin(P& program, uint8_t* out, size_t out_size_max) {
  if (out_size_max < P::kShape.head_bytes) return 0;
  const size_t room = (out_size_max - P::kShape.head_bytes) / P::kShape.record_bytes;
  if (program.operations.size() > room) program.operations.resize(room);
  const std::vector<std::byte> bytes = Encode(program);
  std::memcpy(out, bytes.data(), bytes.size());
  return bytes.size();
}

}  // namespace mutate_internal

// Changes an input in place and returns its new size: as bytes once in eight, as a program
// otherwise.
template <class P>
size_t MutateInput(uint8_t* data, size_t size, size_t size_max, uint64_t seed,
                   ByteMutator mutate_bytes) {
  Random random(seed);
  const Bytes input(reinterpret_cast<const std::byte*>(data), size);
  P program = ReadProgram<P>(input);
  if (random.OneIn(8)) {
    const size_t binary = mutate_internal::WriteWithin(program, data, size_max);
    return mutate_bytes(data, binary, size_max);
  }
  Mutate(program, random);
  return mutate_internal::WriteWithin(program, data, size_max);
}

// Splice of two inputs, written to `out`; returns its size.
template <class P>
size_t SpliceInputs(Bytes first, Bytes second, uint8_t* out, size_t out_size_max, uint64_t seed) {
  Random random(seed);
  P child = Splice(ReadProgram<P>(first), ReadProgram<P>(second), random);
  return mutate_internal::WriteWithin(child, out, out_size_max);
}

}  // namespace tuplestone::kit

#endif  // TUPLESTONE_PROPERTIES_KIT_MUTATE_H_
