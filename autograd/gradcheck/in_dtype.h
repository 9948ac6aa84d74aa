// InDType: tensors in another floating dtype for a while, with every handle, module and closure that holds them
// seeing the change. So a float32 program is checked in float64 as it stands.
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
  // Floating leaves (tensors that no op made); each gets contiguous memory of its own, whatever its dtype was.
  // Throws bad-argument for any other tensor. Graphs that were made from them must not be used meanwhile.
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
