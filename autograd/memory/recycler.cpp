#include "autograd/memory/recycler.h"

#include <pthread.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <utility>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace autograd::recycler {
namespace {

void* from_system(std::size_t alignment, std::size_t bytes) {
  ++lists.from_system;
  void* memory = std::aligned_alloc(alignment, bytes);
  if (!memory) throw std::bad_alloc();
  return memory;
}

// Has the C library keep freed memory, and take it from the system in large steps. Without this, a large block would be
// mapped anew each time, and its pages cleared. Other C libraries are not asked.
void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
  mallopt(M_TOP_PAD, 64 << 20);
#endif
}

void count(std::size_t bytes) {
  ++lists.blocks;
  lists.bytes += bytes;
}

// Calls visit(head, bytes) for the list of each size class.
template <class Visit> void for_each_list(Lists& of, Visit&& visit) {
  for (std::size_t bytes = 1; bytes < large_from; bytes = size_class(bytes).bytes + 1) {
    visit(of.heads[size_class(bytes).index], size_class(bytes).bytes);
  }
}

void move_all(Lists& from, Lists& to) {
  for_each_list(from, [&](FreeBlock*& head, std::size_t bytes) {
    FreeBlock*& other = to.heads[size_class(bytes).index];
    while (FreeBlock* block = head) {
      head = std::exchange(block->next, std::exchange(other, block));
      --from.blocks;
      from.bytes -= bytes;
      ++to.blocks;
      to.bytes += bytes;
    }
  });
  if (to.piece_left >= from.piece_left) return;
  std::swap(to.piece, from.piece);
  std::swap(to.piece_left, from.piece_left);
}

// By threads that have ended. Never destroyed, because tensors with static lifetime are freed later.
struct LeftBehind {
  std::mutex mutex;
  Lists lists;
};
LeftBehind& left_behind() {
  static LeftBehind& left = *new LeftBehind;
  // No other thread may hold the lock during fork(): in the child, nobody would ever unlock it.
  static const int prepared =
      pthread_atfork([] { left.mutex.lock(); }, [] { left.mutex.unlock(); }, [] { left.mutex.unlock(); });
  (void)prepared;
  return left;
}

// In a page of 2 MiB, if the system has such: the first touch of a page costs the same whatever its size.
void* cut_small(std::size_t bytes) {
  constexpr std::size_t piece = std::size_t{1} << 21;
  if (lists.piece_left < bytes) {
    lists.piece = static_cast<std::byte*>(from_system(piece, piece));
    lists.piece_left = piece;
#ifdef MADV_HUGEPAGE
    madvise(lists.piece, piece, MADV_HUGEPAGE);
#endif
  }
  lists.piece_left -= bytes;
  return std::exchange(lists.piece, lists.piece + bytes);
}

}  // namespace

void leave_lists_at_end() {
  struct EndOfThread {
    ~EndOfThread() {
      const std::lock_guard lock(left_behind().mutex);
      move_all(lists, left_behind().lists);
    }
  };
  thread_local const EndOfThread end;
  (void)end;
  lists.will_be_left = true;
}

void* allocate_new(std::size_t asked) {
  const auto [index, bytes] = size_class(asked);
  {
    const std::lock_guard lock(left_behind().mutex);
    move_all(left_behind().lists, lists);
  }
  if (lists.heads[index]) return allocate(asked);
  void* block = bytes <= largest_small_block ? cut_small(bytes) : from_system(64, bytes);
  count(bytes);
  return block;
}

// A large block is aligned by hand, and where it really begins stands before it: glibc's aligned_alloc() would not find
// the room again that such a block has left.
void* allocate_large(std::size_t bytes) {
  static const bool prepared = (keep_freed_memory(), true);
  (void)prepared;
  constexpr std::size_t largest = std::size_t{1} << (sizeof(std::size_t) == 8 ? 39 : 31);  // half a terabyte; 2 GiB
  if (bytes > largest) throw std::bad_alloc();
  auto* const begin = static_cast<std::byte*>(::operator new(bytes + 128));
  std::byte* const block = begin + 128 - reinterpret_cast<std::uintptr_t>(begin) % 64;
  new (block - sizeof(void*)) void*(begin);
  count(bytes);
  return block;
}

void deallocate_large(void* block, std::size_t bytes) {
  --lists.blocks;
  lists.bytes -= bytes;
  ::operator delete(*reinterpret_cast<void**>(static_cast<std::byte*>(block) - sizeof(void*)));
}

Statistics statistics() {
  Statistics result{.live_blocks = lists.blocks, .live_bytes = lists.bytes, .from_system = lists.from_system};
  for_each_list(lists, [&](const FreeBlock* block, std::size_t bytes) {
    for (; block; block = block->next) {
      --result.live_blocks;
      result.kept_bytes += bytes;
    }
  });
  result.live_bytes -= result.kept_bytes;
  return result;
}

void trim() {
  for_each_list(lists, [](FreeBlock*& head, std::size_t bytes) {
    while (bytes > largest_small_block && head) {
      std::free(std::exchange(head, head->next));
      --lists.blocks;
      lists.bytes -= bytes;
    }
  });
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace autograd::recycler
