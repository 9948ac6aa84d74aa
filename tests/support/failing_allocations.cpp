#include "tests/support/failing_allocations.h"

#include <autograd/memory/recycler.h>

#include <cstdlib>

namespace fixtures {
namespace {

constinit thread_local std::int64_t left = 0;  // allocations until one fails; 0: none does
constinit thread_local bool failed = false;

// Is this the allocation that fails?
bool is_failing() {
  if (left == 0 || --left > 0) return false;
  failed = true;
  return true;
}

// nullptr where there is none. posix_memalign, as aligned_alloc is replaced below.
void* aligned_block(std::size_t alignment, std::size_t bytes) {
  if (is_failing()) return nullptr;
  void* block = nullptr;
  return posix_memalign(&block, alignment, bytes) == 0 ? block : nullptr;
}

void* block_of(std::size_t bytes) {
  return is_failing() ? nullptr : std::malloc(bytes == 0 ? 1 : bytes);
}

void* not_null(void* block) {
  if (!block) throw std::bad_alloc();
  return block;
}

}  // namespace

FailingAllocations::FailingAllocations(std::int64_t n) {
  autograd::recycler::trim();  // what is kept would hide that there is no more
  failed = false;
  left = n;
}

FailingAllocations::~FailingAllocations() {
  left = 0;
}

bool FailingAllocations::has_failed() const {
  return failed;
}

}  // namespace fixtures

// ---- the allocation functions of the whole program -----------------------------------------------------------

using fixtures::aligned_block;
using fixtures::block_of;
using fixtures::not_null;
using Alignment = std::align_val_t;

// clang-format off
void* operator new(std::size_t bytes) { return not_null(block_of(bytes)); }
void* operator new[](std::size_t bytes) { return not_null(block_of(bytes)); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return block_of(bytes); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept { return block_of(bytes); }
void* operator new(std::size_t bytes, Alignment to) { return not_null(aligned_block(std::size_t(to), bytes)); }
void* operator new[](std::size_t bytes, Alignment to) { return not_null(aligned_block(std::size_t(to), bytes)); }
void* operator new(std::size_t bytes, Alignment to, const std::nothrow_t&) noexcept { return aligned_block(std::size_t(to), bytes); }
void* operator new[](std::size_t bytes, Alignment to, const std::nothrow_t&) noexcept { return aligned_block(std::size_t(to), bytes); }

void operator delete(void* block) noexcept { std::free(block); }
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t) noexcept { std::free(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { std::free(block); }
void operator delete[](void* block, const std::nothrow_t&) noexcept { std::free(block); }
void operator delete(void* block, Alignment) noexcept { std::free(block); }
void operator delete[](void* block, Alignment) noexcept { std::free(block); }
void operator delete(void* block, std::size_t, Alignment) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t, Alignment) noexcept { std::free(block); }
void operator delete(void* block, Alignment, const std::nothrow_t&) noexcept { std::free(block); }
void operator delete[](void* block, Alignment, const std::nothrow_t&) noexcept { std::free(block); }
// clang-format on

// The engine's blocks: from_system() in autograd/memory/recycler.cpp.
extern "C" void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
  return aligned_block(alignment, bytes);
}
