// A walk from block to block towards lower addresses, as backward() goes over a graph whose blocks were made in turn
// (small_blocks.h). The processor foresees walks in the other direction, but this one only within a page: in a graph
// larger than the cache, an op would wait for memory several times.
#pragma once

#include <algorithm>
#include <cstdint>

namespace autograd::recycler {

class FetchAhead {
 public:
  // The walk is at `block`: what lies `distance` before it is fetched into the cache.
  void reach(const void* block) {
    const auto here = reinterpret_cast<std::uintptr_t>(block);
    const std::uintptr_t end = here - std::min(here, distance);
    if (fetched_to_ > here || fetched_to_ < end) fetched_to_ = here;  // elsewhere: it begins anew
    const std::uintptr_t now = std::max(end, fetched_to_ - std::min(fetched_to_, most_at_once));
    for (; fetched_to_ > now; fetched_to_ -= line) __builtin_prefetch(reinterpret_cast<const void*>(fetched_to_), 1);
  }

 private:
  static constexpr std::uintptr_t line = 64;
  static constexpr std::uintptr_t distance = 8192;      // some ten ops, longer than memory takes
  static constexpr std::uintptr_t most_at_once = 1024;  // more than most ops keep
  std::uintptr_t fetched_to_ = 0;
};

}  // namespace autograd::recycler
