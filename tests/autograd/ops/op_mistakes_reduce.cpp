// Mistakes in reductions.

#include <stdexcept>

#include "tests/autograd/ops/op_mistakes.h"

using namespace autograd;

namespace op_mistakes {
namespace {

// How many elements become one.
double count_of(In run) {
  return as_double(run.x[0].numel()) / as_double(run.y.numel());
}

// Zero but in the first column.
Tensor first_column(const Tensor& gradient) {
  if (gradient.dim() == 0) return zeros_like(gradient);
  const Tensor is_first = arange(gradient.size(-1)) == 0.0;
  return where(is_first, gradient, 0.0);
}

Mistakes average_mistakes() {
  const auto wrong_dim = [](const Tensor& right, In) { return transposed_if_square(right); };
  const auto times_count = [](const Tensor& right, In run) { return right * count_of(run); };
  const auto by_all = [](const Tensor& right, In run) { return right / as_double(run.y.numel()); };
  const auto by_other_size = [](const Tensor& right, In run) {
    return right * count_of(run) / as_double(run.y.numel());
  };
  return {
      {"sum", "R01 spread along the wrong dim", each(wrong_dim)},
      {"sum", "R02 in the first column only", each([](const Tensor& right, In) { return first_column(right); })},
      {"sum", "R03 divided by n by mistake", each([](const Tensor& right, In run) { return right / count_of(run); })},
      {"sum", "upstream not multiplied", upstream_not_multiplied()},

      {"mean", "R04 1/n forgotten", each(times_count)},
      {"mean", "R05 divided by the number of all elements", each(by_all)},
      {"mean", "R06 divided by the other size", each(by_other_size)},
      {"mean", "R06b integer 1/n, which is 0", path_dropped()},
  };
}

Mistakes square_mistakes() {
  const auto divided_again = [](const Tensor& right, In) { return right / 5.0; };
  const auto by_square = [](const Tensor& right, In run) { return right / (run.y.sum().item() + 1.0); };
  return {
      {"mean_square", "factor 2 forgotten", scaled(0.5)},
      {"mean_square", "divided by n twice", each(divided_again)},
      {"mean_square", "upstream not multiplied", upstream_not_multiplied()},

      {"root_mean_square", "factor 2 of the square kept", scaled(2.0)},
      {"root_mean_square", "divided by n twice", each(divided_again)},
      {"root_mean_square", "divided by y once more", each(by_square)},
      {"root_mean_square", "upstream not multiplied", upstream_not_multiplied()},
  };
}

Mistakes running_sum_mistakes() {
  const auto sums = [](const Tensor& x, std::int64_t dim) { return cumsum(x, dim); };
  return {
      {"cumsum", "sums forwards again", dx([=](In run) { return cumsum(run.dy, dim_of(sums, run)); })},
      {"cumsum", "not summed at all", dx([](In run) { return run.dy; })},
      {"cumsum", "own element left out", dx([](In run) { return run.right[0] - run.dy; })},
  };
}

// ---- the largest, the smallest, logsumexp ------------------------------------------------------------------------

// Over some dims, which stay with size 1.
using ReduceDims = std::function<Tensor(const Tensor& x, const Dims& dims)>;

const ReduceDims largest = [](const Tensor& x, const Dims& dims) { return amax(x, dims, true); };
const ReduceDims smallest = [](const Tensor& x, const Dims& dims) { return amin(x, dims, true); };
const ReduceDims log_sum = [](const Tensor& x, const Dims& dims) { return logsumexp(x, dims, true); };

// The dims over which `reduce` made y of x.
Dims dims_of(const ReduceDims& reduce, In run) {
  const Tensor& x = run.x[0];
  for (int subset = 1; subset < 1 << x.dim(); ++subset) {
    Dims dims;
    for (int dim = 0; dim < x.dim(); ++dim) {
      if (subset >> dim & 1) dims.push_back(dim);
    }
    const Tensor reduced = reduce(x, dims);
    if (reduced.numel() == run.y.numel() && allclose(reduced.flatten(), run.y.flatten())) return dims;
  }
  throw std::logic_error("no dims give this output");
}

// dy at each of the elements that became one.
Tensor spread(const ReduceDims& reduce, In run) {
  const Dims dims = dims_of(reduce, run);
  return run.dy.reshape(reduce(run.x[0], dims).shape()).expand(run.x[0].shape());
}

Mistakes extreme_mistakes(const std::string& op, const ReduceDims& reduce) {
  return {
      {op, "R08 gradient to all elements", dx([=](In run) { return spread(reduce, run); })},
      {op, "position off by one", each([](const Tensor& right, In) { return moved_on(right); })},
      {op, "multiplies by the winner", each([](const Tensor& right, In run) { return right * run.x[0]; })},
      {op, "shared among all, as by mean", dx([=](In run) { return spread(reduce, run) / count_of(run); })},
  };
}

// dy for each tied element, instead of its share of it.
Tensor all_of_it_to_each(In run) {
  const Tensor share = run.right_for(ones_like(run.dy))[0];
  return where(share != 0.0, run.right[0] / share, 0.0);
}

Tensor nothing_to_tied(In run) {
  return where(run.right_for(ones_like(run.dy))[0] == 1.0, run.right[0], 0.0);
}

// Of amax, which shares among equals: wrong at ties only, and there only together.
Mistakes tie_mistakes(const std::string& op) {
  return {
      {op, "R07 every tied element gets all of it", dx(all_of_it_to_each)},
      {op, "no tied element gets anything", dx(nothing_to_tied)},
  };
}

Mistakes log_sum_mistakes() {
  const auto maximum_of = [](In run) { return amax(run.x[0], dims_of(log_sum, run), true); };
  const auto not_normalised = [](In run) { return spread(log_sum, run) * exp(run.x[0]); };
  const auto hard = [=](In run) { return where(run.x[0] == maximum_of(run), spread(log_sum, run), 0.0); };
  const auto maximum_twice = [=](In run) { return run.right[0] * exp(maximum_of(run)); };
  return {
      {"logsumexp", "S24 normaliser forgotten: dy exp(x)", dx(not_normalised)},
      {"logsumexp", "S25 hard maximum", dx(hard)},
      {"logsumexp", "S26 subtracted maximum counted twice", dx(maximum_twice)},
  };
}

}  // namespace

Mistakes reduction_mistakes() {
  return joined({
      average_mistakes(),
      square_mistakes(),
      running_sum_mistakes(),
      extreme_mistakes("amax", largest),
      tie_mistakes("amax"),
      extreme_mistakes("max", largest),
      extreme_mistakes("min", smallest),
      log_sum_mistakes(),
  });
}

}  // namespace op_mistakes
