#include "autograd/memory/small_blocks.h"

#include <atomic>
#include <memory>
#include <utility>

#include "autograd/memory/large_blocks.h"

namespace autograd::recycler {

// A block that another thread has freed.
struct ReturnedBlock {
  ReturnedBlock* next;
  std::size_t units;
};

// What a thread's slabs are kept in. Never freed: blocks may outlive their thread. Once it has ended, the next thread
// that begins takes over its slabs.
struct SlabOwner {
  Slab* to_open = nullptr;     // slabs with room, the one that got it last in front
  Slab* slabs = nullptr;       // all
  std::byte* piece = nullptr;  // from which slabs are cut
  std::size_t piece_left = 0;  // what is left of it
  std::size_t from_system = 0;
  Slab* open = &no_slab;                                       // of a thread that has ended
  std::atomic<bool> taken = true;                              // by a thread
  SlabOwner* next = nullptr;                                   // among all
  alignas(64) std::atomic<ReturnedBlock*> returned = nullptr;  // written by other threads
};

namespace {

std::atomic<SlabOwner*> all_owners = nullptr;  // only ever added to

// The slabs of a thread that has ended; nullptr if there are none.
SlabOwner* take_over() {
  for (SlabOwner* owner = all_owners.load(); owner; owner = owner->next) {
    if (!owner->taken.exchange(true)) return owner;
  }
  return nullptr;
}

SlabOwner* new_owner() {
  auto* owner = new (from_system(sizeof(SlabOwner))) SlabOwner;
  owner->next = all_owners.load();
  while (!all_owners.compare_exchange_weak(owner->next, owner)) {
  }
  return owner;
}

// Leaves a thread's slabs to others when it ends.
struct EndOfThread {
  ~EndOfThread() {
    if (!my_slabs) return;
    my_slabs->open = std::exchange(open_slab, &no_slab);
    std::exchange(my_slabs, nullptr)->taken.store(false);
  }
};

SlabOwner& owner_of_thread() {
  if (my_slabs) return *my_slabs;
  SlabOwner* owner = take_over();
  if (!owner) owner = new_owner();
  my_slabs = owner;
  open_slab = std::exchange(owner->open, &no_slab);
  // Static tensors that are freed after this leave their slabs to nobody; the process ends.
  thread_local const EndOfThread end;
  (void)end;
  return *owner;
}

void cut_anew(Slab& slab) {
  slab.cut = reinterpret_cast<std::byte*>(&slab) + sizeof(Slab);
  slab.free.fill(nullptr);
}

Slab& new_slab(SlabOwner& owner) {
  constexpr std::size_t piece = std::size_t{1} << 21;
  if (owner.piece_left == 0) {
    owner.piece = static_cast<std::byte*>(from_system(piece));
    owner.piece_left = piece;
    ++owner.from_system;
  }
  auto* slab = new (owner.piece) Slab;
  owner.piece += Slab::bytes;
  owner.piece_left -= Slab::bytes;
  slab->owner = &owner;
  slab->end = reinterpret_cast<std::byte*>(slab) + Slab::bytes;
  slab->next_of_owner = std::exchange(owner.slabs, slab);
  cut_anew(*slab);
  return *slab;
}

// It is opened again when half of what it holds has been freed: then it has room, of whatever sizes.
void close(Slab& slab) {
  slab.closed = true;
  slab.told_at = slab.living / 2;
}

bool has_room(const Slab& slab, std::size_t units) {
  return slab.free[units - 1] || static_cast<std::size_t>(slab.end - slab.cut) >= units * unit;
}

Slab& next_slab(SlabOwner& owner) {
  if (!owner.to_open) return new_slab(owner);
  Slab& slab = *owner.to_open;
  owner.to_open = slab.next_to_open;
  return slab;
}

void take_back_returned(SlabOwner& owner) {
  ReturnedBlock* block = owner.returned.exchange(nullptr, std::memory_order_acquire);
  while (block) {
    ReturnedBlock* const next = block->next;
    deallocate_small(block, block->units);
    block = next;
  }
}

}  // namespace

void* allocate_from_next_slab(std::size_t units) {
  SlabOwner& owner = owner_of_thread();
  take_back_returned(owner);
  while (!has_room(*open_slab, units)) {
    Slab& slab = next_slab(owner);
    if (open_slab != &no_slab) close(*open_slab);
    open_slab = &slab;
  }
  return allocate_small(units);
}

void return_to_owner(void* block, std::size_t units) {
  SlabOwner& owner = *slab_of(block).owner;
  auto* returned = new (block) ReturnedBlock{owner.returned.load(std::memory_order_relaxed), units};
  while (!owner.returned.compare_exchange_weak(returned->next, returned, std::memory_order_release)) {
  }
}

// An open slab, and one that waits to be opened, are looked at when they are empty.
void is_emptier(Slab& slab) {
  if (slab.closed) {
    slab.closed = false;
    slab.told_at = 0;
    slab.next_to_open = std::exchange(my_slabs->to_open, &slab);
  }
  if (slab.living == 0) cut_anew(slab);
}

SmallStatistics small_statistics() {
  SmallStatistics result;
  if (!my_slabs) return result;
  take_back_returned(*my_slabs);
  result.from_system = my_slabs->from_system;
  for (const Slab* slab = my_slabs->slabs; slab; slab = slab->next_of_owner) {
    result.living_blocks += slab->living;
    result.living_bytes += Slab::bytes - sizeof(Slab) - static_cast<std::size_t>(slab->end - slab->cut);
    for (std::size_t units = 1; units <= slab->free.size(); ++units) {
      for (const FreeBlock* block = slab->free[units - 1]; block; block = block->next) {
        result.free_bytes += units * unit;
      }
    }
  }
  result.living_bytes -= result.free_bytes;
  return result;
}

}  // namespace autograd::recycler
