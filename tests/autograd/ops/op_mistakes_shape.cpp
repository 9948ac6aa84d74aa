// Mistakes in moving elements about: other shapes, joining, conversions.

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "tests/autograd/ops/op_mistakes.h"

using namespace autograd;

namespace op_mistakes {
namespace {

// dy read in row-major order into the shape of x, whatever order it should have.
Tensor in_row_order(In run) {
  return run.dy.reshape(run.x[0].shape());
}

// The order of dims that makes y of x.
Dims order_of(In run) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(run.x[0].dim()));
  std::iota(order.begin(), order.end(), 0);
  do {
    if (allclose(run.x[0].permute(Dims(order)), run.y)) return Dims(order);
  } while (std::next_permutation(order.begin(), order.end()));
  throw std::logic_error("no order of dims gives this output");
}

// Each input's part of dy, cut out at `start`.
Grads parts(In run, const std::function<std::int64_t(std::size_t input)>& start) {
  if (run.x.size() == 1) return run.right;
  const std::int64_t dim = changed_dim(run.x[0].shape(), run.y.shape());
  Grads grads;
  for (std::size_t i = 0; i < run.x.size(); ++i) {
    grads.push_back(run.dy.narrow(dim, start(i), run.x[i].size(dim)));
  }
  return grads;
}

// The parts as if the inputs had been joined in the opposite order.
Grads parts_swapped(In run) {
  const std::int64_t dim = changed_dim(run.x[0].shape(), run.y.shape());
  return parts(run, [&](std::size_t input) {
    std::int64_t start = 0;
    for (std::size_t later = input + 1; later < run.x.size(); ++later) start += run.x[later].size(dim);
    return start;
  });
}

// The elements of dy one after the other, as if the inputs had been joined along the first dim.
Grads parts_in_row_order(In run) {
  const Tensor elements = run.dy.flatten();
  Grads grads;
  std::int64_t start = 0;
  for (const Tensor& x : run.x) {
    grads.push_back(elements.narrow(0, start, x.numel()).reshape(x.shape()));
    start += x.numel();
  }
  return grads;
}

Tensor reversed(const Tensor& x) {
  return flip(x.flatten(), 0).reshape(x.shape());
}

}  // namespace

Mistakes shape_mistakes() {
  const auto in_reverse = each([](const Tensor& right, In) { return reversed(right); });
  const auto not_transposed = [](In run) { return run.dy.shape() == run.x[0].shape() ? run.dy : run.right[0]; };
  const auto permuted_again = [](In run) {
    const Tensor again = run.dy.permute(order_of(run));
    return again.shape() == run.x[0].shape() ? again : run.right[0];
  };
  const auto to_integers = [](const Tensor& right, In) { return right.to(int64).to(right.dtype()); };
  const auto all_from_the_start = [](In run) { return parts(run, [](std::size_t) { return 0; }); };
  return joined({
      broadcast_mistakes("expand"),
      {
          {"transpose", "V01 not transposed back", dx(not_transposed)},
          {"transpose", "V03 reshape instead of transpose", dx(in_row_order)},
          {"permute", "V02 same permutation instead of the inverse", dx(permuted_again)},
          {"permute", "V03 reshape instead of permute", dx(in_row_order)},
          {"view", "elements in another order", in_reverse},
          {"view", "upstream not multiplied", upstream_not_multiplied()},
          {"squeeze", "elements in another order", in_reverse},
          {"squeeze", "path dropped", path_dropped()},
          {"unsqueeze", "elements in another order", in_reverse},
          {"unsqueeze", "path dropped", path_dropped()},
          {"clone", "path dropped: treated as detach()", path_dropped()},
          {"clone", "upstream not multiplied", upstream_not_multiplied()},
          {"to", "path dropped: treated as detach()", path_dropped()},
          {"to", "gradient cut to integers", each(to_integers)},
          {"flip", "not flipped back", dx([](In run) { return run.dy; })},
          {"flip", "all dims flipped back", dx([](In run) { return reversed(run.dy); })},
          {"cat", "V04 parts swapped", parts_swapped},
          {"cat", "V05 split along the wrong dim", parts_in_row_order},
          {"cat", "every part taken from the start", all_from_the_start},
      },
  });
}

}  // namespace op_mistakes
