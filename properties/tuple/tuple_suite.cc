#include "properties/tuple/tuple_suite.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "properties/kit/expect.h"
#include "properties/tuple/tuple_checks.h"

namespace tuplestone::properties {
namespace {

using kit::Expect;
using kit::ExpectEqual;

constexpr uint64_t kSeed = 0x7475706c;

memory::Options ContextOptions() {
  memory::Options options;
  options.limits.block_initial_bytes = 1024;  // so that memory can be missing soon
  return options;
}

template <typename Float>
uint64_t BitsOf(Float value) {
  if constexpr (sizeof(Float) == 4) {
    return std::bit_cast<uint32_t>(value);
  } else {
    return std::bit_cast<uint64_t>(value);
  }
}

template <typename Float>
uint64_t FloatEdge(ValueEdge edge) {
  using Limit = std::numeric_limits<Float>;
  const Float values[] = {0,
                          0,
                          -Float{0},
                          1,
                          -1,
                          -Limit::max(),
                          Limit::max(),
                          -Limit::infinity(),
                          Limit::infinity(),
                          Limit::quiet_NaN(),
                          0,
                          Limit::denorm_min()};
  if (edge == ValueEdge::kOtherNaN) return ~uint64_t{0};
  return BitsOf(values[static_cast<size_t>(edge)]);
}

int64_t IntegerEdge(int64_t smallest, int64_t largest, ValueEdge edge) {
  const int64_t values[] = {0,           0,   0,   1,   -1, smallest, largest, smallest + 1,
                            largest - 1, 255, 256, -256};
  return values[static_cast<size_t>(edge)];
}

std::string TextEdge(ValueEdge edge) {
  const std::string values[] = {"",
                                "",
                                std::string(1, '\0'),
                                "a",
                                "\xFF",
                                std::string(2, '\0'),
                                std::string(8, '\xFF'),
                                "aaaaaaa",
                                "aaaaaaaa",
                                std::string(126, 'x'),
                                std::string(127, 'x'),
                                "'\\\n\x80"};
  return values[static_cast<size_t>(edge)];
}

ModelKey KeyOf(size_t column, Direction direction) {
  return {.column = column,
          .descending =
              direction == Direction::kDescNullsLast || direction == Direction::kDescNullsFirst,
          .nulls_first =
              direction == Direction::kAscNullsFirst || direction == Direction::kDescNullsFirst};
}

tuple::Order EngineOrder(const tuple::Schema& schema, const std::vector<ModelKey>& keys) {
  std::vector<tuple::SortKey> sort_keys;
  for (const ModelKey& key : keys) {
    sort_keys.push_back({static_cast<uint16_t>(key.column), key.descending, key.nulls_first});
  }
  return tuple::Order::Make(schema, sort_keys).value();
}

tuple::Hasher EngineHasher(const tuple::Schema& schema, const std::vector<size_t>& columns,
                           uint64_t seed) {
  const std::vector<uint16_t> engine_columns(columns.begin(), columns.end());
  return tuple::Hasher::Make(schema, engine_columns, seed).value();
}

}  // namespace

ModelTypes TypesOf(const TupleHead& head) {
  ModelTypes once;
  for (const ColumnType type : {head.a, head.b, head.c, head.d, head.e, head.f}) {
    if (type == ColumnType::kNone) continue;
    once.push_back(static_cast<ModelType>(static_cast<int>(type) - 1));
  }
  if (once.empty()) return {ModelType::kInt8};
  ModelTypes types;
  for (uint64_t i = 0; i < head.repeat; ++i) types.insert(types.end(), once.begin(), once.end());
  return types;
}

ModelValue EdgeValue(ModelType type, ValueEdge edge) {
  if (edge == ValueEdge::kNull) return {};
  const auto integer = [&](auto limit) {
    using Limit = std::numeric_limits<decltype(limit)>;
    return ModelFromBits(type,
                         static_cast<uint64_t>(IntegerEdge(Limit::min(), Limit::max(), edge)));
  };
  switch (type) {
    case ModelType::kBool:
      return ModelFromBits(type, static_cast<uint64_t>(IntegerEdge(0, 1, edge)));
    case ModelType::kInt2:
      return integer(int16_t{});
    case ModelType::kInt4:
      return integer(int32_t{});
    case ModelType::kInt8:
      return integer(int64_t{});
    case ModelType::kFloat4:
      return ModelFromBits(type, FloatEdge<float>(edge));
    case ModelType::kFloat8:
      return ModelFromBits(type, FloatEdge<double>(edge));
    case ModelType::kText:
    case ModelType::kBytea:
      return {.null = false, .bits = 0, .bytes = TextEdge(edge)};
  }
  return {};
}

TupleSuite::TupleSuite(const TupleHead& head, kit::Runner& run)
    : run_(run),
      types_(TypesOf(head)),
      schema_(EngineSchema(types_)),
      context_(memory::AllocSet::Create(source_, "rows", ContextOptions())),
      keys_({ModelKey{}}),
      hashed_({0}),
      order_(EngineOrder(schema_, keys_)),
      hasher_(EngineHasher(schema_, hashed_, kSeed)),
      current_(types_.size()) {}

void TupleSuite::Step(const TupleSetNumber& set) {
  const size_t column = ColumnOf(set.column);
  current_[column] = ModelFromBits(types_[column], set.bits);
}

void TupleSuite::Step(const TupleSetEdge& set) {
  const size_t column = ColumnOf(set.column);
  current_[column] = EdgeValue(types_[column], set.edge);
}

void TupleSuite::Step(const TupleSetBytes& set) {
  const size_t column = ColumnOf(set.column);
  if (types_[column] != ModelType::kText && types_[column] != ModelType::kBytea) {
    current_[column] = ModelFromBits(types_[column], set.fill * 0x0101010101010101 ^ set.with);
    return;
  }
  std::string bytes(set.bytes, static_cast<char>(set.fill));
  if (set.at < bytes.size()) bytes[set.at] = static_cast<char>(set.with);
  current_[column] = {.null = false, .bits = 0, .bytes = std::move(bytes)};
}

void TupleSuite::Step(const TupleSetAll& set) {
  for (size_t c = 0; c < types_.size(); ++c) current_[c] = EdgeValue(types_[c], set.edge);
}

void TupleSuite::Step(const TupleAdd& add) {
  failures_before_ = source_.failures();
  const std::vector<tuple::Value> values = EngineValues(types_, current_);
  const auto bytes = FormedBytes(schema_, values);
  kit::ExpectOk(tuple::kU2, bytes.status(), "a good row has a size");
  ExpectEqual(tuple::kU2, ModelForm(types_, current_).size(), *bytes, "the size of a row");
  Accept(Form(schema_, values, *context_, 8 * add.extra), current_, 8 * add.extra);
}

void TupleSuite::Step(const TupleCopy& copy) {
  if (!copy.row.hit()) return;
  failures_before_ = source_.failures();
  const LiveRow& from = rows_.at(copy.row.birth());
  Accept(Copy(from.tuple, *context_, 8 * copy.extra), ModelRow(from.row), 8 * copy.extra);
}

void TupleSuite::Accept(tuple::Tuple tuple, const ModelRow& row, size_t extra) {
  const bool failed = source_.failures() > failures_before_;
  ExpectEqual(tuple::kU7, !failed, bool{tuple}, "there is a tuple exactly if there was memory");
  if (failed) {
    ExpectEqual(tuple::kU7, requested_, context_->account().requested, "nothing changed");
    return;
  }
  Expect(tuple::kU2, IsAligned(tuple.data(), kMaxAlign), "a tuple starts at a multiple of 8");
  requested_ += extra + tuple.bytes();
  run_.SpendBytes(tuple.bytes());
  ExpectEqual(tuple::kU7, requested_, context_->account().requested, "one chunk, extra and tuple");
  LiveRow& live = rows_[run_.population(0).Born()];
  live = {row, tuple, extra, CheckTuple(schema_, types_, row, tuple), {}};
  live.values = EngineValues(types_, live.row);
  CheckOne(live);
  constexpr size_t kAgainst = 24;  // the newest rows: all would be quadratic
  size_t against = 0;
  for (auto other = rows_.rbegin(); other != rows_.rend() && against < kAgainst; ++other) {
    CheckTwo(live, other->second);
    ++against;
  }
}

// What is cheap and may break later: extra bytes stay zero, the tuple stays as it was.
void TupleSuite::CheckOne(const LiveRow& row) const {
  const std::string zeroes(row.extra, '\0');
  ExpectEqual(tuple::kU7, AsTupleBytes(zeroes), Bytes(row.tuple.data() - row.extra, row.extra),
              "extra bytes are zero");
  const std::string bytes = ModelForm(types_, row.row);
  ExpectEqual(tuple::kU2, AsTupleBytes(bytes), row.tuple.span(), "a tuple stays as it was");
}

void TupleSuite::CheckTwo(const LiveRow& a, const LiveRow& b) const {
  CheckPair(order_, types_, keys_, a.row, a.tuple, b.row, b.tuple);
  CheckHashes(a, b);
  if (&a == &b || a.printed != b.printed) return;
  for (size_t c = 0; c < types_.size(); ++c) {
    Expect(tuple::kU1, ModelEqual(types_, {c}, a.row, b.row), "rows that print alike are equal");
  }
}

void TupleSuite::CheckHashes(const LiveRow& a, const LiveRow& b) const {
  const bool equal = ModelEqual(types_, hashed_, a.row, b.row);
  ExpectEqual(tuple::kU6, equal, hasher_.Equal(a.tuple, b.tuple), "equal tuples are equal");
  ExpectEqual(tuple::kU6, equal, hasher_.EqualValues(a.tuple, b.values), "a tuple equals a row");
  const uint32_t hash = hasher_.Hash(b.tuple);
  ExpectEqual(tuple::kU6, hash, hasher_.HashValues(b.values), "a row hashes as its tuple");
  if (equal) {
    ExpectEqual(tuple::kU6, hash, hasher_.Hash(a.tuple), "equal tuples hash equal");
  }
}

void TupleSuite::Step(const TupleDrop& drop) {
  if (!drop.row.hit()) return;
  const auto found = rows_.find(drop.row.birth());
  const LiveRow& row = found->second;
  requested_ -= row.extra + row.tuple.bytes();
  context_->Free(const_cast<std::byte*>(row.tuple.data() - row.extra));
  rows_.erase(found);
  run_.population(0).Died(drop.row.birth());
}

void TupleSuite::Step(const TupleOrderBy& by) {
  keys_ = {KeyOf(ColumnOf(by.a), by.a_order), KeyOf(ColumnOf(by.b), by.b_order),
           KeyOf(ColumnOf(by.c), by.c_order)};
  keys_.resize(by.keys);
  order_ = EngineOrder(schema_, keys_);
  CheckAll();
}

void TupleSuite::Step(const TupleHashBy& by) {
  hashed_ = {ColumnOf(by.a), ColumnOf(by.b), ColumnOf(by.c)};
  hashed_.resize(by.columns);
  hasher_ = EngineHasher(schema_, hashed_, by.seed);
  CheckAll();
}

void TupleSuite::CheckAll() const {
  constexpr size_t kAgainst = 16;  // the rows against the first few: the whole would be quadratic
  size_t against = 0;
  for (auto a = rows_.begin(); a != rows_.end() && against < kAgainst; ++a, ++against) {
    for (auto b = a; b != rows_.end(); ++b) CheckTwo(a->second, b->second);
  }
}

void TupleSuite::Step(const TupleFailMemory& fail) { source_.FailAfter(fail.after); }

void TupleSuite::Step(const TupleMistype& mistype) {
  const size_t column = ColumnOf(mistype.column);
  std::vector<tuple::Value> values = EngineValues(types_, current_);
  if (mistype.type == ColumnType::kNone) {
    values.pop_back();
    ExpectEqual(tuple::kU7, absl::StatusCode::kInvalidArgument,
                FormedBytes(schema_, values).status().code(), "a value is missing");
    return;
  }
  const auto type = static_cast<ModelType>(static_cast<int>(mistype.type.ToRaw()) - 1);
  const ModelValue one = EdgeValue(type, ValueEdge::kOne);
  values[column] = EngineValue(type, one);
  const absl::Status status = FormedBytes(schema_, values).status();
  if (type == types_[column]) {
    kit::ExpectOk(tuple::kU7, status, "a value of the column's type is taken");
    return;
  }
  ExpectEqual(tuple::kU7, absl::StatusCode::kInvalidArgument, status.code(), "a mistyped value");
  const std::string named = absl::StrCat("column ", column, " is ", ModelTypeName(types_[column]));
  Expect(tuple::kU7, absl::StartsWith(status.message(), named), "the refusal names the column");
}

void TupleSuite::Step(const TupleOversize& oversize) {
  constexpr uint64_t kBytesMax = (uint64_t{1} << 30) - 1;
  const size_t column = ColumnOf(oversize.column);
  if (types_[column] != ModelType::kText && types_[column] != ModelType::kBytea) return;
  const uint64_t bytes = kBytesMax + 1 - oversize.below;
  const uint64_t expected = ModelBytesWith(types_, current_, column, bytes);
  std::vector<tuple::Value> values = EngineValues(types_, current_);
  // Only sizes are looked at, so one byte stands for all.
  const char byte = 'x';
  const Bytes view(reinterpret_cast<const std::byte*>(&byte), bytes);
  values[column] = types_[column] == ModelType::kText ? tuple::Value::Text({&byte, bytes})
                                                      : tuple::Value::Bytea(view);
  const absl::StatusOr<size_t> actual = FormedBytes(schema_, values);
  ExpectEqual(tuple::kU2, expected <= kBytesMax, actual.ok(),
              "tuples up to 1 GB less 1 are formed");
  if (actual.ok()) {
    ExpectEqual(tuple::kU2, expected, *actual, "the size of a large row");
  } else {
    ExpectEqual(tuple::kU2, absl::StatusCode::kInvalidArgument, actual.status().code());
  }
}

void TupleSuite::Step(const TupleDamage& damage) {
  if (!damage.row.hit()) return;
  std::string bytes = ModelForm(types_, rows_.at(damage.row.birth()).row);
  const size_t at = damage.at % bytes.size();
  bytes[at] = static_cast<char>(static_cast<uint8_t>(bytes[at]) ^ damage.flips);
  bytes.resize(bytes.size() - std::min<size_t>(bytes.size(), damage.cut));
  CheckUntrusted(schema_, types_, bytes);
}

void TupleSuite::Step(const TupleChangeByte& change) {
  std::string& bytes = current_[ColumnOf(change.column)].bytes;
  if (!bytes.empty()) bytes[change.at % bytes.size()] = static_cast<char>(change.with);
}

void TupleSuite::Verify() {
  for (const auto& [birth, row] : rows_) CheckOne(row);
  context_->Verify();
}

void TupleSuite::Finish() {
  std::vector<const LiveRow*> rows;
  for (const auto& [birth, row] : rows_) rows.push_back(&row);
  const auto sorted = SortedNumbers(rows.size(), [&](size_t a, size_t b) {
    return order_.Compare(rows[a]->tuple, rows[b]->tuple) < 0;
  });
  const auto expected = SortedNumbers(rows.size(), [&](size_t a, size_t b) {
    return ModelCompareRows(types_, keys_, rows[a]->row, rows[b]->row) < 0;
  });
  ExpectEqual(tuple::kU4, expected, sorted, "sorting gives the model's order");
  while (!rows_.empty()) Step(TupleDrop{.row = rows_.begin()->first});
  Expect(tuple::kU7, context_->IsEmpty(), "dropped rows leave nothing");
}

}  // namespace tuplestone::properties

namespace tuplestone::kit {
template class ProgramTarget<properties::TupleSuite>;
}
