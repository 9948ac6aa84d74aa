#include "autograd/memory/recycler.h"

#include <cstdlib>

namespace autograd::recycler {
namespace {

void count_new(std::size_t bytes) {
  ++lists.blocks;
  lists.bytes += bytes;
}

void count_gone(std::size_t bytes) {
  --lists.blocks;
  lists.bytes -= bytes;
}

void* ask_system(std::size_t bytes) {
  ++lists.from_system;
  return from_system(bytes);
}

}  // namespace

void* allocate_new(SizeClass size) {
  void* block = ask_system(size.bytes);
  count_new(size.bytes);
  return block;
}

#ifdef BACKSTEP_EVERY_BLOCK_FROM_MALLOC

void* allocate_counted(std::size_t bytes) {
  void* block = ask_system(bytes);
  count_new(bytes);
  return block;
}

void deallocate_counted(void* block, std::size_t bytes) {
  count_gone(bytes);
  std::free(block);
}

#else

void* allocate_counted(std::size_t bytes) {
  void* block = allocate_large(bytes);
  count_new(large_size(bytes));
  return block;
}

void deallocate_counted(void* block, std::size_t bytes) {
  count_gone(large_size(bytes));
  deallocate_large(block, bytes);
}

#endif

Statistics statistics() {
  Statistics result{.live_blocks = lists.blocks, .live_bytes = lists.bytes, .from_system = lists.from_system};
  for (std::size_t bytes = largest_small_block + 1; bytes < large_from; bytes = size_class(bytes).bytes + 1) {
    const SizeClass size = size_class(bytes);
    for (const FreeBlock* block = lists.heads[size.index]; block; block = block->next) {
      --result.live_blocks;
      result.kept_bytes += size.bytes;
    }
  }
  result.live_bytes -= result.kept_bytes;
  const SmallStatistics small = small_statistics();
  result.live_blocks += small.living_blocks;
  result.live_bytes += small.living_bytes;
  result.kept_bytes += small.free_bytes;
  result.from_system += small.from_system;
  return result;
}

void trim() {
  for (std::size_t bytes = largest_small_block + 1; bytes < large_from; bytes = size_class(bytes).bytes + 1) {
    const SizeClass size = size_class(bytes);
    while (FreeBlock* block = lists.heads[size.index]) {
      lists.heads[size.index] = block->next;
      count_gone(size.bytes);
      std::free(block);
    }
  }
#ifndef BACKSTEP_EVERY_BLOCK_FROM_MALLOC
  trim_large();
#endif
}

}  // namespace autograd::recycler
