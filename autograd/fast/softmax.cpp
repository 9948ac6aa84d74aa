// Shortcuts of softmax along the last dim: the derivative in one pass over each row, with the same bits as the formula.
#include "autograd/ops/softmax.cpp"

#include "autograd/fast/step.h"

namespace autograd::fast {
namespace {

// kernel(dx, dy, y, rows, n)
template <class Kernel> bool in_one_pass(Step& step, const Tensor& y, Kernel kernel) {
  const Tensor dy = step.contiguous_dy();
  const Tensor dx = make_tensor(y.shape(), y.dtype());
  const AroundDim around = around_dim(y.shape(), y.dim() > 0 ? y.dim() - 1 : 0);
  with_float_type(y.dtype(),
                  [&]<class T>(T) { kernel(pointer<T>(dx), pointer<T>(dy), pointer<T>(y), around.outer, around.n); });
  step.hand_on(0, dx);
  return true;
}

constexpr auto softmax_kernel = [](auto... arguments) { kernels::softmax_backward(arguments...); };
constexpr auto log_softmax_kernel = [](auto... arguments) { kernels::log_softmax_backward(arguments...); };

// A tensor without dims counts as a list of one: its dim 0 is the last.
bool is_last(int dim, const Node& node) {
  return dim >= node.shape.dim() - 1;
}

bool softmax_backward(Softmax& node, Step& step) {
  return is_last(node.dim, node) && in_one_pass(step, node.use(node.y), softmax_kernel);
}

bool log_softmax_backward(LogSoftmax& node, Step& step) {
  return is_last(node.dim, node) && in_one_pass(step, node.use(node.y), log_softmax_kernel);
}

bool masked_softmax_backward(MaskedSoftmax& node, Step& step) {
  return in_one_pass(step, node.use(node.y), softmax_kernel);
}

[[maybe_unused]] const bool known = set_shortcut<Softmax, softmax_backward>() &&
                                    set_shortcut<LogSoftmax, log_softmax_backward>() &&
                                    set_shortcut<MaskedSoftmax, masked_softmax_backward>();

}  // namespace
}  // namespace autograd::fast
