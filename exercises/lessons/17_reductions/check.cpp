#include <judge/check.h>

#include "given.h"

const Axes judge::axes = {{"batch", 2}, {"rows", 4}, {"columns", 3}};

namespace {

// Whole numbers, so that some maxima are shared.
Tensor with_ties(Check& check) {
  std::vector<double> values(
      static_cast<std::size_t>(check.size("batch") * check.size("rows") * check.size("columns")));
  for (double& value : values) value = static_cast<double>(check.random().integer(0, 3));
  return autograd::from_vector(values, check.shape({"batch", "rows", "columns"}), autograd::float64);
}

const std::string& axis(int dim) {
  return judge::axes[static_cast<std::size_t>(dim)].name;
}

}  // namespace

void check(const Answer& answer, Check& check) {
  const Tensor x = check.randn("x", {"batch", "rows", "columns"});
  const Tensor tied = check.input("x with ties", with_ties(check));
  const std::vector<Tensor> dy = {check.randn("dy over batch", {"rows", "columns"}),
                                  check.randn("dy over rows", {"batch", "columns"}),
                                  check.randn("dy over columns", {"batch", "rows"})};
  for (int dim = 0; dim < 3; ++dim) {
    const Tensor upstream = dy[static_cast<std::size_t>(dim)];
    check.gradient("dx of the sum over " + axis(dim), answer.sum_backward(upstream, x.shape(), dim), x,
                   [=] { return (upstream * x.sum({dim})).sum(); }, {.over = axis(dim)});
  }
  for (int dim = 0; dim < 3; ++dim) {
    const Tensor upstream = dy[static_cast<std::size_t>(dim)];
    check.gradient("dx of the mean over " + axis(dim), answer.mean_backward(upstream, x.shape(), dim), x,
                   [=] { return (upstream * x.mean({dim})).sum(); }, {.over = axis(dim)});
  }
  for (int dim = 0; dim < 3; ++dim) {
    const Tensor upstream = dy[static_cast<std::size_t>(dim)];
    check.gradient("dx of the maximum over " + axis(dim), answer.max_backward(upstream, x, x.amax({dim}), dim), x,
                   [=] { return (upstream * x.amax({dim})).sum(); }, {.over = axis(dim)});
  }
  // What is second by one part in a million million is second.
  const Tensor close = check.input(
      "x with near ties", tied + 1e-12 * autograd::arange(tied.numel(), autograd::float64).reshape(tied.shape()));
  for (int dim = 0; dim < 3; ++dim) {
    check.compare("dx of a close maximum over " + axis(dim),
                  answer.max_backward(dy[static_cast<std::size_t>(dim)], close, close.amax({dim}), dim),
                  {.over = axis(dim)});
  }
  bool handed_out_once = true;
  for (int dim = 0; dim < 3; ++dim) {
    const Tensor upstream = dy[static_cast<std::size_t>(dim)];
    const Tensor dx = answer.max_backward(upstream, tied, tied.amax({dim}), dim);
    check.compare("dx of a shared maximum over " + axis(dim), dx, {.over = axis(dim)});
    if (!judge::same_value(dx.sum({dim}), upstream, 1e-9)) handed_out_once = false;
  }
  check.require("each dy of a maximum is handed out once", handed_out_once,
                "along a dim, the gradients of a maximum do not add up to the one dy that arrived");
}
