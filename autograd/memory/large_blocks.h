// The recycler's large blocks, which all threads share. They are cut from large pieces of memory, and joined again when
// freed. (Batches of sentences have new sizes at each training step; lists by size would keep blocks of every size that
// was ever needed.)
#pragma once

#include <cstddef>

namespace autograd::recycler {

// Blocks from this size on are large. Finding one takes some 100 ns; filling it, at least ten microseconds.
inline constexpr std::size_t large_from = std::size_t{1} << 18;

// The size that a large block of `bytes` really takes: whole pages.
constexpr std::size_t large_size(std::size_t bytes) {
  constexpr std::size_t page = 4096;
  return (bytes + page - 1) / page * page;
}

// Aligned to 64. Throws std::bad_alloc.
void* allocate_large(std::size_t bytes);
// `bytes` is the size that was asked for.
void deallocate_large(void* block, std::size_t bytes);

// In bytes, of all threads: what the system was asked for, and the part of it that is free.
struct LargeStatistics {
  std::size_t from_system = 0;
  std::size_t free_bytes = 0;
};
LargeStatistics large_statistics();

// Gives the pages of free parts back to the system, but keeps their addresses.
void trim_large();

// Memory from the system, aligned to 64. From 2 MiB on, it asks for huge pages: the first touch of a page costs the
// same whatever the page's size. Throws std::bad_alloc.
void* from_system(std::size_t bytes);

}  // namespace autograd::recycler
