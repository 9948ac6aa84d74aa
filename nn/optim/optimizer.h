// Optimizer: changes parameters by their gradients, one step per call. The base of SGD (sgd.h), Adam and AdamW
// (adam.h), Adadelta (adadelta.h) and RMSprop (rmsprop.h).
//
//   nn::Adam optimizer(model.parameters(), {.lr = 1e-3});
//   for (...) {
//     optimizer.zero_grad();
//     loss(model, batch).backward();
//     nn::clip_grad_norm_(model.parameters(), 1.0);
//     optimizer.step();
//   }
//
// A parameter without a gradient is left alone, and its step is not counted, as in PyTorch.
#pragma once

#include <autograd/autograd.h>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nn/saving/state_dict.h"

namespace nn {

// Parameters with a rate and a decay of their own. Schedules scale the rates of all groups alike.
//
//   nn::Adam optimizer({{.parameters = encoder.parameters(), .lr = 1e-4}, {.parameters = decoder.parameters()}});
struct ParameterGroup {
  std::vector<Tensor> parameters = {};
  std::optional<double> lr = std::nullopt;            // the optimiser's unless given
  std::optional<double> weight_decay = std::nullopt;  // likewise
};

// What optimisers are made with: a list of parameters, which is one group, or a list of groups.
class ParameterGroups {
 public:
  ParameterGroups() = default;
  ParameterGroups(const std::vector<Tensor>& parameters) : groups_{{.parameters = parameters}} {}
  ParameterGroups(std::initializer_list<Tensor> parameters) : ParameterGroups(std::vector<Tensor>(parameters)) {}
  ParameterGroups(const std::vector<ParameterGroup>& groups) : groups_(groups) {}
  ParameterGroups(std::initializer_list<ParameterGroup> groups) : groups_(groups) {}

  auto begin() const { return groups_.begin(); }
  auto end() const { return groups_.end(); }

 private:
  std::vector<ParameterGroup> groups_;
};

class Optimizer {
 public:
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;
  virtual ~Optimizer() = default;

  // Updates every parameter that has a gradient. Nothing is recorded. If it throws, nothing has changed.
  void step(Where where = Where::current());
  // Forgets the gradients of all parameters.
  void zero_grad() const;

  // The learning rate; schedules (lr_scheduler.h) set it. A group's own rate keeps its ratio to this one.
  double lr() const { return lr_; }
  // Throws bad-argument for a rate that is negative, infinite or NaN.
  void set_lr(double lr, Where where = Where::current());
  // The rate when this was first called: that of all schedules at their beginning, PyTorch's "initial_lr".
  double initial_lr();
  const std::vector<Tensor>& parameters() const { return parameters_; }

  // ---- saving and resuming ---------------------------------------------------------------------------------
  // All that a later run needs to go on as if there had been no break: "lr", and per parameter its count of steps
  // and its running averages, "encoder.fc.weight.step", "encoder.fc.weight.exp_avg". A parameter without a name,
  // or with that of another one, goes by its position.
  StateDict state_dict() const;
  // Throws state-dict-mismatch; nothing has changed then.
  void load_state_dict(const StateDict& state, Where where = Where::current());

 protected:
  // Throws bad-argument for an empty list, a tensor that is not a parameter (a leaf that requires gradients), one
  // that is listed twice, a negative rate or decay, and a group's rate beside an lr of 0.
  Optimizer(std::string_view type, const ParameterGroups& groups, double lr, double weight_decay, Where where);

  // One parameter, and what holds for it at one step.
  struct Update {
    std::size_t index;  // in parameters()
    Tensor parameter;
    Tensor gradient;
    std::vector<Tensor> averages;  // those of add_state(), in that order
    double lr;
    double weight_decay;
    std::int64_t steps;  // the parameter's, counted from 1

    // The gradient that most optimisers use. The decay is left out if it is 0: 0 times an infinite parameter is NaN.
    Tensor gradient_with_decay() const { return weight_decay == 0.0 ? gradient : gradient + weight_decay * parameter; }
  };
  // A running average for each parameter, saved under this name. Zeros at the first update.
  void add_state(std::string_view name);

  // What the optimiser computes, if it does not run() by itself: the parameter's new value, followed by its averages'.
  using Formula = std::function<std::vector<Tensor>(const Update&)>;
  void set_formula(Formula formula) { formula_ = std::move(formula); }

 private:
  // Changes the parameters and their averages; none of them if it throws. All new values of a formula are computed
  // before anything changes, and need memory for as long.
  virtual void run(const std::vector<Update>& updates, Where where) const;

  struct State {
    std::string name;
    std::vector<Tensor> tensors;  // one per parameter; undefined before its first update
  };
  std::vector<Update> updates() const;
  std::string key(std::size_t index, std::string_view state) const;
  StateDict expected_state(const StateDict& given) const;
  void check_numbers(const StateDict& given, Where where) const;

  std::string type_;
  Formula formula_;
  // One of each for every parameter:
  std::vector<Tensor> parameters_;
  std::vector<double> lr_ratios_;  // to lr_
  std::vector<double> weight_decays_;
  std::vector<std::string> names_;
  std::vector<std::int64_t> steps_;
  std::vector<State> states_;
  double lr_ = 0.0;
  std::optional<double> initial_lr_;
};

}  // namespace nn
