#include "engine/memory/stats.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/memory/counting_source.h"
#include "engine/memory/kinds_for_test.h"

namespace tuplestone::memory {
namespace {

TEST(Stats, LinesFollowTheTreeAndTheirSumIsTheTotal) {
  CountingSource source;
  OwnedContext<AllocSet> root(AllocSet::Create(source, "root"));
  Context* b = Generation::Create(*root, "b");
  Context* a = Bump::Create(*root, "a");
  Context* deep = Slab::Create(*a, "deep");
  Slab::Create(*deep, "deeper");
  b->Allocate(1000);
  deep->Allocate(3);
  const ContextStats stats = Stats(*root);
  std::vector<std::string> outline;
  for (const auto& line : stats.lines) outline.push_back(std::string(line.depth, ' ') + line.name);
  EXPECT_EQ(outline, (std::vector<std::string>{"root", " a", "  deep", "   deeper", " b"}));
  EXPECT_EQ(stats.total, root->SubtreeAccount());
  EXPECT_EQ(stats.total.obtained, source.lent_bytes());
  EXPECT_EQ(stats.lines[4].account, b->account());
}

TEST(Stats, TheTableNamesEveryContextAndSeparatesThousands) {
  CountingSource source;
  OwnedContext<AllocSet> root(AllocSet::Create(source, "root"));
  Bump::Create(*root, "tuples")->Allocate(1234);
  const std::string table = Stats(*root).ToString();
  EXPECT_NE(table.find("context"), std::string::npos);
  EXPECT_NE(table.find("\n  tuples"), std::string::npos);
  EXPECT_NE(table.find("Bump"), std::string::npos);
  EXPECT_NE(table.find("1,240"), std::string::npos);
  EXPECT_NE(table.find("1,234"), std::string::npos);
  EXPECT_NE(table.find("all 2"), std::string::npos);
}

TEST(Stats, OfASubtreeStayInIt) {
  CountingSource source;
  OwnedContext<AllocSet> root(AllocSet::Create(source, "root"));
  AllocSet::Create(*root, "sibling");
  Context* child = AllocSet::Create(*root, "child");
  AllocSet::Create(*root, "other sibling");
  const ContextStats stats = Stats(*child);
  ASSERT_EQ(stats.lines.size(), 1u);
  EXPECT_EQ(stats.lines[0].name, "child");
}

}  // namespace
}  // namespace tuplestone::memory
