#include "autograd/gradcheck/tie.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "autograd/gradcheck/element_check.h"

namespace autograd::checker {
namespace {

bool may_be_tied(const KinkElement& a, const KinkElement& b) {
  const bool same_op = a.branch.op == b.branch.op && a.branch.where.line == b.branch.where.line;
  return same_op && *a.element == *b.element;
}

}  // namespace

std::vector<Tie> find_ties(const std::vector<KinkElement>& kinks) {
  std::vector<Tie> ties;
  for (const KinkElement& kink : kinks) {
    const auto belongs = [&](const Tie& tie) { return may_be_tied(tie.front(), kink); };
    const auto found = std::find_if(ties.begin(), ties.end(), belongs);
    if (found == ties.end()) {
      ties.push_back({kink});
    } else {
      found->push_back(kink);
    }
  }
  std::erase_if(ties, [](const Tie& tie) { return tie.size() < 2; });
  return ties;
}

std::optional<TieReport> move_together(const Tie& tie, const Probe& probe, const GradcheckOptions& options,
                                       double epsilon) {
  TieReport report;
  std::vector<double*> elements;
  for (const KinkElement& kink : tie) {
    elements.push_back(kink.element);
    report.analytic += kink.analytic;
  }
  double value = *elements.front();
  const Probe together = probe.with_one_for_all(elements, value);
  const ElementResult result = ElementCheck(together, options, 0.0, {epsilon, 0.0})(value, report.analytic);
  const bool has_corner = result.left_slope != result.right_slope;
  const bool compares = result.verdict == Verdict::pass || result.verdict == Verdict::fail;
  if (!compares || has_corner || result.coarse) return {};
  report.numeric = result.numeric;
  report.error_bar = result.error_bar;
  report.right = result.verdict == Verdict::pass;
  return report;
}

std::vector<std::string> names_of_others(const Tie& tie, const KinkElement& one) {
  std::vector<std::string> names;
  for (const KinkElement& kink : tie) {
    if (kink.element != one.element) names.push_back(kink.name);
  }
  return names;
}

Diagnosis diagnose(const TieReport& tie) {
  const double factor = tie.analytic / tie.numeric;
  if (tie.analytic == 0.0) return {Cause::zero, "none of the tied elements gets a gradient: one must, or all a share"};
  if (!std::isfinite(factor)) return {Cause::unknown, "a gradient that does not cancel among the tied elements"};
  const char* question = factor > 1.0 ? ": does each get all of it, in place of a share?" : "";
  return {Cause::factor, fmt::format("the tied elements get {:.7g} times their gradient{}", factor, question)};
}

}  // namespace autograd::checker
