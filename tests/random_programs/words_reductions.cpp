// Sums, means and extremes, over some dims or all.
#include <algorithm>

#include "maker.h"
#include "words.h"

namespace random_programs {
namespace {

bool over_all(Maker& maker, Step& step) {
  step.operands = {maker.some()};
  return true;
}

bool over_dims(Maker& maker, Step& step) {
  const int x = maker.with_dims(1);
  step.operands = {x};
  step.list = maker.dims_of(x);
  step.numbers = {maker.chance(50)};
  return true;
}

bool over_dim(Maker& maker, Step& step) {
  const int x = maker.with_dims(1);
  step.operands = {x};
  step.numbers = {maker.dim_of(x), maker.chance(50)};
  return true;
}

// Is the extreme of all those that are reduced together well apart from the others?
bool has_clear_extreme(const Tensor& x, const autograd::Dims& dims, bool largest) {
  if (x.numel() == 0) return false;
  const autograd::NoGradGuard no_grad;
  const Tensor extreme = largest ? autograd::amax(x, dims, true) : autograd::amin(x, dims, true);
  const Tensor near = autograd::abs(x - extreme) < 0.02;
  return autograd::all(near.to(autograd::float64).sum(dims) < 1.5);
}

template <bool largest> bool extreme_over_dims(Maker& maker, Step& step) {
  if (!over_dims(maker, step)) return false;
  return has_clear_extreme(maker[step.operands[0]].detach(), Shape(step.list), largest);
}

template <bool largest> bool extreme_over_dim(Maker& maker, Step& step) {
  if (!over_dim(maker, step)) return false;
  return has_clear_extreme(maker[step.operands[0]].detach(), step.numbers[0], largest);
}

// With more than one element, and a correction that leaves one.
bool variance(Maker& maker, Step& step) {
  if (!over_dims(maker, step)) return false;
  const Tensor& x = maker[step.operands[0]];
  std::int64_t count = 1;
  for (const std::int64_t dim : step.list) count *= x.size(dim);
  step.numbers = {maker.below(2), step.numbers[0]};
  return count > 1;
}

}  // namespace

Words reduction_words() {
  using namespace autograd;
  return {
      {"sum_all", "{0}.sum()", "{0}.sum()", over_all, [](In x) { return x[0].sum(); }, Kind::adds},
      {"sum", "sum({0}, {l}, {b0})", "torch.sum({0}, {l}, {b0})", over_dims,
       [](In x) { return sum(x[0], x.list(), x.flag(0)); }, Kind::adds},
      {"mean_all", "{0}.mean()", "{0}.mean()", over_all, [](In x) { return x[0].mean(); }, Kind::adds},
      {"mean", "mean({0}, {l}, {b0})", "torch.mean({0}, {l}, {b0})", over_dims,
       [](In x) { return mean(x[0], x.list(), x.flag(0)); }, Kind::adds},
      {"var", "var({0}, {l}, {n0}, {b1})", "torch.var({0}, {l}, correction={n0}, keepdim={b1})", variance,
       [](In x) { return var(x[0], x.list(), x.n(0), x.flag(1)); }},
      {"amax", "amax({0}, {l}, {b0})", "torch.amax({0}, {l}, {b0})", extreme_over_dims<true>,
       [](In x) { return amax(x[0], x.list(), x.flag(0)); }},
      {"amin", "amin({0}, {l}, {b0})", "torch.amin({0}, {l}, {b0})", extreme_over_dims<false>,
       [](In x) { return amin(x[0], x.list(), x.flag(0)); }},
      {"max", "max({0}, {n0}, {b1}).values", "torch.max({0}, {n0}, {b1}).values", extreme_over_dim<true>,
       [](In x) { return max(x[0], x.n(0), x.flag(1)).values; }},
      {"min", "min({0}, {n0}, {b1}).values", "torch.min({0}, {n0}, {b1}).values", extreme_over_dim<false>,
       [](In x) { return min(x[0], x.n(0), x.flag(1)).values; }},
      {"logsumexp", "logsumexp({0}, {l}, {b0})", "torch.logsumexp({0}, {l}, {b0})", over_dims,
       [](In x) { return logsumexp(x[0], x.list(), x.flag(0)); }},
      {"cumsum", "cumsum({0}, {n0})", "torch.cumsum({0}, {n0})", over_dim, [](In x) { return cumsum(x[0], x.n(0)); },
       Kind::adds},
  };
}

}  // namespace random_programs
