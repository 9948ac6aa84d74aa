#include "autograd/gradcheck/gradcheck.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "autograd/gradcheck/blame.h"
#include "autograd/gradcheck/comparison.h"
#include "autograd/gradcheck/gradients.h"
#include "autograd/gradcheck/patterns.h"
#include "autograd/gradcheck/problem.h"
#include "autograd/tape/backward.h"
#include "autograd/tensor/factories.h"

namespace autograd {
namespace checker {
namespace {

// ---- what must hold besides the numbers --------------------------------------------------------------------

std::string nan_in(const std::vector<Tensor>& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::vector<double> values = outputs[i].to_vector<double>();
    const auto count = std::count_if(values.begin(), values.end(), [](double value) { return std::isnan(value); });
    if (count > 0) return fmt::format("output {} is NaN at {} of {} elements", i, count, values.size());
  }
  return "";
}

// "" if two runs on the same inputs give the same bits.
std::string difference_between_runs(const Problem& problem, const std::vector<Tensor>& outputs,
                                    const std::vector<Tensor>& cotangents, const std::vector<Tensor>& first) {
  const std::vector<Tensor> outputs_again = problem.evaluate();
  if (!same_bits(outputs, outputs_again)) {
    return "two evaluations on the same inputs give different outputs. Dropout, or other random numbers? Then pass "
           "{.reseed = true}";
  }
  const std::vector<Tensor> second = gradients(outputs_again, cotangents, problem.variables);
  return same_bits(first, second) ? "" : "two backward passes on the same inputs give different gradients";
}

bool is_minus_two_times(const Tensor& doubled, const Tensor& gradient) {
  if (doubled.defined() != gradient.defined()) return false;
  if (!gradient.defined()) return true;
  const std::vector<double> a = doubled.to_vector<double>();
  const std::vector<double> b = gradient.to_vector<double>();
  const double largest = largest_finite(b);
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::isfinite(b[i]) && !(std::abs(a[i] + 2.0 * b[i]) <= 1e-9 * largest)) return false;
  }
  return true;
}

bool is_zero(const Tensor& gradient) {
  if (!gradient.defined()) return true;
  const std::vector<double> values = gradient.to_vector<double>();
  return std::all_of(values.begin(), values.end(), [](double value) { return value == 0.0 || std::isnan(value); });
}

// A gradient is a linear function of the cotangent. These sentences name the gradients that are not.
std::vector<std::string> check_linearity(const Problem& problem, const std::vector<Tensor>& outputs,
                                         const std::vector<Tensor>& cotangents, const std::vector<Tensor>& first) {
  std::vector<std::string> problems;
  const auto for_zero = gradients(outputs, scaled(cotangents, 0.0), problem.variables);
  const auto for_minus_two = gradients(outputs, scaled(cotangents, -2.0), problem.variables);
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (!is_zero(for_zero[i])) {
      problems.push_back(
          fmt::format("{}: a zero cotangent gives a gradient that is not zero: a backward that does not "
                      "multiply by dy?",
                      problem.names[i]));
    }
    if (!is_minus_two_times(for_minus_two[i], first[i])) {
      problems.push_back(
          fmt::format("{}: the cotangent times -2 does not give the gradient times -2: backward is not "
                      "linear in dy",
                      problem.names[i]));
    }
  }
  return problems;
}

double largest_difference(const Tensor& multiple, double factor, const Tensor& gradient) {
  if (!multiple.defined() || !gradient.defined()) return 0.0;
  std::vector<double> a = multiple.to_vector<double>();
  const std::vector<double> b = gradient.to_vector<double>();
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = a[i] / factor - b[i];
  return largest_finite(a);
}

// The rounding in each gradient: if the cotangent is multiplied by 3, 5 or 7 and the gradient divided by the same, it
// differs by rounding alone. (A power of two would give the same bits.)
std::vector<double> measure_rounding(const Problem& problem, const std::vector<Tensor>& outputs,
                                     const std::vector<Tensor>& cotangents, const std::vector<Tensor>& first) {
  std::vector<double> rounding(first.size(), 0.0);
  for (const double factor : {3.0, 5.0, 7.0}) {
    const auto multiples = gradients(outputs, scaled(cotangents, factor), problem.variables);
    for (std::size_t i = 0; i < first.size(); ++i) {
      rounding[i] = std::max(rounding[i], largest_difference(multiples[i], factor, first[i]));
    }
  }
  return rounding;
}

// ---- the check ---------------------------------------------------------------------------------------------

std::vector<Variable> variables_of(const Problem& problem, const std::vector<Tensor>& found,
                                   const std::vector<double>& rounding) {
  std::vector<Variable> variables;
  for (std::size_t i = 0; i < found.size(); ++i) {
    variables.push_back({problem.names[i], problem.variables[i], found[i], {}, rounding[i]});
  }
  return variables;
}

bool is_allowed(Verdict verdict, const GradcheckOptions& options) {
  return verdict == Verdict::pass || (verdict == Verdict::vacuous && options.allow_vacuous) ||
         (verdict == Verdict::kink && options.allow_kinks);
}

void gather(GradcheckReport& report, const GradcheckOptions& options) {
  report.accepted = report.problems.empty();
  for (const InputReport& input : report.inputs) {
    report.max_relative_error = std::max(report.max_relative_error, input.max_relative_error);
    if (!is_allowed(input.verdict, options)) report.verdict = worse(report.verdict, input.verdict);
    report.accepted = report.accepted && is_allowed(input.verdict, options);
  }
}

GradcheckReport stopped(GradcheckReport report, Verdict verdict, std::string problem) {
  report.verdict = verdict;
  report.problems.push_back(std::move(problem));
  return report;
}

void find_blame(GradcheckReport& report, const Problem& problem, const std::vector<Tensor>& cotangents,
                const GradcheckOptions& options) {
  const auto run = [&] { gradients(problem.evaluate(), cotangents, problem.variables); };
  const Blame found = find_first_wrong_op(run, options);
  report.blame = found.wrong;
  report.ops = found.ops;
  report.ops_checked = found.checked;
}

GradcheckReport check(const Problem& problem, const std::vector<Tensor>& cotangents, const GradcheckOptions& options,
                      const char* what, Where where) {
  const GradModeGuard graph_on(true);
  GradcheckReport report;
  report.what = what;
  report.where = where;

  const std::vector<Tensor> outputs = problem.evaluate();
  const std::vector<Tensor> found = gradients(outputs, cotangents, problem.variables);
  const std::string nan = nan_in(outputs);
  if (!nan.empty()) return stopped(std::move(report), Verdict::domain, nan);
  const std::string difference = difference_between_runs(problem, outputs, cotangents, found);
  if (!difference.empty()) return stopped(std::move(report), Verdict::nondeterministic, difference);
  report.problems = check_linearity(problem, outputs, cotangents, found);
  if (!report.problems.empty()) report.verdict = Verdict::fail;

  Probe probe(problem.evaluate, cotangents);
  probe.set_inputs(problem.variables);
  const Values recorded = flatten(outputs);
  if (!all_same(probe.outputs(), recorded, 1e-12 * largest_finite(recorded))) {  // fused ops add in another order
    return stopped(std::move(report), Verdict::nondeterministic,
                   "the outputs differ with and without NoGradGuard: the function asks whether recording is on");
  }
  const bool linear = report.problems.empty();  // if not, other cotangents tell nothing about rounding
  const std::vector<double> rounding =
      linear ? measure_rounding(problem, outputs, cotangents, found) : std::vector<double>(found.size(), 0.0);
  const auto variables = variables_of(problem, found, rounding);
  const bool one_output = outputs.size() == 1;
  report.inputs = compare(probe, variables, one_output ? outputs[0].detach() : Tensor(),
                          one_output ? cotangents[0].detach() : Tensor(), options);
  gather(report, options);
  if (report.verdict == Verdict::fail && options.blame) find_blame(report, problem, cotangents, options);
  return report;
}

// ---- second order ------------------------------------------------------------------------------------------

Tensor zeros_if_undefined(const Tensor& gradient, const Tensor& variable) {
  return gradient.defined() ? gradient : zeros_like(variable);
}

// The function (inputs, cotangents) -> gradients as a problem of its own.
Problem gradient_problem(const Problem& first, const std::vector<Tensor>& cotangents) {
  Problem second;
  second.variables = first.variables;
  second.names = first.names;
  for (std::size_t i = 0; i < cotangents.size(); ++i) {
    cotangents[i].requires_grad_();
    second.variables.push_back(cotangents[i]);
    second.names.push_back(cotangents.size() == 1 ? std::string("cotangent") : fmt::format("cotangent {}", i));
  }
  second.evaluate = [&first, cotangents] {
    const bool create_graph = grad_enabled();
    const GradModeGuard graph_on(true);
    std::vector<Tensor> found = gradients(first.evaluate(), cotangents, first.variables, create_graph);
    for (std::size_t i = 0; i < found.size(); ++i) found[i] = zeros_if_undefined(found[i], first.variables[i]);
    return found;
  };
  return second;
}

GradcheckReport check_second_order(const Problem& first, GradcheckOptions options, Where where) {
  const Problem second = gradient_problem(first, random_cotangents(first.evaluate(), options.seed));
  options.allow_vacuous = true;  // a linear function has no second derivatives
  return check(second, random_cotangents(second.evaluate(), options.seed + 1), options, "gradgradcheck", where);
}

void add_changed_inputs(GradcheckReport& report, const FunctionProblem& function_problem) {
  for (const std::string& name : function_problem.changed_inputs()) {
    report.problems.push_back(fmt::format("{}: the function changes this input: let it work on a clone()", name));
    report.verdict = worse(report.verdict, Verdict::fail);
    report.accepted = false;
  }
}

}  // namespace
}  // namespace checker

GradcheckReport gradcheck(const CheckedFunction& function, const std::vector<Tensor>& inputs,
                          const GradcheckOptions& options, Where where) {
  const GradModeGuard graph_on(true);
  const checker::FunctionProblem function_problem(function, inputs, float64, options, where);
  const checker::Problem& problem = function_problem.problem();
  const auto cotangents = checker::random_cotangents(problem.evaluate(), options.seed);
  GradcheckReport report = checker::check(problem, cotangents, options, "gradcheck", where);
  const bool is_repeatable = report.verdict != Verdict::nondeterministic && report.verdict != Verdict::domain;
  if (options.second_order && is_repeatable) {
    report.second_order = std::make_shared<GradcheckReport>(checker::check_second_order(problem, options, where));
    report.verdict = worse(report.verdict, report.second_order->verdict);
  }
  checker::add_changed_inputs(report, function_problem);
  return report;
}

GradcheckReport gradgradcheck(const CheckedFunction& function, const std::vector<Tensor>& inputs,
                              const GradcheckOptions& options, Where where) {
  const GradModeGuard graph_on(true);
  const checker::FunctionProblem function_problem(function, inputs, float64, options, where);
  GradcheckReport report = checker::check_second_order(function_problem.problem(), options, where);
  checker::add_changed_inputs(report, function_problem);
  return report;
}

}  // namespace autograd
