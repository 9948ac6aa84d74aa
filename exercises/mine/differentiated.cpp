#include "mine/differentiated.h"

#include <autograd/tape/record.h>
#include <fmt/format.h>

#include <stdexcept>

namespace mine {
namespace {

// A gradient has the shape of what it is the gradient of. If not, that is the fault of whose code ran last.
void check(const Tensor& gradient, const Tensor& of) {
  if (!gradient.defined() || gradient.shape() == of.shape()) return;
  running_exercise = last_exercise;
  throw std::runtime_error(
      fmt::format("a gradient has the shape {}, and what it is the gradient of has {}", gradient.shape(), of.shape()));
}

struct Plugged final : autograd::Node {
  static constexpr autograd::OpText text{"plugged", "y = forward(x)", "dx = backward(dy, y, x)"};
  Tensors given;
  autograd::Saved y;
  Forward forward_function;
  Backward backward_function;

  Tensor forward(const autograd::Inputs& x) const override { return forward_function(Tensors(x.begin(), x.end())); }
  autograd::Grads backward(const Tensor& dy) override {
    const Tensors gradients = backward_function(dy, use(y).detach(), given);
    autograd::Grads result;
    for (std::size_t i = 0; i < given.size(); ++i) {
      const Tensor its = i < gradients.size() ? gradients[i] : Tensor();
      check(its, given[i]);
      result.push_back(its);
    }
    return result;
  }
};

Tensors detached(const Tensors& tensors) {
  Tensors result;
  for (const Tensor& tensor : tensors) result.push_back(tensor.defined() ? tensor.detach() : tensor);
  return result;
}

}  // namespace

Tensor differentiated(const Tensors& inputs, const Forward& forward, const Backward& backward) {
  if (!backward) return forward(inputs);
  const Tensors given = detached(inputs);
  Tensor y;
  {
    const autograd::NoGradGuard no_grad;
    y = forward(given).detach();
  }
  if (Plugged* const node = autograd::record<Plugged>(y, inputs, autograd::Where::current())) {
    node->given = given;
    node->y = node->save(y);
    node->forward_function = forward;
    node->backward_function = backward;
  }
  return y;
}

Tensors by_tape(const Forward& forward, const Tensors& inputs, const Tensor& dy) {
  const autograd::GradModeGuard recording(true);
  Tensors leaves = detached(inputs);
  Tensors differentiable;
  for (Tensor& leaf : leaves) {
    if (!leaf.defined() || leaf.dtype() != autograd::float64) continue;
    leaf = leaf.requires_grad_();
    differentiable.push_back(leaf);
  }
  const Tensors found = autograd::grad(forward(leaves), differentiable, {.grad_output = dy, .allow_unused = true});
  Tensors gradients(inputs.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (leaves[i].defined() && leaves[i].requires_grad()) gradients[i] = found[next++];
  }
  return gradients;
}

}  // namespace mine
