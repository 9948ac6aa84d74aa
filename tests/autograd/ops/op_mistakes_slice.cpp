// Mistakes in slices.

#include "tests/autograd/ops/op_mistakes.h"

using namespace autograd;

namespace op_mistakes {
namespace {

// As if the slice had begun at 0 and taken every element.
Tensor slice_at_start(In run) {
  const std::int64_t dim = changed_dim(run.x[0].shape(), run.y.shape());
  if (dim == run.x[0].dim()) return run.right[0];
  return slice_backward(run.dy, run.x[0].shape(), dim, 0, 1);
}

// dy with the dim put back that select() dropped.
Tensor unselected(In run) {
  return run.dy.unsqueeze(changed_dim(run.x[0].shape(), run.y.shape()));
}

Tensor select_at_start(In run) {
  const std::int64_t dim = changed_dim(run.x[0].shape(), run.y.shape());
  return slice_backward(unselected(run), run.x[0].shape(), dim, 0, 1);
}

// The first elements of dy, as if they had been put there.
Tensor source_from_start(In run) {
  const std::int64_t dim = changed_dim(run.x[0].shape(), run.y.shape());
  return run.dy.narrow(dim, 0, run.x[0].size(dim));
}

}  // namespace

Mistakes slice_mistakes() {
  const auto off_by_one = each([](const Tensor& right, In) { return moved_on(right); });
  const auto everywhere = [](In run) { return unselected(run).expand(run.x[0].shape()); };
  const auto rest_too = [](In run) { return where(run.right[0] == 0.0, run.dy.mean(), run.right[0]); };
  return {
      {"slice", "V07 offset forgotten", dx(slice_at_start)},
      {"slice", "offset off by one", off_by_one},
      {"slice", "the rest gets a gradient too", dx(rest_too)},
      {"slice", "upstream not multiplied", upstream_not_multiplied()},

      {"slice_backward", "offset forgotten", dx(source_from_start)},
      {"slice_backward", "offset off by one", off_by_one},
      {"slice_backward", "upstream not multiplied", upstream_not_multiplied()},

      {"select", "V07 offset forgotten", dx(select_at_start)},
      {"select", "gradient to every position", dx(everywhere)},
      {"select", "upstream not multiplied", upstream_not_multiplied()},
  };
}

}  // namespace op_mistakes
