#include <judge/check.h>

#include <limits>

#include "given.h"

const Axes judge::axes = {{"rows", 2}, {"in", 3}, {"out", 4}};

namespace {

using Inputs = std::vector<Tensor>;

std::string in_words(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass: return "pass";
    case Verdict::fail: return "fail";
    case Verdict::vacuous: return "vacuous";
  }
  return "none of the three";
}

struct Case {
  std::string name;  // the answer does not see it
  Op op;
  std::vector<std::size_t> takes;  // of x, weight, bias and z
};

// Without a graph: an answer can look at forward, backward and the numbers, and at nothing else.
Case op(const std::string& name, const std::function<Tensor(const Inputs&)>& forward,
        const std::function<Inputs(const Tensor& dy, const Inputs&)>& backward,
        const std::vector<std::size_t>& takes = {0}) {
  const auto plain_forward = [forward](const Inputs& inputs) {
    const autograd::NoGradGuard no_grad;
    return forward(inputs).detach();
  };
  const auto plain_backward = [backward](const Tensor& dy, const Inputs& inputs) {
    const autograd::NoGradGuard no_grad;
    return backward(dy.detach(), inputs);
  };
  return {name, {plain_forward, plain_backward}, takes};
}

using Derivative = Tensor (*)(const Tensor& dy, const Tensor& x);

Case tanh_op(const std::string& name, Derivative derivative, double factor = 1.0) {
  return op(
      name, [factor](const Inputs& in) { return factor * in[0].tanh(); },
      [=](const Tensor& dy, const Inputs& in) { return Inputs{factor * derivative(dy, in[0])}; });
}
Case relu_op(const std::string& name, Derivative derivative) {
  return op(
      name, [](const Inputs& in) { return in[0].relu(); },
      [=](const Tensor& dy, const Inputs& in) { return Inputs{derivative(dy, in[0])}; });
}
Case softmax_op(const std::string& name, Derivative derivative) {
  return op(
      name, [](const Inputs& in) { return in[0].softmax(1); },
      [=](const Tensor& dy, const Inputs& in) { return Inputs{derivative(dy, in[0])}; });
}
Case zeroth_power_op(const std::string& name, Derivative derivative) {
  return op(
      name, [](const Inputs& in) { return in[0].pow(0.0); },
      [=](const Tensor& dy, const Inputs& in) { return Inputs{derivative(dy, in[0])}; });
}
// x [rows, in], weight [out, in], bias [out]
Case linear_op(const std::string& name, Tensor (*bias_gradient)(const Tensor& dy)) {
  return op(
      name, [](const Inputs& in) { return autograd::linear(in[0], in[1], in[2]); },
      [=](const Tensor& dy, const Inputs& in) {
        return Inputs{matmul(dy, in[1]), matmul(dy.t(), in[0]), bias_gradient(dy)};
      },
      {0, 1, 2});
}

Tensor tanh_derivative(const Tensor& dy, const Tensor& x) {
  const Tensor y = x.tanh();
  return dy * (1.0 - y * y);
}
Tensor softmax_derivative(const Tensor& dy, const Tensor& x) {
  const Tensor y = x.softmax(1);
  return y * (dy - (y * dy).sum({1}, true));
}
Tensor relu_derivative(const Tensor& dy, const Tensor& x) {
  return dy * (x > 0.0).to(x.dtype());
}
// x with the entry at `position` replaced by what f makes of it.
Tensor changed_at(const Tensor& x, std::int64_t position, double (*f)(double)) {
  const Tensor changed = x.clone().contiguous();
  double& entry = changed.data_ptr<double>()[position];
  entry = f(entry);
  return changed;
}

std::vector<Case> right_ops() {
  return {
      tanh_op("accepts tanh", tanh_derivative),
      relu_op("accepts relu", relu_derivative),
      softmax_op("accepts softmax", softmax_derivative),
      linear_op("accepts linear", [](const Tensor& dy) { return dy.sum({0}); }),
      tanh_op("accepts tanh / 1000000", tanh_derivative, 1e-6),
      zeroth_power_op("accepts x^0", [](const Tensor& dy, const Tensor&) { return 0.0 * dy; }),
  };
}

std::vector<Case> wrong_ops() {
  const auto other = [](double a) { return 0.3 - 2.0 * a; };
  static double (*const change)(double) = other;
  return {
      tanh_op("rejects tanh (dy forgotten)",
              [](const Tensor& dy, const Tensor& x) { return tanh_derivative(autograd::ones_like(dy), x); }),
      tanh_op("rejects tanh (sign)", [](const Tensor& dy, const Tensor& x) { return -tanh_derivative(dy, x); }),
      tanh_op("rejects tanh (half of it)",
              [](const Tensor& dy, const Tensor& x) { return 0.5 * tanh_derivative(dy, x); }),
      tanh_op("rejects tanh (1 % too much)",
              [](const Tensor& dy, const Tensor& x) { return 1.01 * tanh_derivative(dy, x); }),
      tanh_op("rejects tanh (0.1 too low everywhere)",
              [](const Tensor& dy, const Tensor& x) { return tanh_derivative(dy, x) - 0.1; }),
      tanh_op("rejects tanh (first entry only)",
              [](const Tensor& dy, const Tensor& x) { return changed_at(tanh_derivative(dy, x), 0, change); }),
      tanh_op(
          "rejects tanh (last entry only)",
          [](const Tensor& dy, const Tensor& x) { return changed_at(tanh_derivative(dy, x), x.numel() - 1, change); }),
      tanh_op("rejects tanh (rows in the wrong order)",
              [](const Tensor& dy, const Tensor& x) { return flip(tanh_derivative(dy, x), {0}); }),
      tanh_op("rejects tanh (NaN at one entry)",
              [](const Tensor& dy, const Tensor& x) {
                return changed_at(tanh_derivative(dy, x), 1,
                                  [](double) { return std::numeric_limits<double>::quiet_NaN(); });
              }),
      relu_op("rejects relu (mask forgotten)", [](const Tensor& dy, const Tensor&) { return dy; }),
      linear_op("rejects linear (db averaged over the rows)", [](const Tensor& dy) { return dy.mean({0}); }),
      softmax_op("rejects softmax (returns 0)", [](const Tensor& dy, const Tensor&) { return 0.0 * dy; }),
      zeroth_power_op("rejects x^0 (returns what is below 0)",
                      [](const Tensor& dy, const Tensor&) { return -abs(dy) - 0.1; }),
      softmax_op("rejects softmax (sign)",
                 [](const Tensor& dy, const Tensor& x) { return -softmax_derivative(dy, x); }),
      tanh_op(
          "rejects tanh / 1000000 (half of it)",
          [](const Tensor& dy, const Tensor& x) { return 0.5 * tanh_derivative(dy, x); }, 1e-6),
      op(
          "rejects x + z / 1000000 (half of dz)", [](const Inputs& in) { return in[0] + 1e-6 * in[1]; },
          [](const Tensor& dy, const Inputs&) {
            return Inputs{dy, 0.5e-6 * dy};
          },
          {0, 3}),
  };
}

}  // namespace

// The answer is a judge itself: what is observed are its verdicts.
void check(const Answer& answer, Check& check) {
  const Inputs all = {check.usual_randn("x", {"rows", "in"}), check.usual_randn("weight", {"out", "in"}),
                      check.usual_randn("bias", {"out"}), check.usual_randn("z", {"rows", "in"})};
  const auto inputs_of = [&](const Case& one) {
    Inputs inputs;
    for (const std::size_t i : one.takes) inputs.push_back(all[i]);
    return inputs;
  };
  const auto judge = [&](const Case& one) {
    check.text(one.name, in_words(answer.check_backward(one.op, inputs_of(one))));
  };
  for (const Case& one : right_ops()) judge(one);
  for (const Case& one : wrong_ops()) judge(one);
  // What is measured has the sign of a dy that the answer draws: of so many, one is below 0.
  const Case half = op(
      "x / 2", [](const Inputs& in) { return 0.5 * in[0]; },
      [](const Tensor& dy, const Inputs&) { return Inputs{0.0 * dy}; });
  int rejected = 0;
  for (int i = 0; i < 10; ++i) {
    if (answer.check_backward(half.op, {autograd::ones({1}, autograd::float64)}) == Verdict::fail) ++rejected;
  }
  check.text("rejects x / 2 of a single number (returns 0), of 10 times", std::to_string(rejected));
}
