// formula: an op's derivative as a textbook writes it, then the same with the actual numbers of one element.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "autograd/debug/step/answers.h"
#include "autograd/debug/step/expression.h"
#include "autograd/debug/step/refused.h"
#include "autograd/debug/step/replay.h"
#include "autograd/tensor/format.h"

namespace autograd::debug {
namespace {

using Position = std::vector<std::int64_t>;

// The inputs, output and gradients of the node, as far as they are known.
struct Ran {
  const Node& node;
  Call call;
  Tensor dy;
  Grads gradients;
};

Ran find_ran(const Node& node, const View& view) {
  const Call call = view.call(node);
  if (view.has_run(node)) {
    const Step& step = view.pass->steps[*view.pass->step_of(node)];
    return {node, call, view.pass->dy_of(step), view.pass->gradients_of(step)};
  }
  if (&node != view.current()) return {node, call, Tensor(), {}};
  if (!view.is_real()) return {node, call, view.dy(), view.pass->gradients_of(view.pass->steps[view.at])};
  return {node, call, view.dy(), run_backward(node, view.dy())};
}

Position largest_element(const Tensor& tensor) {
  const std::vector<double> values = tensor.to_vector();
  const auto largest =
      std::max_element(values.begin(), values.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  return index_of(largest - values.begin(), tensor.shape());
}

// The element that belongs to `index` of a larger shape to which the tensor was broadcast.
double broadcast_element(const Tensor& tensor, const Position& index) {
  Position own;
  const std::size_t skipped = index.size() - static_cast<std::size_t>(tensor.dim());
  for (int dim = 0; dim < tensor.dim(); ++dim) {
    own.push_back(tensor.shape()[dim] == 1 ? 0 : index[skipped + static_cast<std::size_t>(dim)]);
  }
  return element_of(tensor, own).item();
}

// ---- ops that work on each number by itself -------------------------------------------------------------------------

struct Elementwise {
  std::vector<std::string> inputs;  // their names in the formula
};

// "da = dy * b, db = dy * a" -> a, b
std::vector<std::string> names_of_inputs(const std::string& derivative) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin < derivative.size();) {
    const std::size_t equals = derivative.find(" = ", begin);
    if (derivative[begin] == 'd' && equals != std::string::npos) {
      names.push_back(derivative.substr(begin + 1, equals - begin - 1));
    }
    const std::size_t comma = derivative.find(", d", begin);
    begin = comma == std::string::npos ? derivative.size() : comma + 2;
  }
  return names;
}

std::optional<Elementwise> find_elementwise(const Node& node) {
  const OpKind kind = node.op->kind;
  if (kind != OpKind::elementwise && kind != OpKind::filling) return {};
  return Elementwise{names_of_inputs(node.op->text.derivative)};
}

bool is_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string substituted(const std::string& word, const Ran& ran, const Elementwise& op, const Position& at) {
  Tensor tensor;
  if (word == "y") tensor = ran.call.output;
  if (word == "dy") tensor = ran.dy;
  for (std::size_t i = 0; i < op.inputs.size() && i < ran.call.inputs.size(); ++i) {
    if (word == op.inputs[i]) tensor = ran.call.inputs[i];
  }
  if (!tensor.defined()) return word;
  return rough(broadcast_element(tensor, at));
}

// Brackets around a negative number where they are needed: -3^2 and 2 - -3 mislead, f(-3) does not.
std::string in_brackets(const std::string& number, char before, char after) {
  const bool has_some = before == '(' && after == ')';
  return number[0] == '-' && !has_some ? "(" + number + ")" : number;
}

// The formula with numbers in the place of the names.
std::string with_numbers(const std::string& formula, const Ran& ran, const Elementwise& op, const Position& at) {
  std::string text;
  for (std::size_t i = 0; i < formula.size();) {
    std::size_t end = i;
    while (end < formula.size() && is_letter(formula[end])) ++end;
    if (end == i) {
      text += formula[i++];
      continue;
    }
    const std::string word = substituted(formula.substr(i, end - i), ran, op, at);
    text += in_brackets(word, i > 0 ? formula[i - 1] : ' ', end < formula.size() ? formula[end] : ' ');
    i = end;
  }
  return text;
}

// "da = dy * b, db = dy * a" -> "dy * b" for "da".
std::string right_side(const std::string& derivative, const std::string& left) {
  const std::size_t begin = derivative.find(left + " = ");
  if (begin == std::string::npos) return "";
  const std::size_t from = begin + left.size() + 3;
  const std::size_t end = derivative.find(", d", from);
  return derivative.substr(from, end == std::string::npos ? end : end - from);
}

// "y = tanh(2.125) = 0.9719".
std::string forward_text(const Ran& ran, const Elementwise& op, const Position& at) {
  const std::string formula = ran.node.op->text.formula;
  const std::string right = formula.substr(std::min(formula.find("= ") + 2, formula.size()));
  return fmt::format("y = {} = {}", with_numbers(right, ran, op, at), rough(broadcast_element(ran.call.output, at)));
}

std::string at_text(const Position& at) {
  return fmt::format("at {}\n", at.empty() ? "its only element" : "element " + index_text(at));
}

std::string elementwise_text(const Ran& ran, const Elementwise& op, const Position& at) {
  std::string text = at_text(at);
  text += fmt::format("  {}\n", forward_text(ran, op, at));
  for (std::size_t i = 0; i < op.inputs.size() && i < ran.gradients.size(); ++i) {
    const Tensor& gradient = ran.gradients[i];
    if (!gradient.defined() || gradient.dim() > static_cast<int>(at.size())) continue;
    const std::string left = std::string("d") + op.inputs[i];
    const std::string side = right_side(ran.node.op->text.derivative, left);
    text +=
        fmt::format("  {} = {} = {}", left, with_numbers(side, ran, op, at), rough(broadcast_element(gradient, at)));
    const bool repeated = !(ran.call.inputs[i].shape() == ran.call.output.shape());
    text += repeated ? fmt::format(", summed with its repeats into {} {}\n", op.inputs[i], ran.call.inputs[i].shape())
                     : "\n";
  }
  return text;
}

// ---- all others: a sum over the elements of the output --------------------------------------------------------------

constexpr std::size_t terms_shown = 6;

std::string term(const Ran& ran, std::size_t input, const Position& at, std::size_t o, double dy, double slope) {
  const std::string place = index_text(index_of(o, ran.node.shape));
  return fmt::format("      {:>10} * {:<10}  dy{} * ∂y{}/∂x{}{}\n", rough(dy), rough(slope), place, place, input,
                     index_text(at));
}

// dx[at] = sum over o of dy[o] * ∂y[o]/∂x[at].
std::string sum_text(const Ran& ran, std::size_t input, const Position& at) {
  const Tensor& x = ran.call.inputs[input];
  const std::vector<double> slopes = push_forward(ran.call, input, unit(x.shape(), x.dtype(), at)).to_vector();
  const std::vector<double> dy = ran.dy.to_vector();
  std::string text;
  std::size_t terms = 0;
  double sum = 0.0;
  for (std::size_t o = 0; o < slopes.size(); ++o) {
    if (slopes[o] == 0.0) continue;
    sum += slopes[o] * dy[o];
    if (++terms <= terms_shown) text += term(ran, input, at, o, dy[o], slopes[o]);
  }
  if (terms > terms_shown) text += fmt::format("      .. and {} more\n", terms - terms_shown);
  const std::string name = fmt::format("dx{}{}", input, index_text(at));
  const double given = broadcast_element(ran.gradients[input], at);
  return fmt::format("  {} = sum of {} term{}:\n", name, terms, terms == 1 ? "" : "s") + text +
         fmt::format("    = {}; its backward gave {}\n", rough(sum), rough(given));
}

bool fits(const Position& at, const Shape& shape) {
  if (static_cast<int>(at.size()) != shape.dim()) return false;
  for (int dim = 0; dim < shape.dim(); ++dim) {
    const std::int64_t i = at[static_cast<std::size_t>(dim)];
    if (i < 0 || i >= shape[dim]) return false;
  }
  return true;
}

[[noreturn]] void refuse_element(const Position& at, const Shape& shape) {
  throw Refused(fmt::format("there is no element {}", index_text(at)), fmt::format("an index into {}", shape));
}

std::string sums_text(const Ran& ran, const std::optional<Position>& at) {
  std::string text;
  for (std::size_t i = 0; i < ran.gradients.size() && i < ran.call.inputs.size(); ++i) {
    const Tensor& gradient = ran.gradients[i];
    const bool same = gradient.defined() && gradient.shape() == ran.call.inputs[i].shape();
    if (!same || gradient.numel() == 0) continue;
    if (at && !fits(*at, gradient.shape())) continue;
    text += sum_text(ran, i, at ? *at : largest_element(gradient));
  }
  if (text.empty() && at) refuse_element(*at, ran.call.inputs.empty() ? Shape() : ran.call.inputs[0].shape());
  return text;
}

std::string numbers_text(const Ran& ran, const std::optional<Position>& at) {
  if (ran.call.output.numel() == 0) return "  its output is empty: there are no numbers\n";
  const std::optional<Elementwise> op = find_elementwise(ran.node);
  if (!op) return sums_text(ran, at);
  if (at && !fits(*at, ran.node.shape)) refuse_element(*at, ran.node.shape);
  return elementwise_text(ran, *op, at ? *at : largest_element(ran.dy));
}

// "%17 [0, 1]" -> the index, and what stands before it.
std::optional<Position> take_element(std::string& text) {
  const std::size_t bracket = text.find('[');
  if (bracket == std::string::npos) return {};
  Position at;
  for (const Pick& pick : parse_expression("x" + text.substr(bracket)).picks) {
    if (pick.is_range) throw Refused("a range is no element", "an index, as in [0, 1]");
    at.push_back(pick.start);
  }
  text = trim(text.substr(0, bracket));
  return at;
}

}  // namespace

std::string formula_of_element(const Call& call, const std::vector<std::int64_t>& index) {
  const std::optional<Elementwise> op = find_elementwise(*call.node);
  return op ? forward_text({*call.node, call, Tensor(), {}}, *op, index) : "";
}

namespace {

// In the forward pass: what the op made, at an element where it is not finite if there is one.
std::string forward_answer(const Node& node, const std::optional<Position>& at, const View& view) {
  std::string text = fmt::format("{}\n  {}\n", describe(node), node.op->text.formula);
  const std::optional<Elementwise> op = find_elementwise(node);
  const Tensor output = view.value(node);
  if (at && !fits(*at, node.shape)) refuse_element(*at, node.shape);
  if (!op || !output.defined() || output.numel() == 0) return text;
  const std::vector<double> values = output.to_vector();
  const auto odd = std::find_if(values.begin(), values.end(), [](double value) { return !std::isfinite(value); });
  const Position chosen = odd == values.end() ? largest_element(output) : index_of(odd - values.begin(), node.shape);
  const Position shown = at ? *at : chosen;
  return text + at_text(shown) + fmt::format("  {}\n", forward_text({node, view.call(node), Tensor(), {}}, *op, shown));
}

}  // namespace

std::string answer_formula(const Question& question) {
  std::string target = question.arguments;
  const std::optional<Position> at = take_element(target);
  const Node& node = node_or_current(target, question.view);
  if (question.view.is_forward() && !node.is_leaf()) return forward_answer(node, at, question.view);
  std::string text = fmt::format("{}\n  {}\n  {}\n", describe(node), node.op->text.formula, node.op->text.derivative);
  if (node.is_leaf()) return text + "a leaf: what arrives is added to its .grad\n";
  const Ran ran = find_ran(node, question.view);
  if (ran.dy.defined()) return text + numbers_text(ran, at) + jacobian_text(ran.call, question.settings);
  return text + fmt::format("its dy is {}\n", progress_text(question.view.progress(node)));
}

}  // namespace autograd::debug
