// The recycler: an allocator that keeps freed blocks and hands them out again. The C library gives freed memory back to
// the system so eagerly that getting memory for mid-sized tensors would take ten times as long as the arithmetic.
//
// Each thread has lists of freed blocks by size. A block may be freed on another thread than the one that allocated it:
// it then joins that one's lists. Once a list has grown long or its thread has ended, any thread may take it. Otherwise
// a thread that frees what others allocate would keep it all. Large blocks stay with the C library, which is told to
// keep what is freed: it joins free neighbours, and batches of sentences have new sizes at each training step; lists
// would keep blocks of every size that was ever needed.
//
// Under AddressSanitizer every block comes from malloc, so that it is watched.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <new>

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

// Of this thread.
struct Statistics {
  std::size_t live_blocks = 0;  // handed out on it, less those returned on it
  std::size_t live_bytes = 0;
  std::size_t kept_bytes = 0;   // returned and kept in lists
  std::size_t from_system = 0;  // times that the system was asked for memory
};
Statistics statistics();

// Gives kept memory back to the system, but for that of small blocks.
void trim();

// ---- the usual path: in the header, so that the compiler computes the size class where it knows the size --------

inline constexpr std::size_t largest_small_block = 1024;  // nodes, tensors of few elements: cut from larger pieces
#ifdef BACKSTEP_EVERY_BLOCK_FROM_MALLOC
inline constexpr std::size_t large_from = 0;
#else
inline constexpr std::size_t large_from = std::size_t{1} << 18;
#endif

// Size classes: 64, 128, 192 and so on to 1024, then four for each doubling, so that at most a fifth is wasted.
struct SizeClass {
  std::size_t index;
  std::size_t bytes;
};

constexpr SizeClass size_class(std::size_t bytes) {
  if (bytes <= largest_small_block) {
    const std::size_t units = bytes == 0 ? 1 : (bytes + 63) / 64;
    return {units - 1, units * 64};
  }
  const std::size_t doubling = static_cast<std::size_t>(std::bit_width(bytes - 1)) - 1;  // 2^doubling < bytes
  const std::size_t step = std::size_t{1} << (doubling - 2);
  const std::size_t steps = (bytes - (std::size_t{1} << doubling) + step - 1) / step;  // 1 ... 4
  return {4 * (doubling - 10) + 15 + steps, (std::size_t{1} << doubling) + steps * step};
}

// Objects count their references in their second word. In a freed block it is 0, so that debuggers see that the object
// is gone.
struct FreeBlock {
  FreeBlock* next;
  FreeBlock* other_list;  // the next one that any thread may take
  std::size_t length;     // of the list that begins here
};

inline constexpr std::size_t longest_list = std::size_t{1} << 20;  // bytes

using ListHeads = std::array<FreeBlock*, size_class(1 << 18).index + 1>;  // by size class

struct Lists {
  ListHeads heads{};
  std::byte* piece = nullptr;  // from which small blocks are cut
  std::size_t piece_left = 0;
  // All blocks, handed out or kept, so that the usual path need not count; of large ones, only those handed out.
  std::size_t blocks = 0;
  std::size_t bytes = 0;
  std::size_t from_system = 0;
  bool will_be_left = false;  // to others, when the thread ends
};
// Plain data without a destructor, because tensors with static lifetime may be freed after it would have run.
inline constinit thread_local Lists lists{};

void* allocate_new(std::size_t bytes);  // when none is kept
void leave_list(SizeClass of);          // to any thread
void leave_lists_at_end();
void* allocate_large(std::size_t bytes);
void deallocate_large(void* block, std::size_t bytes);

inline void* allocate(std::size_t bytes) {
  if (bytes >= large_from) return allocate_large(bytes);
  FreeBlock*& head = lists.heads[size_class(bytes).index];
  FreeBlock* block = head;
  if (!block) return allocate_new(bytes);
  head = block->next;
  return block;
}

inline void deallocate(void* block, std::size_t bytes) {
  if (bytes >= large_from) return deallocate_large(block, bytes);
  if (!lists.will_be_left) leave_lists_at_end();
  const SizeClass of = size_class(bytes);
  FreeBlock*& head = lists.heads[of.index];
  head = new (block) FreeBlock{head, nullptr, head ? head->length + 1 : 1};
  if (head->length * of.bytes >= longest_list) leave_list(of);
}

}  // namespace autograd::recycler
