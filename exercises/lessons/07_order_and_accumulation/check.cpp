#include <judge/check.h>

#include <algorithm>

#include "given.h"

const Axes judge::axes = {};

namespace {

// A graph, and all of its nodes in the order in which they were made: an order that is right is the reverse of that one
// or another in which no node comes after its inputs.
class Graph {
 public:
  NodePtr leaf(double data) { return made(data, {}, nullptr); }
  NodePtr add(const NodePtr& a, const NodePtr& b) {
    return made(a->data + b->data, {a, b}, [](double dy) { return Gradients{dy, dy}; });
  }
  NodePtr mul(const NodePtr& a, const NodePtr& b) {
    const double x = a->data;
    const double y = b->data;
    return made(x * y, {a, b}, [x, y](double dy) { return Gradients{dy * y, dy * x}; });
  }
  NodePtr sine(const NodePtr& a) {
    const double x = a->data;
    return made(std::sin(x), {a}, [x](double dy) { return Gradients{dy * std::cos(x)}; });
  }

  const std::vector<NodePtr>& nodes() const { return nodes_; }
  double calls() const { return *calls_; }

  // d(output)/d(the leaf at that position), forward: every node's change per change of the leaf.
  double derivative(const NodePtr& output, const NodePtr& leaf) const {
    std::map<const Node*, double> change;
    for (const NodePtr& node : nodes_) {
      double sum = node == leaf ? 1.0 : 0.0;
      if (!node->inputs.empty()) {
        const Gradients local = local_derivatives(*node);
        for (std::size_t i = 0; i < local.size(); ++i) sum += local[i] * change[node->inputs[i].get()];
      }
      change[node.get()] = sum;
    }
    return change[output.get()];
  }

  // The nodes that output depends on, and itself.
  std::set<const Node*> under(const NodePtr& output) const {
    std::set<const Node*> found = {output.get()};
    for (auto node = nodes_.rbegin(); node != nodes_.rend(); ++node) {
      if (!found.count(node->get())) continue;
      for (const NodePtr& input : (*node)->inputs) found.insert(input.get());
    }
    return found;
  }

 private:
  NodePtr made(double data, std::vector<NodePtr> inputs, const std::function<Gradients(double)>& derivative) {
    const NodePtr node = std::make_shared<Node>();
    node->data = data;
    node->grad = 0.0;
    node->inputs = std::move(inputs);
    if (derivative) {
      node->backward = [derivative, calls = calls_](double dy) {
        *calls += 1.0;
        return derivative(dy);
      };
      local_[node.get()] = derivative;
    }
    nodes_.push_back(node);
    return node;
  }
  Gradients local_derivatives(const Node& node) const { return local_.at(&node)(1.0); }

  std::vector<NodePtr> nodes_;
  std::map<const Node*, std::function<Gradients(double)>> local_;
  std::shared_ptr<double> calls_ = std::make_shared<double>(0.0);  // of backward, by the answer
};

std::vector<double> grads(const std::vector<NodePtr>& nodes) {
  std::vector<double> all;
  for (const NodePtr& node : nodes) all.push_back(node->grad);
  return all;
}

using Pool = std::vector<NodePtr>;

Pool three_leaves(Graph& graph, autograd::Generator& random) {
  Pool pool;
  for (int i = 0; i < 3; ++i) pool.push_back(graph.leaf(0.5 + random.uniform()));
  return pool;
}

const NodePtr& one_of(const Pool& pool, autograd::Generator& random) {
  return pool[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(pool.size())))];
}

// Three leaves and ten operations on whatever is there, so that much is used several times and some of it not at all.
// The operands of an operation are different nodes.
NodePtr random_graph(Graph& graph, autograd::Generator& random) {
  Pool pool = three_leaves(graph, random);
  for (int i = 0; i < 10; ++i) {
    const NodePtr a = one_of(pool, random);
    NodePtr b = one_of(pool, random);
    while (b == a) b = one_of(pool, random);
    pool.push_back(random.integer(0, 2) == 0 ? graph.add(a, b) : graph.sine(graph.mul(a, b)));
  }
  return pool.back();
}

// q q and a longer way on top of a random q. Who waits for one use of q too few comes to it before the end of the
// longer way, at least where the two are taken in one order and not in the other.
NodePtr random_graph_with_square(Graph& graph, autograd::Generator& random) {
  const NodePtr q = random_graph(graph, random);
  const NodePtr square = graph.mul(q, q);
  const NodePtr way = graph.sine(graph.sine(graph.sine(q)));
  return random.integer(0, 2) == 0 ? graph.add(square, way) : graph.add(way, square);
}

// The same with each operation on the result of the one before. There is but one right order then, except among the
// leaves: numbers that a wrong answer computes do not depend on which of the right orders it has.
NodePtr random_chain(Graph& graph, autograd::Generator& random) {
  Pool pool = three_leaves(graph, random);
  for (int i = 0; i < 10; ++i) {
    NodePtr a = pool.back();
    NodePtr b = random.integer(0, 3) == 2 ? a : one_of(pool, random);
    if (random.integer(0, 2) == 0) std::swap(a, b);
    pool.push_back(random.integer(0, 2) == 0 ? graph.add(a, b) : graph.sine(graph.mul(a, b)));
  }
  return pool.back();
}

using MakeGraph = NodePtr (*)(Graph& graph, autograd::Generator& random);

// What was seen in many graphs: in how many of them something is the matter.
struct Walk {
  int graphs = 0;
  int twice = 0;
  int missing = 0;
  int too_early = 0;
  int wrong = 0;
  double calls = 0.0;   // of backward
  double listed = 0.0;  // nodes by order
};

void look_at_order(const std::vector<Node*>& nodes, const Graph& graph, const NodePtr& output, Walk& walk) {
  std::map<const Node*, std::size_t> first;
  std::map<const Node*, std::size_t> last;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    first.emplace(nodes[i], i);
    last[nodes[i]] = i;
  }
  bool missing = false;
  bool early = false;
  for (const Node* node : graph.under(output)) {
    missing = missing || !last.count(node);
    for (const NodePtr& input : node->inputs) {
      early = early || (last.count(node) && first.count(input.get()) && first[input.get()] < last[node]);
    }
  }
  walk.twice += nodes.size() > last.size() ? 1 : 0;
  walk.missing += missing ? 1 : 0;
  walk.too_early += early ? 1 : 0;
}

Walk order_graphs(const Answer& answer, int count, MakeGraph make, autograd::Generator& random) {
  Walk walk;
  walk.graphs = count;
  for (int i = 0; i < count; ++i) {
    Graph graph;
    const NodePtr output = make(graph, random);
    const std::vector<Node*> nodes = answer.order(output);
    walk.listed += static_cast<double>(nodes.size());
    look_at_order(nodes, graph, output, walk);
  }
  return walk;
}

Walk walk_graphs(const Answer& answer, int count, MakeGraph make, autograd::Generator& random) {
  Walk walk;
  walk.graphs = count;
  for (int i = 0; i < count; ++i) {
    Graph graph;
    const NodePtr output = make(graph, random);
    answer.backward(output);
    bool right = true;
    for (std::size_t leaf = 0; leaf < 3; ++leaf) {
      const double expected = graph.derivative(output, graph.nodes()[leaf]);
      right = right && std::abs(graph.nodes()[leaf]->grad - expected) <= 1e-9 * (1.0 + std::abs(expected));
    }
    walk.wrong += right ? 0 : 1;
    walk.calls += graph.calls();
  }
  return walk;
}

std::string of_all(int wrong, const Walk& walk) {
  return " " + std::to_string(wrong) + " of " + std::to_string(walk.graphs) + " random graphs";
}

// One row of leaf gradients for each of 12 chains.
Tensor gradients_of_chains(const Answer& answer, autograd::Generator& random) {
  std::vector<double> gradients;
  for (int i = 0; i < 12; ++i) {
    Graph graph;
    answer.backward(random_chain(graph, random));
    for (std::size_t leaf = 0; leaf < 3; ++leaf) gradients.push_back(graph.nodes()[leaf]->grad);
  }
  return autograd::from_vector(gradients, {12, 3}, autograd::float64);
}

// What is wrong with the order makes the gradients wrong, and so comes before them.
void check_orders(const Answer& answer, Check& check) {
  const Walk walk = order_graphs(answer, 100, random_graph, check.random());
  check.require("order: no node twice", walk.twice == 0, "a node stands twice in" + of_all(walk.twice, walk));
  check.require("order: every node", walk.missing == 0, "a node is missing in" + of_all(walk.missing, walk));
  check.require("order: every node after its users", walk.too_early == 0,
                "a node stands before one that uses it in" + of_all(walk.too_early, walk));
  const Walk squares = order_graphs(answer, 100, random_graph_with_square, check.random());
  check.require("order with q q in the graphs", squares.too_early == 0,
                "a node stands before one that uses it in" + of_all(squares.too_early, squares) +
                    ", in each of which a product has the same node twice");
  check.compare("nodes in the orders of 100 random graphs", walk.listed);
}

void check_random_graphs(const Answer& answer, Check& check) {
  const Walk walk = walk_graphs(answer, 100, random_graph, check.random());
  check.compare("leaf gradients of 12 random graphs", gradients_of_chains(answer, check.random()));
  check.compare("calls of backward in 100 random graphs", walk.calls);
  check.require("100 random graphs", walk.wrong == 0, "a gradient is wrong in" + of_all(walk.wrong, walk));

  const Walk squares = walk_graphs(answer, 100, random_graph_with_square, check.random());
  check.require("100 random graphs with q q", squares.wrong == 0,
                "a gradient is wrong in" + of_all(squares.wrong, squares) +
                    ", in each of which a product has the same node twice");
  if (check.slow_part()) {
    const Walk more = walk_graphs(answer, 1000, random_graph_with_square, check.random());
    check.require("1000 more random graphs", more.wrong == 0, "a gradient is wrong in" + of_all(more.wrong, more));
  }
}

}  // namespace

void check(const Answer& answer, Check& check) {
  check_orders(answer, check);
  {
    Graph graph;
    const NodePtr a = graph.leaf(1.0);
    const NodePtr b = graph.add(a, a);
    const NodePtr c = graph.add(b, b);
    check.compare("nodes in order(c) where b = a + a and c = b + b", static_cast<double>(answer.order(c).size()));
    answer.backward(c);
    check.compare("da db dc where b = a + a and c = b + b", grads({a, b, c}));
  }
  {
    Graph graph;
    const NodePtr a = graph.leaf(2.0);
    const NodePtr b = graph.leaf(-3.0);
    const NodePtr d = graph.mul(a, b);
    const NodePtr e = graph.add(d, a);
    const NodePtr f = graph.mul(d, e);
    answer.backward(f);
    check.compare("da db dd de of d e where d = a b and e = d + a", grads({a, b, d, e}));
  }
  {
    Graph graph;
    const NodePtr a = graph.leaf(0.7);
    const NodePtr square = graph.mul(a, a);
    const NodePtr sum = graph.add(square, a);
    answer.backward(graph.mul(graph.sine(sum), square));
    check.compare("da dq of sin(q + a) q where q = a a", grads({a, square}));
    check.compare("calls of backward for sin(q + a) q where q = a a", graph.calls());
  }
  {
    Graph graph;
    const NodePtr a = graph.leaf(1.3);
    const NodePtr q = graph.sine(a);
    answer.backward(graph.add(graph.mul(q, graph.leaf(0.0)), a));
    check.compare("da dq of 0 q + a where q = sin(a)", grads({a, q}));
    check.require("a gradient of 0 is passed on, too", graph.calls() == 3.0,
                  "backward was called " + std::to_string(static_cast<int>(graph.calls())) +
                      " times in 0 q + a, where dq is 0 and three nodes are not leaves");
  }
  {
    Graph graph;
    const NodePtr output = graph.leaf(1.3);
    check.compare("nodes in the order of an output that is a leaf", static_cast<double>(answer.order(output).size()));
    answer.backward(output);
    check.compare("d(output) of an output that is a leaf", output->grad);
  }
  check_random_graphs(answer, check);
}
