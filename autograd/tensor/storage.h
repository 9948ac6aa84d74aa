// Storage: the memory that a tensor shares with all its views. It counts the changes in place and remembers the last
// one, so that backward() notices when a value that it needs was overwritten.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "autograd/memory/ref.h"
#include "autograd/tensor/where.h"

namespace autograd {

struct Storage {
  // A change in place.
  struct Write {
    const char* op;
    Where where;
    Where origin;  // where the outermost module or optimiser around it was called
  };

  std::uint32_t refs = 0;
  std::uint32_t version = 0;          // changes in place so far
  std::byte* data = nullptr;          // the elements, aligned to 64
  std::int64_t bytes = 0;             // usable size
  std::int64_t recorded_views = 0;    // living views that take part in a graph
  std::unique_ptr<Write> last_write;  // none as long as the version is 0
};

// Frees the block that the storage lies in (tensor_impl.cpp).
void release(Storage* storage);

}  // namespace autograd
