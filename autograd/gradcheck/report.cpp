#include "autograd/gradcheck/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "autograd/tape/node.h"
#include "autograd/tensor/error.h"
#include "autograd/tensor/format.h"
#include "autograd/text/layout.h"

namespace autograd {

// ---- pieces of text ----------------------------------------------------------------------------------------

std::string wrapped(std::string_view text, std::size_t indent) {
  return wrapped(text, 98, std::string(indent, ' '), 4);
}

namespace {

std::string number(double value) {
  return fmt::format("{:.8g}", value == 0.0 ? 0.0 : value);  // never -0
}

// The error bar is left out if it is infinite, or 0, as for a flat function.
std::string with_bar(double value, double error_bar) {
  if (!std::isfinite(value)) return "unknown";
  const bool says_something = error_bar > 0.0 && std::isfinite(error_bar);
  return says_something ? fmt::format("{} ± {:.0e}", number(value), error_bar) : number(value);
}

std::string place(Where where) {
  return where.line > 0 ? fmt::format(" at {}", to_string(where)) : "";
}

// ---- the table ---------------------------------------------------------------------------------------------

// Empty where the two numbers cannot be compared.
std::string relative_text(const InputReport& input) {
  const bool unknown = input.verdict == Verdict::noisy && std::isnan(input.worst.numeric);
  const bool comparable = !unknown && input.verdict != Verdict::kink && input.verdict != Verdict::domain &&
                          input.verdict != Verdict::vacuous;
  return comparable ? fmt::format("{:.1e}", input.worst.relative_error) : "-";
}

std::string numeric_text(const ElementReport& at) {
  if (at.verdict != Verdict::kink) return with_bar(at.numeric, at.error_bar);
  if (at.left_slope == at.right_slope) return "none";
  return fmt::format("{:.4g} or {:.4g}", at.left_slope, at.right_slope);
}

std::vector<std::string> row_of(const InputReport& input) {
  const ElementReport& worst = input.worst;
  return {input.name,
          fmt::format("{}", input.shape),
          fmt::format("{} of {}", input.bad, input.checked),
          fmt::format("{}", worst.index),
          number(worst.analytic),
          numeric_text(worst),
          relative_text(input),
          std::string(name(input.verdict))};
}

std::string table(const std::vector<InputReport>& inputs) {
  std::vector<std::vector<std::string>> rows = {
      {"input", "shape", "wrong", "worst at", "analytic", "numeric ± error bar", "relative", "verdict"}};
  for (const InputReport& input : inputs) rows.push_back(row_of(input));
  return in_columns(rows, "<<><>>><", "  ");
}

// ---- what each verdict means here ----------------------------------------------------------------------------

// "x at [1], x at [2] and 3 more"
std::string text_of_others(const TieReport& tie) {
  constexpr std::size_t most = 3;
  const auto end = tie.others.begin() + static_cast<std::ptrdiff_t>(std::min(most, tie.others.size()));
  const std::string text = fmt::format("{}", fmt::join(tie.others.begin(), end, ", "));
  return tie.others.size() <= most ? text : fmt::format("{} and {} more", text, tie.others.size() - most);
}

std::string explain_tie(const TieReport& tie) {
  const std::string slope =
      fmt::format("Moved together with {}, to which it is tied, the slope is {}, and their gradients ",
                  text_of_others(tie), with_bar(tie.numeric, tie.error_bar));
  if (tie.right) return slope + "add up to it; how they share it is a convention. ";
  return slope + fmt::format("add up to {}. ", number(tie.analytic));
}

std::string explain_kink(const InputReport& input) {
  const ElementReport& at = input.worst;
  std::string text = fmt::format("{} at {}: a kink. ", input.name, at.index);
  if (at.left_slope != at.right_slope) {
    text += fmt::format("The slope is {:.4g} to the left and {:.4g} to the right; the gradient says {:.4g}. ",
                        at.left_slope, at.right_slope, at.analytic == 0.0 ? 0.0 : at.analytic);
  } else {
    text += "The function has no slope there. ";
  }
  if (!at.kink_op.empty()) text += fmt::format("It comes from {}{}. ", at.kink_op, place(at.kink_where));
  if (at.tie) text += explain_tie(*at.tie);
  return text + "Move the input away from it, or pass {.allow_kinks = true}.";
}

std::string explain_fail(const InputReport& input) {
  std::string text = input.cause.text.empty() ? "" : fmt::format("{}: likely {}", input.name, input.cause.text);
  if (!input.worst.tie) return text;
  return fmt::format("{} at {}: {}{}", input.name, input.worst.index, explain_tie(*input.worst.tie), text);
}

std::string explain_noisy(const InputReport& input) {
  const ElementReport& at = input.worst;
  const std::string known =
      std::isnan(at.numeric)
          ? "the function moves in steps, and has no slope that could be told"
          : fmt::format("the numeric derivative is known to ± {:.0e} only, too little to decide", at.error_bar);
  return fmt::format("{} at {}: {}. Are large numbers added and subtracted, or does something run in float32?",
                     input.name, at.index, known);
}

// "" for a verdict that needs no explanation.
std::string explain(const InputReport& input) {
  const std::string element = fmt::format("{} at {}", input.name, input.worst.index);
  switch (input.verdict) {
    case Verdict::fail: return explain_fail(input);
    case Verdict::kink: return explain_kink(input);
    case Verdict::vacuous:
      return fmt::format(
          "{}: the true gradient cannot be told from zero anywhere, so the check proves nothing. Is {} used at all? "
          "Does "
          "its influence cancel, as in the sum of a softmax? If that is meant: {{.allow_vacuous = true}}.",
          input.name, input.name);
    case Verdict::noisy: return explain_noisy(input);
    case Verdict::domain:
      return fmt::format(
          "{}: the function is NaN or infinite at {:.8g} or next to it, and has no numeric derivative "
          "there. Move the input away from the edge.",
          element, input.worst.x);
    default: return "";
  }
}

// ---- the op to blame -----------------------------------------------------------------------------------------

std::string name_of(const NodeReport& node) {
  return node.backward_of.empty() ? node.op : fmt::format("{}, in the derivative of {},", node.op, node.backward_of);
}

std::string location_of(const NodeReport& node) {
  std::string text = place(node.where);
  if (!node.scope.empty()) text += fmt::format(", in {}", node.scope);
  if (!node.scope.empty() && node.called_from.line > 0) text += fmt::format(" (called{})", place(node.called_from));
  return text;
}

std::string formulas_of(const NodeReport& node) {
  return fmt::format("    {}    {}\n", node.formula, node.derivative);
}

std::string wrong_input_of(const NodeReport& node) {
  const InputReport* wrong = node.wrong_input();
  if (!wrong) return "";
  const ElementReport& at = wrong->worst;
  const std::string tied = at.tie ? fmt::format(", together with {} that it is tied to", text_of_others(*at.tie)) : "";
  std::string text =
      wrapped(fmt::format("{} {} at {}{}: backward says {}, differences say {}", wrong->name, wrong->shape, at.index,
                          tied, number(at.analytic), with_bar(at.numeric, at.error_bar)),
              4);
  if (!wrong->cause.text.empty()) text += wrapped(fmt::format("likely: {}", wrong->cause.text), 4);
  return text;
}

// Is the same mistake found in the op itself?
bool is_explained_by_blame(const InputReport& input, const GradcheckReport& report) {
  const InputReport* wrong = report.blame ? report.blame->wrong_input() : nullptr;
  return wrong && input.verdict == Verdict::fail && input.cause.text == wrong->cause.text;
}

std::string blame_text(const GradcheckReport& report) {
  if (report.blame) {
    const NodeReport& node = *report.blame;
    const std::string first_line = wrapped(fmt::format("first wrong op: {}{}", name_of(node), location_of(node)), 2);
    return first_line + formulas_of(node) + wrong_input_of(node);
  }
  if (report.ops == 0) return "";
  return wrapped(
      fmt::format("No op on the tape is wrong by itself ({} of {} checked). Is something detached on the way, "
                  "changed in place, computed outside the graph (item(), data_ptr()), or changed by a hook?",
                  report.ops_checked, report.ops),
      2);
}

// ---- the whole -----------------------------------------------------------------------------------------------

std::string headline(const GradcheckReport& report) {
  std::int64_t checked = 0;
  std::int64_t bad = 0;
  for (const InputReport& input : report.inputs) {
    checked += input.checked;
    bad += input.bad;
  }
  std::string text = fmt::format("{} {}{}", report.what, name(report.verdict), place(report.where));
  if (report.inputs.empty()) return text + "\n";
  text += bad > 0 ? fmt::format(": {} of {} elements wrong", bad, checked) : fmt::format(": {} elements", checked);
  const bool comparable = report.verdict == Verdict::pass || report.verdict == Verdict::fail;
  if (comparable) text += fmt::format(", max relative error {:.1e}", report.max_relative_error);
  return fmt::format("{}\n", text);
}

}  // namespace

std::string to_string(const GradcheckReport& report) {
  std::string explanations;
  for (const InputReport& input : report.inputs) {
    const std::string explanation = is_explained_by_blame(input, report) ? "" : explain(input);
    if (!explanation.empty()) explanations += wrapped(explanation, 2);
  }
  std::string problems;
  for (const std::string& problem : report.problems) problems += wrapped(problem, 2);

  std::string text = headline(report) + problems;
  for (const std::string& part :
       {report.inputs.empty() ? "" : table(report.inputs), explanations, blame_text(report)}) {
    if (!part.empty()) text += fmt::format("\n{}", part);
  }
  if (report.second_order) text += fmt::format("\n{}\n", to_string(*report.second_order));
  text.pop_back();  // the last line end
  return text;
}

std::string to_string(const NodeReport& report) {
  std::string text = wrapped(fmt::format("{} {}{}", name(report.verdict), name_of(report), location_of(report)), 0);
  text += formulas_of(report) + "\n";
  if (!report.inputs.empty()) text += table(report.inputs) + wrong_input_of(report);
  if (!report.problem.empty()) text += wrapped(report.problem, 2);
  if (report.wrong_input()) text += wrapped("tolerance: " + report.tolerance, 4);
  text.pop_back();
  return text;
}

}  // namespace autograd
