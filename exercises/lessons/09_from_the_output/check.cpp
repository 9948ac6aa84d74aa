#include <judge/check.h>

#include "given.h"

const Axes judge::axes = {{"points", 7}};

namespace {

using Function = NodePtr (*)(const NodePtr& x);

NodePtr leaf(double data) {
  return make_node(data, nullptr, 0.0, nullptr);
}

// y and dx at every point. All nodes are there before the first backward is called, and that is called in another order
// than they were made in: what one node keeps must not be what another one keeps. If `overwritten`, other numbers stand
// in all nodes by then.
struct Results {
  std::vector<double> y;
  std::vector<double> dx;
  bool inputs_are_x = true;
};
Results run(Function function, const Tensor& x, const Tensor& dy, bool overwritten) {
  const std::vector<double> points = x.to_vector();
  const std::vector<double> upstream = dy.to_vector();
  Results results;
  std::vector<NodePtr> inputs, nodes;
  for (const double point : points) {
    inputs.push_back(leaf(point));
    nodes.push_back(function(inputs.back()));
    const NodePtr& node = nodes.back();
    if (!node || !node->backward) throw std::runtime_error("a function returned no node, or a node without a backward");
    results.y.push_back(node->data);
    results.inputs_are_x = results.inputs_are_x && node->input == inputs.back();
  }
  for (std::size_t i = 0; overwritten && i < points.size(); ++i) {
    inputs[i]->data = points[i] > 0.0 ? -0.3 : 2.0;
    nodes[i]->data = 0.9;
  }
  results.dx.resize(points.size());
  for (const std::size_t first : {1, 0}) {
    for (std::size_t i = first; i < points.size(); i += 2) results.dx[i] = nodes[i]->backward(*nodes[i], upstream[i]);
  }
  return results;
}

}  // namespace

void check(const Answer& answer, Check& check) {
  struct One {
    std::string name;
    Function function;
    Tensor (*expected)(const Tensor& x);
  };
  const One all[] = {
      {"tanh", answer.tanh_of, [](const Tensor& x) { return x.tanh(); }},
      {"sigmoid", answer.sigmoid_of, [](const Tensor& x) { return x.sigmoid(); }},
      {"exp", answer.exp_of, [](const Tensor& x) { return x.exp(); }},
      {"log", answer.log_of, [](const Tensor& x) { return x.log(); }},
      {"relu", answer.relu_of, [](const Tensor& x) { return x.relu(); }},
  };
  const Tensor x = check.uniform("x", {"points"}, -1.8, 1.8);
  const Tensor positive = check.uniform("positive x", {"points"}, 0.3, 3.0);
  const Tensor dy = check.randn("dy", {"points"});
  for (const One& one : all) {
    const Tensor& at = one.name == "log" ? positive : x;
    const Results results = run(one.function, at, dy, false);
    const auto loss = [=, expected = one.expected] { return (dy * expected(at)).sum(); };
    check.compare("y of " + one.name, results.y);
    check.gradient("dx of " + one.name,
                   autograd::from_vector(results.dx, {static_cast<std::int64_t>(results.dx.size())}, autograd::float64),
                   at, loss);
    check.require("input of " + one.name + "'s node", results.inputs_are_x,
                  "the `input` of the node that " + one.name + " makes is not x");
  }
  const Tensor zero = autograd::zeros({1}, autograd::float64);
  check.compare("dx of relu at x = 0", run(answer.relu_of, zero, 1.0 + zero, false).dx, {.may_be_zero = true});
  for (const One& one : all) {
    const Tensor& at = one.name == "log" ? positive : x;
    check.compare("dx of " + one.name + " after data was overwritten", run(one.function, at, dy, true).dx);
  }
}
