#include "autograd/gradcheck/eps_sweep.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <numeric>

#include "autograd/gradcheck/gradients.h"
#include "autograd/gradcheck/patterns.h"
#include "autograd/gradcheck/probe.h"
#include "autograd/gradcheck/problem.h"
#include "autograd/ops/ops.h"
#include "autograd/pictures/chart.h"
#include "autograd/tape/backward.h"
#include "autograd/tensor/error.h"

namespace autograd {
namespace {

using checker::Problem;
using checker::Values;

// ---- the differences ---------------------------------------------------------------------------------------

// Of <v, y> with respect to one element of an input, which moves in its own dtype.
template <class Number>
double difference_quotient(const Problem& problem, const Values& cotangent, Number& element, double h,
                           bool five_point) {
  const auto at = [&](double step) {
    const checker::Moved moved(element, static_cast<Number>(element + step));
    const Values outputs = checker::flatten(problem.evaluate());
    return std::inner_product(outputs.begin(), outputs.end(), cotangent.begin(), 0.0);
  };
  const double near = checker::difference_across(h, at);
  return five_point ? (8.0 * near - checker::difference_across(2.0 * h, at)) / (12.0 * h) : near / (2.0 * h);
}

// The error of one input at one step; NaN and infinity count as infinitely wrong.
double error_of(const Problem& problem, const Values& cotangent, const Tensor& variable, const Values& gradient,
                double h, bool five_point) {
  double error = 0.0;
  for (std::int64_t i = 0; i < variable.numel(); ++i) {
    const double quotient = variable.dtype() == float64
                                ? difference_quotient(problem, cotangent, variable.data_ptr<double>()[i], h, five_point)
                                : difference_quotient(problem, cotangent, variable.data_ptr<float>()[i], h, five_point);
    const double off = std::abs(quotient - gradient[static_cast<std::size_t>(i)]);
    if (std::isnan(off)) return std::numeric_limits<double>::infinity();
    error = std::max(error, off);
  }
  const double size = checker::largest_finite(gradient);
  return size > 0.0 ? error / size : error;
}

// ---- the curves --------------------------------------------------------------------------------------------

struct Reference {
  Values cotangent;
  std::vector<Values> gradients;  // one per variable
};

Reference reference_of(const Problem& problem, std::uint64_t seed) {
  const GradModeGuard graph_on(true);
  const std::vector<Tensor> outputs = problem.evaluate();
  const std::vector<Tensor> cotangents = checker::random_cotangents(outputs, seed);
  Reference reference{checker::flatten(cotangents), {}};
  const std::vector<Tensor> found = checker::gradients(outputs, cotangents, problem.variables);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto count = static_cast<std::size_t>(problem.variables[i].numel());
    reference.gradients.push_back(found[i].defined() ? found[i].to_vector() : Values(count, 0.0));
  }
  return reference;
}

EpsSweep::Curve curve_of(const Problem& problem, const Reference& reference, DType dtype, bool five_point,
                         const Values& steps) {
  const NoGradGuard no_grad;
  EpsSweep::Curve curve{fmt::format("{}, {}", name(dtype), five_point ? "5 points" : "central"), dtype, five_point, {}};
  for (const double h : steps) {
    double worst = 0.0;
    for (std::size_t v = 0; v < problem.variables.size(); ++v) {
      const Tensor& variable = problem.variables[v];
      const double error = error_of(problem, reference.cotangent, variable, reference.gradients[v], h, five_point);
      worst = std::max(worst, error);
    }
    curve.errors.push_back(worst);
  }
  return curve;
}

void add_curves(EpsSweep& sweep, const Problem& problem, const Reference& reference, DType dtype, bool five_point) {
  sweep.curves.push_back(curve_of(problem, reference, dtype, false, sweep.steps));
  if (five_point) sweep.curves.push_back(curve_of(problem, reference, dtype, true, sweep.steps));
}

// Rounds the inputs, so that float32 and float64 see the same numbers. Captured inputs are converted in place later.
std::vector<Tensor> rounded_to_float32(const CheckedFunction& function, const std::vector<Tensor>& inputs) {
  if (function.captures()) return inputs;
  std::vector<Tensor> rounded;
  for (const Tensor& input : inputs) {
    const bool is_double = input.defined() && input.dtype() == float64;
    rounded.push_back(is_double ? input.detach().to(float32) : input);
    if (is_double && input.requires_grad()) rounded.back().requires_grad_();
  }
  return rounded;
}

}  // namespace

std::size_t EpsSweep::Curve::best() const {
  return static_cast<std::size_t>(std::min_element(errors.begin(), errors.end()) - errors.begin());
}

EpsSweep eps_sweep(const CheckedFunction& function, const std::vector<Tensor>& inputs, const EpsSweepOptions& options,
                   Where where) {
  const GradcheckOptions as_check{.seed = options.seed, .reseed = options.reseed};
  const std::vector<Tensor> rounded = rounded_to_float32(function, inputs);
  EpsSweep sweep;
  sweep.steps = options.steps;
  Reference reference;
  {
    const checker::FunctionProblem in_float64(function, rounded, float64, as_check, where);
    reference = reference_of(in_float64.problem(), options.seed);
    add_curves(sweep, in_float64.problem(), reference, float64, options.five_point);
  }
  try {
    const checker::FunctionProblem in_float32(function, rounded, float32, as_check, where);
    add_curves(sweep, in_float32.problem(), reference, float32, options.five_point);
  } catch (const Error& error) {
    if (error.id() != ErrorId::dtype_mismatch) throw;
    sweep.left_out.emplace_back("float32: the function uses float64 tensors besides its inputs");
  }
  return sweep;
}

std::string to_string(const EpsSweep& sweep) {
  std::string text = fmt::format("{:>8}", "step");
  for (const EpsSweep::Curve& curve : sweep.curves) text += fmt::format("  {:>17}", curve.name);
  text += "\n";
  for (std::size_t i = 0; i < sweep.steps.size(); ++i) {
    text += fmt::format("{:>8.0e}", sweep.steps[i]);
    for (const EpsSweep::Curve& curve : sweep.curves) {
      text += fmt::format("  {:>15.1e}{}", curve.errors[i], i == curve.best() ? " *" : "  ");
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  text += "largest error relative to the largest gradient; * the best step";
  for (const std::string& left_out : sweep.left_out) text += fmt::format("\nleft out: {}", left_out);
  return text;
}

std::string EpsSweep::svg() const {
  std::vector<ChartSeries> series;
  for (const Curve& curve : curves) {
    const std::string best = fmt::format("best {:.0e} at {:.0e}", curve.errors[curve.best()], steps[curve.best()]);
    series.push_back({.name = fmt::format("{}: {}", curve.name, best), .x = steps, .y = curve.errors});
  }
  return chart_svg(series, {.title = "Error of finite differences",
                            .x_axis = "step h",
                            .y_axis = "largest relative error",
                            .x_logarithmic = true,
                            .y_logarithmic = true});
}

void EpsSweep::write_svg(const std::string& path, Where where) const {
  std::ofstream file(path, std::ios::binary);
  file << svg();
  file.close();
  if (file) return;
  fail(ErrorId::bad_file, "write_svg", where, fmt::format("\"{}\" cannot be written", path),
       "check that the folder exists and may be written to");
}

}  // namespace autograd
