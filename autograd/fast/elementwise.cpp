// Shortcuts of functions of one number: the derivative in one pass over memory, written over dy if nobody holds that.
//
// Every file here that has the name of one in ops/ includes that one and is compiled in its place. So it knows the
// nodes, and ops/ need not know of fast/.
#include "autograd/ops/elementwise.cpp"

#include "autograd/fast/step.h"

namespace autograd::fast {
namespace {

struct BackwardKernels {
  void (*on_float32)(float* dx, const float* dy, const float* y, std::int64_t n);
  void (*on_float64)(double* dx, const double* dy, const double* y, std::int64_t n);
};

bool in_one_pass(Step& step, const Tensor& y, const BackwardKernels& kernels) {
  const Tensor dy = step.contiguous_dy();
  const Tensor dx = step.room_for_gradient();
  if (y.dtype() == float32) {
    kernels.on_float32(pointer<float>(dx), pointer<float>(dy), pointer<float>(y), y.numel());
  } else {
    kernels.on_float64(pointer<double>(dx), pointer<double>(dy), pointer<double>(y), y.numel());
  }
  step.hand_on(0, dx);
  return true;
}

bool tanh_backward(Tanh& node, Step& step) {
  return in_one_pass(step, node.use(node.y), {kernels::tanh_backward, kernels::tanh_backward});
}

bool sigmoid_backward(Sigmoid& node, Step& step) {
  return in_one_pass(step, node.use(node.y), {kernels::sigmoid_backward, kernels::sigmoid_backward});
}

[[maybe_unused]] const bool known = set_shortcut<Tanh, tanh_backward>() && set_shortcut<Sigmoid, sigmoid_backward>();

}  // namespace
}  // namespace autograd::fast
