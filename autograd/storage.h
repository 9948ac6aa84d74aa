// Storage: the memory behind one tensor and all its views: a header, and the elements after it. It knows
// how often it was changed in place, and by whom, so that backward can tell a value that it saved
// from one that was overwritten since.
#pragma once

#include <cstddef>
#include <cstdint>

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

// Gives back the block that it lies in (tensor.cpp).
void release(Storage* storage);

}  // namespace autograd
