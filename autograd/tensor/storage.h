// Storage: what is known of the memory behind one tensor and all its views. It knows how often that was changed in
// place, and by whom, so that backward can tell a value that it saved from one that was overwritten since.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "autograd/tensor/ref.h"
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

// Gives back the block that it lies in (tensor.cpp).
void release(Storage* storage);

}  // namespace autograd
