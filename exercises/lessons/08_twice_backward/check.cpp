#include <judge/check.h>

#include <limits>

#include "given.h"

const Axes judge::axes = {};

namespace {

using autograd::float64;

// A node with more inputs than two.
NodePtr sum_of(const std::vector<NodePtr>& terms) {
  double sum = 0.0;
  for (const NodePtr& term : terms) sum += term->data;
  return given::numbers::make_node(sum, terms, [n = terms.size()](double dy) { return Gradients(n, dy); });
}

// L = h * h + h * a + b with h = a * b + a: a, b and h are used several times.
struct Graph {
  NodePtr a, b, h, output;
};
Graph make_graph(const std::vector<double>& numbers) {
  Graph graph;
  graph.a = given::numbers::leaf(numbers[0]);
  graph.b = given::numbers::leaf(numbers[1]);
  graph.h = given::numbers::add(given::numbers::mul(graph.a, graph.b), graph.a);
  graph.output = sum_of({given::numbers::mul(graph.h, graph.h), given::numbers::mul(graph.h, graph.a), graph.b});
  return graph;
}
Tensor same_in_tensors(const Tensor& ab) {
  const Tensor h = ab[0] * ab[1] + ab[0];
  return h * h + h * ab[0] + ab[1];
}

Tensor leaf_grads(const Graph& graph) {
  return autograd::tensor({graph.a->grad, graph.b->grad}, float64);
}

// A line through three points: (w x + b - y)^2, summed.
NodePtr loss_of_line(const NodePtr& w, const NodePtr& b) {
  const double points[3][2] = {{-1.0, 0.7}, {0.5, -1.1}, {2.0, -1.6}};
  NodePtr total = given::numbers::leaf(0.0);
  for (const auto& point : points) {
    const NodePtr predicted = given::numbers::add(given::numbers::mul(w, given::numbers::leaf(point[0])), b);
    const NodePtr error = given::numbers::add(predicted, given::numbers::leaf(-point[1]));
    total = given::numbers::add(total, given::numbers::mul(error, error));
  }
  return total;
}

}  // namespace

void check(const Answer& answer, Check& check) {
  const Tensor ab = check.uniform("a, b", {2}, 0.5, 1.5);
  const std::vector<double> numbers = ab.to_vector();
  {
    const Graph graph = make_graph(numbers);
    answer.backward(graph.output);
    check.gradient("da, db after one backward", leaf_grads(graph), ab, [=] { return same_in_tensors(ab); });
    check.compare("dh after one backward", graph.h->grad);
    answer.backward(graph.output);
    check.gradient("da, db after a second backward", leaf_grads(graph), ab, [=] { return 2.0 * same_in_tensors(ab); });
    check.compare("dh after a second backward", graph.h->grad);
    check.compare("d(output) after a second backward", graph.output->grad);
    answer.zero_grad({graph.a, graph.b});
    check.compare("da, db after zero_grad", leaf_grads(graph), {.may_be_zero = true});
    check.compare("a, b after zero_grad", std::vector<double>{graph.a->data, graph.b->data});
    answer.backward(graph.output);
    check.gradient("da, db after zero_grad and backward", leaf_grads(graph), ab, [=] { return same_in_tensors(ab); });
  }
  {
    const Graph graph = make_graph(numbers);
    graph.h->grad = std::numeric_limits<double>::quiet_NaN();
    graph.output->grad = std::numeric_limits<double>::infinity();
    answer.backward(graph.output);
    check.require("NaN in the middle is not passed on", std::isfinite(graph.a->grad) && std::isfinite(graph.b->grad),
                  "a middle node or the output held NaN or infinity before the walk, and the leaves have it now");
    graph.a->grad = std::numeric_limits<double>::quiet_NaN();
    graph.b->grad = std::numeric_limits<double>::infinity();
    answer.zero_grad({graph.a, graph.b});
    check.compare("NaN and infinity after zero_grad", leaf_grads(graph), {.may_be_zero = true});
  }
  {
    const NodePtr output = given::numbers::leaf(numbers[0]);
    output->grad = 3.0;
    answer.backward(output);
    check.compare("d(output) of an output that is a leaf with gradient 3", output->grad);
  }
  {
    const Graph graph = make_graph(numbers);
    const NodePtr other_output = given::numbers::mul(graph.h, graph.b);
    answer.backward(graph.output);
    answer.backward(other_output);
    check.gradient("da, db of two losses that share h", leaf_grads(graph), ab,
                   [=] { return same_in_tensors(ab) + (ab[0] * ab[1] + ab[0]) * ab[1]; });
  }
  {
    const NodePtr w = given::numbers::leaf(0.4);
    const NodePtr b = given::numbers::leaf(-0.2);
    w->grad = 3.0;  // left over from something else
    b->grad = -2.0;
    check.compare("losses of 5 steps", answer.train(
                                           {w, b}, [&] { return loss_of_line(w, b); }, 5, 0.05));
    check.compare("w, b after 5 steps", std::vector<double>{w->data, b->data});
    check.compare("dw, db of the last step", std::vector<double>{w->grad, b->grad});
    check.compare("losses of 2 more steps at another rate", answer.train(
                                                                {w, b}, [&] { return loss_of_line(w, b); }, 2, 0.02));
    w->grad = std::numeric_limits<double>::quiet_NaN();
    check.compare("losses of 2 more steps, after NaN in dw", answer.train(
                                                                 {w, b}, [&] { return loss_of_line(w, b); }, 2, 0.02));
  }
}
