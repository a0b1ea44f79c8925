#include "engine/sort/entry_sort.h"

#include <gtest/gtest.h>

#include <vector>

#include "engine/sort/limits.h"

namespace tuplestone::sort {
namespace {

struct Item {
  uint64_t prefix;
  uint32_t key;  // behind the prefix
  uint32_t ordinal;
};

struct ItemOrder {
  bool Before(const Item& a, const Item& b) const {
    if (a.prefix != b.prefix) return a.prefix < b.prefix;
    return a.key != b.key ? a.key < b.key : a.ordinal < b.ordinal;
  }
};

uint64_t Mixed(uint64_t n) {
  n = (n ^ (n >> 31)) * 0x9e3779b97f4a7c15;
  return n ^ (n >> 29);
}

void ExpectSorted(std::vector<Item> items) {
  for (size_t i = 0; i < items.size(); ++i) items[i].ordinal = static_cast<uint32_t>(i);
  Poll poll(nullptr, 1000);
  const ItemOrder order;
  EntrySort<Item, ItemOrder>(order, poll, 2).Sort(items.data(), items.size());
  for (size_t i = 1; i < items.size(); ++i) {
    ASSERT_TRUE(order.Before(items[i - 1], items[i])) << "entry " << i << " of " << items.size();
  }
}

// S4, S5: keys of every width, with few and with many ties.
TEST(EntrySort, OrdersByPrefixThenKeyThenOrdinal) {
  for (size_t count : {0, 1, 2, 31, 32, 33, 1000, 20'000}) {
    for (uint64_t mask : {uint64_t{0}, uint64_t{1}, uint64_t{0xff}, uint64_t{0xfff00},
                          uint64_t{0xff000000000000ff}, ~uint64_t{0}}) {
      for (uint32_t keys : {1u, 3u, 100'000u}) {
        std::vector<Item> items(count);
        for (size_t i = 0; i < count; ++i) {
          items[i] = {Mixed(i) & mask, static_cast<uint32_t>(Mixed(i + 77) % keys), 0};
        }
        ExpectSorted(items);
      }
    }
  }
}

TEST(EntrySort, TakesInputsInOrder) {
  std::vector<Item> up;
  std::vector<Item> down;
  std::vector<Item> pipes;
  for (uint32_t i = 0; i < 5000; ++i) {
    up.push_back({i / 3, 0, 0});
    down.push_back({5000 - i, 0, 0});
    pipes.push_back({7, i < 2500 ? i : 5000 - i, 0});
  }
  ExpectSorted(up);
  ExpectSorted(down);
  ExpectSorted(pipes);
}

TEST(EntrySort, AsksWhetherToGoOn) {
  uint64_t asked = 0;
  Poll poll([&asked](const Progress&) { return ++asked < 3; }, 100);
  std::vector<Item> items;
  for (uint32_t i = 0; i < 100'000; ++i) items.push_back({Mixed(i), 0, i});
  const ItemOrder order;
  EntrySort<Item, ItemOrder>(order, poll, 2).Sort(items.data(), items.size());
  EXPECT_TRUE(poll.cancelled());
  EXPECT_EQ(asked, 3u);
}

}  // namespace
}  // namespace tuplestone::sort
