#include "autograd/debug/step/cell.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "autograd/debug/step/answers.h"
#include "autograd/debug/step/refused.h"
#include "autograd/debug/step/replay.h"
#include "autograd/debug/unobserved.h"
#include "autograd/ops/ops.h"
#include "autograd/tape/node.h"
#include "autograd/tensor/error.h"
#include "autograd/text/printable.h"
#include "autograd/text/words.h"

namespace autograd::debug {

// ---- who gave how much ----------------------------------------------------------------------------------------------

std::string percent(double part, double whole) {
  if (whole == 0.0) return "";
  const double share = 100.0 * part / whole;
  const bool small = share != 0.0 && std::abs(share) < 0.1;
  return small ? fmt::format(" = {:.1g}%", share) : fmt::format(" = {:.1f}%", share);
}

namespace {

constexpr std::size_t groups_shown = 12;
constexpr std::size_t members_shown = 3;  // of a group

// Of one op, at one line, in one module, whatever the time step.
struct ContributionGroup {
  double sum = 0.0;
  std::vector<AmountGiven> given;  // the largest first
};

bool is_larger(const AmountGiven& a, const AmountGiven& b) {
  return std::abs(a.amount) > std::abs(b.amount);
}

std::string key_of(const Contribution& contribution) {
  return contribution.from ? fmt::format("{} {}", place_of(*contribution.from), contribution.input) : "";
}

std::string place_text(const Contribution& contribution) {
  if (!contribution.from) return "the start of the pass";
  const Node& node = *contribution.from;
  const std::string module = module_name(node.scope.get());
  return fmt::format("{} at {}{}{}", node.name(), to_string(node.called_at), module.empty() ? "" : " in " + module,
                     contribution.input > 0 ? fmt::format(", input {}", contribution.input) : "");
}

// "%12 matmul at gru.h:8 in rnn.l0, step 3, input 1", or "the start of the pass".
std::string giver(const Contribution& contribution) {
  if (!contribution.from) return "the start of the pass";
  const std::string text = describe(*contribution.from);
  // The number of the input distinguishes two uses by one op, as in x * x.
  return contribution.from->op && contribution.input > 0 ? fmt::format("{}, input {}", text, contribution.input) : text;
}

std::string group_text(const ContributionGroup& group, double whole) {
  const std::size_t count = group.given.size();
  std::string text = fmt::format("  {:>10}{}  {} by {}\n", rough(group.sum), percent(group.sum, whole), count,
                                 place_text(*group.given[0].contribution));
  if (count == 1) return text;
  for (std::size_t i = 0; i < std::min(count, members_shown); ++i) {
    text += fmt::format("    {:>10}  {}\n", rough(group.given[i].amount), giver(*group.given[i].contribution));
  }
  if (count > members_shown) text += fmt::format("    .. and {} more, smaller\n", count - members_shown);
  return text;
}

// The largest sum first.
std::vector<ContributionGroup> grouped(const std::vector<AmountGiven>& all) {
  std::vector<ContributionGroup> groups;
  std::unordered_map<std::string, std::size_t> positions;
  for (const AmountGiven& each : all) {
    const auto [place, is_new] = positions.try_emplace(key_of(*each.contribution), groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].sum += each.amount;
    groups[place->second].given.push_back(each);
  }
  for (ContributionGroup& group : groups) std::stable_sort(group.given.begin(), group.given.end(), is_larger);
  std::stable_sort(groups.begin(), groups.end(), [](const ContributionGroup& a, const ContributionGroup& b) {
    return std::abs(a.sum) > std::abs(b.sum);
  });
  return groups;
}

std::string cancelling_text(const std::vector<AmountGiven>& all, double whole) {
  double positive = 0.0;
  double negative = 0.0;
  for (const AmountGiven& each : all) (each.amount > 0.0 ? positive : negative) += each.amount;
  if (positive - negative <= 2.0 * std::abs(whole)) return "";
  return fmt::format("  they cancel: {} and {} make {}\n", rough(positive), rough(negative), rough(whole));
}

}  // namespace

std::vector<AmountGiven> amounts_given(const Node& node, const std::vector<std::int64_t>& index, const View& view) {
  std::vector<AmountGiven> all;
  for (const Contribution* each : view.pass->contributions_to(node, view.at)) {
    const Tensor element = element_of(view.pass->value_of(*each), index);
    all.push_back({each, KeptTensor(element), element.item()});
  }
  return all;
}

std::string groups_text(const std::vector<AmountGiven>& all) {
  double whole = 0.0;
  for (const AmountGiven& each : all) whole += each.amount;
  const std::vector<ContributionGroup> groups = grouped(all);
  std::string text;
  double rest = 0.0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (i < groups_shown) {
      text += group_text(groups[i], whole);
    } else {
      rest += groups[i].sum;
    }
  }
  if (groups.size() > groups_shown) {
    text += fmt::format("  {:>10}{}  from {} other places\n", rough(rest), percent(rest, whole),
                        groups.size() - groups_shown);
  }
  return text + cancelling_text(all, whole);
}

// ---- the elements on the other side of an op ---------------------------------------------------------------------------

namespace {

using Position = std::vector<std::int64_t>;

constexpr std::size_t most_parts = 4;  // of which the slopes are found

std::string name_of_input(const Call& call, std::size_t i) {
  if (i < call.from.size() && call.from[i]) return label(*call.from[i]);
  const std::string name = printable(call.inputs[i].name());
  return name.empty() ? fmt::format("x{}", i) : name;
}

// The elements with a slope other than 0; `values` is undefined where they are not known.
void add_terms(CellPart& part, const CellTerm& like, const Tensor& slopes, const Tensor& values) {
  const std::vector<double> slope = slopes.to_vector();
  const std::vector<double> value = values.defined() ? values.to_vector() : std::vector<double>();
  for (std::size_t i = 0; i < slope.size(); ++i) {
    if (slope[i] == 0.0) continue;
    CellTerm term = like;
    term.index = index_of(i, slopes.shape());
    if (i < value.size()) term.value = value[i];
    term.slope = slope[i];
    part.terms.push_back(std::move(term));
  }
}

// The gradient that the node's backward was given, or will be as far as that is known.
Tensor known_gradient(const Node& node, const View& view) {
  return view.progress(node).complete() || &node == view.current() ? view.gradient(node) : Tensor();
}

// Across the op that made the tensor: the inputs' elements, whose values or gradients go with `slopes`.
CellPart across_own_op(const Node& node, const Position& index, bool gradients, const View& view) {
  const Call call = view.call(node);
  CellPart part{&node, 0, {}, {}, !view.is_unready(node)};
  if (!part.slopes_are_known) return part;
  const Grads slopes = pull_back(call, unit(node.shape, node.dtype, index));
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    const Node* from = i < call.from.size() ? call.from[i].get() : nullptr;
    if (!slopes[i].defined() || (gradients && !from)) continue;
    const std::string name = name_of_input(call, i) + (gradients ? ".grad" : "");
    add_terms(part, {from, name, {}, {}, 0.0, i}, slopes[i], gradients ? known_gradient(*from, view) : call.inputs[i]);
  }
  return part;
}

// Across an op that uses the tensor: the elements of its output.
CellPart across_use(const Node& node, const Position& index, const Use& use, bool gradients, const View& view) {
  const Call call = view.call(*use.user);
  CellPart part{use.user, use.input, {}, {}, !view.is_unready(*use.user)};
  if (!part.slopes_are_known) return part;
  const Tensor slopes = push_forward(call, use.input, unit(node.shape, node.dtype, index));
  const std::string name = label(*use.user) + (gradients ? ".grad" : "");
  const Tensor values = gradients ? known_gradient(*use.user, view) : call.output;
  add_terms(part, {use.user, name, {}, {}, 0.0, use.input}, slopes, values);
  return part;
}

void find_sources_of_gradient(Cell& cell, const View& view) {
  for (AmountGiven& given : amounts_given(*cell.node, cell.index, view)) {
    const Contribution& each = *given.contribution;
    cell.from.push_back({each.from, each.input, std::move(given), {}, false});
  }
  std::vector<CellPart*> largest;
  for (CellPart& part : cell.from) largest.push_back(&part);
  std::stable_sort(largest.begin(), largest.end(), [](const CellPart* a, const CellPart* b) {
    return std::abs(a->given->amount) > std::abs(b->given->amount);
  });
  for (std::size_t i = 0; i < std::min(most_parts, largest.size()); ++i) {
    CellPart& part = *largest[i];
    if (!part.op) continue;
    CellPart whole = across_use(*cell.node, cell.index, {part.op, part.input}, true, view);
    whole.given = std::move(part.given);
    part = std::move(whole);
  }
}

void find_uses_of_value(Cell& cell, const View& view) {
  const std::span<const Use> uses = view.pass->uses(*cell.node);
  for (auto use = uses.rbegin(); use != uses.rend(); ++use) {  // in the order of the program
    if (cell.to.size() == most_parts) break;
    cell.to.push_back(across_use(*cell.node, cell.index, *use, false, view));
  }
  cell.more_to = uses.size() - cell.to.size();
}

std::optional<double> number_at(const Tensor& tensor, const Position& index) {
  if (!tensor.defined()) return {};
  return element_of(tensor, index).item();
}

}  // namespace

Cell cell_of(const Element& element, bool is_gradient, const View& view) {
  Cell cell;
  cell.node = element.node;
  cell.index = element.index;
  cell.is_gradient = is_gradient;
  const Node& node = *element.node;
  cell.value = number_at(is_gradient ? view.gradient(node) : view.value(node), element.index);
  if (is_gradient) {
    find_sources_of_gradient(cell, view);
    if (!node.is_leaf()) cell.to.push_back(across_own_op(node, cell.index, true, view));
  } else {
    if (!node.is_leaf()) cell.from.push_back(across_own_op(node, cell.index, false, view));
    find_uses_of_value(cell, view);
  }
  return cell;
}

// ---- as text --------------------------------------------------------------------------------------------------------
namespace {

constexpr std::size_t rows_shown = 8;
constexpr std::size_t most_written_out = 4;

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
  const std::size_t first = part.terms.front().input;
  std::vector<CellTerm> of_first = part.terms;
  std::erase_if(of_first, [&](const CellTerm& term) { return term.input != first; });
  if (const auto text = as_sum(of_first, whole)) {
    return (of_first.size() < part.terms.size() ? fmt::format("  over x{}:\n", first) : "") + *text;
  }
  return as_sum(part.terms, whole).value_or("");
}

std::string where_value_came_from(const Cell& cell, const View& view) {
  if (cell.from.empty()) return "comes from the program: it is a leaf\n";
  const CellPart& part = cell.from[0];
  std::string text = fmt::format("made by {}\n  {}\n", describe(*part.op), part.op->op->text.formula);
  const std::string formula = formula_of_element(view.call(*part.op), cell.index);
  if (!part.slopes_are_known) return text + (formula.empty() ? std::string() : "  " + formula + "\n");
  if (part.terms.empty()) return text + "  comes from no element: its derivative is 0 here\n";
  text += fmt::format("  comes from {}; slope: how much it changes with each\n", counted(part.terms.size(), "element"));
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
  const std::string count = "comes from " + counted(cell.from.size(), "contribution");
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
    text += fmt::format("  {}, {} {}\n", counted(part.terms.size(), "element"), by, describe(*part.op)) + table(part);
  }
  if (cell.more_to == 0) return text;
  return text + fmt::format("  and {}; `graph` lists them\n", counted(cell.more_to, "more op"));
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
