// The recycler: freed blocks are kept by size and handed out again, because the C library gives freed memory back to
// the system so eagerly that fetching it anew costs ten times the arithmetic on mid-sized tensors. Small blocks are
// cut from larger pieces; large ones (large_blocks.h) are split and joined instead of kept by size. Under
// AddressSanitizer every block comes from malloc, so that it can watch.
//
// Lists belong to a thread; a block may be freed on another thread than it was allocated on.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <new>

#include "autograd/large_blocks.h"

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
// `bytes` is what was asked for.
void deallocate(void* block, std::size_t bytes);

struct Statistics {
  std::size_t live_blocks = 0;  // handed out and not yet returned, on this thread
  std::size_t kept_bytes = 0;   // returned and kept for reuse; large blocks: large_statistics()
  std::size_t live_bytes = 0;
  std::size_t from_system = 0;  // times that the system was asked for memory
};
Statistics statistics();  // walks through what is kept

// Gives back to the system what is kept, small blocks excepted.
void trim();

// ---- the fast path, in the header so that the size is worked out by the compiler where it is known -------------

// Size classes: 64, 128, 192 and so on to 512, then four steps to each doubling, so that at most a fifth is wasted.
struct SizeClass {
  std::size_t index;
  std::size_t bytes;
};

constexpr SizeClass size_class(std::size_t bytes) {
  constexpr std::size_t smallest = 64;
  if (bytes <= 8 * smallest) {
    const std::size_t units = bytes == 0 ? 1 : (bytes + smallest - 1) / smallest;
    return {units - 1, units * smallest};
  }
  const std::size_t doubling = static_cast<std::size_t>(std::bit_width(bytes - 1)) - 1;  // 2^doubling < bytes
  const std::size_t step = std::size_t{1} << (doubling - 2);
  const std::size_t steps = (bytes - (std::size_t{1} << doubling) + step - 1) / step;  // 1 ... 4
  return {4 * (doubling - 8) + 3 + steps, (std::size_t{1} << doubling) + steps * step};
}

struct FreeBlock {
  FreeBlock* next;
};

struct Lists {
  std::array<FreeBlock*, 4 * 56> heads{};
  std::byte* piece = nullptr;  // from which small blocks are cut, and what is left of it
  std::size_t piece_left = 0;
  Statistics statistics;
};

// Plain data without a destructor: tensors with static lifetime may be freed after it would have run.
inline constinit thread_local Lists lists{};

void* fetch(SizeClass size);  // when no kept block fits

#ifdef BACKSTEP_EVERY_BLOCK_FROM_MALLOC
void give_back(void* block);
constexpr bool is_large(std::size_t) {
  return false;
}
#else
constexpr bool is_large(std::size_t bytes) {
  return bytes >= large_from;
}
#endif

inline void* allocate(std::size_t bytes) {
  Lists& mine = lists;
  if (is_large(bytes)) {
    void* block = allocate_large(bytes);
    ++mine.statistics.live_blocks;
    mine.statistics.live_bytes += large_size(bytes);
    return block;
  }
  const SizeClass size = size_class(bytes);
  FreeBlock*& head = mine.heads[size.index];
  void* block = head;
  if (block) {
    head = head->next;
  } else {
    block = fetch(size);
  }
  ++mine.statistics.live_blocks;
  mine.statistics.live_bytes += size.bytes;
  return block;
}

inline void deallocate(void* block, std::size_t bytes) {
  Lists& mine = lists;
  --mine.statistics.live_blocks;
  if (is_large(bytes)) {
    mine.statistics.live_bytes -= large_size(bytes);
    return deallocate_large(block, bytes);
  }
  const SizeClass size = size_class(bytes);
  mine.statistics.live_bytes -= size.bytes;
#ifdef BACKSTEP_EVERY_BLOCK_FROM_MALLOC
  give_back(block);
#else
  mine.heads[size.index] = new (block) FreeBlock{mine.heads[size.index]};
#endif
}

}  // namespace autograd::recycler
