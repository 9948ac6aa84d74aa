// An engine for derivatives in fewer than a hundred lines, and a network that learns with it.
//
// Nothing of Backstep is in this file: it is complete by itself. A number is a node that remembers what it was computed
// from; backward() goes through the nodes from the last one made to the first, and applies the chain rule at each.
// The book builds it piece by piece, and says why each is as it is: docs/03-a-tiny-engine.md.
//
// Try next: write exp_of and a relu. Write = for the += in visit(): which of the gradients below is still right? Give
// the network 2 hidden units in place of 8, or 50.
//
//   build/release/examples/00_tiny_engine
//   c++ -std=c++20 -O2 examples/00_tiny_engine.cpp -o tiny && ./tiny
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

struct Node;
using NodePtr = std::shared_ptr<Node>;
using Gradients = std::vector<double>;  // one per input

// One number, and where it came from.
struct Node {
  double data = 0.0;
  double grad = 0.0;                             // dL/d(data): the sum of what has arrived so far
  std::vector<NodePtr> inputs;                   // what it was computed from; none for a leaf
  std::function<Gradients(double dy)> backward;  // dL/d(each input), given dy = dL/d(data); none for a leaf
  long number = 0;                               // position in the order in which nodes were made

  bool is_leaf() const { return inputs.empty(); }
  ~Node();
};

NodePtr make_node(double data, std::vector<NodePtr> inputs, std::function<Gradients(double dy)> backward) {
  static long made = 0;
  const NodePtr node = std::make_shared<Node>();
  node->data = data;
  node->inputs = std::move(inputs);
  node->backward = std::move(backward);
  node->number = ++made;
  return node;
}

NodePtr value(double data) {
  return make_node(data, {}, nullptr);
}  // a leaf

// ---- operations ----------------------------------------------------------------------------------------------------

NodePtr add(const NodePtr& a, const NodePtr& b) {
  return make_node(a->data + b->data, {a, b}, [](double dy) { return Gradients{dy, dy}; });
}

NodePtr mul(const NodePtr& a, const NodePtr& b) {
  const double left = a->data;
  const double right = b->data;
  return make_node(left * right, {a, b}, [left, right](double dy) { return Gradients{dy * right, dy * left}; });
}

NodePtr tanh_of(const NodePtr& x) {
  const double y = std::tanh(x->data);
  return make_node(y, {x}, [y](double dy) { return Gradients{dy * (1.0 - y * y)}; });
}

// ---- the walk back -------------------------------------------------------------------------------------------------

// Every node that `output` was computed from, and output itself: each once, and each after all nodes that use it.
std::vector<Node*> order(const NodePtr& output) {
  std::map<long, Node*, std::greater<>> waiting = {{output->number, output.get()}};  // the largest number first
  std::vector<Node*> nodes;
  while (!waiting.empty()) {
    Node* node = waiting.begin()->second;
    waiting.erase(waiting.begin());
    nodes.push_back(node);
    for (const NodePtr& input : node->inputs) waiting[input->number] = input.get();
  }
  return nodes;
}

// Each node has its turn: it turns its own grad into gradients for its inputs.
void visit(const std::vector<Node*>& nodes) {
  for (Node* node : nodes) {
    if (node->is_leaf()) continue;
    const Gradients gradients = node->backward(node->grad);
    for (std::size_t i = 0; i < gradients.size(); ++i) node->inputs[i]->grad += gradients[i];
  }
}

// Adds d(output)/d(leaf) to the grad of every leaf. The other nodes' grad is from this walk alone.
void backward(const NodePtr& output) {
  const std::vector<Node*> nodes = order(output);
  for (Node* node : nodes) {
    if (!node->is_leaf()) node->grad = 0.0;
  }
  output->grad += 1.0;
  visit(nodes);
}

// ---- training ------------------------------------------------------------------------------------------------------

void zero_grad(const std::vector<NodePtr>& parameters) {
  for (const NodePtr& parameter : parameters) parameter->grad = 0.0;
}

// Gradient descent. `loss` computes the loss anew from the parameters and returns its node. Returns the loss at every
// step, before the step changes the parameters.
std::vector<double> train(const std::vector<NodePtr>& parameters, const std::function<NodePtr()>& loss, int steps,
                          double learning_rate) {
  std::vector<double> losses;
  for (int step = 0; step < steps; ++step) {
    const NodePtr output = loss();
    zero_grad(parameters);
    backward(output);
    for (const NodePtr& parameter : parameters) parameter->data -= learning_rate * parameter->grad;
    losses.push_back(output->data);
  }
  return losses;
}

// ---- how long a node lives -----------------------------------------------------------------------------------------

// Frees the nodes that only this one holds, in a loop: destructors that call each other would overflow the stack.
Node::~Node() {
  std::vector<NodePtr> to_free = std::move(inputs);
  while (!to_free.empty()) {
    const NodePtr node = std::move(to_free.back());
    to_free.pop_back();
    if (node.use_count() > 1) continue;  // somebody else needs it
    for (NodePtr& input : node->inputs) to_free.push_back(std::move(input));
    node->inputs.clear();
  }  // here `node` dies, and has no inputs left
}

// ---- that was the engine; a network and its data --------------------------------------------------------------------

std::mt19937 generator(4);

double uniform(double low, double high) {
  return low + (high - low) * (generator() / 4294967296.0);
}

// v tanh(w1 x1 + w2 x2 + b)
struct Unit {
  NodePtr w1 = value(uniform(-1.5, 1.5));
  NodePtr w2 = value(uniform(-1.5, 1.5));
  NodePtr b = value(uniform(-1.5, 1.5));
  NodePtr v = value(uniform(-1.5, 1.5));

  NodePtr operator()(double x1, double x2) const {
    const NodePtr sum = add(add(mul(w1, value(x1)), mul(w2, value(x2))), b);
    return mul(v, tanh_of(sum));
  }
};

struct Network {
  std::vector<Unit> units = std::vector<Unit>(8);
  NodePtr c = value(0.0);

  NodePtr operator()(double x1, double x2) const {
    NodePtr y = c;
    for (const Unit& unit : units) y = add(y, unit(x1, x2));
    return y;
  }
  std::vector<NodePtr> parameters() const {
    std::vector<NodePtr> all = {c};
    for (const Unit& unit : units) all.insert(all.end(), {unit.w1, unit.w2, unit.b, unit.v});
    return all;
  }
};

// Two interlocking half circles: no straight line separates them.
struct Point {
  double x1, x2, target;
};
std::vector<Point> two_moons(int points_each) {
  const auto noise = [] { return uniform(-0.1, 0.1); };
  std::vector<Point> points;
  for (int i = 0; i < points_each; ++i) {
    const double angle = std::numbers::pi * (i + 0.5) / points_each;
    points.push_back({std::cos(angle) + noise(), std::sin(angle) + noise(), 1.0});
    points.push_back({1.0 - std::cos(angle) + noise(), 0.5 - std::sin(angle) + noise(), -1.0});
  }
  return points;
}

// The mean of the squared distances between what the network says and what it should say.
NodePtr mean_squared_error(const Network& network, const std::vector<Point>& points) {
  NodePtr sum = value(0.0);
  for (const Point& point : points) {
    const NodePtr error = add(network(point.x1, point.x2), value(-point.target));
    sum = add(sum, mul(error, error));
  }
  return mul(sum, value(1.0 / static_cast<double>(points.size())));
}

int count_right(const Network& network, const std::vector<Point>& points) {
  int right = 0;
  for (const Point& point : points) right += (network(point.x1, point.x2)->data > 0.0) == (point.target > 0.0);
  return right;
}

int main() {
  const NodePtr x = value(2.0);
  const NodePtr s = mul(x, x);
  const NodePtr y = mul(s, add(s, value(1.0)));
  backward(y);
  std::printf("s = x^2 and y = s (s + 1), at x = %g: y = %g, dy/ds = %g, dy/dx = %g\n\n", x->data, y->data, s->grad,
              x->grad);

  const std::vector<Point> points = two_moons(20);
  const Network network;
  const auto loss = [&] { return mean_squared_error(network, points); };
  std::printf("A network of %zu parameters learns to tell two moons apart; the graph of its loss has %zu nodes.\n\n",
              network.parameters().size(), order(loss()).size());
  const std::vector<double> losses = train(network.parameters(), loss, 300, 0.15);
  for (const std::size_t step : {0, 10, 100, 299}) std::printf("step %3zu: loss %.2f\n", step, losses[step]);

  const std::vector<Point> fresh = two_moons(500);
  std::printf("\n%d of its %zu points are on the right side, and %d of %zu others.\n", count_right(network, points),
              points.size(), count_right(network, fresh), fresh.size());
}
