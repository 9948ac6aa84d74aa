// The shortcut of embedding: adds the rows of dy to the weight's gradient in place, without another tensor as large as
// the vocabulary.
#include "autograd/ops/gather.cpp"

#include "autograd/fast/step.h"

namespace autograd::fast {
namespace {

bool embedding_backward(Embedding& node, Step& step) {
  const Tensor ids = node.use(node.ids);
  const Tensor rows = contiguous_values(node.rows_without_padding(step.dy()));
  const Tensor sum = step.gradient_to_add_to(0);
  with_float_type(sum.dtype(), [&]<class T>(T) {
    kernels::index_add(pointer<T>(sum), pointer<T>(rows), pointer<std::int64_t>(ids), 1, sum.shape()[0], sum.shape()[1],
                       ids.numel());
  });
  return true;
}

[[maybe_unused]] const bool known = set_shortcut<Embedding, embedding_backward>();

}  // namespace
}  // namespace autograd::fast
