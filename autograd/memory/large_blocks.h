// The recycler's large blocks: cut from ranges of memory that are kept, split and joined again, so that what a step of
// training frees serves the next one whatever its sizes are. Batches of sentences have another length each time: lists
// by size would keep a block of every size that was ever needed.
//
// All threads share them.
#pragma once

#include <cstddef>

namespace autograd::recycler {

// From here on a block is large. Finding one costs some 100 ns; to fill it, ten microseconds at least.
inline constexpr std::size_t large_from = std::size_t{1} << 18;

// What a large block of `bytes` really takes: whole pages.
constexpr std::size_t large_size(std::size_t bytes) {
  constexpr std::size_t page = 4096;
  return (bytes + page - 1) / page * page;
}

// Aligned to 64. Throws std::bad_alloc.
void* allocate_large(std::size_t bytes);
// `bytes` is what was asked for.
void deallocate_large(void* block, std::size_t bytes);

// Bytes: what the system was asked for, and what of it is free. Of all threads.
struct LargeStatistics {
  std::size_t from_system = 0;
  std::size_t free_bytes = 0;
};
LargeStatistics large_statistics();

// The system gets back the memory behind what is free; the addresses stay ours.
void trim_large();

// Memory from the system, aligned to 64. From 2 MiB on huge pages are asked for: a fresh page costs the same to touch
// whatever its size. Throws std::bad_alloc.
void* from_system(std::size_t bytes);

}  // namespace autograd::recycler
