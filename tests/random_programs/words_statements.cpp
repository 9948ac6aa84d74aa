// What makes no value: changes in place, hooks, and retain_grad.
#include "maker.h"
#include "words.h"

namespace random_programs {
namespace {

bool change_by_factor(Maker& maker, Step& step) {
  const auto x = maker.changeable();
  if (!x) return false;
  step.operands = {*x};
  step.factor = maker.factor();
  return true;
}

bool change_by_other(Maker& maker, Step& step) {
  const auto x = maker.changeable();
  if (!x) return false;
  Shape shape = maker[*x].shape();
  if (shape.dim() > 0 && maker.chance(30)) shape.erase(0);
  step.operands = {*x, maker.shaped(shape)};
  step.factor = maker.factor();
  return step.operands[0] != step.operands[1];
}

bool change_by_divisor(Maker& maker, Step& step) {
  const auto x = maker.changeable();
  if (!x) return false;
  const auto y = maker.find([&](const Tensor& other) {
    return other.shape() == maker[*x].shape() && autograd::all(autograd::abs(other.detach()) > 0.25);
  });
  if (!y || *y == *x) return false;
  step.operands = {*x, *y};
  return true;
}

bool of_unused_leaf(Maker& maker, Step& step) {
  const auto x = maker.unused_leaf();
  if (!x) return false;
  step.operands = {*x};
  step.factor = maker.factor();
  step.no_grad = true;
  return true;
}

bool of_number_with_gradient(Maker& maker, Step& step) {
  const auto x = maker.find([](const Tensor& value) { return value.requires_grad(); });
  if (!x) return false;
  step.operands = {*x};
  step.factor = maker.factor();
  return true;
}

bool of_result(Maker& maker, Step& step) {
  const auto x = maker.find([](const Tensor& value) { return !value.is_leaf(); });
  if (!x) return false;
  step.operands = {*x};
  return true;
}

Tensor scale_by_hook(In x) {
  x[0].register_hook([factor = x.factor()](const Tensor& gradient) { return gradient * factor; });
  return x[0];
}

Tensor record_by_hook(In x) {
  x[0].register_hook([&records = x.records, step = x.step.result](const Tensor& gradient) {
    records[step].push_back(gradient.detach().clone());
    return Tensor();
  });
  return x[0];
}

// A hook that removes itself, and with it one that was to be removed before.
Tensor removed_hook(In x) {
  const int hook = x[0].register_hook([](const Tensor& gradient) { return gradient * 1000.0; });
  x[0].remove_hook(hook);
  return x[0];
}

Tensor record_by_node(In x) {
  autograd::Node* node = x[0].grad_fn();
  node->register_prehook(
      [&records = x.records, step = x.step.result](const Tensor& dy) { records[step].push_back(dy.detach().clone()); });
  node->register_hook([&records = x.records, step = x.step.result](const autograd::Grads&, const Tensor& dy) {
    records[step].push_back(dy.detach().clone());
  });
  return x[0];
}

}  // namespace

Words statement_words() {
  using enum Kind;
  return {
      {"add_", "{0}.add_({1}, {f})", "{0}.add_({1}, alpha={f})", change_by_other,
       [](In x) { return x[0].add_(x[1], x.factor()); }, in_place},
      {"sub_", "{0}.sub_({1}, {f})", "{0}.sub_({1}, alpha={f})", change_by_other,
       [](In x) { return x[0].sub_(x[1], x.factor()); }, in_place},
      {"mul_", "{0}.mul_({1})", "{0}.mul_({1})", change_by_other, [](In x) { return x[0].mul_(x[1]); }, in_place},
      {"div_", "{0}.div_({1})", "{0}.div_({1})", change_by_divisor, [](In x) { return x[0].div_(x[1]); }, in_place},
      {"copy_", "{0}.copy_({1})", "{0}.copy_({1})", change_by_other, [](In x) { return x[0].copy_(x[1]); }, in_place},
      {"fill_", "{0}.fill_({f})", "{0}.fill_({f})", change_by_factor, [](In x) { return x[0].fill_(x.factor()); },
       in_place},
      {"scale_", "{0}.mul_({f})", "{0}.mul_({f})", change_by_factor, [](In x) { return x[0].mul_(x.factor()); },
       in_place},
      {"shift_", "{0}.add_({f})", "{0}.add_({f})", change_by_factor, [](In x) { return x[0].add_(x.factor()); },
       in_place},
      {"shift_leaf_", "{0}.add_({f})", "{0}.add_({f})", of_unused_leaf, [](In x) { return x[0].add_(x.factor()); },
       in_place},
      {"hook_scales", "{0}.register_hook([](const Tensor& g) {{ return g * {f}; }})",
       "{0}.register_hook(lambda g: g * {f})", of_number_with_gradient, scale_by_hook, hook},
      {"hook_records", "{0}.register_hook(record({r}))", "{0}.register_hook(record({r}))", of_number_with_gradient,
       record_by_hook, hook},
      {"hook_removed", "{0}.remove_hook({0}.register_hook([](const Tensor& g) {{ return g * 1000.0; }}))",
       "{0}.register_hook(lambda g: g * 1000).remove()", of_number_with_gradient, removed_hook, hook},
      {"node_records", "record_node({r}, {0}.grad_fn())", "pass", of_result, record_by_node, hook},
      {"retain_grad", "{0}.retain_grad()", "{0}.retain_grad()", of_number_with_gradient,
       [](In x) { return x[0].retain_grad(); }, hook},
  };
}

}  // namespace random_programs
