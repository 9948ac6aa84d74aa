// contrib: lists the contributions to a gradient, and the ops that made them.
#include <fmt/core.h>

#include "autograd/debug/step/absent.h"
#include "autograd/debug/step/answers.h"
#include "autograd/debug/step/contribution_groups.h"
#include "autograd/debug/step/expression.h"
#include "autograd/debug/step/refused.h"
#include "autograd/debug/unobserved.h"
#include "autograd/ops/ops.h"
#include "autograd/tape/leaf.h"
#include "autograd/tensor/error.h"

namespace autograd::debug {
namespace {

constexpr std::size_t most_listed = 40;  // more are grouped by place
constexpr std::size_t most_to_come = 20;

std::string still_to_come(const Node& node, const View& view) {
  const std::size_t count = view.progress(node).to_come;
  if (count == 0) return "";
  std::string text = fmt::format("{} may still come:\n", count);
  std::size_t shown = 0;
  for (const Use& use : view.pass->uses(node)) {
    if (*view.pass->position(*use.user) < view.position()) continue;
    if (++shown > most_to_come) return text + fmt::format("  .. and {} more\n", count - most_to_come);
    text += fmt::format("  from {}\n", describe(*use.user));
  }
  return text;
}

// The engine's own value of this gradient, now or when the node's own turn came.
Tensor gradient_of_engine(const Node& node, const View& view) {
  if (view.has_run(node)) return view.pass->dy_of(view.pass->steps[*view.pass->step_of(node)]);
  if (&node == view.current()) return view.dy();
  const bool live = view.is_real() && node.gradient.defined();
  return live ? node.gradient : view.pass->gradient(node, view.at);
}

std::string verdict(const Node& node, const Element& element, const Tensor& sum, const View& view) {
  const Progress progress = view.progress(node);
  const std::string number = exact(sum.to_vector()[0], sum.dtype());
  const std::string so_far = progress.complete() ? "" : " so far";
  const Tensor gradient = element_of(gradient_of_engine(node, view), element.index);
  const char* plural = progress.arrived == 1 ? "" : "s";
  if (same_bits(sum, gradient)) {
    const char* added = progress.arrived == 1 ? "it is" : "added in this order they are";
    return fmt::format("{} contribution{}: {} exactly, bit for bit, the gradient{}: {}\n", progress.arrived, plural,
                       added, so_far, number);
  }
  return fmt::format("{} contribution{} with the sum {}; the gradient is {}: a hook replaced it\n", progress.arrived,
                     plural, number, exact(gradient.to_vector()[0], gradient.dtype()));
}

// A line about the program's own W.grad(), if that differs from the sum because earlier passes left a gradient there.
std::string in_program(const Node& node, const Element& element, const Tensor& sum, const View& view) {
  const bool in_grad = node.is_leaf() && !view.pass->captures_only && view.is_real() && view.has_run(node);
  if (!in_grad) return "";
  const Tensor grad = static_cast<const Leaf&>(node).tensor.grad();
  if (!grad.defined() || !(grad.shape() == node.shape)) return "";
  const Tensor own = element_of(grad, element.index);
  if (same_bits(own, sum)) return "";
  return fmt::format("The program's {}.grad() is {}, with what was there before this pass.\n", label(node),
                     exact(own.to_vector()[0], own.dtype()));
}

// "W[0,1] all" -> "W[0,1]" and true.
bool take_all(std::string& text) {
  text = trim(text);
  const bool all = text.size() > 4 && text.compare(text.size() - 4, 4, " all") == 0;
  if (all) text = trim(text.substr(0, text.size() - 4));
  return all;
}

// Every contribution, with the running sum.
std::string listed(const std::vector<AmountGiven>& all) {
  std::string text = fmt::format("{:>4}  {:>14}  {:>14}  {}\n", "", "contribution", "sum", "from");
  Tensor sum;
  int number = 0;
  for (const AmountGiven& given : all) {
    const Tensor value = given.value.tensor();
    sum = sum.defined() ? sum + value : value;
    text += fmt::format("{:>4}  {:>14}  {:>14}  {}\n", ++number, exact(value.to_vector()[0], value.dtype()),
                        exact(sum.to_vector()[0], sum.dtype()), giver(*given.contribution));
  }
  return text;
}

// Added in the order of their arrival, so that the bits are the engine's.
Tensor sum_of(const std::vector<AmountGiven>& all) {
  Tensor sum;
  for (const AmountGiven& given : all) {
    const Tensor value = given.value.tensor();
    sum = sum.defined() ? sum + value : value;
  }
  return sum;
}

}  // namespace

std::string answer_contrib(const Question& question) {
  check_is_backward(question.view);
  const View& view = question.view;
  std::string target = question.arguments;
  const bool every = take_all(target);
  const Element element = evaluate_element(target, view);
  const Node& node = *element.node;
  const Progress progress = view.progress(node);
  if (progress.arrived == 0) {
    return fmt::format("{}.grad {}\n{}", element.title, gradient_state(node, view), still_to_come(node, view));
  }
  const Unobserved unobserved;
  const std::vector<AmountGiven> all = amounts_given(node, element.index, view);
  const bool few = every || all.size() <= most_listed;
  std::string text =
      few ? listed(all)
          : fmt::format("{} contributions, by place; `contrib {} all` lists them\n", all.size(), element.title) +
                groups_text(all);
  const Tensor sum = sum_of(all);
  return text + verdict(node, element, sum, view) + in_program(node, element, sum, view) + still_to_come(node, view);
}

}  // namespace autograd::debug
