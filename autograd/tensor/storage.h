// Storage: the memory that a tensor shares with all its views. It counts the changes in place and remembers the last
// one, so that backward() notices when a value that it needs was overwritten.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "autograd/memory/ref.h"
#include "autograd/tensor/scope.h"
#include "autograd/tensor/where.h"

namespace autograd {

struct Differentiated;  // error.h

// A backward pass that runs in this thread, as memory and errors see it (tape/pass.h has the rest). Memory in which one
// of its gradients lies is lent to it: nobody may change it in place, because other gradients, and tensors of the
// caller, may lie there too.
struct RunningPass {
  const std::uint32_t number;      // no other pass has it
  const RunningPass* const outer;  // the pass in which this one runs

  virtual Differentiated differentiated() const = 0;  // what the op whose turn it is differentiates

 protected:
  RunningPass(std::uint32_t one, const RunningPass* other) : number(one), outer(other) {}
  ~RunningPass() = default;
};

struct Storage {
  // What the memory held before a change in place, for those who keep its values (ops/fused.h).
  struct Old {
    std::uint32_t version;
    std::uint32_t keepers;
    std::vector<std::byte> bytes;
  };
  // A change in place.
  struct Write {
    const char* op = nullptr;
    Where where = {};
    Where origin = {};  // the innermost line of the user's program that called a module or an optimiser around it
    std::vector<Old> old = {};
  };

  std::uint32_t refs = 0;
  std::uint32_t version = 0;          // changes in place so far
  std::byte* data = nullptr;          // the elements, aligned to 64
  std::int64_t bytes = 0;             // usable size
  std::uint32_t recorded_views = 0;   // living views that take part in a graph
  std::uint32_t keepers = 0;          // how many Kept (ops/fused.h) hold the values as they are now
  std::unique_ptr<Write> last_write;  // none as long as the version is 0
  std::uint32_t lent_to = 0;          // the number of a pass; one that no longer runs counts for nothing

  bool is_lent() const {
    const RunningPass* one = around_op.pass;
    while (one && one->number != lent_to) one = one->outer;
    return one != nullptr;
  }
  // Lends it to the pass that runs, until that ends. What an outer pass has borrowed stays lent to the outer one.
  void lend() {
    if (!is_lent()) lent_to = around_op.pass->number;
  }
};

// Frees the block that the storage lies in (tensor_impl.cpp).
void release(Storage* storage);

}  // namespace autograd
