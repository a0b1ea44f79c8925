// A tuple table as it should be: an ordered map, and how many buckets it takes.
#ifndef TUPLESTONE_PROPERTIES_HASH_TABLE_MODEL_H_
#define TUPLESTONE_PROPERTIES_HASH_TABLE_MODEL_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "engine/hash/limits.h"

namespace tuplestone::properties {

struct ModelMember {
  std::string row;   // the one it was born with
  uint8_t fill = 0;  // of its additional bytes
  size_t bytes = 0;  // of its tuple
};

class TableModel {
 public:
  explicit TableModel(const hash::TableLimits& limits) : limits_(limits) {}

  const ModelMember* Find(const std::string& key) const {
    const auto found = members_.find(key);
    return found == members_.end() ? nullptr : &found->second;
  }
  // Whether one more member finds place without passing the limit of buckets.
  bool HasRoom() const { return members_.size() < Capacity() || Next() <= limits_.buckets_max; }
  // Requires: HasRoom; no member of that key.
  void Insert(const std::string& key, const ModelMember& member) {
    if (members_.size() >= Capacity()) {
      buckets_ = Next();
      if (first_ == 0) first_ = buckets_;
    }
    members_[key] = member;
    most_ = std::max(most_, members_.size());
  }
  void Fill(const std::string& key, uint8_t fill) { members_.at(key).fill = fill; }
  void Erase(const std::string& key) { members_.erase(key); }
  void Reset() { members_.clear(); }

  const std::map<std::string, ModelMember>& members() const { return members_; }
  uint64_t buckets() const { return buckets_; }
  uint64_t buckets_first() const { return first_; }
  size_t most() const { return most_; }

 private:
  uint64_t CapacityOf(uint64_t buckets) const {
    if (buckets == 0) return 0;
    const uint64_t loaded = buckets * limits_.load_percent / 100;
    return std::min(std::max<uint64_t>(loaded, 1), buckets - 1);
  }
  uint64_t Capacity() const { return CapacityOf(buckets_); }
  // The smallest number that holds one more member, in doublings.
  uint64_t Next() const {
    if (buckets_ == 0) return limits_.buckets_min;
    uint64_t next = 2 * buckets_;
    while (CapacityOf(next) <= members_.size()) next *= 2;
    return next;
  }

  hash::TableLimits limits_;
  std::map<std::string, ModelMember> members_;
  uint64_t buckets_ = 0;
  uint64_t first_ = 0;
  size_t most_ = 0;
};

}  // namespace tuplestone::properties

#endif  // TUPLESTONE_PROPERTIES_HASH_TABLE_MODEL_H_
