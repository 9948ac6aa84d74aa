// x.add_(other, alpha) and x.mul_(number) in one pass over memory, without a tensor for the result.
#include "autograd/ops/in_place.cpp"

namespace autograd::fast {
namespace {

bool add_in_memory(const char* op, const Tensor& x, double alpha, const Tensor& other, Where where) {
  const bool is_recorded = grad_enabled() && (x.requires_grad() || other.requires_grad());
  const bool is_flat = x.is_contiguous() && other.is_contiguous() && x.shape() == other.shape();
  if (is_recorded || !is_flat || !is_floating(x.dtype()) || share_memory(x, other)) return false;
  prepare_write(x);
  with_float_type(x.dtype(), [&]<class T>(T) {
    kernels::axpy(pointer<T>(x), static_cast<T>(alpha), pointer<T>(other), x.numel());
  });
  mark_written(x, op, where);
  return true;
}

bool scale_in_memory(const Tensor& x, double factor, Where where) {
  const bool is_recorded = grad_enabled() && x.requires_grad();
  if (is_recorded || !is_floating(x.dtype()) || !x.is_contiguous()) return false;
  prepare_write(x);
  with_float_type(x.dtype(), [&]<class T>(T) { kernels::scale(pointer<T>(x), static_cast<T>(factor), x.numel()); });
  mark_written(x, "mul_", where);
  return true;
}

[[maybe_unused]] const bool open = [] {
  adding_in_memory.run = add_in_memory;
  scaling_in_memory.run = scale_in_memory;
  return true;
}();

}  // namespace
}  // namespace autograd::fast
