#include <judge/check.h>

#include <algorithm>
#include <numeric>

#include "given.h"

const Axes judge::axes = {{"batch", 2}, {"time", 5}, {"features", 3}, {"groups", 4}};

namespace {

void permuted(const Answer& answer, Check& check, const Tensor& x, const Dims& dims) {
  std::string list;
  for (int i = 0; i < dims.dim(); ++i) list += (i == 0 ? "" : ", ") + std::to_string(dims[i]);
  std::vector<double> values(static_cast<std::size_t>(x.numel()));
  for (double& value : values) value = check.random().normal();
  const Tensor dy = check.input("dy of permute(" + list + ")",
                                autograd::from_vector(values, x.permute(dims).shape(), autograd::float64));
  check.gradient("dx of permute(" + list + ")", answer.permute_backward(dy, dims), x,
                 [=] { return (dy * x.permute(dims)).sum(); });
}

// Of all orders, one after the other: a rule may be right for those that somebody thought of.
Tensor of_every_order(const Answer& answer, const Tensor& x) {
  std::vector<int> order(static_cast<std::size_t>(x.dim()));
  std::iota(order.begin(), order.end(), 0);
  std::vector<Tensor> gradients;
  do {
    Dims dims;
    for (const int dim : order) dims.push_back(dim);
    const Tensor dx = answer.permute_backward(x.permute(dims).contiguous(), dims);
    gradients.push_back(dx.flatten());
  } while (std::next_permutation(order.begin(), order.end()));
  return autograd::stack(gradients);
}

}  // namespace

void check(const Answer& answer, Check& check) {
  const Tensor x = check.randn("x", {"batch", "time", "features"});
  const Tensor square = check.randn("square x", {"time", "time"});  // a wrong order has the right shape here
  const Tensor cube = check.randn("cube x", {"features", "features", "features"});
  {
    const Tensor dy = check.randn("dy of the square", {"time", "time"});
    check.gradient("dx of a transposed square", answer.transpose_backward(dy, 0, 1), square,
                   [=] { return (dy * square.transpose(0, 1)).sum(); });
  }
  {
    const Tensor dy = check.randn("dy of transpose(0, 2)", {"features", "time", "batch"});
    check.gradient("dx of transpose(0, 2)", answer.transpose_backward(dy, 0, 2), x,
                   [=] { return (dy * x.transpose(0, 2)).sum(); });
  }
  {
    const Tensor dy = check.randn("dy of transpose(1, 2)", {"batch", "features", "time"});
    check.gradient("dx of transpose(1, 2)", answer.transpose_backward(dy, 1, 2), x,
                   [=] { return (dy * x.transpose(1, 2)).sum(); });
  }
  {
    const Tensor dy = check.randn("dy of the cube", {"features", "features", "features"});
    check.gradient("dx of a permuted cube", answer.permute_backward(dy, {1, 2, 0}), cube, [=] {
      return (dy * cube.permute({1, 2, 0})).sum();
    });
  }
  permuted(answer, check, x, {1, 2, 0});
  permuted(answer, check, x, {0, 2, 1});
  permuted(answer, check, x, {-1, 0, 1});
  permuted(answer, check, x, {-1, -3, -2});
  const Tensor four = check.randn("x of four dims", {"batch", "time", "features", "groups"});
  permuted(answer, check, four, {1, -2, -1, 0});
  permuted(answer, check, four, {-2, 1, -1, 0});
  check.compare("dx of each of the 24 orders of four dims", of_every_order(answer, four));
  {
    const Tensor dy = check.randn("dy of flip", {"batch", "time", "features"});
    check.gradient("dx of flip over time", answer.flip_backward(dy, 1), x, [=] { return (dy * flip(x, {1})).sum(); });
    check.gradient("dx of flip over features", answer.flip_backward(dy, 2), x,
                   [=] { return (dy * flip(x, {2})).sum(); });
  }
  {
    const Tensor wide =
        check.randn("x of split_groups", {"batch", "time", check.size("groups") * check.size("features")});
    const Tensor dy = check.randn("dy of split_groups", {"batch", "groups", "time", "features"});
    const auto loss = [=] {
      return (dy * wide.reshape({dy.size(0), dy.size(2), dy.size(1), dy.size(3)}).transpose(1, 2)).sum();
    };
    check.gradient("dx of split_groups", answer.split_groups_backward(dy), wide, loss);
  }
}
