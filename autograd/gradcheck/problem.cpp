#include "autograd/gradcheck/problem.h"

#include <fmt/core.h>

#include <algorithm>

#include "autograd/gradcheck/gradients.h"
#include "autograd/ops/ops.h"
#include "autograd/tape/backward.h"
#include "autograd/tensor/error.h"

namespace autograd::checker {
namespace {

void check_inputs(const CheckedFunction& function, const std::vector<Tensor>& inputs, Where where) {
  if (!function.accepts(inputs.size())) {
    fail(ErrorId::bad_argument, "gradcheck", where,
         fmt::format("a function of {} tensors, and {} inputs", function.parameters(), inputs.size()),
         "give one input for each parameter of the function");
  }
  for (const Tensor& input : inputs) {
    if (input.defined()) continue;
    fail(ErrorId::undefined_tensor, "gradcheck", where, "an input is an undefined tensor",
         "give every input a value, or leave it to the function to make one");
  }
  if (floating(inputs).empty()) {
    fail(ErrorId::bad_argument, "gradcheck", where, "none of the inputs is floating",
         "give the tensors to differentiate the function with respect to");
  }
}

bool contains(const std::vector<Tensor>& list, const Tensor& tensor) {
  return std::any_of(list.begin(), list.end(), [&](const Tensor& other) { return other.impl() == tensor.impl(); });
}

std::string name_of(const Tensor& given, std::size_t i, const GradcheckOptions& options) {
  if (i < options.names.size()) return options.names[i];
  return given.name().empty() ? fmt::format("input {}", i) : given.name();
}

}  // namespace

FunctionProblem::FunctionProblem(const CheckedFunction& function, const std::vector<Tensor>& inputs, DType dtype,
                                 const GradcheckOptions& options, Where where)
    : function_(function),
      given_(inputs),
      where_(where),
      reseed_(options.reseed),
      generator_(default_generator().state()) {
  check_inputs(function, inputs, where);
  if (function.captures()) {
    take_captured(dtype);
  } else {
    take_copies(dtype);
  }
  choose_variables(options);
  for (const Tensor& input : inputs_) values_.push_back(input.to_vector<double>());
  problem_.evaluate = [this] { return outputs(); };
  try_once();
}

FunctionProblem::~FunctionProblem() {
  default_generator().set_state(generator_);
}

void FunctionProblem::take_copies(DType dtype) {
  const NoGradGuard no_grad;
  for (const Tensor& input : given_) {
    const Tensor detached = input.detach();
    inputs_.push_back(is_floating(input.dtype()) ? detached.to(dtype).clone() : detached.clone());
    inputs_.back().set_name(input.name());
  }
}

void FunctionProblem::take_captured(DType dtype) {
  std::vector<Tensor> leaves;
  for (const Tensor& input : floating(given_)) {
    if (!contains(leaves, input)) leaves.push_back(input);
  }
  inputs_ = given_;
  converted_ = std::make_unique<InDType>(leaves, dtype, where_);
}

void FunctionProblem::choose_variables(const GradcheckOptions& options) {
  bool some_require_grad = false;
  for (const Tensor& input : given_) some_require_grad = some_require_grad || input.requires_grad();
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const bool wanted = is_floating(inputs_[i].dtype()) && (given_[i].requires_grad() || !some_require_grad);
    if (!wanted || contains(problem_.variables, inputs_[i])) continue;
    problem_.variables.push_back(inputs_[i]);
    problem_.names.push_back(name_of(given_[i], i, options));
  }
  for (const Tensor& variable : problem_.variables) variable.requires_grad_();
}

std::vector<Tensor> FunctionProblem::outputs() const {
  const GradModeGuard graph_on(grad_enabled() || always_record_);
  if (reseed_) default_generator().set_state(generator_);
  const std::vector<Tensor> outputs = floating(function_(inputs_));
  if (outputs.empty()) {
    fail(ErrorId::bad_argument, "gradcheck", where_, "the function returns no floating tensor",
         "return the tensor whose gradient you want to check");
  }
  return outputs;
}

// Finds errors that the check itself causes: float64 inputs, and an evaluation that is not recorded.
void FunctionProblem::try_once() {
  try {
    outputs();
  } catch (const Error& error) {
    if (error.id() != ErrorId::dtype_mismatch) throw;
    ErrorParts parts = error.parts();
    parts.advice +=
        "; gradcheck runs the function in float64: name the float32 tensors that it uses as inputs, or make them "
        "float64";
    throw Error(std::move(parts));
  }
  const NoGradGuard no_grad;
  try {
    outputs();
  } catch (const Error& error) {
    if (error.id() != ErrorId::no_graph) throw;
    always_record_ = true;
  }
}

std::vector<std::string> FunctionProblem::changed_inputs() const {
  std::vector<std::string> changed;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const bool same = same_bits(inputs_[i].to_vector<double>(), values_[i]);
    if (!same) changed.push_back(name_of(given_[i], i, {}));
  }
  return changed;
}

}  // namespace autograd::checker
