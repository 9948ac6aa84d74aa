// Functions of one number, applied to every element.
#include <cmath>
#include <limits>
#include <numbers>
#include <type_traits>

#include "autograd/ops/all_ops.h"
#include "autograd/ops/fused.h"
#include "autograd/ops/op.h"

namespace autograd {
namespace {

template <class T> using UnaryKernel = void (*)(T* y, const T* x, std::int64_t n);

// The numbers of y = f(x), not recorded.
Tensor compute(const char* op, const Tensor& x, Where where, const KernelTable<UnaryKernel>& kernel) {
  check_takes(op, x, kernel.on_int64 ? Takes::numbers : Takes::floating, where);
  if (!x.is_contiguous()) return compute(op, contiguous_copy(x), where, kernel);
  Tensor y = make_tensor_like(x);
  with_number_type(x.dtype(), [&]<class T>(T) { kernel.of<T>()(pointer<T>(y), pointer<T>(x), y.numel()); });
  return y;
}

// The derivative of sigmoid in one pass over memory.
Tensor sigmoid_gradient(const Tensor& dy, const Tensor& y) {
  const Tensor dy_ = contiguous_values(dy);
  Tensor dx = make_tensor_like(y);
  with_float_type(y.dtype(), [&]<class T>(T) {
    kernels::sigmoid_backward(pointer<T>(dx), pointer<T>(dy_), pointer<T>(y), dx.numel());
  });
  return dx;
}

}  // namespace

struct Neg final : Node {
  static constexpr OpText text{"neg", "y = -x", "dx = -dy"};
  static constexpr OpKind kind = OpKind::elementwise;

  Tensor forward(const Inputs& x) const override { return neg(x[0]); }
  Grads backward(const Tensor& dy) override { return {-dy}; }
};

Tensor neg(const Tensor& x, Where where) {
  Tensor y = compute("neg", x, where, {kernels::neg, kernels::neg, kernels::neg});
  record<Neg>(y, {&x}, where);
  return y;
}

struct Exp final : Node {
  static constexpr OpText text{
      "exp", "y = exp(x)", "dx = dy * y",
      "softmax(), log_softmax() and logsumexp() do it safely; otherwise subtract the largest x first, or clamp()"};
  static constexpr OpKind kind = OpKind::elementwise;
  Saved y;

  Tensor forward(const Inputs& x) const override { return exp(x[0]); }
  Grads backward(const Tensor& dy) override { return {dy * use(y)}; }
};

Tensor exp(const Tensor& x, Where where) {
  Tensor y = compute("exp", x, where, {kernels::exp, kernels::exp});
  if (auto* node = record<Exp>(y, {&x}, where)) node->y = node->save(y);
  return y;
}

struct Log final : Node {
  static constexpr OpText text{
      "log", "y = log(x)", "dx = dy / x",
      "log_softmax(x) for log(softmax(x)); otherwise log(x + 1e-12), or log(x.clamp(1e-12, inf))"};
  static constexpr OpKind kind = OpKind::elementwise;
  Saved x;

  Tensor forward(const Inputs& in) const override { return log(in[0]); }
  Grads backward(const Tensor& dy) override { return {dy / use(x)}; }
};

Tensor log(const Tensor& x, Where where) {
  Tensor y = compute("log", x, where, {kernels::log, kernels::log});
  if (auto* node = record<Log>(y, {&x}, where)) node->x = node->save(x);
  return y;
}

struct Log1p final : Node {
  static constexpr OpText text{"log1p", "y = log(1 + x)", "dx = dy / (1 + x)"};
  static constexpr OpKind kind = OpKind::elementwise;
  Saved x;

  Tensor forward(const Inputs& in) const override { return log1p(in[0]); }
  Grads backward(const Tensor& dy) override { return {dy / (1.0 + use(x))}; }
};

Tensor log1p(const Tensor& x, Where where) {
  Tensor y = compute("log1p", x, where, {kernels::log1p, kernels::log1p});
  if (auto* node = record<Log1p>(y, {&x}, where)) node->x = node->save(x);
  return y;
}

struct Sqrt final : Node {
  static constexpr OpText text{
      "sqrt", "y = sqrt(x)", "dx = dy / (2 * y)",
      "sqrt(x + 1e-12), also in a norm or a standard deviation; clamp(0, inf) what rounding may have made negative"};
  static constexpr OpKind kind = OpKind::elementwise;
  Saved y;

  Tensor forward(const Inputs& x) const override { return sqrt(x[0]); }
  Grads backward(const Tensor& dy) override { return {dy / (2.0 * use(y))}; }
};

Tensor sqrt(const Tensor& x, Where where) {
  Tensor y = compute("sqrt", x, where, {kernels::sqrt, kernels::sqrt});
  if (auto* node = record<Sqrt>(y, {&x}, where)) node->y = node->save(y);
  return y;
}

struct Sin final : Node {
  static constexpr OpText text{"sin", "y = sin(x)", "dx = dy * cos(x)"};
  static constexpr OpKind kind = OpKind::elementwise;
  Saved x;

  Tensor forward(const Inputs& in) const override { return sin(in[0]); }
  Grads backward(const Tensor& dy) override { return {dy * cos(use(x))}; }
};

Tensor sin(const Tensor& x, Where where) {
  Tensor y = compute("sin", x, where, {kernels::sin, kernels::sin});
  if (auto* node = record<Sin>(y, {&x}, where)) node->x = node->save(x);
  return y;
}

struct Cos final : Node {
  static constexpr OpText text{"cos", "y = cos(x)", "dx = -dy * sin(x)"};
  static constexpr OpKind kind = OpKind::elementwise;
  Saved x;

  Tensor forward(const Inputs& in) const override { return cos(in[0]); }
  Grads backward(const Tensor& dy) override { return {-dy * sin(use(x))}; }
};

Tensor cos(const Tensor& x, Where where) {
  Tensor y = compute("cos", x, where, {kernels::cos, kernels::cos});
  if (auto* node = record<Cos>(y, {&x}, where)) node->x = node->save(x);
  return y;
}

struct Tanh final : Node {
  static constexpr OpText text{"tanh", "y = tanh(x)", "dx = dy * (1 - y^2)"};
  static constexpr OpKind kind = OpKind::elementwise;
  Saved y;

  Tensor forward(const Inputs& x) const override { return tanh(x[0]); }
  Grads backward(const Tensor& dy) override {
    const Tensor y_ = use(y);
    return {dy * (1.0 - y_ * y_)};
  }
};

Tensor tanh(const Tensor& x, Where where) {
  Tensor y = compute("tanh", x, where, {kernels::tanh, kernels::tanh});
  if (auto* node = record<Tanh>(y, {&x}, where)) node->y = node->save(y);
  return y;
}

struct Sigmoid final : Node {
  static constexpr OpText text{"sigmoid", "y = 1 / (1 + exp(-x))", "dx = dy * y * (1 - y)"};
  static constexpr OpKind kind = OpKind::elementwise;
  Saved y;

  Tensor forward(const Inputs& x) const override { return sigmoid(x[0]); }
  Grads backward(const Tensor& dy) override {
    const Tensor y_ = use(y);
    if (derivative_by_kernel()) return {sigmoid_gradient(dy, y_)};
    return {dy * (y_ * (1.0 - y_))};
  }
};

Tensor sigmoid(const Tensor& x, Where where) {
  Tensor y = compute("sigmoid", x, where, {kernels::sigmoid, kernels::sigmoid});
  if (auto* node = record<Sigmoid>(y, {&x}, where)) node->y = node->save(y);
  return y;
}

struct Erf final : Node {
  static constexpr OpText text{"erf", "y = erf(x)", "dx = dy * 2 / sqrt(pi) * exp(-x^2)"};
  static constexpr OpKind kind = OpKind::elementwise;
  Saved x;

  Tensor forward(const Inputs& in) const override { return erf(in[0]); }
  Grads backward(const Tensor& dy) override {
    const Tensor x_ = use(x);
    const Tensor bell = exp(-(x_ * x_));
    return {dy * (2.0 * std::numbers::inv_sqrtpi * bell)};
  }
};

Tensor erf(const Tensor& x, Where where) {
  Tensor y = compute("erf", x, where, {kernels::erf, kernels::erf});
  if (auto* node = record<Erf>(y, {&x}, where)) node->x = node->save(x);
  return y;
}

struct Relu final : Node {
  static constexpr OpText text{"relu", "y = max(x, 0)", "dx = dy where y > 0, else 0"};
  static constexpr OpKind kind = OpKind::elementwise;
  static constexpr bool piecewise = true;
  Saved y;

  Tensor forward(const Inputs& x) const override { return relu(x[0]); }
  // `y <= 0` and not `y > 0`: no comparison with NaN holds, and the gradient of a NaN must not become 0.
  Grads backward(const Tensor& dy) override { return {where(use(y) <= 0.0, 0.0, dy)}; }
};

Tensor relu(const Tensor& x, Where where) {
  Tensor y = compute("relu", x, where, {kernels::relu, kernels::relu, kernels::relu});
  if (auto* node = record<Relu>(y, {&x}, where)) node->y = node->save(y);
  return y;
}

struct Abs final : Node {
  static constexpr OpText text{"abs", "y = |x|", "dx = dy * sign(x)"};
  static constexpr OpKind kind = OpKind::elementwise;
  static constexpr bool piecewise = true;
  Saved x;

  Tensor forward(const Inputs& in) const override { return abs(in[0]); }
  Grads backward(const Tensor& dy) override { return {dy * sign(use(x))}; }
};

Tensor abs(const Tensor& x, Where where) {
  Tensor y = compute("abs", x, where, {kernels::abs, kernels::abs, kernels::abs});
  if (auto* node = record<Abs>(y, {&x}, where)) node->x = node->save(x);
  return y;
}

Tensor sign(const Tensor& x, Where where) {
  Tensor y = compute("sign", x, where, {kernels::sign, kernels::sign, kernels::sign});
  no_derivative("sign", {&x}, where);
  return y;
}

struct Clamp final : Node {
  static constexpr OpText text{"clamp", "y = min(max(x, low), high)", "dx = dy where low <= x <= high, else 0"};
  static constexpr OpKind kind = OpKind::elementwise;
  static constexpr bool piecewise = true;
  Saved x;
  double low = 0.0;
  double high = 0.0;

  Tensor forward(const Inputs& in) const override { return clamp(in[0], low, high); }
  Grads backward(const Tensor& dy) override {
    const Tensor x_ = use(x);
    const Tensor inside = logical_and(x_ >= low, x_ <= high);
    return {where(inside, dy, 0.0)};
  }
};

// A limit of clamp as a T. An infinite one does not limit integers.
template <class T> T limit(double number) {
  if (std::is_floating_point_v<T> || std::isfinite(number)) return static_cast<T>(number);
  return number < 0.0 ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max();
}

Tensor clamp(const Tensor& x, double low, double high, Where where) {
  check_takes("clamp", x, Takes::numbers, where);
  if (!(low <= high)) {
    fail(ErrorId::bad_argument, "clamp", where, fmt::format("low {} is not below high {}", low, high), "swap them");
  }
  for (const double number : {low, high}) {
    if (std::isfinite(number)) check_number("clamp", number, x.dtype(), where);
  }
  const Tensor x_ = contiguous_values(x);
  Tensor y = make_tensor_like(x);
  with_number_type(x.dtype(), [&]<class T>(T) {
    kernels::clamp(pointer<T>(y), pointer<T>(x_), limit<T>(low), limit<T>(high), y.numel());
  });
  if (auto* node = record<Clamp>(y, {&x}, where)) {
    node->x = node->save(x);
    node->low = low;
    node->high = high;
  }
  return y;
}

Tensor square(const Tensor& x, Where where) {
  const CompositeGuard composite("square", where);
  return x * x;
}

Tensor isnan(const Tensor& x, Where where) {
  const CompositeGuard composite("isnan", where);
  return x != x;
}

OpList elementwise_ops() {
  return list_of<Neg, Exp, Log, Log1p, Sqrt, Sin, Cos, Tanh, Sigmoid, Erf, Relu, Abs, Clamp>();
}

}  // namespace autograd
