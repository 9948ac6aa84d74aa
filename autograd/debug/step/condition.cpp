#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "autograd/debug/step/expression.h"
#include "autograd/debug/step/refused.h"
#include "autograd/text/printable.h"
#include "autograd/text/words.h"

namespace autograd::debug {
bool compare(double left, const std::string& comparison, double right) {
  if (comparison == "<") return left < right;
  if (comparison == "<=") return left <= right;
  if (comparison == ">") return left > right;
  if (comparison == ">=") return left >= right;
  if (comparison == "==") return left == right;
  return left != right;
}

namespace {

constexpr const char* expected_condition =
    "nan, inf, or VALUE > NUMBER, VALUE being norm, absmax, max, min, mean, step, at, norm(W.grad) or W.grad[1,2]";

bool is_function(std::string_view word) {
  for (const char* name : {"norm", "absmax", "max", "min", "mean", "nan", "inf"}) {
    if (word == name) return true;
  }
  return false;
}

// The term's left side: `norm`, `norm(W)`, `step`, `at` or `W[1,2]`.
void parse_value(std::string_view given, Term& term) {
  const std::string text = trim(given);
  const std::size_t open = text.find('(');
  if (open != std::string::npos && text.back() == ')' && is_function(trim(text.substr(0, open)))) {
    term.function = trim(text.substr(0, open));
    term.argument = trim(text.substr(open + 1, text.size() - open - 2));
    parse_expression(term.argument);
  } else if (text == "step" || text == "at") {
    term.function = text;
  } else if (is_function(text)) {
    term.function = text;
    term.argument = "dy";
  } else {
    if (text.empty()) throw Refused("the condition has no left side", expected_condition);
    parse_expression(text);
    term.argument = text;
  }
}

Term parse_term(std::string_view text) {
  Term term;
  const std::size_t at = text.find_first_of("<>=!");
  parse_value(text.substr(0, at), term);
  const bool alone = at == std::string_view::npos;
  if (alone && (term.function == "nan" || term.function == "inf")) return term;
  if (alone) throw Refused(fmt::format("'{}' compares with nothing", printable(trim(text))), expected_condition);
  const bool two = at + 1 < text.size() && text[at + 1] == '=';
  term.comparison = std::string(text.substr(at, two ? 2 : 1));
  const std::string right = trim(text.substr(at + term.comparison.size()));
  const std::optional<double> number = real_number(right);
  if (!is_comparison(term.comparison) || !number)
    throw Refused(fmt::format("'{}' is not a condition", printable(trim(text))), expected_condition);
  term.number = *number;
  return term;
}

double of_elements(const std::string& function, const std::vector<double>& values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  double sum = 0.0;
  double largest = values[0];
  double smallest = values[0];
  double absolute = 0.0;
  for (const double value : values) {
    sum += value;
    largest = std::max(largest, value);
    smallest = std::min(smallest, value);
    absolute = std::max(absolute, std::abs(value));
  }
  if (function == "max") return largest;
  if (function == "min") return smallest;
  if (function == "absmax") return absolute;
  return sum / static_cast<double>(values.size());
}

bool any_of(const std::string& kind, const std::vector<double>& values) {
  for (const double value : values) {
    if (kind == "nan" ? std::isnan(value) : std::isinf(value)) return true;
  }
  return false;
}

// The innermost time step that the op ran in.
std::optional<std::int64_t> innermost_step(const Node* node) {
  for (const Scope* at = node ? node->scope.get() : nullptr; at; at = at->parent.get()) {
    if (at->is_step()) return at->step;
  }
  return {};
}

bool holds(const Term& term, const View& view) {
  if (term.function == "at") return compare(static_cast<double>(view.at + 1), term.comparison, term.number);
  if (term.function == "step") {
    const std::optional<std::int64_t> step = innermost_step(view.current());
    return step && compare(static_cast<double>(*step), term.comparison, term.number);
  }
  const std::optional<Value> value = find_value(parse_expression(term.argument), view);
  if (!value || !value->tensor.defined()) return false;
  const Tensor& tensor = value->tensor;
  if (term.comparison.empty()) return any_of(term.function, tensor.to_vector());
  if (term.function == "norm") return compare(norm_of(tensor), term.comparison, term.number);
  if (term.function.empty() && tensor.numel() != 1) return false;
  return compare(of_elements(term.function, tensor.to_vector()), term.comparison, term.number);
}

}  // namespace

bool is_comparison(const std::string& sign) {
  for (const char* known : {"<", "<=", ">", ">=", "==", "!="}) {
    if (sign == known) return true;
  }
  return false;
}

Condition parse_condition(std::string_view given) {
  Condition condition{trim(given), {}};
  std::string rest = condition.text;
  while (true) {
    std::size_t end = rest.find(" and ");
    std::size_t skip = 5;
    const std::size_t ampersands = rest.find("&&");
    if (ampersands < end) {
      end = ampersands;
      skip = 2;
    }
    condition.terms.push_back(parse_term(std::string_view(rest).substr(0, end)));
    if (end == std::string::npos) return condition;
    rest = rest.substr(end + skip);
  }
}

bool holds(const Condition& condition, const View& view) {
  try {
    for (const Term& term : condition.terms) {
      if (!holds(term, view)) return false;
    }
    return true;
  } catch (const std::exception&) {  // a name that this pass does not have
    return false;
  }
}

}  // namespace autograd::debug
