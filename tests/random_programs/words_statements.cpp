// What makes no value of its own: changes in place, hooks, and retain_grad.
#include <autograd/ops/updates.h>

#include "maker.h"
#include "words.h"

namespace random_programs {
namespace {

bool change_by_other(Maker& maker, Step& step) {
  const auto x = maker.changeable();
  if (!x) return false;
  Shape shape = maker[*x].shape();
  if (shape.dim() > 0 && maker.chance(30)) shape.erase(0);
  step.operands = {*x, maker.shaped(shape)};
  if (step.word == "add_" || step.word == "sub_") step.reals = {maker.factor()};
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
  step.reals = {maker.factor()};
  step.no_grad = true;
  return true;
}

bool with_gradient(Maker& maker, Step& step) {
  const auto x = maker.find([](const Tensor& value) { return value.requires_grad(); });
  if (!x) return false;
  step.operands = {*x};
  if (step.word == "hook_scales") step.reals = {maker.factor()};
  return true;
}

Tensor scale_by_hook(In x) {
  x[0].register_hook([factor = x.real()](const Tensor& gradient) { return gradient * factor; });
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

Result adam_step(In x) {
  const Tensor changed = x[0].detach();
  autograd::adam_step_({{changed, x[1], x[2].detach().clone(), x[3].detach().clone(), {.step_size = x.real()}}});
  return changed;
}

}  // namespace

Words statement_words() {
  using namespace autograd;
  using enum Kind;
  using enum Expect;
  const auto without_recording = [](auto body) {
    return [=](In x) -> Result {
      const NoGradGuard no_grad;
      return body(x);
    };
  };
  return {
      {"add_", "changeable operand real", [](In x) { return x[0].add_(x[1], x.real()); }, in_place, change,
       change_by_other},
      {"sub_", "changeable operand real", [](In x) { return x[0].sub_(x[1], x.real()); }, in_place, change,
       change_by_other},
      {"mul_", "changeable operand", [](In x) { return x[0].mul_(x[1]); }, in_place, change, change_by_other},
      {"div_", "changeable operand", [](In x) { return x[0].div_(x[1]); }, in_place, change, change_by_divisor},
      {"copy_", "changeable operand", [](In x) { return x[0].copy_(x[1]); }, in_place, change, change_by_other},
      {"add_number_", "changeable real", [](In x) { return x[0].add_(x.real()); }, in_place, change},
      {"mul_number_", "changeable real", [](In x) { return x[0].mul_(x.real()); }, in_place, change},
      {"fill_", "changeable real", [](In x) { return x[0].fill_(x.real()); }, in_place, change},
      {"shift_leaf_", "changeable real", without_recording([](In x) { return x[0].add_(x.real()); }), in_place, change,
       of_unused_leaf},
      {"div_number_", "changeable real", [](In x) { return x[0].div_(x.real()); }, change},
      {"zero_", "changeable", [](In x) { return x[0].zero_(); }, change},
      {"addcmul_", "changeable value value", without_recording([](In x) { return x[0].addcmul_(x[1], x[2], 0.5); }),
       change},
      {"addcdiv_", "changeable value value", without_recording([](In x) { return x[0].addcdiv_(x[1], x[2], 0.5); }),
       change},
      {"set_", "changeable[mn] int(-1,1) int(-1,1) real",
       [](In x) {
         return x[0].set_({x.n(0), x.n(1)}, x.real());
       },
       change},
      {"adam_step_", "changeable value value value real", without_recording(adam_step), change},
      {"sum_of_squares", "value", [](In x) { return sum_of_squares(x[0]); }},
      {"hook_scales", "value real", scale_by_hook, hook, with_gradient},
      {"hook_records", "value", record_by_hook, hook, with_gradient},
      {"hook_removed", "value", removed_hook, hook, with_gradient},
      {"retain_grad", "value", [](In x) { return x[0].retain_grad(); }, hook, with_gradient},
  };
}

}  // namespace random_programs
