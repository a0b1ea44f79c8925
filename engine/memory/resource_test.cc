#include "engine/memory/resource.h"

#include <gtest/gtest.h>

#include <list>
#include <map>
#include <memory_resource>
#include <string>
#include <vector>

#include "engine/memory/counting_source.h"
#include "engine/memory/kinds_for_test.h"

namespace tuplestone::memory {
namespace {

TEST(Resource, StandardContainersLiveInEveryKindThatServesAnySize) {
  for (const World& world : Worlds()) {
    if (world.kind == Kind::kSlab) continue;
    CountingSource source;
    OwnedContext<> context(world.Create(source));
    {
      ContextResource resource(*context);
      std::pmr::map<int, std::pmr::string> map(&resource);
      std::vector<int, Allocator<int>> squares{Allocator<int>(*context)};
      for (int i = 0; i < 500; ++i) {
        map[i] = std::string(static_cast<size_t>(i % 90), 'x');
        squares.push_back(i * i);
      }
      for (int i = 0; i < 500; i += 2) map.erase(i);
      EXPECT_EQ(map.at(89).size(), 89u);
      EXPECT_EQ(squares[499], 499 * 499);
      context->Verify();
    }
    EXPECT_EQ(context->IsEmpty(), world.Frees()) << world.name;
  }
}

TEST(Resource, NodesOfAListLiveInASlab) {
  CountingSource source;
  OwnedContext<Slab> slab(Slab::Create(source, "nodes"));
  std::list<int, Allocator<int>> list{Allocator<int>(*slab)};
  for (int i = 0; i < 1000; ++i) list.push_back(i);
  EXPECT_EQ(slab->account().live_chunks, 1000u);
  list.clear();
  EXPECT_TRUE(slab->IsEmpty());
}

TEST(Resource, OverAlignedTypesGetTheirAlignment) {
  struct alignas(256) Wide {
    char bytes[256];
  };
  CountingSource source;
  OwnedContext<AllocSet> set(AllocSet::Create(source, "wide"));
  std::vector<Wide, Allocator<Wide>> wide{Allocator<Wide>(*set)};
  for (int i = 0; i < 20; ++i) wide.emplace_back();
  EXPECT_TRUE(IsAligned(wide.data(), 256));
}

TEST(Resource, ThrowsWithoutMemory) {
  CountingSource source;
  OwnedContext<AllocSet> set(AllocSet::Create(source, "set"));
  ContextResource resource(*set);
  Allocator<int> allocator(*set);
  source.RefuseAbove(0);
  EXPECT_THROW((void)resource.allocate(100000), std::bad_alloc);
  EXPECT_THROW((void)allocator.allocate(100000), std::bad_alloc);
  EXPECT_THROW((void)allocator.allocate(SIZE_MAX / 2), std::bad_alloc);
}

TEST(Resource, ResourcesAreEqualOnTheSameContextOnly) {
  CountingSource source;
  OwnedContext<AllocSet> a(AllocSet::Create(source, "a"));
  OwnedContext<AllocSet> b(AllocSet::Create(source, "b"));
  const ContextResource first(*a);
  const ContextResource second(*a);
  const ContextResource other(*b);
  EXPECT_TRUE(first == second);
  EXPECT_FALSE(first == other);
  EXPECT_FALSE(first == *std::pmr::new_delete_resource());
  EXPECT_TRUE(Allocator<int>(*a) == Allocator<long>(*a));
  EXPECT_FALSE(Allocator<int>(*a) == Allocator<int>(*b));
}

}  // namespace
}  // namespace tuplestone::memory
