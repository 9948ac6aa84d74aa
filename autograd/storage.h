// Storage: the memory behind one tensor and all its views, in one block with its header. It knows
// how often it was changed in place, and by whom, so that backward can tell a value that it saved
// from one that was overwritten since.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

#include "autograd/recycler.h"
#include "autograd/ref.h"
#include "autograd/where.h"

namespace autograd {

struct alignas(64) Storage {
  std::uint32_t refs = 0;
  std::uint32_t version = 0;          // changes in place so far
  std::int64_t bytes = 0;             // usable size
  std::int64_t recorded_views = 0;    // living views that take part in a graph
  const char* last_writer = nullptr;  // the op of the last change in place, and its line
  Where last_write;
  Where last_write_origin;  // where the outermost module or optimiser around it was called

  std::byte* data() { return reinterpret_cast<std::byte*>(this) + sizeof(Storage); }
};

void release(Storage* storage);
[[noreturn]] void fail_out_of_memory(std::int64_t bytes);

// Memory of that many bytes, aligned to 64, with unspecified contents. Throws out-of-memory.
inline Ref<Storage> new_storage(std::int64_t bytes) {
  try {
    Ref<Storage> storage(new (recycler::allocate(sizeof(Storage) + static_cast<std::size_t>(bytes))) Storage);
    storage->bytes = bytes;
#ifndef NDEBUG
    std::memset(storage->data(), 0xff, static_cast<std::size_t>(bytes));  // NaN: what is never written shows
#endif
    return storage;
  } catch (const std::bad_alloc&) {
    fail_out_of_memory(bytes);
  }
}

}  // namespace autograd
