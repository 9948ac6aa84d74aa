#include "autograd/recycler.h"

#include <array>
#include <bit>
#include <cstdlib>
#include <new>

#if defined(__SANITIZE_ADDRESS__)
#define BACKSTEP_RECYCLES 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BACKSTEP_RECYCLES 0
#endif
#endif
#ifndef BACKSTEP_RECYCLES
#define BACKSTEP_RECYCLES 1
#endif

namespace autograd::recycler {
namespace {

constexpr std::size_t alignment = 64;
constexpr std::size_t smallest = 64;
constexpr std::size_t kept_bytes_limit = std::size_t{1} << 30;  // per thread

// Size classes: 64, 128, 192, 256, then four steps to each doubling, so that at most a fifth is wasted.
struct SizeClass {
  std::size_t index;
  std::size_t bytes;
};

SizeClass size_class(std::size_t bytes) {
  if (bytes <= 4 * smallest) {
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
  Statistics statistics;
};

// Plain data without a destructor: tensors with static lifetime may be freed after it would have run.
thread_local Lists lists;

void* from_system(std::size_t bytes) {
  ++lists.statistics.from_system;
  void* block = std::aligned_alloc(alignment, bytes);
  if (!block) throw std::bad_alloc();
  return block;
}

}  // namespace

void* allocate(std::size_t bytes) {
  if (bytes > (std::size_t{1} << 46)) throw std::bad_alloc();
  const SizeClass size = size_class(bytes);
  Lists& mine = lists;
  FreeBlock*& head = mine.heads[size.index];
  void* block = head;
  if (block) {
    head = head->next;
    mine.statistics.kept_bytes -= size.bytes;
  } else {
    block = from_system(size.bytes);
  }
  ++mine.statistics.live_blocks;
  mine.statistics.live_bytes += size.bytes;
  return block;
}

void deallocate(void* block, std::size_t bytes) {
  const SizeClass size = size_class(bytes);
  Lists& mine = lists;
  --mine.statistics.live_blocks;
  mine.statistics.live_bytes -= size.bytes;
  if (!BACKSTEP_RECYCLES || mine.statistics.kept_bytes + size.bytes > kept_bytes_limit) {
    std::free(block);
    return;
  }
  mine.heads[size.index] = new (block) FreeBlock{mine.heads[size.index]};
  mine.statistics.kept_bytes += size.bytes;
}

Statistics statistics() { return lists.statistics; }

void trim() {
  for (FreeBlock*& head : lists.heads) {
    while (head) {
      FreeBlock* next = head->next;
      std::free(head);
      head = next;
    }
  }
  lists.statistics.kept_bytes = 0;
}

}  // namespace autograd::recycler
