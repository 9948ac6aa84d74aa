// cell: one element, the elements that it came from, and where it goes, as text.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "autograd/debug/step/absent.h"
#include "autograd/debug/step/answers.h"
#include "autograd/debug/step/cell.h"
#include "autograd/debug/step/refused.h"

namespace autograd::debug {
namespace {

constexpr std::size_t rows_shown = 8;
constexpr std::size_t most_written_out = 4;

std::string plural(std::size_t count, const char* thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string number_text(const std::optional<double>& number) {
  return number ? rough(*number) : "not known";
}

// The terms to show, in their order; of many, those that weigh most.
std::vector<std::size_t> chosen(const std::vector<CellTerm>& terms) {
  std::vector<std::size_t> order(terms.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (terms.size() <= rows_shown) return order;
  const auto weight = [&](std::size_t i) { return std::abs(terms[i].value.value_or(1.0) * terms[i].slope); };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return weight(a) > weight(b); });
  order.resize(rows_shown);
  return order;
}

std::string table(const CellPart& part) {
  std::string text = fmt::format("    {:>11} {:>11}\n", "value", "slope");
  for (const std::size_t i : chosen(part.terms)) {
    const CellTerm& term = part.terms[i];
    text += fmt::format("    {:>11} {:>11}  {}{}\n", number_text(term.value), rough(term.slope), term.label,
                        index_text(term.index));
  }
  if (part.terms.size() <= rows_shown) return text;
  return text + fmt::format("    .. and {} more, of less weight\n", part.terms.size() - rows_shown);
}

std::string in_brackets(const std::string& number) {
  return number[0] == '-' ? "(" + number + ")" : number;
}

// The terms of one input, or of all.
std::vector<CellTerm> terms_of(const CellPart& part, std::optional<std::size_t> input) {
  std::vector<CellTerm> terms;
  for (std::size_t i = 0; i < part.terms.size(); ++i) {
    if (!input || part.inputs[i] == *input) terms.push_back(part.terms[i]);
  }
  return terms;
}

// The sum of value * slope, if it is this number: then the element is exactly that.
std::optional<std::string> as_sum(const std::vector<CellTerm>& terms, double whole) {
  double sum = 0.0;
  double size = std::abs(whole);
  std::string text;
  for (const CellTerm& term : terms) {
    const double part = term.value.value_or(NAN) * term.slope;
    sum += part;
    size += std::abs(part);
    text += fmt::format("{}{} * {}", text.empty() ? "" : " + ", in_brackets(number_text(term.value)),
                        in_brackets(rough(term.slope)));
  }
  const bool same = sum == whole || std::abs(sum - whole) <= 1e-5 * size || (std::isnan(sum) && std::isnan(whole));
  if (terms.empty() || !same) return {};
  if (terms.size() <= most_written_out) return fmt::format("  = {} = {}\n", text, rough(sum));
  return fmt::format("  = the sum of value * slope = {}\n", rough(sum));
}

// A value is such a sum over one of its op's inputs (a matmul), over all (an addition), or is not (a softmax).
std::string sum_text(const CellPart& part, double whole) {
  std::vector<std::optional<std::size_t>> ways;
  if (!part.inputs.empty()) ways = {part.inputs.front(), std::nullopt};
  for (const auto& input : ways) {
    const std::vector<CellTerm> terms = terms_of(part, input);
    const auto text = as_sum(terms, whole);
    if (!text) continue;
    const bool some = terms.size() < part.terms.size();
    return some ? fmt::format("  over x{}:\n", *input) + *text : *text;
  }
  return "";
}

std::string where_value_came_from(const Cell& cell, const View& view) {
  if (cell.from.empty()) return "comes from the program: it is a leaf\n";
  const CellPart& part = cell.from[0];
  std::string text = fmt::format("made by {}\n  {}\n", describe(*part.op), part.op->op->text.formula);
  const std::string formula = formula_of_element(view.call(*part.op), cell.index);
  if (!part.slopes_are_known) return text + (formula.empty() ? std::string() : "  " + formula + "\n");
  if (part.terms.empty()) return text + "  comes from no element: its derivative is 0 here\n";
  text += fmt::format("  comes from {}; slope: how much it changes with each\n", plural(part.terms.size(), "element"));
  text += table(part);
  return formula.empty() ? text + sum_text(part, *cell.value) : text + "  " + formula + "\n";
}

std::string contribution_text(const CellPart& part) {
  if (!part.op) return fmt::format("  {} from the start of the pass\n", number_text(part.amount));
  std::string text = fmt::format("  {} through {}\n    {}\n", number_text(part.amount), describe(*part.op),
                                 part.op->op->text.derivative);
  if (part.terms.empty()) return text + "    from no element: the op's derivative is 0 here\n";
  const std::optional<std::string> sum = part.amount ? as_sum(part.terms, *part.amount) : std::nullopt;
  return text + table(part) + (sum ? "  " + *sum : "    its backward gave a number that is not this derivative\n");
}

std::string where_gradient_came_from(const Cell& cell, const Progress& progress) {
  if (cell.from.empty()) return "";
  std::string text = fmt::format("comes from {}, the largest first\n", plural(progress.arrived, "contribution"));
  if (progress.arrived == 1) text = "comes from 1 contribution\n";
  for (const CellPart& part : cell.from) text += contribution_text(part);
  if (cell.more_from == 0) return text;
  return text +
         fmt::format("  {} more, together {}; `contrib` lists them\n", cell.more_from, rough(cell.amount_of_more));
}

std::string where_it_goes(const Cell& cell) {
  if (cell.to.empty()) {
    return cell.is_gradient ? fmt::format("goes into {}.grad(): it is a leaf\n", label(*cell.node))
                            : "goes nowhere: no op of this pass uses it\n";
  }
  std::string text = "goes into\n";
  for (const CellPart& part : cell.to) {
    const char* by = cell.is_gradient ? "through" : "by";
    if (!part.slopes_are_known) {
      text += fmt::format("  {}, whose slopes are not known yet\n", describe(*part.op));
      continue;
    }
    if (part.terms.empty()) {
      text += fmt::format("  nothing, {} {}: the op's derivative is 0 here\n", by, describe(*part.op));
      continue;
    }
    text += fmt::format("  {}, {} {}\n", plural(part.terms.size(), "element"), by, describe(*part.op)) + table(part);
  }
  if (cell.more_to == 0) return text;
  return text + fmt::format("  and {}; `graph` lists them\n", plural(cell.more_to, "more op"));
}

}  // namespace

std::string answer_cell(const Question& question) {
  const View& view = question.view;
  const Element element = evaluate_element(question.arguments, view);
  const bool is_gradient = evaluate(question.arguments, view).is_gradient;
  const Progress progress = view.progress(*element.node);
  const Cell cell = cell_of(element, is_gradient, view);
  const std::string title = is_gradient ? label(*cell.node) + ".grad" + index_text(cell.index) : element.title;
  if (!cell.value) {
    const std::string why = is_gradient ? gradient_state(*element.node, view) : "was not recorded";
    return fmt::format("{} {}\n{}", title, why, where_it_goes(cell));
  }
  const bool partial = is_gradient && progress.to_come > 0;
  std::string text =
      fmt::format("{} = {}{}\n", title, rough(*cell.value), partial ? " (" + progress_text(progress) + ")" : "");
  text += is_gradient ? where_gradient_came_from(cell, progress) : where_value_came_from(cell, view);
  return text + where_it_goes(cell);
}

}  // namespace autograd::debug
