#include "properties/tuple/tuple_image_suite.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "engine/memory/alloc_set.h"
#include "engine/tuple/hash.h"
#include "engine/tuple/order.h"
#include "properties/kit/expect.h"
#include "properties/kit/faulty_source.h"
#include "properties/tuple/tuple_checks.h"

namespace tuplestone::properties {
namespace {

constexpr size_t kColumnsMax = 12;

struct Image {
  ModelTypes types;
  std::string tuple;
  bool mends = false;
};

Image ParseImage(Bytes input) {
  size_t at = 0;
  const auto next = [&]() { return at < input.size() ? static_cast<size_t>(input[at++]) : 0; };
  Image image;
  const size_t columns = next() % kColumnsMax + 1;
  for (size_t c = 0; c < columns; ++c) image.types.push_back(static_cast<ModelType>(next() % 8));
  if (at == input.size()) return image;
  image.mends = (static_cast<size_t>(input.back()) & 1) != 0;
  const Bytes tuple = input.subspan(at, input.size() - 1 - at);
  image.tuple.assign(reinterpret_cast<const char*>(tuple.data()), tuple.size());
  return image;
}

void Put(std::string* tuple, size_t at, size_t bytes, size_t number) {
  for (size_t i = 0; i < bytes; ++i) (*tuple)[at + i] = static_cast<char>(number >> (8 * i));
}

// Makes the header one that a tuple of these types and of this length could have. What it says of
// nulls stays; of variable length, as the bitmap has it.
void MendTuple(const ModelTypes& types, std::string* tuple) {
  if (tuple->size() < 16) tuple->resize(16);
  const size_t columns = types.size();
  const bool has_nulls = ((*tuple)[12] & 1) != 0;
  const size_t bitmap_end = has_nulls ? 15 + (columns + 7) / 8 : 15;
  const size_t data_at = (bitmap_end + 7) / 8 * 8;
  if (tuple->size() < data_at) tuple->resize(data_at);
  bool any_variable = false;
  for (size_t c = 0; c < columns; ++c) {
    const bool null = has_nulls && ((*tuple)[15 + c / 8] >> c % 8 & 1) == 0;
    any_variable |= !null && types[c] >= ModelType::kText;
  }
  Put(tuple, 0, 4, tuple->size());
  Put(tuple, 4, 6, 0);
  Put(tuple, 10, 2, columns);
  Put(tuple, 12, 2, (has_nulls ? 1u : 0u) + (any_variable ? 2u : 0u));
  Put(tuple, 14, 1, data_at + 8);
  if (has_nulls && columns % 8 != 0) {
    (*tuple)[bitmap_end - 1] =
        static_cast<char>((*tuple)[bitmap_end - 1] & ((1 << columns % 8) - 1));
  }
  for (size_t at = bitmap_end; at < data_at; ++at) (*tuple)[at] = '\0';
}

// A good tuple through copy, order and hash, against the one that its row forms.
void Exercise(const Image& image, const tuple::Schema& schema) {
  const ModelRow row = *ModelRead(image.types, image.tuple);
  kit::FaultySource source;
  const memory::OwnedContext<memory::AllocSet> context(memory::AllocSet::Create(source, "tuples"));
  const std::vector<tuple::Value> values = EngineValues(image.types, row);
  const tuple::Tuple formed = Form(schema, values, *context, 8);
  const tuple::Tuple copy = Copy(formed, *context, 16);
  CheckTuple(schema, image.types, row, copy);
  for (size_t column = 0; column < image.types.size(); ++column) {
    const std::vector<ModelKey> keys = {{.column = column, .descending = column % 2 == 1}};
    const std::vector<tuple::SortKey> sort_keys = {
        {static_cast<uint16_t>(column), column % 2 == 1, false}};
    CheckPair(*tuple::Order::Make(schema, sort_keys), image.types, keys, row, formed, row, copy);
    const uint16_t hashed = static_cast<uint16_t>(column);
    const tuple::Hasher hasher = *tuple::Hasher::Make(schema, {&hashed, 1}, column);
    kit::ExpectEqual(tuple::kU6, hasher.HashValues(values), hasher.Hash(copy));
    kit::Expect(tuple::kU6, hasher.EqualValues(copy, values), "a tuple equals its row");
  }
}

}  // namespace

void TupleImageSuite::Run(Bytes input) {
  Image image = ParseImage(input);
  if (image.mends) MendTuple(image.types, &image.tuple);
  const tuple::Schema schema = EngineSchema(image.types);
  if (CheckUntrusted(schema, image.types, image.tuple)) Exercise(image, schema);
}

std::string TupleImage(const ModelTypes& types, const std::string& tuple, bool mend) {
  std::string input(1, static_cast<char>(types.size() - 1));
  for (const ModelType type : types) input.push_back(static_cast<char>(type));
  return input + tuple + (mend ? '\1' : '\0');
}

}  // namespace tuplestone::properties
