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

// Calls visit(size class) for each that has a list.
template <class Visit> void for_each_class(Visit&& visit) {
  for (std::size_t bytes = 1; bytes < large_from; bytes = size_class(bytes).bytes + 1) visit(size_class(bytes));
}

// What is left of a piece, written at its beginning.
struct Piece {
  Piece* next;
  std::size_t bytes;
};

// What any thread may take. Never destroyed, because tensors with static lifetime are freed later.
struct LeftBehind {
  std::mutex mutex;
  ListHeads heads{};        // of each size, the list that was left last; the others follow it
  Piece* pieces = nullptr;  // each has room for a small block of any size
};
LeftBehind& left_behind() {
  static LeftBehind& left = *new LeftBehind;
  // No other thread may hold the lock during fork(): in the child, nobody would ever unlock it.
  static const int prepared =
      pthread_atfork([] { left.mutex.lock(); }, [] { left.mutex.unlock(); }, [] { left.mutex.unlock(); });
  (void)prepared;
  return left;
}

// For a thread whose own list is empty. Returns whether one was left.
bool take_list(SizeClass of) {
  LeftBehind& left = left_behind();
  const std::lock_guard lock(left.mutex);
  FreeBlock* list = left.heads[of.index];
  if (!list) return false;
  left.heads[of.index] = std::exchange(list->other_list, nullptr);
  lists.heads[of.index] = list;
  lists.blocks += list->length;
  lists.bytes += list->length * of.bytes;
  return true;
}

void free_list(SizeClass of) {
  FreeBlock*& head = lists.heads[of.index];
  if (!head) return;
  lists.blocks -= head->length;
  lists.bytes -= head->length * of.bytes;
  while (FreeBlock* block = head) {
    head = block->next;
    std::free(block);
  }
}

// Returns whether one was left.
bool take_piece() {
  LeftBehind& left = left_behind();
  const std::lock_guard lock(left.mutex);
  if (!left.pieces) return false;
  lists.piece_left = left.pieces->bytes;
  lists.piece = reinterpret_cast<std::byte*>(std::exchange(left.pieces, left.pieces->next));
  return true;
}

void leave_piece() {
  if (lists.piece_left < largest_small_block) return;
  LeftBehind& left = left_behind();
  const std::lock_guard lock(left.mutex);
  left.pieces = new (lists.piece) Piece{left.pieces, std::exchange(lists.piece_left, 0)};
}

// In a page of 2 MiB, if the system has such: the first touch of a page costs the same whatever its size.
void* cut_small(std::size_t bytes) {
  constexpr std::size_t piece = std::size_t{1} << 21;
  if (lists.piece_left < bytes && !take_piece()) {
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

void leave_list(SizeClass of) {
  FreeBlock* list = std::exchange(lists.heads[of.index], nullptr);
  if (!list) return;
  lists.blocks -= list->length;
  lists.bytes -= list->length * of.bytes;
  LeftBehind& left = left_behind();
  const std::lock_guard lock(left.mutex);
  list->other_list = std::exchange(left.heads[of.index], list);
}

void leave_lists_at_end() {
  struct EndOfThread {
    ~EndOfThread() {
      for_each_class(leave_list);
      leave_piece();
    }
  };
  thread_local const EndOfThread end;
  (void)end;
  lists.will_be_left = true;
}

void* allocate_new(std::size_t asked) {
  if (!lists.will_be_left) leave_lists_at_end();
  const SizeClass wanted = size_class(asked);
  if (take_list(wanted)) return allocate(asked);
  void* block = wanted.bytes <= largest_small_block ? cut_small(wanted.bytes) : from_system(64, wanted.bytes);
  count(wanted.bytes);
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
  for_each_class([&](SizeClass of) {
    if (const FreeBlock* list = lists.heads[of.index]) {
      result.live_blocks -= list->length;
      result.kept_bytes += list->length * of.bytes;
    }
  });
  result.live_bytes -= result.kept_bytes;
  return result;
}

void trim() {
  for_each_class([](SizeClass of) {
    if (of.bytes <= largest_small_block) return;
    do free_list(of);
    while (take_list(of));
  });
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace autograd::recycler
