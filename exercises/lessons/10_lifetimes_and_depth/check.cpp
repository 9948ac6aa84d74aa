#include <judge/check.h>

#include <set>

#include "given.h"

const Axes judge::axes = {};

namespace {

using given::Meter;

// Hands the answer's dismantle() to the nodes, and sees to it that nothing outlives the check: a node that holds itself
// would stay for ever.
class Nursery {
 public:
  explicit Nursery(const Answer& answer) {
    Meter::dismantle = answer.dismantle;
    Meter::nesting = 0;
  }
  ~Nursery() {
    Meter::dismantle = nullptr;
    std::vector<NodePtr> inputs;
    std::vector<std::function<Gradients(double)>> closures;
    for (Node* node : Meter::alive) {
      for (NodePtr& input : node->take_inputs()) inputs.push_back(std::move(input));
      closures.push_back(std::exchange(node->backward, nullptr));
    }
  }
  Nursery(const Nursery&) = delete;
  Nursery& operator=(const Nursery&) = delete;
};

double alive() {
  return static_cast<double>(Meter::alive.size());
}

NodePtr leaf(double data) {
  return make_node(data, {});
}
NodePtr add(const NodePtr& a, const NodePtr& b) {
  const NodePtr node = make_node(a->data + b->data, {a, b});
  node->backward = [](double dy) { return Gradients{dy, dy}; };
  return node;
}
NodePtr mul(const NodePtr& a, const NodePtr& b) {
  const double x = a->data;
  const double y = b->data;
  const NodePtr node = make_node(x * y, {a, b});
  node->backward = [x, y](double dy) { return Gradients{dy * y, dy * x}; };
  return node;
}

void walk_back(const std::vector<Node*>& order, double dy) {
  if (!order.empty()) order[0]->grad += dy;
  for (Node* node : order) {
    if (node->inputs().empty()) continue;
    const Gradients gradients = node->backward(node->grad);
    for (std::size_t i = 0; i < gradients.size(); ++i) node->inputs()[i]->grad += gradients[i];
  }
}

enum class Through { first_operand, second_operand, both_operands, tanh };

// `links` sums or tanhs on top of each other.
NodePtr chain(const Answer& answer, Through through, int links) {
  NodePtr x = leaf(0.1);
  for (int i = 0; i < links; ++i) {
    if (through == Through::first_operand) x = add(x, leaf(0.001));
    if (through == Through::second_operand) x = add(leaf(0.001), x);
    if (through == Through::both_operands) x = add(x, x);
    if (through == Through::tanh) x = answer.tanh_of(x);
  }
  return x;
}

constexpr int links = 2000;
constexpr std::ptrdiff_t most_stack = 16 * 1024;  // of a function that does not call itself

// How deep destructors run inside one another when a chain is dropped.
int nesting_of(const Answer& answer, Through through) {
  NodePtr x = chain(answer, through, links);
  Meter::deepest_nesting = 0;
  x = nullptr;
  return Meter::deepest_nesting;
}

std::string too_deep(int nesting, const std::string& what) {
  return std::to_string(nesting) + " destructors ran inside one another when " + what + " of 2000 was dropped";
}

// From the first to the last frame that looked at inputs or took them.
std::ptrdiff_t stack_of(const std::function<void()>& action) {
  Meter::lowest_frame = Meter::highest_frame = nullptr;
  action();
  return Meter::highest_frame - Meter::lowest_frame;
}

void check_lifetimes(const Answer& answer, Check& check) {
  {
    const double before = alive();
    NodePtr x = chain(answer, Through::tanh, 5);
    x = nullptr;
    check.compare("nodes alive when a chain of 5 tanh is dropped", alive() - before, {.may_be_zero = true});
  }
  const double before = alive();
  const NodePtr kept_leaf = leaf(0.4);
  NodePtr kept = add(mul(kept_leaf, leaf(2.0)), kept_leaf);
  NodePtr dropped = add(mul(kept, leaf(3.0)), add(leaf(1.0), kept));
  dropped = nullptr;
  check.compare("nodes alive when one of them is dropped", alive() - before);
  walk_back({kept.get(), kept->inputs().empty() ? kept.get() : kept->inputs()[0].get()}, 1.0);
  check.compare("gradient of the leaf in the other", kept_leaf->grad);
  kept = nullptr;

  const int first = nesting_of(answer, Through::first_operand);
  const int second = nesting_of(answer, Through::second_operand);
  const int both = nesting_of(answer, Through::both_operands);
  const int tanh = nesting_of(answer, Through::tanh);
  check.require("chain of sums: freed in a loop", first <= 4, too_deep(first, "a chain of sums"));
  check.require("chain through the second operand: freed in a loop", second <= 4,
                too_deep(second, "a chain through the second operand"));
  check.require("chain of x + x: freed in a loop", both <= 4, too_deep(both, "a chain of x + x"));
  check.require("chain of tanh: freed in a loop", tanh <= 4, too_deep(tanh, "a chain of tanh"));

  NodePtr deep = chain(answer, Through::second_operand, links);
  const std::ptrdiff_t bytes = stack_of([&] { deep = nullptr; });
  const bool is_left_to_destructors = second > 4;  // as is said above
  check.require("dismantle: no recursion", is_left_to_destructors || bytes < most_stack,
                "your dismantle uses more stack the deeper a graph is: " + std::to_string(bytes / 1024) +
                    " KiB for a chain of 2000 nodes");
}

bool each_after_its_users(const std::vector<Node*>& nodes) {
  std::set<const Node*> found;
  for (const Node* node : nodes) {
    found.insert(node);
    for (const NodePtr& input : node->inputs()) {
      if (found.count(input.get())) return false;
    }
  }
  return true;
}

void check_order(const Answer& answer, Check& check) {
  const NodePtr a = leaf(1.3);
  const NodePtr b = leaf(-0.7);
  const NodePtr d = mul(a, b);
  const NodePtr e = add(d, a);
  const NodePtr f = mul(d, e);
  const NodePtr g = mul(e, add(f, d));
  const std::vector<Node*> nodes = answer.order(g);
  check.compare("nodes in order", static_cast<double>(nodes.size()));
  walk_back(nodes, 1.0);
  const std::vector<double> gradients = {a->grad, b->grad, d->grad, e->grad};
  check.compare("da db dd de by your order of e (d e + d) where d = a b and e = d + a", gradients);

  // Who waits for two uses of q, and not for three, comes to it too early in one of these two.
  const NodePtr q = leaf(0.6);
  const NodePtr square = mul(q, q);
  const NodePtr way = answer.tanh_of(answer.tanh_of(answer.tanh_of(q)));
  const bool in_order =
      each_after_its_users(answer.order(add(square, way))) && each_after_its_users(answer.order(add(way, square)));
  check.require("order with q q: each after its users", in_order,
                "in q q + tanh(tanh(tanh(q))), or with the two exchanged, q stands before a node that uses it");

  const NodePtr deep = chain(answer, Through::second_operand, links);
  double found = 0.0;
  const std::ptrdiff_t bytes = stack_of([&] { found = static_cast<double>(answer.order(deep).size()); });
  check.compare("nodes in order, chain of 2000 sums", found);
  check.require("order: no recursion", bytes < most_stack,
                "your order uses more stack the deeper a graph is: " + std::to_string(bytes / 1024) +
                    " KiB for a chain of 2000 nodes");
}

}  // namespace

void check(const Answer& answer, Check& check) {
  const Nursery nursery(answer);
  const Tensor at = check.uniform("x", {1}, 0.4, 0.9);
  {
    const NodePtr start = leaf(at.item());
    NodePtr x = answer.tanh_of(start);
    const NodePtr middle = x;
    x = answer.tanh_of(x);
    const double dx = middle->backward(x->backward(-1.7).at(0)).at(0);
    check.gradient("dx of tanh(tanh(x)), dy = -1.7", autograd::tensor({dx}, autograd::float64), at,
                   [=] { return -1.7 * at.tanh().tanh().sum(); });
  }
  check_lifetimes(answer, check);
  check_order(answer, check);

  if (check.slow_part()) {
    constexpr int many = 200000;
    NodePtr deep = chain(answer, Through::tanh, many);
    const bool complete = answer.order(deep).size() == many + 1;
    check.require("order of a chain of 200,000", complete, "some of the 200,001 nodes are missing");
    const double before = alive();
    deep = nullptr;
    check.require("200,000 nodes freed", before - alive() == many + 1, "some of the 200,001 nodes are still alive");
  }
}
