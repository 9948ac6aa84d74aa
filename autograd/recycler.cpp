#include "autograd/recycler.h"

#include <cstdlib>

namespace autograd::recycler {
namespace {

constexpr std::size_t piece = std::size_t{1} << 21;
constexpr std::size_t largest_small_block = 1024;

bool is_cut_from_a_piece(SizeClass size) {
#ifdef BACKSTEP_EVERY_BLOCK_FROM_MALLOC
  (void)size;
  return false;
#else
  return size.bytes <= largest_small_block;
#endif
}

}  // namespace

void* fetch(SizeClass size) {
  if (!is_cut_from_a_piece(size)) {
    ++lists.statistics.from_system;
    return from_system(size.bytes);
  }
  if (lists.piece_left < size.bytes) {
    ++lists.statistics.from_system;
    lists.piece = static_cast<std::byte*>(from_system(piece));  // the rest of the last one is given up
    lists.piece_left = piece;
  }
  void* block = lists.piece;
  lists.piece += size.bytes;
  lists.piece_left -= size.bytes;
  return block;
}

Statistics statistics() {
  Statistics result = lists.statistics;
  for (std::size_t bytes = 1; bytes < large_from; bytes = size_class(bytes).bytes + 1) {
    const SizeClass size = size_class(bytes);
    for (const FreeBlock* block = lists.heads[size.index]; block; block = block->next) result.kept_bytes += size.bytes;
  }
  return result;
}

#ifdef BACKSTEP_EVERY_BLOCK_FROM_MALLOC
void give_back(void* block) {
  std::free(block);
}

void trim() {}
#else
void trim() {
  for (std::size_t bytes = largest_small_block + 1; bytes < large_from; bytes = size_class(bytes).bytes + 1) {
    const SizeClass size = size_class(bytes);
    while (FreeBlock* block = lists.heads[size.index]) {
      lists.heads[size.index] = block->next;
      std::free(block);
    }
  }
  trim_large();
}
#endif

}  // namespace autograd::recycler
