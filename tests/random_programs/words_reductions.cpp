// Sums, means and extremes, over some dims or all, and losses.
#include "maker.h"
#include "words.h"

namespace random_programs {
namespace {

// Is the extreme of all those that are reduced together well apart from the others?
template <bool largest> bool clear_extreme(Maker& maker, Step& step) {
  if (!maker.fit(step)) return false;
  const Tensor x = maker[step.operands[0]].detach();
  const autograd::Dims dims = step.list.empty() ? autograd::Dims(step.numbers[0]) : autograd::Dims(step.list);
  if (x.numel() == 0) return false;
  const Tensor extreme = largest ? autograd::amax(x, dims, true) : autograd::amin(x, dims, true);
  const Tensor near = autograd::abs(x - extreme) < 0.02;
  return autograd::all(near.to(autograd::float64).sum(dims) < 1.5);
}

// With more than one element, and a correction that leaves one.
bool variance(Maker& maker, Step& step) {
  if (!maker.fit(step)) return false;
  step.numbers[0] = maker.below(2);
  std::int64_t count = 1;
  for (const std::int64_t axis : step.list) count *= maker[step.operands[0]].size(axis);
  return count > 1;
}

bool normalised(Maker& maker, Step& step) {
  const int x = maker.with_dims(1);
  const Shape& shape = maker[x].shape();
  const std::int64_t dims = maker.between(1, shape.dim());
  for (std::int64_t i = shape.dim() - dims; i < shape.dim(); ++i) step.list.push_back(shape[i]);
  step.operands = {x, Step::none, Step::none};
  const std::int64_t given = maker.below(3);
  if (given > 0) step.operands[1] = maker.shaped(Shape(step.list));
  if (given > 1) step.operands[2] = maker.shaped(Shape(step.list));
  step.reals = {1e-5};
  // Nearly equal elements would be blown up.
  return autograd::all(autograd::var(maker[x].detach().flatten(static_cast<int>(shape.dim() - dims)), -1, 0) > 0.05);
}

// Logits and ids; numbers are the id to be ignored and the reduction. Of no class that counts at all the mean would be
// NaN: there the losses are summed up.
bool against_ids(Maker& maker, Step& step) {
  const int logits = maker.with_dims(2, 3);
  const Tensor& x = maker[logits];
  const std::int64_t classes = x.size(1);
  if (x.numel() == 0) return false;
  Shape targets = x.shape();
  targets.erase(1);
  step.operands = {logits, maker.integers(targets, classes), Step::none};
  step.numbers = {maker.chance(50) ? -100 : maker.below(classes), maker.below(3)};
  const Tensor counted = maker[step.operands[1]] != static_cast<double>(step.numbers[0]);
  if (!autograd::any(counted) && step.numbers[1] == 2) step.numbers[1] = 1;
  if (step.word == "cross_entropy") step.reals = {maker.chance(25) ? 0.1 : 0.0};
  return true;
}

}  // namespace

Words reduction_words() {
  using namespace autograd;
  using enum Kind;
  using enum Expect;
  return {
      {"sum_all", "value", [](In x) { return x[0].sum(); }, adds},
      {"sum", "nonscalar dims flag", [](In x) { return sum(x[0], x.shape(), x.flag(0)); }, adds},
      {"mean_all", "value", [](In x) { return x[0].mean(); }, adds, any_values},
      {"mean", "nonscalar dims flag", [](In x) { return mean(x[0], x.shape(), x.flag(0)); }, adds, any_values},
      {"var", "nonscalar dims int(0,2) flag", [](In x) { return var(x[0], x.shape(), x.n(0), x.flag(1)); }, keeps_out,
       any_values, variance},
      {"amax", "nonscalar dims flag", [](In x) { return amax(x[0], x.shape(), x.flag(0)); }, keeps_out,
       clear_extreme<true>},
      {"amin", "nonscalar dims flag", [](In x) { return amin(x[0], x.shape(), x.flag(0)); }, keeps_out,
       clear_extreme<false>},
      {"max", "nonscalar dim flag", [](In x) { return max(x[0], x.n(0), x.flag(1)); }, keeps_out, clear_extreme<true>},
      {"min", "nonscalar dim flag", [](In x) { return min(x[0], x.n(0), x.flag(1)); }, keeps_out, clear_extreme<false>},
      {"argmax", "value dim flag", [](In x) { return argmax(x[0], x.n(0), x.flag(1)); }},
      {"argmin", "value dim flag", [](In x) { return argmin(x[0], x.n(0), x.flag(1)); }},
      {"logsumexp", "nonscalar dims flag", [](In x) { return logsumexp(x[0], x.shape(), x.flag(0)); }, keeps_out,
       any_values},
      {"cumsum", "nonscalar dim", [](In x) { return cumsum(x[0], x.n(0)); }, adds},
      {"softmax", "nonscalar dim", [](In x) { return softmax(x[0], x.n(0)); }, keeps_out},
      {"log_softmax", "nonscalar dim", [](In x) { return log_softmax(x[0], x.n(0)); }, keeps_out},
      {"masked_softmax", "nonscalar mask", [](In x) { return masked_softmax(x[0], x[1]); }, keeps_out},
      {"mse_loss", "value value reduction", [](In x) { return mse_loss(x[0], x[1], x.reduction(0)); }, keeps_out,
       any_values},
      {"kl_div", "value value reduction flag", [](In x) { return kl_div(x[0], x[1], x.reduction(0), x.flag(1)); },
       any_values},
      {"nll_loss", "[bc] indices[b]<c constant[c]? int(-100,1) reduction",
       [](In x) { return nll_loss(x[0], x[1], {.weight = x[2], .ignore_index = x.n(0), .reduction = x.reduction(1)}); },
       keeps_out, any_values, against_ids},
      {"cross_entropy", "[bcm] indices[bm]<c constant[c]? int(-100,1) reduction real(-0.1,1.1)",
       [](In x) {
         return cross_entropy(
             x[0], x[1],
             {.weight = x[2], .ignore_index = x.n(0), .reduction = x.reduction(1), .label_smoothing = x.real()});
       },
       keeps_out, any_values, against_ids},
      {"layer_norm", "[bmn] shape[mn] [mn]? [mn]? real(0,0.1)",
       [](In x) { return layer_norm(x[0], x.shape(), x[1], x[2], x.real()); }, keeps_out, any_values, normalised},
  };
}

}  // namespace random_programs
