#include "autograd/gradcheck/kink.h"

#include <algorithm>
#include <cmath>

#include "autograd/gradcheck/numeric_derivative.h"
#include "autograd/ops/ops.h"
#include "autograd/tape/backward.h"
#include "autograd/tape/observer.h"
#include "autograd/tensor/factories.h"

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

// Keeps every op, in the order of the program.
class Recorder final : public Observer {
 public:
  std::vector<Ref<Node>> nodes;

  void recorded(Node& node, const Inputs& inputs, const Tensor& output) override {
    Observer::recorded(node, inputs, output);
    nodes.push_back(Ref<Node>(&node));
  }
};

struct RanOp {
  std::string name;
  Where where;
  std::vector<double> slopes;  // the piece that each element lies on, of a piecewise op; else none
};

// What its backward makes of ones.
std::vector<double> slopes_of(Node& node) {
  std::vector<double> slopes;
  for (const Tensor& gradient : node.backward(ones(node.shape, node.dtype))) {
    if (!gradient.defined()) continue;
    const std::vector<double> values = gradient.to_vector();
    slopes.insert(slopes.end(), values.begin(), values.end());
  }
  return slopes;
}

std::vector<RanOp> ops_at(const Probe& probe, double& element, double value) {
  Recorder recorder;
  const Moved moved(element, value);
  {
    const ObserverGuard attached(recorder);
    const GradModeGuard graph_on(true);
    probe.evaluate()();
  }
  std::vector<RanOp> ops;
  const NoGradGuard no_grad;
  for (const Ref<Node>& node : recorder.nodes) {
    ops.push_back({node->name(), node->called_at, {}});
    if (node->op->piecewise) ops.back().slopes = slopes_of(*node);
  }
  return ops;
}

}  // namespace

Branch find_flipped_branch(const Probe& probe, double& element, double step) {
  const double x = element;
  const auto before = ops_at(probe, element, x - step);
  const auto after = ops_at(probe, element, x + step);
  for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
    const bool same = before[i].name == after[i].name && before[i].slopes == after[i].slopes;
    if (!same) return {after[i].name, after[i].where};
  }
  return {};
}

}  // namespace autograd::checker
