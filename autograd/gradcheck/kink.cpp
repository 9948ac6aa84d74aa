#include "autograd/gradcheck/kink.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "autograd/gradcheck/numeric_derivative.h"
#include "autograd/ops/ops.h"
#include "autograd/tape/backward.h"
#include "autograd/tape/observer.h"

namespace autograd::checker {

// ---- the slopes ------------------------------------------------------------------------------------------

namespace {

// One-sided slopes are off by a term in h; half the step removes it.
struct OneSided {
  double left, right, noise;
  double jump() const { return right - left; }
  double size() const { return std::max(std::abs(left), std::abs(right)); }
};

OneSided one_sided(const Probe& probe, double& element, double step) {
  const Slopes full = probe.slopes(element, step);
  const Slopes half = probe.slopes(element, step / 2);
  const double noise = 4.0 * std::max(full.noise, half.noise);
  return {2.0 * half.left - full.left, 2.0 * half.right - full.right, noise};
}

bool is_significant(const OneSided& sides) {
  return std::abs(sides.jump()) > 10.0 * sides.noise + 1e-4 * sides.size();
}

Sides::Kind kind_of(const OneSided& near, const OneSided& nearer) {
  if (!std::isfinite(near.jump()) || !std::isfinite(nearer.jump())) return Sides::Kind::unclear;
  // Where the function jumps, a hundredth of the step makes the slope a hundred times steeper.
  if (nearer.size() > 20.0 * near.size() + 10.0 * nearer.noise) return Sides::Kind::jump;
  if (!is_significant(near) && !is_significant(nearer)) return Sides::Kind::smooth;
  if (!is_significant(near) || !is_significant(nearer)) return Sides::Kind::unclear;
  const bool same_corner = std::abs(near.jump() - nearer.jump()) <= 0.05 * std::abs(near.jump());
  return same_corner ? Sides::Kind::corner : Sides::Kind::unclear;
}

}  // namespace

Sides look_at_both_sides(const Probe& probe, double& element) {
  const double unit = step_unit(element);
  const OneSided near = one_sided(probe, element, 1e-5 * unit);
  const OneSided nearer = one_sided(probe, element, 1e-7 * unit);
  return {kind_of(near, nearer), near.left, near.right};
}

// ---- the branch ------------------------------------------------------------------------------------------

namespace {

using Choices = std::vector<int>;  // the branch that each element took

int sign_of(double x) {
  return (x > 0.0) - (x < 0.0);
}

Choices signs(const std::vector<double>& values) {
  Choices choices;
  for (const double value : values) choices.push_back(sign_of(value));
  return choices;
}

Choices signs_of_difference(const Tensor& a, const Tensor& b) {
  const NoGradGuard no_grad;
  return signs(sub(a.detach(), b.detach()).to_vector());
}

// 1 for each element whose value is one of the extremes, else 0.
Choices winners(const Tensor& x, const Tensor& extremes) {
  std::vector<double> sorted = extremes.to_vector();
  std::sort(sorted.begin(), sorted.end());
  Choices choices;
  for (const double value : x.to_vector()) choices.push_back(std::binary_search(sorted.begin(), sorted.end(), value));
  return choices;
}

// The branches that the op's elements took; empty for an op without branches.
Choices choices_of(std::string_view op, const Inputs& x, const Tensor& y) {
  if (op == "relu" || op == "abs" || op == "sign") return signs(x[0].to_vector());
  if (op == "clamp") return signs_of_difference(x[0], y);
  if (op == "maximum") return signs_of_difference(x[0], x[1]);
  if (op == "amax" || op == "max" || op == "min") return winners(x[0], y);
  return {};
}

// Records every op and the branches that its elements took.
class BranchRecorder final : public ForwardingObserver {
 public:
  struct Step {
    std::string op;
    Where where;
    Choices choices;
  };
  std::vector<Step> steps;

  void recorded(Node& node, const Inputs& inputs, const Tensor& output) override {
    ForwardingObserver::recorded(node, inputs, output);
    steps.push_back({node.name(), node.called_at, choices_of(node.name(), inputs, output)});
  }
};

std::vector<BranchRecorder::Step> steps_at(const Probe& probe, double& element, double value) {
  BranchRecorder recorder;
  const ObserverGuard attached(recorder);
  const GradModeGuard graph_on(true);
  const Moved moved(element, value);
  probe.evaluate()();
  return std::move(recorder.steps);
}

}  // namespace

Branch find_flipped_branch(const Probe& probe, double& element, double step) {
  const double x = element;
  const auto before = steps_at(probe, element, x - step);
  const auto after = steps_at(probe, element, x + step);
  for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
    const bool same = before[i].op == after[i].op && before[i].choices == after[i].choices;
    if (!same) return {after[i].op, after[i].where};
  }
  return {};
}

}  // namespace autograd::checker
