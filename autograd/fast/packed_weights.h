// PackedWeightsGuard: the weights of linear layers, laid out once for many products. A product of matrices begins with
// copying its right factor into the order in which the kernel reads it. While sentences are written word by word, these
// factors, the output layer's above all, are the same at each step.
//
//   const PackedWeightsGuard packed;
//   for (..) step(..);                  whatever calls linear() in here
//
// While it lives, linear() of this thread keeps each weight that it meets in that order too. The results are the same
// to the bit. A weight's version is kept with it: after a change in place it is packed again. What was packed goes with
// the guard, or when another weight comes and nobody else holds this one any more. A guard inside of another one leaves
// everything to that: who translates one batch after the other holds one around them all, and the search's own guard
// finds the weights packed.
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

  // For linear(): the weight [out, in] in the kernel's order (kernels::pack), to be multiplied with so many rows.
  // Undefined if there is no guard, and for so small a product that packing does not pay.
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
