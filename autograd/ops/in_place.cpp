// Changes in place. Each is the out-of-place op: its result is written over the old values, and its node, if any,
// becomes the tensor's. No such node may save x itself: it would own itself through x.
#include "autograd/ops/op.h"

namespace autograd {
namespace {

void check_may_change(const char* op, const Tensor& x, Where where) {
  check_writable(op, x, where);
  if (!grad_enabled()) return;
  if (x.requires_grad() && x.is_leaf()) {
    fail(ErrorId::in_place_on_leaf, op, where,
         fmt::format("this {} tensor is a leaf that requires gradients, and its old values would be lost", x.shape()),
         "change parameters under NoGradGuard, as optimisers do, or compute a new tensor");
  }
  const Storage& storage = *x.impl()->storage;
  if (x.requires_grad() && storage.recorded_views > 0 && storage.refs > 1) {
    fail(ErrorId::in_place_on_view, op, where,
         fmt::format("the memory of this {} tensor is also seen through a view in the graph", x.shape()),
         "use the out-of-place form, or clone() first");
  }
}

void check_fits(const char* op, const Tensor& x, const Tensor& other, Where where) {
  check_same_dtype(op, x, other, where);
  if (broadcast(op, x.shape(), other.shape(), where) == x.shape()) return;
  fail_shapes(op, x.shape(), other.shape(), where, "the result would be larger than the tensor changed in place",
              "use the out-of-place form");
}

bool share_memory(const Tensor& x, const Tensor& other) {
  return other.impl() != x.impl() && other.impl()->storage == x.impl()->storage;
}

// Writes the values of `source`, expanded, into the memory of x. Nothing can fail once the first element is written.
void overwrite(const Tensor& x, const Tensor& source, const char* op, Where where) {
  const Tensor source_ = source.detach().expand(x.shape());
  prepare_write(x);
  write_into(x, share_memory(x, source_) ? autograd::clone(source_) : source_);
  mark_written(x, op, where);
}

// Throws if x would join the graph while other tensors see its memory: they would change, but get no gradient.
void check_may_join_graph(const char* op, const Tensor& x, Where where) {
  if (x.requires_grad() || x.impl()->storage->refs == 1) return;
  fail(ErrorId::in_place_on_view, op, where,
       fmt::format("the memory of this {} tensor, outside the graph, is also seen through another one, which would not "
                   "know of the gradient",
                   x.shape()),
       "compute the parts and join them with stack() or cat(), or clone() first");
}

// Makes `node` the op that made x, in the place of the one before; or none. Hooks stay with the op that made the old
// values; x keeps its name and, after retain_grad(), the gradient of its newest value.
class OpReplacement {
 public:
  // Allocates what set() needs, so that it cannot fail.
  OpReplacement(const Tensor& x, Node* node) : impl_(*x.impl()), node_(node), before_(impl_.meta), after_(before_) {
    if (!before_ || !impl_.grad_fn) return;
    after_ = Ref<TensorMeta>(new TensorMeta);
    after_->name = before_->name;
    after_->hooks_made = before_->hooks_made;
    if (node && before_->retains_grad) node->attach();
  }
  void set() {
    impl_.grad_fn = Ref<OwnedNode>(node_);
    if (after_ == before_) return;
    std::swap(after_->gradient, before_->gradient);
    std::swap(after_->watched, before_->watched);
    std::swap(after_->had_gradient, before_->had_gradient);
    std::swap(after_->retains_grad, before_->retains_grad);
    if (node_ && after_->retains_grad) node_->attachments->output_meta = after_;
    impl_.meta = after_;
  }

 private:
  TensorImpl& impl_;
  Node* node_;
  Ref<TensorMeta> before_;
  Ref<TensorMeta> after_;
};

// x becomes `result`, which was computed from it out of place.
void assign(const Tensor& x, const Tensor& result, const char* op, Where where) {
  Node* node = result.grad_fn();
  if (node) check_may_join_graph(op, x, where);
  OpReplacement replacement(x, node);
  overwrite(x, result, op, where);
  if (node) replacement.set();
}

// Tells an observer which path to the loss ends here: the overwritten values', or without recording, the new ones'.
void tell_of_copy(const Tensor& x, const Tensor& source, Where where) {
  const Tensor* const ends = grad_enabled() ? &x : &source;
  tell_untaped(grad_enabled() ? Untaped::Why::overwritten : Untaped::Why::grad_mode_off, "copy_", InputList(&ends, 1),
               where);
}

// Tells an observer that a path to the loss ends here: the change is not recorded.
void tell_not_recorded(const char* op, const Tensor& x, const Tensor& other, Where where) {
  if (!observer() || grad_enabled()) return;
  const Tensor* const inputs[] = {&x, &other};
  tell_untaped(Untaped::Why::grad_mode_off, op, InputList(inputs, other.defined() ? 2 : 1), where);
}

// x += alpha * other, or x *= alpha without other, in the memory of x, where the change is not recorded.
bool change_in_memory(const char* op, const Tensor& x, double alpha, const Tensor& other, Where where) {
  const bool is_recorded = grad_enabled() && (x.requires_grad() || (other.defined() && other.requires_grad()));
  if (is_recorded || !is_floating(x.dtype()) || !x.is_contiguous()) return false;
  if (other.defined() && (!other.is_contiguous() || !(x.shape() == other.shape()) || share_memory(x, other)))
    return false;
  tell_not_recorded(op, x, other, where);
  prepare_write(x);
  with_float_type(x.dtype(), [&]<class T>(T) {
    if (other.defined()) {
      kernels::axpy(pointer<T>(x), static_cast<T>(alpha), pointer<T>(other), x.numel());
    } else {
      kernels::scale(pointer<T>(x), static_cast<T>(alpha), x.numel());
    }
  });
  mark_written(x, op, where);
  return true;
}

void add_scaled(const char* op, const Tensor& x, const Operand& other, double alpha) {
  const Where where = other.where();
  const CompositeGuard composite(op, where);
  check_may_change(op, x, where);
  check_takes(op, x, Takes::numbers, where);
  check_number(op, alpha, x.dtype(), where);
  const Tensor& other_ = as_tensors(op, x, other).b;
  check_fits(op, x, other_, where);
  if (change_in_memory(op, x, alpha, other_, where)) return;
  assign(x, x + (alpha == 1.0 ? other_ : other_ * alpha), op, where);
}

// A recorded product saves its factors, but the values of x are about to be overwritten: it gets a copy of them.
Tensor factor_to_keep(const Tensor& x, const Tensor& other) {
  const bool recorded = grad_enabled() && other.requires_grad();
  return recorded ? clone(x) : x;
}

// The other operand; a copy if it shares the memory of x, as in x.mul_(x).
Tensor unshared(const Tensor& x, const Tensor& other) {
  return other.impl()->storage == x.impl()->storage ? clone(other) : other;
}

}  // namespace

const Tensor& Tensor::add_(const Operand& other, double alpha) const {
  add_scaled("add_", *this, other, alpha);
  return *this;
}

const Tensor& Tensor::sub_(const Operand& other, double alpha) const {
  add_scaled("sub_", *this, other, -alpha);
  return *this;
}

const Tensor& Tensor::mul_(const Operand& other) const {
  const Where where = other.where();
  const CompositeGuard composite("mul_", where);
  check_may_change("mul_", *this, where);
  check_takes("mul_", *this, Takes::numbers, where);
  if (!other.is_tensor() && change_in_memory("mul_", *this, other.number(), Tensor(), where)) return *this;
  const Tensor& given = as_tensors("mul_", *this, other).b;
  check_fits("mul_", *this, given, where);
  const Tensor other_ = unshared(*this, given);
  assign(*this, factor_to_keep(*this, other_) * other_, "mul_", where);
  return *this;
}

const Tensor& Tensor::div_(const Operand& other) const {
  const Where where = other.where();
  const CompositeGuard composite("div_", where);
  check_may_change("div_", *this, where);
  check_floating("div_", *this, where);
  const Tensor& given = other.as_tensor(dtype());
  check_fits("div_", *this, given, where);
  assign(*this, *this / unshared(*this, given), "div_", where);
  return *this;
}

const Tensor& Tensor::copy_(const Tensor& source, Where where) const {
  const CompositeGuard composite("copy_", where);
  check_may_change("copy_", *this, where);
  check_fits("copy_", *this, source, where);
  if (grad_enabled() && source.requires_grad()) {
    assign(*this, autograd::clone(source.expand(shape())), "copy_", where);
    return *this;
  }
  OpReplacement replacement(*this, nullptr);
  overwrite(*this, source, "copy_", where);
  if (observer()) tell_of_copy(*this, source, where);
  if (grad_enabled()) replacement.set();  // no gradient flows to what the old values came from
  return *this;
}

const Tensor& Tensor::fill_(double value, Where where) const {
  check_defined("fill_", *this, where);
  check_number("fill_", value, dtype(), where);
  return copy_(Operand(value).as_tensor(dtype()), where);
}

const Tensor& Tensor::zero_(Where where) const {
  return fill_(0.0, where);
}

const Tensor& Tensor::set_(std::initializer_list<std::int64_t> index, double value, Where where) const {
  check_may_change("set_", *this, where);
  if (requires_grad() && grad_enabled()) {
    fail(ErrorId::in_place_on_leaf, "set_", where, "an element of a tensor in a graph cannot be set",
         "set it under NoGradGuard, or before requires_grad_()");
  }
  check_number("set_", value, dtype(), where);
  const std::int64_t position = position_of("set_", *this, index, where);
  prepare_write(*this);
  with_type(dtype(), [&]<class T>(T) { pointer<T>(*this)[position] = static_cast<T>(value); });
  mark_written(*this, "set_", where);
  return *this;
}

const Tensor& Tensor::addcmul_(const Tensor& a, const Tensor& b, double alpha, Where where) const {
  const CompositeGuard composite("addcmul_", where);
  check_same_dtype("addcmul_", a, b, where);
  add_scaled("addcmul_", *this, Operand(a * b, where), alpha);
  return *this;
}

const Tensor& Tensor::addcdiv_(const Tensor& a, const Tensor& b, double alpha, Where where) const {
  const CompositeGuard composite("addcdiv_", where);
  check_same_dtype("addcdiv_", a, b, where);
  add_scaled("addcdiv_", *this, Operand(a / b, where), alpha);
  return *this;
}

}  // namespace autograd
