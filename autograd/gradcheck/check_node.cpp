#include "autograd/gradcheck/check_node.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "autograd/gradcheck/comparison.h"
#include "autograd/gradcheck/gradients.h"
#include "autograd/gradcheck/patterns.h"
#include "autograd/ops/ops.h"
#include "autograd/tape/backward.h"
#include "autograd/tape/observer.h"
#include "autograd/tensor/error.h"
#include "autograd/tensor/factories.h"

namespace autograd {

const InputReport* NodeReport::wrong_input() const {
  for (const InputReport& input : inputs) {
    if (input.verdict == Verdict::fail) return &input;
  }
  return nullptr;
}

NodeReport check_node(Node& node, const Inputs& inputs, const Tensor& dy, const GradcheckOptions& options) {
  const NoGradGuard no_grad;
  const Grads gradients = observer() ? observer()->run(node, dy) : node.backward(dy);
  return check_node(node, inputs, dy, gradients, options);
}

NodeReport check_node(const Node& node, const Inputs& inputs, const Tensor& dy, const Grads& gradients,
                      const GradcheckOptions& options) {
  if (gradients.size() != inputs.size()) {
    fail(ErrorId::wrong_gradient, node.name(), node.called_at,
         fmt::format("its backward returned {} gradients for {} inputs", gradients.size(), inputs.size()),
         "return one gradient per input, an undefined Tensor where none flows");
  }
  std::vector<bool> asked;
  for (std::size_t i = 0; i < inputs.size(); ++i) asked.push_back(node.needs(i));
  return checker::check_node_gradients(node, inputs, dy, gradients, asked, options);
}

namespace checker {

NodeReport describe(const Node& node) {
  NodeReport report;
  report.op = node.name();
  report.formula = node.op->text.formula;
  report.derivative = node.op->text.derivative;
  report.backward_of = node.backward_of ? node.backward_of->text.name : "";
  report.number = node.number;
  report.where = node.called_at;
  report.scope = scope_path(node.scope);
  report.called_from = scope_origin(node.scope);
  return report;
}

Inputs converted(const Inputs& inputs, DType dtype) {
  Inputs result;
  for (const Tensor& input : inputs) {
    const bool floating = input.defined() && is_floating(input.dtype());
    result.push_back(floating ? input.to(dtype) : input);
  }
  return result;
}

Inputs copies_of(const Inputs& inputs) {
  Inputs copies;
  for (const Tensor& input : inputs) {
    if (!input.defined() || !is_floating(input.dtype())) {
      copies.push_back(input);
      continue;
    }
    copies.push_back(input.detach().to(float64).clone());
    copies[copies.size() - 1].requires_grad_();
  }
  return copies;
}

Evaluate replay(const Node& node, const Inputs& copies) {
  const Evaluate in_float64 = [&node, &copies] { return std::vector<Tensor>{node.forward(copies)}; };
  try {
    const NoGradGuard no_grad;
    in_float64();
    return in_float64;
  } catch (const Error& error) {
    if (error.id() != ErrorId::dtype_mismatch) throw;
  }
  return [&node, &copies] { return std::vector<Tensor>{node.forward(converted(copies, node.dtype))}; };
}

Tensor fitted(const Tensor& gradient, const Shape& shape) {
  if (!gradient.defined()) return gradient;
  Tensor result = gradient.detach().to(float64);
  while (result.dim() > shape.dim()) result = sum(result, 0);
  for (int dim = 0; dim < shape.dim(); ++dim) {
    if (shape[dim] == 1 && result.shape()[dim] != 1) result = sum(result, dim, true);
  }
  return result.reshape(shape);
}

namespace {

// All of them if none are named, without those to which no gradient flows on purpose.
std::vector<std::size_t> elements_to_check(std::vector<std::size_t> named, std::int64_t numel,
                                           std::pair<std::int64_t, std::int64_t> left_out) {
  if (left_out.first == left_out.second) return named;
  if (named.empty()) {
    named.resize(static_cast<std::size_t>(numel));
    std::iota(named.begin(), named.end(), std::size_t{0});
  }
  std::erase_if(named, [&](std::size_t at) {
    return static_cast<std::int64_t>(at) >= left_out.first && static_cast<std::int64_t>(at) < left_out.second;
  });
  return named;
}

std::vector<Variable> variables_of(const Node& node, const Inputs& inputs, const Inputs& copies, const Grads& gradients,
                                   const std::vector<bool>& asked, const GradcheckOptions& options) {
  std::vector<Variable> variables;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!asked[i] || !is_floating(inputs[i].dtype())) continue;
    const bool has_names = i < options.elements.size() && !options.elements[i].empty();
    const auto left_out = node.without_gradient(i);
    const auto elements =
        elements_to_check(has_names ? options.elements[i] : std::vector<std::size_t>(), inputs[i].numel(), left_out);
    if (elements.empty() && left_out.first < left_out.second) continue;  // none is left
    const std::string name = inputs[i].name().empty() ? fmt::format("input {}", i) : inputs[i].name();
    variables.push_back({name, copies[i], fitted(gradients[i], inputs[i].shape())});
    variables.back().elements = elements;
  }
  return variables;
}

constexpr double float64_share_of_largest = 1e-10;

// How much <dy, y> changes with the rounding of y: at its end, and in float32 on the way to it.
double rounding_of(const Node& node, const Inputs& inputs, const std::vector<double>& outputs,
                   const std::vector<double>& dy) {
  const std::vector<double> rounded = node.dtype == float32 ? node.forward(inputs).to_vector() : outputs;
  double at_end = 0.0;
  double on_the_way = 0.0;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (dy[i] == 0.0 || !std::isfinite(outputs[i]) || !std::isfinite(rounded[i])) continue;
    at_end += std::abs(dy[i] * outputs[i]);
    on_the_way += std::abs(dy[i] * (rounded[i] - outputs[i]));
  }
  return std::max(epsilon_of(node.dtype) * at_end, on_the_way);
}

// The smallest numbers have few digits.
double lost_in_underflow(const Node& node, const Tensor& dy) {
  const double smallest =
      node.dtype == float32 ? std::numeric_limits<float>::min() : std::numeric_limits<double>::min();
  return smallest * std::max(1.0, largest_finite(dy.to_vector()));
}

std::string tolerance_text(const Node& node) {
  const bool narrow = node.dtype == float32;
  return fmt::format(
      "{}: an element may be off by {:.0e} of itself, {:.0e} of the largest of its input, two error bars, "
      "and what the rounding of results and of terms that cancel changes",
      name(node.dtype), narrow ? float32_rtol : GradcheckOptions().rtol,
      narrow ? float32_rtol : float64_share_of_largest);
}

// The tolerance has no absolute part, which would let any mistake in a small gradient pass: it is relative to the
// largest derivative of the same input.
GradcheckOptions set_tolerances(const Node& node, const Inputs& inputs, std::vector<Variable>& variables,
                                const std::vector<double>& outputs, const Tensor& dy, GradcheckOptions options) {
  const std::vector<double> dy_values = dy.to_vector();
  if (node.dtype == float32) {
    options.rtol = std::max(options.rtol, float32_rtol);
    options.resolution = std::max(options.resolution, float32_rtol);
  }
  options.atol = 0.0;
  const double share = node.dtype == float32 ? float32_rtol : float64_share_of_largest;
  for (Variable& variable : variables) {
    const double size = variable.gradient.defined() ? largest_finite(variable.gradient.to_vector()) : 0.0;
    variable.floor = share * size + lost_in_underflow(node, dy);
    variable.output_rounding = 8.0 * rounding_of(node, inputs, outputs, dy_values);
    variable.computed_in = node.dtype;
  }
  return options;
}

}  // namespace

NodeReport check_node_gradients(const Node& node, const Inputs& inputs, const Tensor& dy, const Grads& gradients,
                                const std::vector<bool>& asked, const GradcheckOptions& options) {
  const NoGradGuard no_grad;
  NodeReport report = describe(node);
  report.tolerance = tolerance_text(node);
  const Inputs copies = copies_of(inputs);
  std::vector<Variable> variables = variables_of(node, inputs, copies, gradients, asked, options);
  const Tensor cotangent = dy.detach().to(float64).contiguous();
  Probe probe(replay(node, copies), {cotangent});
  probe.set_inputs(floating({copies.begin(), copies.end()}));
  const Tensor output = from_vector(probe.outputs(), dy.shape(), float64);
  const GradcheckOptions own_options = set_tolerances(node, inputs, variables, probe.outputs(), cotangent, options);
  report.inputs = compare(probe, variables, output, cotangent, own_options);
  for (const InputReport& input : report.inputs) report.verdict = worse(report.verdict, input.verdict);
  return report;
}

}  // namespace checker
}  // namespace autograd
