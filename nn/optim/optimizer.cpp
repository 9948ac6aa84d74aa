#include "nn/optim/optimizer.h"

#include <autograd/tensor/scope.h>
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <set>

#include "nn/layers/checks.h"

namespace nn {
namespace {

void check_parameters(std::string_view asked, const std::vector<Tensor>& parameters, Where where) {
  if (parameters.empty()) {
    autograd::fail(ErrorId::bad_argument, asked, where, "the list of parameters is empty",
                   "pass model.parameters(); a module's parameters must be registered");
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Tensor& parameter = parameters[i];
    check_defined(asked, fmt::format("parameter {}", i), parameter, where);
    if (!parameter.is_leaf() || !parameter.requires_grad()) {
      autograd::fail(ErrorId::bad_argument, asked, where,
                     fmt::format("parameter {}, {}, is not a leaf that requires gradients", i, parameter.shape()),
                     "call requires_grad_() on it; leave frozen parameters out");
    }
    const auto is_it = [&parameter](const Tensor& known) { return known.is_same(parameter); };
    if (std::any_of(parameters.begin(), parameters.begin() + static_cast<std::ptrdiff_t>(i), is_it)) {
      autograd::fail(ErrorId::bad_argument, asked, where,
                     fmt::format("parameter {}, {}, is in the list twice", i, parameter.shape()),
                     "list every parameter once");
    }
  }
}

// The parameters' own names; a position where there is none or it is taken.
std::vector<std::string> distinct_names(const std::vector<Tensor>& parameters) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    std::string name = parameters[i].name();
    if (name.empty() || taken.count(name) != 0) name = std::to_string(i);
    taken.insert(name);
    names.push_back(name);
  }
  return names;
}

}  // namespace

Optimizer::Optimizer(std::string_view type, const ParameterGroups& groups, double lr, double weight_decay, Where where)
    : type_(type), lr_(lr) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  check_range(type_, "lr", lr, 0.0, infinity, where);
  for (const ParameterGroup& group : groups) {
    const double own_lr = group.lr.value_or(lr);
    const double own_decay = group.weight_decay.value_or(weight_decay);
    check_range(type_, "lr", own_lr, 0.0, infinity, where);
    check_range(type_, "weight_decay", own_decay, 0.0, infinity, where);
    if (lr == 0.0 && own_lr != 0.0) {
      autograd::fail(ErrorId::bad_argument, type_, where, fmt::format("a group's lr is {} beside an lr of 0", own_lr),
                     "give the optimiser an lr above 0: groups keep their ratio to it");
    }
    for (const Tensor& parameter : group.parameters) {
      parameters_.push_back(parameter);
      lr_ratios_.push_back(own_lr == lr ? 1.0 : own_lr / lr);
      weight_decays_.push_back(own_decay);
    }
  }
  check_parameters(type_, parameters_, where);
  steps_.resize(parameters_.size(), 0);
  names_ = distinct_names(parameters_);
}

void Optimizer::step(Where where) {
  const autograd::ScopeGuard scope(type_, where);
  const autograd::NoGradGuard no_grad;
  const std::vector<Update> all = updates();
  run(all, where);
  // Nothing fails from here on.
  for (const Update& update : all) {
    for (std::size_t k = 0; k < states_.size(); ++k) states_[k].tensors[update.index] = update.averages[k];
    ++steps_[update.index];
  }
}

void Optimizer::run(const std::vector<Update>& updates, Where where) const {
  std::vector<autograd::Copy> copies;
  for (const Update& update : updates) {
    const std::vector<Tensor> values = formula_(update);
    copies.push_back({update.parameter, values[0]});
    for (std::size_t k = 1; k < values.size(); ++k) copies.push_back({update.averages[k - 1], values[k]});
  }
  autograd::copy_all_(copies, where, "step");
}

std::vector<Optimizer::Update> Optimizer::updates() const {
  std::vector<Update> all;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const Tensor& parameter = parameters_[i];
    const Tensor gradient = parameter.grad();
    if (!gradient.defined()) continue;
    std::vector<Tensor> averages;
    for (const State& state : states_) {
      const Tensor& average = state.tensors[i];
      averages.push_back(average.defined() ? average : autograd::zeros(parameter.shape(), parameter.dtype()));
    }
    all.push_back({i, parameter, gradient, averages, lr_ * lr_ratios_[i], weight_decays_[i], steps_[i] + 1});
  }
  return all;
}

void Optimizer::set_lr(double lr, Where where) {
  check_range(type_, "lr", lr, 0.0, std::numeric_limits<double>::infinity(), where);
  lr_ = lr;
}

double Optimizer::initial_lr() {
  if (!initial_lr_) initial_lr_ = lr_;
  return *initial_lr_;
}

void Optimizer::zero_grad() const {
  for (const Tensor& parameter : parameters_) parameter.zero_grad();
}

void Optimizer::add_state(std::string_view name) {
  states_.push_back({std::string(name), std::vector<Tensor>(parameters_.size())});
}

// ---- saving and resuming -------------------------------------------------------------------------------------

namespace {

Tensor as_tensor(std::int64_t count) {
  return autograd::full(Shape(), static_cast<double>(count), autograd::int64);
}

// The number under that name; 0 if there is none.
double number_in(const StateDict& state, const std::string& name) {
  const auto found = state.find(name);
  if (found == state.end() || !found->second.defined() || found->second.numel() != 1) return 0.0;
  return found->second.item();
}

}  // namespace

std::string Optimizer::key(std::size_t index, std::string_view state) const {
  return fmt::format("{}.{}", names_[index], state);
}

StateDict Optimizer::state_dict() const {
  const autograd::NoGradGuard no_grad;
  StateDict result;
  result["lr"] = autograd::tensor(lr_, autograd::float64);
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    result[key(i, "step")] = as_tensor(steps_[i]);
    for (const State& state : states_) {
      if (state.tensors[i].defined()) result[key(i, state.name)] = state.tensors[i].clone();
    }
  }
  return result;
}

// What a state dict for this optimiser holds: the averages of a parameter only if it has been updated.
StateDict Optimizer::expected_state(const StateDict& given) const {
  StateDict expected;
  expected["lr"] = autograd::tensor(lr_, autograd::float64);
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    expected[key(i, "step")] = as_tensor(steps_[i]);
    if (number_in(given, key(i, "step")) == 0.0) continue;
    for (const State& state : states_) expected[key(i, state.name)] = parameters_[i];
  }
  return expected;
}

void Optimizer::check_numbers(const StateDict& given, Where where) const {
  StateDictDifference difference;
  const double lr = number_in(given, "lr");
  if (!(lr >= 0.0 && std::isfinite(lr))) difference.unfit.push_back(fmt::format("lr is {}", lr));
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const double steps = number_in(given, key(i, "step"));
    if (steps < 0.0) difference.unfit.push_back(fmt::format("{} is {}", key(i, "step"), steps));
  }
  check_no_difference(type_ + "::load_state_dict", difference, where);
}

void Optimizer::load_state_dict(const StateDict& given, Where where) {
  check_no_difference(type_ + "::load_state_dict", compare(expected_state(given), given), where);
  check_numbers(given, where);
  const autograd::NoGradGuard no_grad;
  std::vector<std::int64_t> steps = steps_;
  std::vector<State> states = states_;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    steps[i] = given.at(key(i, "step")).item<std::int64_t>();
    for (State& state : states) {
      const auto found = given.find(key(i, state.name));
      state.tensors[i] = found == given.end() ? Tensor() : found->second.to(parameters_[i].dtype()).clone();
    }
  }
  lr_ = number_in(given, "lr");
  steps_.swap(steps);
  states_.swap(states);
}

}  // namespace nn
