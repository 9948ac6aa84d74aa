// Mistakes in picking by positions, in adding to them, and in embedding.

#include <algorithm>

#include "tests/autograd/ops/op_mistakes.h"

using namespace autograd;

namespace op_mistakes {
namespace {

// Divided by how often each element was picked.
Tensor averaged(const Tensor& right, In run) {
  const Tensor count = run.right_for(ones_like(run.dy))[0];
  return right / maximum(count, 1.0);
}

// The t-th row of dy goes to row t instead of row ids[t].
Tensor rows_in_order(In run) {
  const std::int64_t vocabulary = run.x[0].size(0);
  const std::int64_t features = run.x[0].size(1);
  const Tensor rows = run.dy.reshape({-1, features});
  std::vector<std::int64_t> order;
  for (std::int64_t t = 0; t < rows.size(0); ++t) order.push_back(t % vocabulary);
  const Tensor nothing = zeros(run.x[0].shape(), run.dy.dtype());
  return index_add(nothing, 0, ids(order, rows.size(0)), rows);
}

// dy's first elements along each dim, in the shape of the source.
Tensor first_of(const Tensor& dy, const Shape& shape) {
  Tensor part = dy;
  for (int dim = 0; dim < shape.dim(); ++dim) part = part.narrow(dim, 0, std::min(shape[dim], dy.size(dim)));
  return part.shape() == shape ? part : dy.mean().expand(shape);
}

Mistakes picking_mistakes(const std::string& op) {
  return {
      {op, "V08 = instead of += at repeated positions", overwritten()},
      {op, "V10 divided by the number of repeats", each(averaged)},
      {op, "position off by one", each([](const Tensor& right, In) { return moved_on(right); })},
      {op, "upstream not multiplied", upstream_not_multiplied()},
  };
}

Mistakes adding_mistakes(const std::string& op) {
  const auto not_gathered = [](In run) { return first_of(run.dy, run.x[1].shape()); };
  const auto zero_where_added = [](In run) { return where(run.y == run.x[0], run.dy, 0.0); };
  return {
      {op, "source: dy not gathered", db(not_gathered)},
      {op, "source: path dropped", db([](In run) { return zeros_like(run.right[1]); })},
      {op, "source: position off by one", db([](In run) { return moved_on(run.right[1]); })},
      {op, "x: no gradient where something was added", dx(zero_where_added)},
  };
}

}  // namespace

Mistakes gather_mistakes() {
  return joined({
      picking_mistakes("gather"),
      picking_mistakes("index_select"),
      picking_mistakes("embedding"),
      {{"embedding", "V09 row t instead of row ids[t]", dx(rows_in_order)}},
      adding_mistakes("scatter_add"),
      adding_mistakes("index_add"),
  });
}

}  // namespace op_mistakes
