// The recycler: freed blocks are kept by size and handed out again, because the C library gives
// freed memory back to the system so eagerly that fetching it anew costs ten times the arithmetic
// on mid-sized tensors. Under AddressSanitizer every block comes from malloc, so that it can watch.
//
// Lists belong to a thread; a block may be freed on another thread than it was allocated on.
#pragma once

#include <cstddef>

namespace autograd::recycler {

// A block of at least `bytes`, aligned to 64. Throws std::bad_alloc.
void* allocate(std::size_t bytes);
// `bytes` is what was asked for.
void deallocate(void* block, std::size_t bytes);

struct Statistics {
  std::size_t live_blocks = 0;   // handed out and not yet returned, on this thread
  std::size_t live_bytes = 0;
  std::size_t kept_bytes = 0;    // returned and kept for reuse
  std::size_t from_system = 0;   // blocks ever fetched from the system
};
Statistics statistics();

// Gives every kept block back to the system.
void trim();

}  // namespace autograd::recycler
