// The recycler's small blocks: nodes, and tensors of few elements. They are cut from slabs one after the other,
// whatever their size, so that what a program makes in turn lies in turn, and backward() finds it there. (Lists by size
// alone would hand out the blocks of a freed graph in the order in which it was freed: scattered.)
//
// A slab has its own lists of freed blocks. The slab that is cut from hands those out first: they are still in the
// cache. A slab of which all blocks are free is cut anew from its beginning.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>

namespace autograd::recycler {

inline constexpr std::size_t unit = 64;  // the sizes of small blocks are multiples of it
inline constexpr std::size_t largest_small_block = 16 * unit;

struct FreeBlock {
  FreeBlock* next;
};

struct SlabOwner;

// Begins at a multiple of `bytes`, so that a block's address tells its slab.
struct alignas(unit) Slab {
  static constexpr std::size_t bytes = std::size_t{1} << 16;

  SlabOwner* owner = nullptr;
  std::byte* cut = nullptr;  // where the next block is cut
  std::byte* end = nullptr;
  std::uint32_t living = 0;       // blocks handed out and not yet returned
  std::uint32_t told_at = 0;      // when so few are left, is_emptier() is told
  bool closed = false;            // it had no room for a block, and does not wait to be opened again
  Slab* next_to_open = nullptr;   // in the owner's list of those that wait
  Slab* next_of_owner = nullptr;  // among all slabs of the owner
  std::array<FreeBlock*, largest_small_block / unit> free{};  // by size in units, less one
};

inline Slab& slab_of(void* block) {
  return *reinterpret_cast<Slab*>(reinterpret_cast<std::uintptr_t>(block) & ~(Slab::bytes - 1));
}

inline constinit Slab no_slab{};  // has no room

// This thread's. A thread that has none yet, or has ended but for its static tensors, has no owner.
inline constinit thread_local SlabOwner* my_slabs = nullptr;
inline constinit thread_local Slab* open_slab = &no_slab;  // the one that blocks are cut from

void* allocate_from_next_slab(std::size_t units);
void return_to_owner(void* block, std::size_t units);
void is_emptier(Slab& slab);

struct SmallStatistics {
  std::size_t living_blocks = 0;
  std::size_t living_bytes = 0;
  std::size_t free_bytes = 0;   // in lists
  std::size_t from_system = 0;  // times that the system was asked for memory
};
SmallStatistics small_statistics();  // of this thread's slabs

// A block of so many units. Throws std::bad_alloc.
inline void* allocate_small(std::size_t units) {
  Slab& slab = *open_slab;
  FreeBlock*& head = slab.free[units - 1];
  if (FreeBlock* block = head) {
    head = block->next;
    ++slab.living;
    return block;
  }
  std::byte* const block = slab.cut;
  if (static_cast<std::size_t>(slab.end - block) < units * unit) return allocate_from_next_slab(units);
  slab.cut = block + units * unit;
  ++slab.living;
  return block;
}

// On any thread.
inline void deallocate_small(void* block, std::size_t units) {
  Slab& slab = slab_of(block);
  if (slab.owner != my_slabs) return return_to_owner(block, units);
  FreeBlock*& head = slab.free[units - 1];
  head = new (block) FreeBlock{head};
  if (--slab.living <= slab.told_at) is_emptier(slab);
}

}  // namespace autograd::recycler
