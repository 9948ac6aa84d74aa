#include "autograd/gradcheck/blame.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "autograd/gradcheck/check_node.h"
#include "autograd/ops/ops.h"
#include "autograd/tape/backward.h"
#include "autograd/tape/observer.h"
#include "autograd/tensor/error.h"

namespace autograd::checker {
namespace {

// Copies of an op's inputs and output, which may be changed in place later.
struct Forward {
  Inputs inputs;
  Tensor output;
};

struct Backward {
  Ref<Node> node;
  Tensor dy;
  Grads gradients;
  std::vector<bool> asked;
};

Tensor copy_of(const Tensor& tensor) {
  if (!tensor.defined()) return tensor;
  const Tensor copy = tensor.detach().clone();
  if (!tensor.name().empty()) copy.set_name(tensor.name());
  return copy;
}

class TapeRecorder final : public Observer {
 public:
  std::unordered_map<const Node*, Forward> forwards;
  std::vector<Backward> backwards;

  void recorded(Node& node, const Inputs& inputs, const Tensor& output) override {
    Observer::recorded(node, inputs, output);
    const NoGradGuard no_grad;
    Forward forward;
    for (const Tensor& input : inputs) forward.inputs.push_back(copy_of(input));
    forward.output = copy_of(output);
    forwards[&node] = std::move(forward);
    nodes_.push_back(Ref<Node>(&node));  // kept, so that no other node gets its address
  }

  Grads run(Node& node, const Tensor& dy) override {
    const Grads gradients = Observer::run(node, dy);
    const NoGradGuard no_grad;
    Backward backward{Ref<Node>(&node), copy_of(dy), {}, {}};
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      backward.gradients.push_back(copy_of(gradients[i]));
      backward.asked.push_back(node.needs(i));
    }
    backwards.push_back(std::move(backward));
    return gradients;
  }

 private:
  std::vector<Ref<Node>> nodes_;
};

// Does the op give the same output once more? One that changed its input in place does not.
bool can_be_repeated(const Node& node, const Forward& forward) {
  const NoGradGuard no_grad;
  const Tensor again = node.forward(forward.inputs);
  return again.dtype() == forward.output.dtype() && allclose(again, forward.output);
}

bool is_checkable(const Backward& backward, const TapeRecorder& tape) {
  return !backward.node->is_leaf() && tape.forwards.contains(backward.node.get());
}

// No report for an op that cannot be checked by itself.
std::optional<NodeReport> check(const Backward& backward, const Forward& forward, const GradcheckOptions& options) {
  try {
    if (!can_be_repeated(*backward.node, forward)) return {};
    return check_node_gradients(*backward.node, forward.inputs, backward.dy, backward.gradients, backward.asked,
                                options);
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

Blame find_first_wrong_op(const std::function<void()>& run, const GradcheckOptions& options) {
  TapeRecorder tape;
  {
    const ObserverGuard attached(tape);
    run();
  }
  const auto earlier = [](const Backward& a, const Backward& b) { return a.node->number < b.node->number; };
  std::stable_sort(tape.backwards.begin(), tape.backwards.end(), earlier);
  Blame blame;
  for (const Backward& backward : tape.backwards) {
    blame.ops += !backward.node->is_leaf();
    if (blame.wrong || !is_checkable(backward, tape)) continue;
    const std::optional<NodeReport> report = check(backward, tape.forwards.at(backward.node.get()), options);
    blame.checked += report.has_value();
    if (report && !report->passed()) blame.wrong = report;
  }
  return blame;
}

}  // namespace autograd::checker
