#include <course/check.h>

#include "given.h"

const Axes course::axes = {{"batch", 4}, {"in", 3}, {"out", 2}};

namespace {

bool is_right(const LinearGradients& gradients, const Tensor& dy, const Tensor& x, const Tensor& weight) {
  const auto same = [](const Tensor& found, const Tensor& expected) {
    return found.defined() && found.shape() == expected.shape() && autograd::allclose(found, expected, 1e-8);
  };
  const auto leaf = [](const Tensor& value) { return value.detach().clone().requires_grad_(); };
  const Tensor leaves[] = {leaf(x), leaf(weight), leaf(zeros_like(dy.select(0, 0)))};
  const auto expected =
      autograd::grad((dy * linear(leaves[0], leaves[1], leaves[2])).sum(), {leaves[0], leaves[1], leaves[2]});
  return same(gradients.dx, expected[0]) && same(gradients.dw, expected[1]) && same(gradients.db, expected[2]);
}

}  // namespace

void check(const Answer& answer, Check& check) {
  const Tensor x = check.randn("x", {"batch", "in"});
  const Tensor weight = check.randn("weight", {"out", "in"});
  const Tensor bias = check.randn("bias", {"out"});
  const Tensor dy = check.randn("dy", {"batch", "out"});
  const auto loss = [=] { return (dy * linear(x, weight, bias)).sum(); };

  const LinearGradients gradients = answer.linear_backward(dy, x, weight);
  check.gradient("dx", gradients.dx, x, loss);
  check.gradient("dw", gradients.dw, weight, loss);
  check.gradient("db", gradients.db, bias, loss);

  if (x.requires_grad()) return;  // a run that lists the ops of the answer: enough of them
  const auto first = [](const Tensor& all, int dim) { return all.narrow(dim, 0, 1).clone(); };
  const LinearGradients one_row = answer.linear_backward(first(dy, 0), first(x, 0), weight);
  check.require("a batch of one row", is_right(one_row, first(dy, 0), first(x, 0), weight),
                "with a batch of one row a gradient, or its shape, is wrong");
  const LinearGradients one_output = answer.linear_backward(first(dy, 1), x, first(weight, 0));
  check.require("a layer with one output", is_right(one_output, first(dy, 1), x, first(weight, 0)),
                "with a single output a gradient, or its shape, is wrong");
}
