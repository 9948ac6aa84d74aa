// InDType: converts tensors to another floating dtype for a while. Every handle, module and closure that holds them
// sees the change, so that a float32 program can be checked in float64 as it is.
//
//   {
//     InDType float64_for_now(tensors, float64);
//     ...                                          // the same tensors, in memory of their own
//   }                                              // as before, to the last bit
#pragma once

#include <vector>

#include "autograd/tensor/tensor.h"

namespace autograd {

class InDType {
 public:
  // Takes floating leaves (tensors that no op made), and throws bad-argument for any other tensor. Each gets new
  // contiguous memory, even if it has the dtype already. Graphs made from them must not be used meanwhile.
  InDType(const std::vector<Tensor>& tensors, DType dtype, Where where = Where::current());
  ~InDType();
  InDType(const InDType&) = delete;
  InDType& operator=(const InDType&) = delete;

 private:
  struct Original {
    Tensor tensor;
    DType dtype;
    bool requires_grad;
    bool contiguous;
    Strides strides;
    std::byte* first;
    Ref<Storage> storage;
    Leaf* leaf;
  };
  void convert(const Tensor& tensor, DType dtype);

  std::vector<Original> originals_;
};

}  // namespace autograd
