// PackedWeightsGuard: packs the weights of linear layers once, for many products. Every matrix product begins with a
// copy of its right factor in the order in which the kernel reads it. When a sentence is generated word by word, these
// factors are the same at every step, and the output layer's is large.
//
//   const PackedWeightsGuard packed;
//   for (..) step(..);                  // calls linear()
//
// While it lives, linear() on this thread keeps a packed copy of each weight. Results are the same to the bit. A weight
// that was changed in place is packed again. A copy is freed with the guard, or as soon as a new weight is packed and
// nobody else holds the old one. A guard inside of another one does nothing: a program that translates many batches
// holds one around them all, and the guard in the beam search then finds the weights packed.
#pragma once

#include <cstddef>
#include <vector>

#include "autograd/tensor/tensor.h"

namespace autograd {

class PackedWeightsGuard {
 public:
  PackedWeightsGuard() {
    if (!outermost) outermost = this;
  }
  ~PackedWeightsGuard() {
    if (outermost == this) outermost = nullptr;
  }
  PackedWeightsGuard(const PackedWeightsGuard&) = delete;
  PackedWeightsGuard& operator=(const PackedWeightsGuard&) = delete;

  // For linear(): the packed copy (kernels::pack) of a weight [out, in], for a product with `rows` rows. Undefined
  // without a guard, and for products too small for packing to pay.
  static Tensor find(const Tensor& weight, std::int64_t rows);
  // How many weights the outermost guard holds packed.
  static std::size_t count();

 private:
  struct Entry {
    Tensor weight;
    Tensor packed = Tensor();
    std::uint32_t version = 0;  // of the weight's memory, when it was packed

    bool is_of(const Tensor& other) const;
    void pack();
  };

  void drop_forgotten();

  static inline constinit thread_local PackedWeightsGuard* outermost = nullptr;
  std::vector<Entry> entries_;
};

}  // namespace autograd
