#include "autograd/ops/all_ops.h"

namespace autograd {

std::vector<const OpInfo*> all_ops() {
  std::vector<const OpInfo*> all;
  for (const OpList ops : {arithmetic_ops(), compare_ops(), dropout_ops(), elementwise_ops(), gather_ops(), loss_ops(),
                           matmul_ops(), reduce_ops(), shape_ops(), slice_ops(), softmax_ops()}) {
    all.insert(all.end(), ops.begin(), ops.end());
  }
  return all;
}

}  // namespace autograd
