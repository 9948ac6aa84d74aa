#include "autograd/gradcheck/comparison.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "autograd/gradcheck/diagnosis.h"
#include "autograd/gradcheck/element_check.h"
#include "autograd/gradcheck/positions.h"
#include "autograd/gradcheck/rounding_noise.h"
#include "autograd/gradcheck/tie.h"
#include "autograd/tensor/factories.h"

namespace autograd::checker {
namespace {

constexpr double contribution_step = 1e-4;
constexpr double noticed_step = 1e-5;

// Raises the tolerance by the rounding of a gradient in which large terms cancel.
GradcheckOptions own_tolerance(GradcheckOptions options, const Variable& variable) {
  options.atol += 10.0 * variable.rounding + variable.floor;
  return options;
}

std::vector<double> values_of(const Variable& variable) {
  if (variable.gradient.defined()) return variable.gradient.to_vector<double>();
  return std::vector<double>(static_cast<std::size_t>(variable.values.numel()), 0.0);
}

// One input while it is being checked.
class InputCheck {
 public:
  InputCheck(const Probe& probe, const Variable& variable, const GradcheckOptions& options)
      : probe_(probe),
        variable_(variable),
        elements_(variable.values.data_ptr<double>()),
        analytic_(values_of(variable)),
        options_(own_tolerance(options, variable)) {
    const Rounding rounding{epsilon_of(variable.computed_in), variable.output_rounding};
    const ElementCheck check(probe, options_, largest_finite(analytic_), rounding);
    leave_unlooked(analytic_.size());
    for (const std::size_t i : looked_at_) results_[i] = check(elements_[i], analytic_[i]);
    settle_coarse();
  }

  InputReport report() const;
  Evidence evidence(const Tensor& output, const Tensor& cotangent) const;
  std::vector<double> numeric() const { return collect(&ElementResult::numeric); }

  void append_kinks(std::size_t input, std::vector<KinkElement>& kinks) const;
  void settle_tie(std::size_t i, const TieReport& tie);
  std::optional<double> smaller_tolerance() const;
  // Whether an element that is not tied is wrong.
  bool fails_by_itself() const;

 private:
  std::vector<double> collect(double ElementResult::*member) const {
    std::vector<double> values;
    for (const ElementResult& result : results_) values.push_back(result.*member);
    return values;
  }
  void leave_unlooked(std::size_t count);
  void settle_coarse();
  double relative_error(std::size_t i) const;
  std::size_t worst() const;
  bool is_vacuous() const;
  Verdict verdict() const;
  ElementReport element(std::size_t i) const;

  const Probe& probe_;
  const Variable& variable_;
  double* elements_;
  std::vector<double> analytic_;
  GradcheckOptions options_;
  std::vector<ElementResult> results_;
  std::map<std::size_t, TieReport> ties_;  // by element
  std::vector<std::size_t> looked_at_;
  double largest_ = 0.0;  // numeric derivative
};

// Elements that are not to be checked count as right, with an infinite error bar.
void InputCheck::leave_unlooked(std::size_t count) {
  looked_at_ = variable_.elements;
  if (looked_at_.empty()) {
    looked_at_.resize(count);
    std::iota(looked_at_.begin(), looked_at_.end(), std::size_t{0});
  }
  results_.resize(count);
  if (looked_at_.size() == count) return;
  for (std::size_t i = 0; i < count; ++i) {
    results_[i].numeric = analytic_[i];
    results_[i].error_bar = std::numeric_limits<double>::infinity();
  }
}

// An element that agrees only within a wide error bar counts as NOISY, unless the bar is narrow beside the largest
// derivatives of the same input.
void InputCheck::settle_coarse() {
  largest_ = largest_finite(numeric());
  for (const std::size_t i : looked_at_) {
    ElementResult& result = results_[i];
    const bool too_wide = result.error_bar > options_.atol + options_.resolution * largest_;
    if (result.coarse && too_wide && result.verdict == Verdict::pass) result.verdict = Verdict::noisy;
  }
}

void InputCheck::append_kinks(std::size_t input, std::vector<KinkElement>& kinks) const {
  for (const std::size_t i : looked_at_) {
    if (results_[i].verdict != Verdict::kink) continue;
    const std::string name = fmt::format("{} at {}", variable_.name, index_of(i, variable_.values.shape()));
    kinks.push_back({input, i, name, &elements_[i], analytic_[i], results_[i].branch});
  }
}

void InputCheck::settle_tie(std::size_t i, const TieReport& tie) {
  if (!tie.right) results_[i].verdict = Verdict::fail;
  ties_[i] = tie;
}

bool InputCheck::fails_by_itself() const {
  return std::any_of(looked_at_.begin(), looked_at_.end(),
                     [this](std::size_t i) { return results_[i].verdict == Verdict::fail && !ties_.contains(i); });
}

double InputCheck::relative_error(std::size_t i) const {
  const Verdict verdict_here = results_[i].verdict;
  const bool is_unknown = verdict_here == Verdict::noisy && std::isnan(results_[i].numeric);
  const bool has_no_slope = verdict_here == Verdict::kink || verdict_here == Verdict::domain;
  if (is_unknown || has_no_slope || results_[i].rounding) return 0.0;  // no number to compare with
  const bool is_tied = ties_.contains(i);
  const double analytic = is_tied ? ties_.at(i).analytic : analytic_[i];
  const double numeric = is_tied ? ties_.at(i).numeric : results_[i].numeric;
  const double difference = std::abs(analytic - numeric);
  if (std::isnan(difference)) return std::numeric_limits<double>::infinity();
  const double size = std::max({std::abs(analytic), std::abs(numeric), 1e-3 * largest_});
  return difference == 0.0 ? 0.0 : difference / size;
}

std::size_t InputCheck::worst() const {
  std::size_t worst = looked_at_.front();
  for (const std::size_t i : looked_at_) {
    const Verdict verdict = results_[i].verdict;
    const Verdict worst_verdict = results_[worst].verdict;
    const bool is_worse =
        verdict > worst_verdict || (verdict == worst_verdict && relative_error(i) > relative_error(worst));
    if (is_worse) worst = i;
  }
  return worst;
}

bool InputCheck::is_vacuous() const {
  const double rounding = 10.0 * probe_.rounding();
  for (std::size_t i = 0; i < results_.size(); ++i) {
    const ElementResult& result = results_[i];
    const bool analytic_is_zero = std::abs(analytic_[i]) <= options_.atol + rounding;
    const bool numeric_is_zero = std::abs(result.numeric) <= options_.atol + options_.error_bars * result.error_bar;
    const bool has_no_slope = result.verdict == Verdict::kink || result.verdict == Verdict::domain || ties_.contains(i);
    if (!analytic_is_zero || !numeric_is_zero || has_no_slope) return false;
  }
  return true;
}

// Can the gradient be told from zero, although atol is larger? Then this is the tolerance for it.
std::optional<double> InputCheck::smaller_tolerance() const {
  if (results_.empty() || !is_vacuous()) return {};
  const std::vector<double> found = numeric();
  const double largest = std::max(largest_finite(analytic_), largest_finite(found));
  std::size_t at = 0;
  while (std::max(std::abs(analytic_[at]), std::abs(found[at])) < largest) ++at;
  double& element = elements_[at];
  const double noise = std::max({rounding_noise(probe_, element), probe_.rounding(), probe_.granularity(element)});
  if (!(largest > 10.0 * noise / (noticed_step * step_unit(element)) + 10.0 * variable_.rounding)) return {};
  return options_.rtol * largest;
}

Verdict InputCheck::verdict() const {
  if (is_vacuous()) return Verdict::vacuous;
  Verdict verdict = Verdict::pass;
  for (const ElementResult& result : results_) verdict = worse(verdict, result.verdict);
  return verdict;
}

ElementReport InputCheck::element(std::size_t i) const {
  const ElementResult& result = results_[i];
  ElementReport report;
  report.index = index_of(i, variable_.values.shape());
  report.x = elements_[i];
  report.analytic = analytic_[i];
  report.numeric = result.numeric;
  report.error_bar = result.error_bar;
  report.relative_error = relative_error(i);
  report.verdict = result.verdict;
  report.left_slope = result.left_slope;
  report.right_slope = result.right_slope;
  report.kink_op = result.branch.op;
  report.kink_where = result.branch.where;
  if (!ties_.contains(i)) return report;
  report.tie = ties_.at(i);
  if (result.verdict != Verdict::fail) return report;
  report.analytic = report.tie->analytic;
  report.numeric = report.tie->numeric;
  report.error_bar = report.tie->error_bar;
  return report;
}

InputReport InputCheck::report() const {
  const Shape& shape = variable_.values.shape();
  InputReport report;
  report.name = variable_.name;
  report.shape = shape;
  report.verdict = verdict();
  report.checked = static_cast<std::int64_t>(looked_at_.size());
  const bool compares_zeros = report.verdict == Verdict::vacuous;
  for (std::size_t i = 0; i < results_.size() && !compares_zeros; ++i) {
    report.bad += results_[i].verdict == Verdict::fail;
    report.max_relative_error = std::max(report.max_relative_error, relative_error(i));
  }
  if (!results_.empty()) report.worst = element(worst());
  report.analytic = from_vector(analytic_, shape, float64);
  report.numeric = from_vector(numeric(), shape, float64);
  report.error_bar = from_vector(collect(&ElementResult::error_bar), shape, float64);
  return report;
}

// ---- evidence ----------------------------------------------------------------------------------------------

Evidence InputCheck::evidence(const Tensor& output, const Tensor& cotangent) const {
  Evidence evidence;
  evidence.name = variable_.name;
  evidence.connected = variable_.gradient.defined();
  evidence.x = variable_.values.to_vector();
  evidence.gradient = {analytic_, numeric(), {}, variable_.values.shape()};
  auto& [found, right, slack, shape] = evidence.gradient;
  for (std::size_t i = 0; i < results_.size(); ++i) {
    const ElementResult& result = results_[i];
    const double size = std::max(std::abs(analytic_[i]), std::abs(result.numeric));
    slack.push_back(options_.atol + options_.rtol * size + 4.0 * result.error_bar);
    const bool decided = result.verdict == Verdict::pass || result.verdict == Verdict::fail;
    if (decided && !ties_.contains(i)) continue;
    found[i] = right[i] = 0.0;
    slack[i] = std::numeric_limits<double>::infinity();
  }
  if (output.defined()) {
    evidence.has_output = true;
    evidence.output_shape = output.shape();
    evidence.output = output.to_vector();
    evidence.cotangent = cotangent.to_vector();
  }
  evidence.contributions = [this](std::size_t i) {
    return probe_.contributions(elements_[i], contribution_step * step_unit(elements_[i]));
  };
  return evidence;
}

}  // namespace

namespace {

// Decides tied elements, which may belong to several inputs, together.
void settle_ties(const Probe& probe, const GradcheckOptions& options, DType dtype, std::vector<InputCheck>& checks) {
  std::vector<KinkElement> kinks;
  for (std::size_t i = 0; i < checks.size(); ++i) checks[i].append_kinks(i, kinks);
  for (const Tie& tie : find_ties(kinks)) {
    std::optional<TieReport> together = move_together(tie, probe, options, epsilon_of(dtype));
    if (!together) continue;
    for (const KinkElement& one : tie) {
      together->others = names_of_others(tie, one);
      checks[one.input].settle_tie(one.position, *together);
    }
  }
}

Diagnosis diagnose(const std::vector<InputCheck>& checks, std::size_t input, const std::vector<Variable>& variables,
                   const Tensor& output, const Tensor& cotangent) {
  Evidence evidence = checks[input].evidence(output, cotangent);
  for (std::size_t other = 0; other < checks.size(); ++other) {
    if (other == input) continue;
    evidence.other_gradients.push_back({variables[other].name, checks[other].numeric()});
    evidence.other_values.push_back({variables[other].name, variables[other].values.to_vector()});
  }
  return diagnose(evidence);
}

}  // namespace

std::vector<InputReport> compare(const Probe& probe, const std::vector<Variable>& variables, const Tensor& output,
                                 const Tensor& cotangent, const GradcheckOptions& options) {
  std::vector<InputCheck> checks;
  checks.reserve(variables.size());
  for (const Variable& variable : variables) {
    checks.emplace_back(probe, variable, options);
    const std::optional<double> atol = checks.back().smaller_tolerance();
    if (!atol || !(*atol < options.atol)) continue;
    GradcheckOptions strict = options;
    strict.atol = *atol;
    checks.pop_back();
    checks.emplace_back(probe, variable, std::move(strict));
  }
  if (!variables.empty()) settle_ties(probe, options, variables.front().computed_in, checks);

  std::vector<InputReport> reports;
  for (std::size_t i = 0; i < checks.size(); ++i) {
    InputReport report = checks[i].report();
    if (report.verdict == Verdict::fail) {
      const bool only_ties = !checks[i].fails_by_itself();
      report.cause = only_ties ? diagnose(*report.worst.tie) : diagnose(checks, i, variables, output, cotangent);
    }
    reports.push_back(report);
  }
  return reports;
}

}  // namespace autograd::checker
