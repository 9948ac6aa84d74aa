#include "autograd/recycler.h"

#include <sys/mman.h>

#include <cstdlib>

namespace autograd::recycler {
namespace {

constexpr std::size_t alignment = 64;
constexpr std::size_t huge_page = std::size_t{1} << 21;
constexpr std::size_t largest_small_block = 1024;
constexpr std::size_t largest_block = std::size_t{1} << 39;  // half a terabyte

// Memory from the system. From a huge page on it asks for huge pages: a fresh page costs the same to touch whatever
// its size.
void* from_system(std::size_t bytes) {
  ++lists.statistics.from_system;
  const bool large = bytes >= huge_page;
  const std::size_t align = large ? huge_page : alignment;
  void* block = std::aligned_alloc(align, (bytes + align - 1) / align * align);
  if (!block) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  if (large) madvise(block, bytes, MADV_HUGEPAGE);
#endif
  return block;
}

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
  if (size.bytes > largest_block) throw std::bad_alloc();
  if (!is_cut_from_a_piece(size)) return from_system(size.bytes);
  if (lists.piece_left < size.bytes) {
    lists.piece = static_cast<std::byte*>(from_system(huge_page));  // the rest of the last one is given up
    lists.piece_left = huge_page;
  }
  void* block = lists.piece;
  lists.piece += size.bytes;
  lists.piece_left -= size.bytes;
  return block;
}

void give_back(void* block, SizeClass size) {
  if (!is_cut_from_a_piece(size)) return std::free(block);
  lists.heads[size.index] = new (block) FreeBlock{lists.heads[size.index]};
  lists.statistics.kept_bytes += size.bytes;
}

Statistics statistics() {
  return lists.statistics;
}

void trim() {
#ifndef BACKSTEP_EVERY_BLOCK_FROM_MALLOC
  for (std::size_t bytes = largest_small_block + 1; bytes < largest_block; bytes = size_class(bytes).bytes + 1) {
    const SizeClass size = size_class(bytes);
    while (FreeBlock* block = lists.heads[size.index]) {
      lists.heads[size.index] = block->next;
      lists.statistics.kept_bytes -= size.bytes;
      std::free(block);
    }
  }
#endif
}

}  // namespace autograd::recycler
