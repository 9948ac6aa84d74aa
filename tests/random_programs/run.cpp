#include "run.h"

#include <set>

#include "numbers.h"

namespace random_programs {

bool is_constant(const Step& step) {
  return step.no_grad || step.word == "detach";
}

std::vector<Tensor> operands_of(const Step& step, const Values& values) {
  std::vector<Tensor> operands;
  for (const int operand : step.operands) operands.push_back(operand == Step::none ? Tensor() : values.at(operand));
  return operands;
}

void Run::forward(std::size_t steps) {
  for (; next_ < program_.steps.size() && steps > 0; --steps) run_step(program_.steps[next_++]);
}

void Run::run_step(const Step& step) {
  const Word& its_word = word_of(step);
  if (its_word.kind == Kind::hook && !setting_.hooks) return;
  const bool gives_constant = !its_word.is_statement() && is_constant(step);
  if (gives_constant && setting_.constants) {
    values_[step.result] = setting_.constants->at(step.result).clone();
    return;
  }
  const autograd::GradModeGuard recording(!step.no_grad);
  const Tensor result = run_word(step);
  if (gives_constant) constants_[step.result] = result.detach().clone();
  if (!its_word.is_statement()) values_[step.result] = result;
}

Tensor Run::run_word(const Step& step) {
  const auto moved = setting_.moved.find(step.result);
  if (moved != setting_.moved.end()) return moved->second.clone().requires_grad_();
  const std::vector<Tensor> operands = operands_of(step, values_);
  const Result result = word_of(step).run({step, operands, records_});
  return result.tensors.at(step.piece == Step::none ? 0 : static_cast<std::size_t>(step.piece));
}

std::vector<Tensor> Run::leaves() const {
  std::vector<Tensor> found;
  for (const Step& step : program_.steps) {
    if (step.word == "leaf") found.push_back(values_.at(step.result));
  }
  return found;
}

std::vector<Tensor> Run::retained() const {
  std::vector<Tensor> found;
  for (const Step& step : program_.steps) {
    if (step.word == "retain_grad" && setting_.hooks) found.push_back(values_.at(step.operands[0]));
  }
  return found;
}

std::vector<Tensor> Run::roots() const {
  std::vector<Tensor> found;
  for (const int root : program_.roots) {
    if (values_.at(root).requires_grad()) found.push_back(values_.at(root));
  }
  return found;
}

std::vector<Tensor> Run::root_gradients() const {
  std::vector<Tensor> gradients;
  for (const int root : program_.roots) {
    const Tensor& value = values_.at(root);
    if (value.requires_grad()) gradients.push_back(random_signed(1'000'003 + root, value.shape()));
  }
  return gradients;
}

void Run::backward(autograd::BackwardOptions options) const {
  if (!roots().empty()) autograd::backward(roots(), root_gradients(), options);
}

Tensor Run::total() const {
  Tensor sum = autograd::zeros({}, autograd::float64);
  const std::vector<Tensor> all = roots();
  const std::vector<Tensor> gradients = root_gradients();
  for (std::size_t i = 0; i < all.size(); ++i) sum = sum + (all[i] * gradients[i]).sum();
  return sum;
}

void Run::forget_values() {
  std::set<int> kept(program_.roots.begin(), program_.roots.end());
  for (const Step& step : program_.steps) {
    if (step.word == "leaf") kept.insert(step.result);
    if (step.word == "retain_grad") kept.insert(step.operands[0]);
  }
  std::erase_if(values_, [&](const auto& value) { return !kept.contains(value.first); });
}

void Run::zero_grad() {
  for (const auto& [number, value] : values_) value.zero_grad();
  for (auto& [step, gradients] : records_) gradients.clear();
}

namespace {

Tensor copy_of(const Tensor& gradient) {
  return gradient.defined() ? gradient.clone() : Tensor();
}

}  // namespace

Outcome Run::outcome() const {
  Outcome outcome;
  for (const int root : program_.roots) outcome.roots.push_back(values_.at(root).detach().clone());
  for (const Tensor& leaf : leaves()) outcome.gradients.push_back(copy_of(leaf.grad()));
  for (const Tensor& value : retained()) outcome.retained.push_back(copy_of(value.grad()));
  outcome.records = records_;
  return outcome;
}

Outcome run(const Program& program, const Setting& setting) {
  Run execution(program, setting);
  execution.forward();
  execution.backward();
  return execution.outcome();
}

}  // namespace random_programs
