// A GRU over a sequence, forward and backward: what of it depends on the step before, and what does not?
#include <fmt/core.h>
#include <nn/nn.h>

#include "examples/fast_kernels/kernels.h"

namespace fast_kernels {
namespace {

using Weights = nn::RecurrentWeights;

// The gates of one step, an op for everything that the formulas do (docs/08-recurrence.md).
Tensor gates_by_ops(const Tensor& from_input, const Tensor& from_hidden, const Tensor& hidden) {
  const Tensors a = from_input.chunk(3, 1);  // each [batch, hidden]
  const Tensors b = from_hidden.chunk(3, 1);
  const Tensor reset = autograd::sigmoid(a[0] + b[0]);
  const Tensor update = autograd::sigmoid(a[1] + b[1]);
  const Tensor candidate = autograd::tanh(a[2] + reset * b[2]);
  return (1.0 - update) * candidate + update * hidden;
}

// 1. Everything at every step. x [time, batch, input] -> [time, batch, hidden]
Tensor step_by_step(const Tensor& x, const Weights& weights) {
  Tensor hidden = autograd::zeros({x.size(1), weights.weight_hh.size(1)}, x.dtype());
  Tensors outputs;
  for (int64_t t = 0; t < x.size(0); ++t) {
    const Tensor from_input = autograd::linear(x.select(0, t), weights.weight_ih, weights.bias_ih);
    const Tensor from_hidden = autograd::linear(hidden, weights.weight_hh, weights.bias_hh);
    hidden = gates_by_ops(from_input, from_hidden, hidden);
    outputs.push_back(hidden);
  }
  return autograd::stack(outputs);
}

// 2. The gates of a step are one op.
Tensor with_fused_gates(const Tensor& x, const Weights& weights) {
  Tensor hidden = autograd::zeros({x.size(1), weights.weight_hh.size(1)}, x.dtype());
  Tensors outputs;
  for (int64_t t = 0; t < x.size(0); ++t) {
    const Tensor from_input = autograd::linear(x.select(0, t), weights.weight_ih, weights.bias_ih);
    const Tensor from_hidden = autograd::linear(hidden, weights.weight_hh, weights.bias_hh);
    hidden = autograd::gru_gates(from_input, from_hidden, hidden);
    outputs.push_back(hidden);
  }
  return autograd::stack(outputs);
}

// 3. The inputs of all steps are one product: they do not wait for anything.
Tensor with_all_inputs_at_once(const Tensor& x, const Weights& weights) {
  const Tensor from_inputs = autograd::linear(x, weights.weight_ih, weights.bias_ih);  // [time, batch, 3 * hidden]
  Tensor hidden = autograd::zeros({x.size(1), weights.weight_hh.size(1)}, x.dtype());
  Tensors outputs;
  for (int64_t t = 0; t < x.size(0); ++t) {
    const Tensor from_hidden = autograd::linear(hidden, weights.weight_hh, weights.bias_hh);
    hidden = autograd::gru_gates(from_inputs.select(0, t), from_hidden, hidden);
    outputs.push_back(hidden);
  }
  return autograd::stack(outputs);
}

// The output, and the gradients of the input and of all weights.
template <class Layer>
Tensors output_and_gradients(const Tensor& input, const Weights& weights, const Tensor& doutput, const Layer& layer) {
  const Tensors parameters = {weights.weight_ih, weights.weight_hh, weights.bias_ih, weights.bias_hh};
  for (const Tensor& parameter : parameters) parameter.zero_grad();
  const Tensor x = input.detach().requires_grad_();
  const Tensor output = layer(x);
  output.backward(doutput);
  Tensors results = {output.detach(), x.grad()};
  for (const Tensor& parameter : parameters) results.push_back(parameter.grad());
  return results;
}

Weights in_float64(const Weights& weights) {
  const auto convert = [](const Tensor& x) { return x.detach().to(autograd::float64).requires_grad_(); };
  return {convert(weights.weight_ih), convert(weights.weight_hh), convert(weights.bias_ih), convert(weights.bias_hh)};
}

}  // namespace

bool gru(const Options& options) {
  const int64_t time = options.size[0], batch = options.size[1], input = options.size[2], hidden = options.size[3];
  const nn::GRU layer({.input_size = input, .hidden_size = hidden});
  const Weights& weights = layer.weights[0];
  const Tensor x = autograd::randn({time, batch, input});
  const Tensor doutput = autograd::randn({time, batch, hidden});

  const Weights exact = in_float64(weights);
  const Tensors reference = output_and_gradients(x.to(autograd::float64), exact, doutput.to(autograd::float64),
                                                 [&](const Tensor& in) { return step_by_step(in, exact); });
  // Two products forward, and for each of them two backward; inputs, outputs, weights, and their gradients.
  const double products = 3 * 2.0 * double(time * batch) * double(3 * hidden) * double(input + hidden);
  const double numbers = 2.0 * double(time * batch + 3 * hidden) * double(input + hidden);
  const Work work = {.flops = products, .bytes = 4 * numbers};
  Table table(
      fmt::format("gru: {} steps, batch {}, input {}, hidden {}, forward and backward", time, batch, input, hidden),
      work, reference, {.ulp = 512, .of_largest = true}, options);
  const auto run = [&](Tensor (*network)(const Tensor&, const Weights&)) {
    return [&, network] {
      return output_and_gradients(x, weights, doutput, [&](const Tensor& in) { return network(in, weights); });
    };
  };
  table.version("step by step, an op for everything", run(step_by_step));
  table.version("the gates are one op", run(with_fused_gates));
  table.version("the inputs of all steps at once", run(with_all_inputs_at_once));
  const auto shipped = [&] {
    return output_and_gradients(x, weights, doutput, [&](const Tensor& in) { return layer(in).output; });
  };
  table.version("shipped: nn::GRU", shipped);
  return table.all_right();
}

}  // namespace fast_kernels
