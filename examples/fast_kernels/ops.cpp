// What a small op costs beyond its arithmetic, and what memory costs that the system has just given.
#include <fmt/core.h>

#include <cstdlib>
#include <memory>

#include "examples/fast_kernels/kernels.h"
#include "examples/fast_kernels/machine.h"

namespace fast_kernels {
namespace {

constexpr int chain_length = 1000;

// y = x * w * w * ..  Every link is an op with a result of its own.

// 1. Arithmetic alone: the result is where x was.
void multiply(float* y, const float* x, const float* w, int64_t n) {
  for (int64_t i = 0; i < n; ++i) y[i] = x[i] * w[i];
}

Tensor chain_in_place(const Tensor& x, const Tensor& w) {
  Tensor y = x.clone();
  for (int i = 0; i < chain_length; ++i)
    multiply(y.data_ptr<float>(), y.data_ptr<float>(), w.data_ptr<float>(), y.numel());
  return y;
}

// 2. Each result in new memory from the C library; the one before is given back.
Tensor chain_with_malloc(const Tensor& x, const Tensor& w) {
  const int64_t n = x.numel();
  const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(float);
  float* y = static_cast<float*>(std::malloc(bytes));
  std::copy_n(x.data_ptr<float>(), n, y);
  for (int i = 0; i < chain_length; ++i) {
    float* next = static_cast<float*>(std::malloc(bytes));
    multiply(next, y, w.data_ptr<float>(), n);
    std::free(y);
    y = next;
  }
  const Tensor result = autograd::empty({n});
  std::copy_n(y, n, result.data_ptr<float>());
  std::free(y);
  return result;
}

Tensor chain_of_ops(const Tensor& x, const Tensor& w) {
  Tensor y = x;
  for (int i = 0; i < chain_length; ++i) y = y * w;
  return y;
}

// ---- with a tape -----------------------------------------------------------------------------------------------

// The engine that one writes first: values and gradients are vectors, the derivative is a closure, counted pointers
// hold it all together.
struct Value {
  std::vector<float> data, grad;
  std::vector<std::shared_ptr<Value>> inputs;
  std::function<void()> backward;
};
using ValuePointer = std::shared_ptr<Value>;

ValuePointer value(const float* data, int64_t n) {
  return std::make_shared<Value>(Value{{data, data + n}, std::vector<float>(static_cast<std::size_t>(n)), {}, {}});
}

ValuePointer product(const ValuePointer& a, const ValuePointer& b) {
  const ValuePointer y = std::make_shared<Value>();
  y->inputs = {a, b};
  y->grad.resize(a->data.size());
  for (std::size_t i = 0; i < a->data.size(); ++i) y->data.push_back(a->data[i] * b->data[i]);
  y->backward = [out = y.get(), left = a.get(), right = b.get()] {
    for (std::size_t i = 0; i < out->grad.size(); ++i) {
      left->grad[i] += out->grad[i] * right->data[i];
      right->grad[i] += out->grad[i] * left->data[i];
    }
  };
  return y;
}

Tensor as_tensor(const std::vector<float>& data) {
  return autograd::from_vector({data.begin(), data.end()}, {static_cast<int64_t>(data.size())});
}

Tensors closures(const Tensor& x, const Tensor& w) {
  const ValuePointer factor = value(w.data_ptr<float>(), w.numel());
  std::vector<ValuePointer> tape = {value(x.data_ptr<float>(), x.numel())};
  for (int i = 0; i < chain_length; ++i) tape.push_back(product(tape.back(), factor));
  const Tensor y = as_tensor(tape.back()->data);
  for (float& one : tape.back()->grad) one = 1;
  while (tape.size() > 1) {
    tape.back()->backward();
    tape.pop_back();
  }
  return {y, as_tensor(factor->grad)};
}

Tensors engine(const Tensor& x, const Tensor& w, const Tensor& dy) {
  w.zero_grad();
  const Tensor y = chain_of_ops(x, w);
  y.backward(dy);
  return {y.detach(), w.grad()};
}

Work work_of_chain() {
  return {.elements = chain_length, .ops = chain_length, .unit = Work::Unit::elements};
}

}  // namespace

bool ops(const Options& options) {
  const int64_t n = options.size[0];
  const Tensor x = uniform({n}, 0.5, 1);
  const Tensor w = uniform({n}, 0.999, 1.001);
  const Tensor dy = autograd::ones({n});
  const Tensor exact_w = w.to(autograd::float64).requires_grad_();
  const Tensors reference = engine(x.to(autograd::float64), exact_w, dy.to(autograd::float64));
  const Tolerance tolerance = {.ulp = 3.0 * chain_length};

  Table forward(fmt::format("ops: a chain of {} products of {} numbers, each an op", chain_length, n), work_of_chain(),
                {reference[0]}, tolerance, options);
  forward.version("a loop, in place", [&] { return Tensors{chain_in_place(x, w)}; });
  forward.version("a loop, malloc for each result", [&] { return Tensors{chain_with_malloc(x, w)}; });
  forward.version("shipped, nothing recorded", [&] { return Tensors{chain_of_ops(x, w)}; });

  const Tensor leaf = w.clone().requires_grad_();
  fmt::print("\n");
  Table both("ops: the same, forward and backward", work_of_chain(), reference, tolerance, options);
  both.version("closures, shared_ptr, std::vector", [&] { return closures(x, w); });
  both.version("shipped", [&] { return engine(x, leaf, dy); });
  return forward.all_right() && both.all_right();
}

namespace {

// What is copied must be used, or the compiler leaves it out.
volatile float used;

void copy(float* y, const Tensor& x) {
  std::copy_n(x.data_ptr<float>(), x.numel(), y);
  used = y[x.numel() / 2];
}

}  // namespace

bool memory(const Options& options) {
  if (options.check) return true;  // there is no result
  constexpr int64_t page = 4096;
  const int64_t bytes = options.size[0] << 20;
  fmt::print("memory: {} MiB are filled\n  {:<44} {:>10} {:>9} {:>12}\n", options.size[0], "", "time", "GB/s",
             "per 4 KiB");
  const auto line = [&](const char* name, Pages pages) {
    std::vector<double> samples;
    for (int i = 0; i < 5; ++i) samples.push_back(seconds_to_fill(bytes, pages));
    std::nth_element(samples.begin(), samples.begin() + 2, samples.end());
    const double seconds = samples[2];
    fmt::print("  {:<44} {:>10} {:>9.1f} {:>12}\n", name, time_text(seconds), double(bytes) / seconds / 1e9,
               time_text(seconds * double(page) / double(bytes)));
  };
  line("fresh, pages of 4 KiB", Pages::fresh);
  line("fresh, huge pages", Pages::fresh_huge);
  line("used before", Pages::used);

  // What this does to an op: its result in memory that goes back to the system, and in memory that is kept.
  const Tensor x = autograd::zeros({bytes / 4});
  const double fresh = median_seconds(
      [&] {
        float* y = static_cast<float*>(std::malloc(static_cast<std::size_t>(bytes)));
        copy(y, x);
        std::free(y);
      },
      options.seconds);
  const double kept = median_seconds([&] { copy(autograd::empty(x.shape()).data_ptr<float>(), x); }, options.seconds);
  fmt::print("\nmemory: a tensor of {} MiB is copied\n", options.size[0]);
  fmt::print("  {:<44} {:>10}\n  {:<44} {:>10}\n", "to memory from malloc, then given back", time_text(fresh),
             "to a tensor: the engine keeps its memory", time_text(kept));
  return true;
}

}  // namespace fast_kernels
