// The shortcut of Mul: db is added in place to the gradient of b, da is written over dy. p * p takes one pass.
#include "autograd/ops/arithmetic.cpp"

#include "autograd/fast/step.h"

namespace autograd::fast {
namespace {

// sum += dy * factor, in one pass. False unless all three have one shape and are contiguous.
bool add_product(const Tensor& sum, const Tensor& dy, const Tensor& factor) {
  if (!sum.defined() || !(sum.shape() == dy.shape()) || !(factor.shape() == dy.shape())) return false;
  if (!dy.is_contiguous() || !factor.is_contiguous()) return false;
  with_float_type(dy.dtype(), [&]<class T>(T) {
    kernels::add_product(pointer<T>(sum), pointer<T>(dy), pointer<T>(factor), dy.numel());
  });
  return true;
}

// dx = dy * factor, of dy's shape.
void multiply_into(const Tensor& dx, const Tensor& dy, const Tensor& factor) {
  const kernels::Walk walk = walk_over(dx, dy, factor, dy.shape() == factor.shape());
  with_float_type(dy.dtype(),
                  [&]<class T>(T) { kernels::mul(pointer<T>(dx), pointer<T>(dy), pointer<T>(factor), walk); });
}

// Of p * p: both gradients are dy * p, and their sum is written over dy. False unless p is contiguous, as dy is.
bool square_backward(Step& step, const Tensor& p) {
  if (!p.is_contiguous() || !step.dy().is_contiguous()) return false;
  const Tensor dp = step.room_for_gradient();
  with_float_type(p.dtype(), [&]<class T>(T) {
    kernels::twice_product(pointer<T>(dp), pointer<T>(step.dy()), pointer<T>(p), p.numel());
  });
  step.hand_on(0, dp);
  return true;
}

bool mul_backward(Mul& node, Step& step) {
  if (step.needs(0) && step.begins_gradient_of_both() && square_backward(step, node.use(node.a))) return true;
  if (step.needs(1) && !add_product(step.gradient_so_far(1), step.dy(), node.use(node.a))) {
    step.hand_on(1, step.dy() * node.use(node.a));
  }
  if (step.needs(0)) {  // last, because it may overwrite dy
    const Tensor da = step.room_for_gradient();
    multiply_into(da, step.dy(), node.use(node.b));
    step.hand_on(0, da);
  }
  return true;
}

[[maybe_unused]] const bool known = set_shortcut<Mul, mul_backward>();

}  // namespace
}  // namespace autograd::fast
