// Random calls of right ops, with values of every size, for tests of the gradient sanitizer.
#pragma once

#include <autograd/autograd.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace random_calls {

using namespace autograd;
using Call = std::function<Tensor(const std::vector<Tensor>&)>;

struct Function {
  std::string name;
  int inputs = 1;  // of shape [rows, 3]
  Call call;
  bool positive = false;  // defined for positive inputs only
};

inline const std::vector<Function>& all() {
  using T = const std::vector<Tensor>&;
  static const std::vector<Function> list = {
      {"sin", 1, [](T x) { return sin(x[0]); }},
      {"cos", 1, [](T x) { return cos(x[0]); }},
      {"tanh", 1, [](T x) { return tanh(x[0]); }},
      {"sigmoid", 1, [](T x) { return sigmoid(x[0]); }},
      {"exp", 1, [](T x) { return exp(x[0]); }},
      {"log", 1, [](T x) { return log(x[0]); }, true},
      {"log1p", 1, [](T x) { return log1p(x[0]); }, true},
      {"sqrt", 1, [](T x) { return sqrt(x[0]); }, true},
      {"abs", 1, [](T x) { return abs(x[0]); }},
      {"relu", 1, [](T x) { return relu(x[0]); }},
      {"erf", 1, [](T x) { return erf(x[0]); }},
      {"gelu", 1, [](T x) { return gelu(x[0]); }},
      {"silu", 1, [](T x) { return silu(x[0]); }},
      {"softplus", 1, [](T x) { return softplus(x[0]); }},
      {"logsigmoid", 1, [](T x) { return logsigmoid(x[0]); }},
      {"elu", 1, [](T x) { return elu(x[0]); }},
      {"square", 1, [](T x) { return square(x[0]); }},
      {"cube", 1, [](T x) { return pow(x[0], 3.0); }},
      {"clamp", 1, [](T x) { return clamp(x[0], -1.0, 5.0); }},
      {"clamp of exp", 1, [](T x) { return clamp(exp(x[0]), 0.0, 5.0); }},
      {"add", 2, [](T x) { return x[0] + x[1]; }},
      {"sub", 2, [](T x) { return x[0] - x[1]; }},
      {"mul", 2, [](T x) { return x[0] * x[1]; }},
      {"div", 2, [](T x) { return x[0] / x[1]; }},
      {"pow", 2, [](T x) { return pow(x[0], x[1]); }, true},
      {"maximum", 2, [](T x) { return maximum(x[0], x[1]); }},
      {"matmul", 2, [](T x) { return matmul(x[0], x[1].t()); }},
      {"sum", 1, [](T x) { return sum(x[0], 0); }},
      {"mean", 1, [](T x) { return mean(x[0], 1); }},
      {"var", 1, [](T x) { return var(x[0], 1); }},
      {"logsumexp", 1, [](T x) { return logsumexp(x[0], 1); }},
      {"softmax", 1, [](T x) { return softmax(x[0], 1); }},
      {"log_softmax", 1, [](T x) { return log_softmax(x[0], 1); }},
      {"layer_norm", 1, [](T x) { return layer_norm(x[0], {3}); }},
      {"norm", 1, [](T x) { return norm(x[0], 2.0, 1); }},
      {"prod", 1, [](T x) { return prod(x[0], 1); }},
      {"cumsum", 1, [](T x) { return cumsum(x[0], 1); }},
      {"amax", 1, [](T x) { return amax(x[0], 1); }},
      {"mse_loss", 2, [](T x) { return mse_loss(x[0], x[1]); }},
      {"huber_loss", 2, [](T x) { return huber_loss(x[0], x[1]); }},
  };
  return list;
}

// Values of either sign whose sizes are spread evenly, by their logarithm, from 1e-6 to 1e6: all of about one size in
// half of the calls, each of another in the rest.
inline Tensor values(Generator& random, bool positive, DType dtype, const Shape& shape = {2, 3}) {
  const bool mixed = random.uniform() < 0.5;
  const double size = -6.0 + 12.0 * random.uniform();
  std::vector<double> numbers;
  for (std::int64_t i = 0; i < shape.numel(); ++i) {
    const double exponent = mixed ? -6.0 + 12.0 * random.uniform() : size + 0.5 * random.uniform() - 0.25;
    const double sign = positive || random.uniform() < 0.5 ? 1.0 : -1.0;
    numbers.push_back(sign * std::pow(10.0, exponent));
  }
  return from_vector(numbers, shape, float64).to(dtype).detach().requires_grad_();
}

}  // namespace random_calls
