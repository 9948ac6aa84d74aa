#include "autograd/storage.h"

#include <fmt/core.h>

#include "autograd/error.h"

namespace autograd {

void fail_out_of_memory(std::int64_t bytes) {
  fail(ErrorId::out_of_memory, "tensor", Where{}, fmt::format("{} bytes cannot be had", bytes),
       "use smaller batches or sequences, or release what is no longer needed");
}

void release(Storage* storage) {
  const std::size_t total = sizeof(Storage) + static_cast<std::size_t>(storage->bytes);
  storage->~Storage();
  recycler::deallocate(storage, total);
}

}  // namespace autograd
