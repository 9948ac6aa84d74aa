// cell: one element, the elements that it came from, and where it goes, as text. Of a gradient the exact account: who
// gave what, and that this is all of it.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "autograd/debug/step/absent.h"
#include "autograd/debug/step/answers.h"
#include "autograd/debug/step/cell.h"
#include "autograd/debug/unobserved.h"
#include "autograd/ops/ops.h"
#include "autograd/tape/leaf.h"

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

// ---- what a gradient came from ------------------------------------------------------------------------------------

constexpr std::size_t most_listed = 40;  // contributions; more are grouped by place
constexpr std::size_t most_to_come = 20;

std::string exact_element(const Tensor& tensor) {
  return exact(tensor.to_vector()[0], tensor.dtype());
}

std::string contribution_text(std::size_t number, const CellPart& part) {
  std::string text = fmt::format("  {}. {} {} {}\n", number, exact_element(part.given->value.tensor()),
                                 part.op ? "through" : "from", giver(*part.given->contribution));
  if (!part.slopes_are_known) return text;
  text += fmt::format("    {}\n", part.op->op->text.derivative);
  if (part.terms.empty()) return text + "    from no element: the op's derivative is 0 here\n";
  const std::optional<std::string> sum = as_sum(part.terms, part.given->amount);
  return text + table(part) + (sum ? "  " + *sum : "    its backward gave a number that is not this derivative\n");
}

std::string contributions_text(const Cell& cell, bool every) {
  std::string text;
  if (every || cell.from.size() <= most_listed) {
    for (std::size_t i = 0; i < cell.from.size(); ++i) text += contribution_text(i + 1, cell.from[i]);
    return text;
  }
  std::vector<AmountGiven> all;
  for (const CellPart& part : cell.from) all.push_back(*part.given);
  return "by place; with `all` behind it they are listed\n" + groups_text(all);
}

// Added in the order of their arrival, so that the bits are the engine's.
Tensor sum_of(const std::vector<CellPart>& parts) {
  Tensor sum;
  for (const CellPart& part : parts) {
    const Tensor value = part.given->value.tensor();
    sum = sum.defined() ? sum + value : value;
  }
  return sum;
}

// The engine's own value of this gradient, now or when the node's own turn came.
Tensor gradient_of_engine(const Node& node, const View& view) {
  if (view.has_run(node)) return view.pass->dy_of(view.pass->steps[*view.pass->step_of(node)]);
  if (&node == view.current()) return view.dy();
  const bool live = view.is_real() && node.gradient.defined();
  return live ? node.gradient : view.pass->gradient(node, view.at);
}

std::string count_text(const Cell& cell, const Tensor& sum, const Tensor& gradient, bool partial) {
  const std::string count = "comes from " + plural(cell.from.size(), "contribution");
  if (!same_bits(sum, gradient))
    return fmt::format("{} with the sum {}: a hook replaced it\n", count, exact_element(sum));
  const char* added = cell.from.size() == 1 ? "it is" : "added as they arrived they are";
  return fmt::format("{}: {} exactly, bit for bit, the gradient{}\n", count, added, partial ? " so far" : "");
}

std::string still_to_come(const Node& node, const View& view) {
  const std::size_t count = view.progress(node).to_come;
  if (count == 0) return "";
  std::string text = fmt::format("{} may still come:\n", count);
  std::size_t shown = 0;
  for (const Use& use : view.pass->uses(node)) {
    if (*view.pass->position(*use.user) < view.position()) continue;
    if (++shown > most_to_come) return text + fmt::format("  .. and {} more\n", count - most_to_come);
    text += fmt::format("  from {}\n", describe(*use.user));
  }
  return text;
}

// A line about the program's own W.grad(), if that differs because earlier passes left a gradient there.
std::string in_program(const Cell& cell, const Tensor& gradient, const View& view) {
  const Node& node = *cell.node;
  const bool in_grad = node.is_leaf() && !view.pass->captures_only && view.is_real() && view.has_run(node);
  if (!in_grad) return "";
  const Tensor grad = static_cast<const Leaf&>(node).tensor.grad();
  if (!grad.defined() || !(grad.shape() == node.shape)) return "";
  const Tensor own = element_of(grad, cell.index);
  if (same_bits(own, gradient)) return "";
  return fmt::format("The program's {}.grad() is {}, with what was there before this pass.\n", label(node),
                     exact_element(own));
}

std::string gradient_text(const Cell& cell, bool every, const View& view) {
  const std::string title = label(*cell.node) + ".grad" + index_text(cell.index);
  if (cell.from.empty()) {
    return fmt::format("{} {}\n{}", title, gradient_state(*cell.node, view), still_to_come(*cell.node, view));
  }
  const Unobserved unobserved;
  const Progress progress = view.progress(*cell.node);
  const std::string note = progress.to_come > 0 ? " (" + progress_text(progress) + ")" : "";
  const Tensor sum = sum_of(cell.from);
  const Tensor gradient = element_of(gradient_of_engine(*cell.node, view), cell.index);
  return fmt::format("{} = {}{}\n", title, exact_element(gradient), note) +
         count_text(cell, sum, gradient, progress.to_come > 0) + contributions_text(cell, every) +
         in_program(cell, gradient, view) + still_to_come(*cell.node, view);
}

// ---- where it goes ------------------------------------------------------------------------------------------------

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

// "W.grad[0,1] all" -> "W.grad[0,1]" and true.
bool take_all(std::string& text) {
  text = trim(text);
  const bool all = text.size() > 4 && text.compare(text.size() - 4, 4, " all") == 0;
  if (all) text = trim(text.substr(0, text.size() - 4));
  return all;
}

std::string value_text(const Cell& cell, const std::string& title, const View& view) {
  if (!cell.value) return fmt::format("{} was not recorded\n", title);
  return fmt::format("{} = {}\n", title, rough(*cell.value)) + where_value_came_from(cell, view);
}

}  // namespace

std::string answer_cell(const Question& question) {
  const View& view = question.view;
  std::string target = question.arguments;
  const bool every = take_all(target);
  const Element element = evaluate_element(target, view);
  const bool is_gradient = evaluate(target, view).is_gradient;
  const Cell cell = cell_of(element, is_gradient, view);
  return (is_gradient ? gradient_text(cell, every, view) : value_text(cell, element.title, view)) + where_it_goes(cell);
}

}  // namespace autograd::debug
