// Functions of a million numbers: tanh, sigmoid, exp, softmax.

#include <autograd/autograd.h>

#include <cstdint>
#include <string>
#include <vector>

#include "bench/workload.h"

namespace bench {
namespace {

using autograd::Shape;
using autograd::Tensor;

constexpr std::int64_t rows = 1024;
constexpr std::int64_t columns = 1024;
constexpr double count = static_cast<double>(rows * columns);

void rate_of(const Run& run, const std::string& name, const Shape& shape, Tensor (*function)(const Tensor&)) {
  const Tensor x = (autograd::randn(shape) * 2.0).requires_grad_();
  const Tensor upstream = autograd::ones(shape);
  {
    const autograd::NoGradGuard no_grad;
    const Timing forward = run.time([&] { keep(function(x)); });
    run.record_rate(name + "_forward", forward, count, 1e6, "Melem/s");
  }
  const Timing both = run.time([&] {
    x.zero_grad();
    function(x).backward(upstream);
  });
  run.record_rate(name + "_forward_backward", both, count, 1e6, "Melem/s");
}

void tanh_softmax(const Run& run) {
  rate_of(run, "tanh", {rows * columns}, [](const Tensor& x) { return x.tanh(); });
  rate_of(run, "sigmoid", {rows * columns}, [](const Tensor& x) { return x.sigmoid(); });
  rate_of(run, "exp", {rows * columns}, [](const Tensor& x) { return x.exp(); });
  rate_of(run, "softmax", {rows, columns}, [](const Tensor& x) { return x.softmax(-1); });
}

}  // namespace

void add_functions(std::vector<Workload>& all) {
  all.push_back({"tanh_softmax", "1,048,576 f32; softmax over the rows of [1024,1024]", tanh_softmax});
}

}  // namespace bench
