// What a context's bytes are. The one equation of this room:
//
//   obtained = overhead + live + guards + free + dead + tail
#ifndef TUPLESTONE_ENGINE_MEMORY_ACCOUNT_H_
#define TUPLESTONE_ENGINE_MEMORY_ACCOUNT_H_

#include <cstddef>

namespace tuplestone::memory {

// Bytes unless named otherwise.
struct Account {
  size_t obtained = 0;     // from the source
  size_t overhead = 0;     // the context itself, block headers, the block directory of a Bump
  size_t live = 0;         // headers and rounded sizes of live chunks, alignment padding included
  size_t guards = 0;       // what a guarded build adds; 0 in plain builds
  size_t free = 0;         // chunks a later request may take, and kept empty blocks
  size_t dead = 0;         // freed, but not to be had until its block is empty
  size_t tail = 0;         // never carved
  size_t requested = 0;    // what the callers of live chunks asked for
  size_t live_chunks = 0;  // a count
  size_t blocks = 0;       // a count; dedicated ones and the first included

  // What limits mean: the same in every build.
  size_t held() const { return obtained - guards; }

  Account& operator+=(const Account& other) {
    obtained += other.obtained;
    overhead += other.overhead;
    live += other.live;
    guards += other.guards;
    free += other.free;
    dead += other.dead;
    tail += other.tail;
    requested += other.requested;
    live_chunks += other.live_chunks;
    blocks += other.blocks;
    return *this;
  }
  friend bool operator==(const Account&, const Account&) = default;
};

}  // namespace tuplestone::memory

#endif  // TUPLESTONE_ENGINE_MEMORY_ACCOUNT_H_
