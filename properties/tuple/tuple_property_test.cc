// Programs of rows. What holds for each row and each pair is in the suite; the properties here add
// what only a whole set can say.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "properties/kit/expect.h"
#include "properties/kit/property.h"
#include "properties/tuple/tuple_checks.h"
#include "properties/tuple/tuple_image_suite.h"
#include "properties/tuple/tuple_suite.h"

namespace tuplestone::properties {
namespace {

using LiveRow = TupleSuite::LiveRow;

std::vector<const LiveRow*> RowsOf(const TupleSuite& suite) {
  std::vector<const LiveRow*> rows;
  for (const auto& [birth, row] : suite.rows()) rows.push_back(&row);
  return rows;
}

// U1 to U7. Not covered: rows of more than 240 columns, values of more than 300 bytes.
TEST(TupleProperty, EveryRowAndPairIsAsTheModelSays) { kit::ForAll<TupleSuite>(); }

// U4, without the model: of any three rows, what is before and behind is transitive, and each is
// equal to itself.
TEST(TupleProperty, ComparisonIsATotalOrder) {
  kit::ForAll<TupleSuite>([](TupleSuite& suite) {
    const std::vector<const LiveRow*> rows = RowsOf(suite);
    const auto at_most = [&](const LiveRow* a, const LiveRow* b) {
      return suite.order().Compare(a->tuple, b->tuple) <= 0;
    };
    const size_t count = std::min<size_t>(rows.size(), 12);
    for (size_t a = 0; a < count; ++a) {
      for (size_t b = 0; b < count; ++b) {
        kit::Expect(tuple::kU4, at_most(rows[a], rows[b]) || at_most(rows[b], rows[a]), "total");
        for (size_t c = 0; c < count; ++c) {
          if (!at_most(rows[a], rows[b]) || !at_most(rows[b], rows[c])) continue;
          kit::Expect(tuple::kU4, at_most(rows[a], rows[c]), "transitive");
        }
      }
    }
  });
}

// U5: sorting by prefix, and by comparison only where prefixes are equal and do not decide, is
// sorting by comparison.
TEST(TupleProperty, SortingByPrefixFirstIsSorting) {
  kit::ForAll<TupleSuite>([](TupleSuite& suite) {
    const tuple::Order& order = suite.order();
    if (order.keys().size() != 1) return;
    const std::vector<const LiveRow*> rows = RowsOf(suite);
    const auto expected = SortedNumbers(rows.size(), [&](size_t a, size_t b) {
      return order.Compare(rows[a]->tuple, rows[b]->tuple) < 0;
    });
    const auto actual = SortedNumbers(rows.size(), [&](size_t a, size_t b) {
      const uint64_t prefix_a = order.Prefix(rows[a]->tuple);
      const uint64_t prefix_b = order.Prefix(rows[b]->tuple);
      if (prefix_a != prefix_b || order.PrefixDecides(prefix_a)) return prefix_a < prefix_b;
      return order.Compare(rows[a]->tuple, rows[b]->tuple) < 0;
    });
    kit::ExpectEqual(tuple::kU5, expected, actual, "both ways of sorting agree");
  });
}

// U3: a row's bytes are valid for its own types only, or, for others that take them, are that
// other row.
TEST(TupleProperty, BytesAreValidOrNotForEverySchemaAsTheModelSays) {
  kit::ForAll<TupleSuite>([](TupleSuite& suite) {
    if (suite.types().size() > 12) return;
    for (const auto& [birth, live] : suite.rows()) {
      for (size_t c = 0; c < suite.types().size(); ++c) {
        ModelTypes types = suite.types();
        types[c] = static_cast<ModelType>((static_cast<size_t>(types[c]) + 1 + birth) % 8);
        const std::string input = TupleImage(types, ModelForm(suite.types(), live.row), c % 2 == 0);
        TupleImageSuite::Run(AsTupleBytes(input));
      }
    }
  });
}

TEST(TupleProperty, ProgramsReachEveryRareState) {
  kit::ExpectProbesReached(kit::ProgramTarget<TupleSuite>(), "tuple.", 20000);
}

}  // namespace
}  // namespace tuplestone::properties
