// Shortcuts of slices: dy is added in place to its part of the gradient, without a tensor that is 0 around it. A loop
// that takes one slice per step would otherwise write the whole sequence at every step.
#include "autograd/ops/slice.cpp"

#include "autograd/fast/step.h"

namespace autograd::fast {
namespace {

// window += values, where the window may be a view of a larger tensor.
void add_to_window(const Tensor& window, const Tensor& values) {
  const Tensor values_ = contiguous_values(values);
  with_float_type(window.dtype(), [&]<class T>(T) {
    kernels::add_into(pointer<T>(window), pointer<T>(values_), make_walk(window.shape(), window.strides()));
  });
}

bool slice_backward(SliceOp& node, Step& step) {
  add_to_window(slice(step.gradient_to_add_to(0), node.dim, node.part), step.dy());
  return true;
}

bool select_backward(Select& node, Step& step) {
  add_to_window(select(step.gradient_to_add_to(0), node.dim, node.position), step.dy());
  return true;
}

[[maybe_unused]] const bool known = set_shortcut<SliceOp, slice_backward>() && set_shortcut<Select, select_backward>();

}  // namespace
}  // namespace autograd::fast
