#include "autograd/composites/functional.h"

#include <fmt/core.h>

#include "autograd/ops/ops.h"
#include "autograd/tape/backward.h"
#include "autograd/tensor/checks.h"
#include "autograd/tensor/factories.h"
#include "autograd/tensor/format.h"

namespace autograd {
namespace {

// The tensor that f is called with: a view of x where the result must depend on x, otherwise a new leaf.
Tensor variable(const char* op, const Tensor& x, bool create_graph, Where where) {
  check_floating(op, x, where);
  if (create_graph && x.requires_grad()) return reshape(x, x.shape(), where);
  return x.detach().requires_grad_(true, where);
}

Tensor value_of(const char* op, const Function& f, const Tensor& x, Where where) {
  const Tensor y = f(x);
  check_floating(op, y, where);
  return y;
}

// grad() with zeros where nothing flows.
Tensor derivative(const Tensor& y, const Tensor& x, const Tensor& v, bool create_graph, Where where) {
  if (!y.requires_grad()) return zeros(x.shape(), x.dtype(), where);
  const Tensor found = grad(y, {x}, {.grad_output = v, .create_graph = create_graph, .allow_unused = true}, where)[0];
  return found.defined() ? found : zeros(x.shape(), x.dtype(), where);
}

void check_like(const char* op, const Tensor& v, const Tensor& x, const char* advice, Where where) {
  check_same_dtype(op, v, x, where);
  check_same_shape(op, v.shape(), x.shape(), where, "v has another shape", advice);
}

void check_one_number(const char* op, const Tensor& y, Where where) {
  if (y.numel() == 1) return;
  fail(ErrorId::not_a_scalar, op, where, fmt::format("f(x) is {}", y.shape()), "let f return one number, or give v");
}

// f(x) may be x itself, or a part of it: without a graph, the user gets a copy.
Tensor result(const Tensor& y, bool create_graph) {
  return create_graph ? y : clone(y.detach());
}

}  // namespace

OutputAndProduct vjp(const Function& f, const Tensor& x, const Tensor& v, Flag create_graph, Where where) {
  const GradModeGuard recording(true);
  const Tensor x_ = variable("vjp", x, create_graph, where);
  const Tensor y = value_of("vjp", f, x_, where);
  if (!v.defined()) check_one_number("vjp", y, where);
  const Tensor v_ = v.defined() ? v : ones(y.shape(), y.dtype(), where);
  check_like("vjp", v_, y, "v is what arrives at the output: give it the shape of f(x)", where);
  return {result(y, create_graph), derivative(y, x_, v_, create_graph, where)};
}

// Two vjps make a jvp: u^T J is linear in u, and differentiating it with respect to u gives J v. Any u will do; 0 does.
OutputAndProduct jvp(const Function& f, const Tensor& x, const Tensor& v, Flag create_graph, Where where) {
  const GradModeGuard recording(true);
  const Tensor x_ = variable("jvp", x, create_graph, where);
  check_like("jvp", v, x_, "v is a direction in which x moves: give it the shape of x", where);
  const Tensor y = value_of("jvp", f, x_, where);
  const Tensor u = zeros(y.shape(), y.dtype(), where).requires_grad_();
  const Tensor u_times_J = derivative(y, x_, u, true, where);
  return {result(y, create_graph), derivative(u_times_J, u, v, create_graph, where)};
}

Tensor jacobian(const Function& f, const Tensor& x, Flag create_graph, Where where) {
  const GradModeGuard recording(true);
  const Tensor x_ = variable("jacobian", x, create_graph, where);
  const Tensor y = value_of("jacobian", f, x_, where);
  Shape shape = y.shape();
  for (const std::int64_t size : x.shape()) shape.push_back(size);
  if (y.numel() == 0) return zeros(shape, x.dtype(), where);

  std::vector<Tensor> rows;
  for (std::int64_t i = 0; i < y.numel(); ++i) {
    const Tensor one = to(arange(y.numel(), int64, where) == static_cast<double>(i), y.dtype(), where);
    rows.push_back(derivative(y, x_, reshape(one, y.shape(), where), create_graph, where));
  }
  return reshape(stack(rows, 0, where), shape, where);
}

Tensor hessian(const Function& f, const Tensor& x, Flag create_graph, Where where) {
  const auto gradient = [&](const Tensor& at) {
    const Tensor y = value_of("hessian", f, at, where);
    check_one_number("hessian", y, where);
    return derivative(y, at, ones(y.shape(), y.dtype(), where), true, where);
  };
  return jacobian(gradient, x, create_graph, where);
}

}  // namespace autograd
