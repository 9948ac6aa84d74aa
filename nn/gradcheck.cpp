#include "nn/gradcheck.h"

#include <autograd/gradcheck/in_dtype.h>
#include <fmt/core.h>

#include <algorithm>

namespace nn {
namespace {

using autograd::GradcheckOptions;

// The tensors to check and their names.
struct Checked {
  std::vector<Tensor> tensors;
  std::vector<std::string> names;
};

std::string input_name(const Tensor& input, std::size_t i, const GradcheckOptions& options) {
  if (i < options.names.size()) return options.names[i];
  return input.name().empty() ? fmt::format("input {}", i) : input.name();
}

void add_inputs(Checked& checked, const std::vector<Tensor>& inputs, const GradcheckOptions& options) {
  const bool chosen = std::any_of(inputs.begin(), inputs.end(), [](const Tensor& x) { return x.requires_grad(); });
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const bool wanted = autograd::is_floating(inputs[i].dtype()) && (inputs[i].requires_grad() || !chosen);
    if (!wanted) continue;
    checked.tensors.push_back(inputs[i]);
    checked.names.push_back(input_name(inputs[i], i, options));
  }
}

void add_parameters(Checked& checked, const Module& module) {
  for (const auto& [name, parameter] : module.named_parameters()) {
    if (!parameter.requires_grad()) continue;
    checked.tensors.push_back(parameter);
    checked.names.push_back(name);
  }
}

// All floating-point tensors that take part, which must all become float64.
std::vector<Tensor> floating_tensors(const Module& module, const std::vector<Tensor>& inputs) {
  std::vector<Tensor> tensors = inputs;
  for (const auto& [name, parameter] : module.named_parameters()) tensors.push_back(parameter);
  for (const auto& [name, buffer] : module.named_buffers()) tensors.push_back(buffer);
  std::erase_if(tensors, [](const Tensor& tensor) { return !autograd::is_floating(tensor.dtype()); });
  return tensors;
}

}  // namespace

autograd::GradcheckReport gradcheck(const Module& module, const std::function<Tensor()>& output,
                                    const std::vector<Tensor>& inputs, const GradcheckOptions& options, Where where) {
  Checked checked;
  add_inputs(checked, inputs, options);
  add_parameters(checked, module);

  const autograd::InDType in_float64(floating_tensors(module, inputs), autograd::float64, where);
  for (const Tensor& tensor : checked.tensors) tensor.requires_grad_();
  GradcheckOptions named = options;
  named.names = checked.names;
  return autograd::gradcheck(output, checked.tensors, named, where);
}

}  // namespace nn
