// formula: an op's derivative as a textbook writes it, then the same with the actual numbers of one element, and its
// local Jacobian where that is small.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "autograd/debug/step/answers.h"
#include "autograd/debug/step/expression.h"
#include "autograd/debug/step/refused.h"
#include "autograd/debug/step/replay.h"
#include "autograd/tensor/format.h"
#include "autograd/text/words.h"

namespace autograd::debug {
namespace {

using Position = std::vector<std::int64_t>;

// An op's forward, and its backward as far as it is known.
struct Shown {
  const Node& node;
  Call call;
  Ran ran;
};

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

bool works_on_each_number(const Node& node) {
  return node.op->kind == OpKind::elementwise || node.op->kind == OpKind::filling;
}

// What a formula calls an input: x where there is one, else a, b, ..
std::string input_name(const Shown& shown, std::size_t i) {
  return shown.call.inputs.size() == 1 ? "x" : std::string(1, static_cast<char>('a' + i));
}

using Names = std::map<std::string, Tensor>;

Names input_names(const Shown& shown) {
  Names names;
  for (std::size_t i = 0; i < shown.call.inputs.size(); ++i) names[input_name(shown, i)] = shown.call.inputs[i];
  return names;
}

bool is_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Brackets around a negative number where they are needed: -3^2 and 2 - -3 mislead, f(-3) does not.
std::string in_brackets(const std::string& number, char before, char after) {
  const bool has_some = before == '(' && after == ')';
  return number[0] == '-' && !has_some ? "(" + number + ")" : number;
}

// The formula with numbers in the place of the names.
std::string with_numbers(const std::string& formula, const Names& names, const Position& at) {
  std::string text;
  for (std::size_t i = 0; i < formula.size();) {
    std::size_t end = i;
    while (end < formula.size() && is_letter(formula[end])) ++end;
    if (end == i) {
      text += formula[i++];
      continue;
    }
    std::string word = formula.substr(i, end - i);
    const auto named = names.find(word);
    if (named != names.end() && named->second.defined()) word = rough(broadcast_element(named->second, at));
    text += in_brackets(word, i > 0 ? formula[i - 1] : ' ', end < formula.size() ? formula[end] : ' ');
    i = end;
  }
  return text;
}

// "y = tanh(2.125) = 0.9719".
std::string forward_text(const Shown& shown, const Position& at) {
  return fmt::format("{} = {}", with_numbers(shown.node.op->text.formula, input_names(shown), at),
                     rough(broadcast_element(shown.call.output, at)));
}

std::string at_text(const Position& at) {
  return fmt::format("at {}\n", at.empty() ? "its only element" : "element " + index_text(at));
}

// " = 1.5", or of several inputs a line: "da = 1.5, db = -0.5, summed with its repeats into b [3]".
std::string returned_text(const Shown& shown, const Position& at) {
  std::string text;
  for (std::size_t i = 0; i < shown.call.inputs.size() && i < shown.ran.gradients.size(); ++i) {
    const Tensor& gradient = shown.ran.gradients[i];
    if (!gradient.defined() || gradient.dim() > static_cast<int>(at.size())) continue;
    const std::string name = input_name(shown, i);
    if (shown.call.inputs.size() > 1) text += fmt::format("{}d{}", text.empty() ? "\n  " : ", ", name);
    text += " = " + rough(broadcast_element(gradient, at));
    const Shape& shape = shown.call.inputs[i].shape();
    if (!(shape == shown.call.output.shape())) text += fmt::format(", summed with its repeats into {} {}", name, shape);
  }
  return text;
}

std::string elementwise_text(const Shown& shown, const Position& at) {
  Names names = input_names(shown);
  names["y"] = shown.call.output;
  names["dy"] = shown.ran.dy;
  return fmt::format("{}  {}\n  {}{}\n", at_text(at), forward_text(shown, at),
                     with_numbers(shown.node.op->text.derivative, names, at), returned_text(shown, at));
}

// ---- all others: a sum over the elements of the output --------------------------------------------------------------

constexpr std::size_t terms_shown = 6;

std::string term(const Shown& shown, std::size_t input, const Position& at, std::size_t o, double dy, double slope) {
  const std::string place = index_text(index_of(static_cast<std::int64_t>(o), shown.node.shape));
  return fmt::format("      {:>10} * {:<10}  dy{} * ∂y{}/∂x{}{}\n", rough(dy), rough(slope), place, place, input,
                     index_text(at));
}

// dx[at] = sum over o of dy[o] * ∂y[o]/∂x[at].
std::string sum_text(const Shown& shown, std::size_t input, const Position& at) {
  const Tensor& x = shown.call.inputs[input];
  const std::vector<double> slopes = push_forward(shown.call, input, unit(x.shape(), x.dtype(), at)).to_vector();
  const std::vector<double> dy = shown.ran.dy.to_vector();
  std::string text;
  std::size_t terms = 0;
  double sum = 0.0;
  for (std::size_t o = 0; o < slopes.size(); ++o) {
    if (slopes[o] == 0.0) continue;
    sum += slopes[o] * dy[o];
    if (++terms <= terms_shown) text += term(shown, input, at, o, dy[o], slopes[o]);
  }
  if (terms > terms_shown) text += fmt::format("      .. and {} more\n", terms - terms_shown);
  const std::string name = fmt::format("dx{}{}", input, index_text(at));
  const double given = broadcast_element(shown.ran.gradients[input], at);
  return fmt::format("  {} = sum of {}:\n", name, counted(terms, "term")) + text +
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

std::string sums_text(const Shown& shown, const std::optional<Position>& at) {
  std::string text;
  for (std::size_t i = 0; i < shown.ran.gradients.size() && i < shown.call.inputs.size(); ++i) {
    const Tensor& gradient = shown.ran.gradients[i];
    const bool same = gradient.defined() && gradient.shape() == shown.call.inputs[i].shape();
    if (!same || gradient.numel() == 0) continue;
    if (at && !fits(*at, gradient.shape())) continue;
    text += sum_text(shown, i, at ? *at : largest_element(gradient));
  }
  if (text.empty() && at) refuse_element(*at, shown.call.inputs.empty() ? Shape() : shown.call.inputs[0].shape());
  return text;
}

std::string numbers_text(const Shown& shown, const std::optional<Position>& at) {
  if (shown.call.output.numel() == 0) return "  its output is empty: there are no numbers\n";
  if (!works_on_each_number(shown.node)) return sums_text(shown, at);
  if (at && !fits(*at, shown.node.shape)) refuse_element(*at, shown.node.shape);
  return elementwise_text(shown, at ? *at : largest_element(shown.ran.dy));
}

// "%17 [0, 1]" -> the index, and what stands before it.
std::optional<Position> take_element(std::string& text) {
  const std::size_t bracket = text.find('[');
  if (bracket == std::string::npos) return {};
  Position at;
  for (const Pick& pick : parse_expression("x" + text.substr(bracket)).picks) {
    if (pick.is_range) throw Refused("a range is not an element", "an index, as in [0, 1]");
    at.push_back(pick.start);
  }
  text = trim(text.substr(0, bracket));
  return at;
}

}  // namespace

std::string formula_of_element(const Call& call, const std::vector<std::int64_t>& index) {
  return works_on_each_number(*call.node) ? forward_text({*call.node, call, {}}, index) : "";
}

namespace {

// ---- the local Jacobian ---------------------------------------------------------------------------------------------

constexpr std::int64_t most_rows = 16;

// Of an op that works on each number by itself, a Jacobian says no more than its formula.
bool is_diagonal(const std::vector<std::vector<double>>& rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < rows[i].size(); ++j) {
      if (i != j && rows[i][j] != 0.0) return false;
    }
  }
  return rows.size() == rows[0].size();
}

// The slope of each element of the output with each of an input, row by row: its backward with a unit gradient for each
// element of the output. Where that is a small table and not diagonal.
std::string jacobian_text(const Call& call, const Settings& settings) {
  const Shape& shape = call.output.shape();
  if (shape.numel() == 0 || shape.numel() > most_rows) return "";
  std::vector<Grads> slopes;
  for (std::int64_t row = 0; row < shape.numel(); ++row) {
    slopes.push_back(pull_back(call, unit(shape, call.output.dtype(), index_of(row, shape))));
  }
  std::string text;
  for (std::size_t i = 0; i < slopes[0].size(); ++i) {
    const bool flows = i < call.from.size() && call.from[i] && slopes[0][i].defined();
    if (!flows || call.inputs[i].numel() * 11 + 16 > settings.width) continue;
    std::vector<std::vector<double>> rows;
    for (const Grads& row : slopes) rows.push_back(row[i].to_vector());
    if (is_diagonal(rows)) continue;
    text += fmt::format("  dy/dx{}: y {} by x{} {}\n", i, shape, i, call.inputs[i].shape());
    for (std::size_t row = 0; row < rows.size(); ++row) {
      text += fmt::format("    y{:<10}", index_text(index_of(row, shape)));
      for (const double slope : rows[row]) text += fmt::format(" {:>10}", rough(slope));
      text += "\n";
    }
  }
  return text;
}

// ---- the answer -----------------------------------------------------------------------------------------------------

// In the forward pass: what the op made, at an element where it is not finite if there is one.
std::string forward_answer(const Node& node, const std::optional<Position>& at, const View& view) {
  std::string text = fmt::format("{}\n  {}\n", describe(node), node.op->text.formula);
  const Tensor output = view.value(node);
  if (at && !fits(*at, node.shape)) refuse_element(*at, node.shape);
  if (!works_on_each_number(node) || !output.defined() || output.numel() == 0) return text;
  const std::vector<double> values = output.to_vector();
  const auto odd = std::find_if(values.begin(), values.end(), [](double value) { return !std::isfinite(value); });
  const Position chosen = odd == values.end() ? largest_element(output) : index_of(odd - values.begin(), node.shape);
  return text + at_text(at ? *at : chosen) +
         fmt::format("  {}\n", forward_text({node, view.call(node), {}}, at ? *at : chosen));
}

}  // namespace

std::string answer_formula(const Question& question) {
  std::string target = question.arguments;
  const std::optional<Position> at = take_element(target);
  const Node& node = node_or_current(target, question.view);
  if (question.view.is_forward() && !node.is_leaf()) return forward_answer(node, at, question.view);
  std::string text = fmt::format("{}\n  {}\n  {}\n", describe(node), node.op->text.formula, node.op->text.derivative);
  if (node.is_leaf()) return text + "a leaf: what arrives is added to its .grad\n";
  const Shown shown{node, question.view.call(node), ran_of(node, question.view)};
  if (shown.ran.dy.defined()) return text + numbers_text(shown, at) + jacobian_text(shown.call, question.settings);
  return text + fmt::format("its dy is {}\n", progress_text(question.view.progress(node)));
}

}  // namespace autograd::debug
