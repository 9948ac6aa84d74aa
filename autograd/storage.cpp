#include "autograd/storage.h"

#include <fmt/core.h>

#include <cstring>
#include <new>

#include "autograd/error.h"
#include "autograd/recycler.h"

namespace autograd {

Ref<Storage> new_storage(std::int64_t bytes) {
  const std::size_t total = sizeof(Storage) + static_cast<std::size_t>(bytes);
  void* block = nullptr;
  try {
    block = recycler::allocate(total);
  } catch (const std::bad_alloc&) {
    fail(ErrorId::out_of_memory, "tensor", Where{}, fmt::format("{} bytes cannot be had", bytes),
         "use smaller batches or sequences, or release what is no longer needed");
  }
  Storage* storage = new (block) Storage;
  storage->bytes = bytes;
#ifndef NDEBUG
  std::memset(storage->data(), 0xff, static_cast<std::size_t>(bytes));  // NaN: what is never written shows
#endif
  return Ref<Storage>(storage);
}

void release(Storage* storage) {
  const std::size_t total = sizeof(Storage) + static_cast<std::size_t>(storage->bytes);
  storage->~Storage();
  recycler::deallocate(storage, total);
}

}  // namespace autograd
