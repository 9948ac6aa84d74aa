// The recycler: an allocator that keeps freed blocks, in lists by size, and hands them out again. The C library gives
// freed memory back to the system so eagerly that getting memory for mid-sized tensors would take ten times as long as
// the arithmetic. Small blocks are in small_blocks.h, large ones in large_blocks.h. Under AddressSanitizer every block
// comes from malloc, so that it is watched.
//
// Each thread has its own lists; a block may be freed on another thread than the one that allocated it.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <new>

#include "autograd/memory/large_blocks.h"
#include "autograd/memory/small_blocks.h"

#if defined(__SANITIZE_ADDRESS__)
#define BACKSTEP_EVERY_BLOCK_FROM_MALLOC
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BACKSTEP_EVERY_BLOCK_FROM_MALLOC
#endif
#endif

namespace autograd::recycler {

// A block of at least `bytes`, aligned to 64. Throws std::bad_alloc.
void* allocate(std::size_t bytes);
// `bytes` is the size that was asked for.
void deallocate(void* block, std::size_t bytes);

struct Statistics {
  std::size_t live_blocks = 0;  // handed out and not yet returned, on this thread
  std::size_t kept_bytes = 0;   // returned and kept for reuse; large blocks: large_statistics()
  std::size_t live_bytes = 0;
  std::size_t from_system = 0;  // times that the system was asked for memory
};
Statistics statistics();  // counts the kept blocks in their lists, so that the fast path need not count

// Gives all kept blocks but small ones back to the system.
void trim();

// ---- the fast path: in the header, so that the compiler computes the size class where it knows the size ---------

// Size classes: 64, 128, 192 and so on to 1024, then four for each doubling, so that at most a fifth is wasted.
struct SizeClass {
  std::size_t index;
  std::size_t bytes;
};

constexpr SizeClass size_class(std::size_t bytes) {
  if (bytes <= largest_small_block) {
    const std::size_t units = bytes == 0 ? 1 : (bytes + unit - 1) / unit;
    return {units - 1, units * unit};
  }
  const std::size_t doubling = static_cast<std::size_t>(std::bit_width(bytes - 1)) - 1;  // 2^doubling < bytes
  const std::size_t step = std::size_t{1} << (doubling - 2);
  const std::size_t steps = (bytes - (std::size_t{1} << doubling) + step - 1) / step;  // 1 ... 4
  return {4 * (doubling - 10) + 15 + steps, (std::size_t{1} << doubling) + steps * step};
}

struct Lists {
  std::array<FreeBlock*, size_class(large_from - 1).index + 1> heads{};  // by size class
  // All blocks but small ones, handed out or kept; of large ones, only those handed out.
  std::size_t blocks = 0;
  std::size_t bytes = 0;
  std::size_t from_system = 0;
};

// Plain data without a destructor, because tensors with static lifetime may be freed after it would have run.
inline constinit thread_local Lists lists{};

void* allocate_new(SizeClass size);  // a new block, when none is kept
// For blocks that are not kept by size.
void* allocate_counted(std::size_t bytes);
void deallocate_counted(void* block, std::size_t bytes);

#ifdef BACKSTEP_EVERY_BLOCK_FROM_MALLOC
constexpr bool is_kept_by_size(std::size_t) {
  return false;
}
#else
constexpr bool is_kept_by_size(std::size_t bytes) {
  return bytes < large_from;
}
#endif

inline void* allocate(std::size_t bytes) {
  if (!is_kept_by_size(bytes)) return allocate_counted(bytes);
  const SizeClass size = size_class(bytes);
  if (bytes <= largest_small_block) return allocate_small(size.index + 1);
  FreeBlock*& head = lists.heads[size.index];
  FreeBlock* block = head;
  if (!block) return allocate_new(size);
  head = block->next;
  return block;
}

inline void deallocate(void* block, std::size_t bytes) {
  if (!is_kept_by_size(bytes)) return deallocate_counted(block, bytes);
  const SizeClass size = size_class(bytes);
  if (bytes <= largest_small_block) return deallocate_small(block, size.index + 1);
  FreeBlock*& head = lists.heads[size.index];
  head = new (block) FreeBlock{head};
}

}  // namespace autograd::recycler
