#include "tests/autograd/ops/op_formula.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <stdexcept>

#include "tests/autograd/ops/op_formula_functions.h"

using namespace autograd;

namespace op_mistakes {
namespace {

// ---- reading -----------------------------------------------------------------------------------------------------

// expression:  a == b, a > b, ..   a + b, a - b   a * b, a / b   -a   a ^ b   f(a, ..), (a), x, 0.5; from weak to
// strong
class Reader {
 public:
  explicit Reader(const std::string& text) : text_(text) {}

  Expression whole() {
    const Expression result = comparison();
    if (!rest().empty()) throw std::runtime_error("\"" + rest() + "\" is too much in " + text_);
    return result;
  }

 private:
  Expression comparison() {
    const Expression a = sum();
    for (const std::string sign : {"==", "!=", ">=", "<=", ">", "<"}) {
      if (take(sign)) return binary(sign, a, sum());
    }
    return a;
  }
  Expression sum() { return chain({"+", "-"}, &Reader::product); }
  Expression product() { return chain({"*", "/"}, &Reader::negated); }
  // Signs of the same strength, from left to right.
  Expression chain(const std::vector<std::string>& signs, Expression (Reader::*next)()) {
    Expression result = (this->*next)();
    while (true) {
      const auto sign = std::find_if(signs.begin(), signs.end(), [&](const std::string& one) { return take(one); });
      if (sign == signs.end()) return result;
      result = binary(*sign, result, (this->*next)());
    }
  }
  Expression negated() {
    if (!take("-")) return power();
    return binary("*", number(-1.0), negated());
  }
  Expression power() {
    const Expression a = single();
    return take("^") ? binary("^", a, negated()) : a;
  }
  Expression single() {
    if (take("(")) {
      const Expression inside = comparison();
      expect(")");
      return inside;
    }
    const std::string next = rest();
    std::size_t length = 0;
    while (length < next.size() &&
           (std::isalnum(static_cast<unsigned char>(next[length])) || next[length] == '_' || next[length] == '.')) {
      ++length;
    }
    if (length == 0) throw std::runtime_error("something is missing at \"" + next + "\" in " + text_);
    const std::string word = next.substr(0, length);
    at_ = text_.size() - next.size() + length;
    if (std::isdigit(static_cast<unsigned char>(word[0]))) return number(std::stod(word));
    return take("(") ? call(word) : variable(word);
  }
  Expression call(const std::string& name) {
    std::vector<Expression> arguments;
    while (!take(")")) {
      if (!arguments.empty()) expect(",");
      arguments.push_back(comparison());
    }
    return function(name, arguments);
  }

  std::string rest() const {
    const std::size_t begin = text_.find_first_not_of(' ', at_);
    return begin == std::string::npos ? "" : text_.substr(begin);
  }
  bool take(const std::string& sign) {
    const std::string next = rest();
    if (!next.starts_with(sign)) return false;
    at_ = text_.size() - next.size() + sign.size();
    return true;
  }
  void expect(const std::string& sign) {
    if (!take(sign)) throw std::runtime_error("\"" + sign + "\" is missing at \"" + rest() + "\" in " + text_);
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

// ---- the whole backward ------------------------------------------------------------------------------------------

struct Part {
  bool is_each = false;
  std::size_t input = 0;
  Expression gradient;
};

// "dx = .." and so on.
Part part_of(const std::string& text) {
  static const std::map<std::string, std::size_t> inputs = {{"dx", 0}, {"db", 1}, {"d1", 1},
                                                            {"d2", 2}, {"d3", 3}, {"d4", 4}};
  const std::size_t equals = text.find(" = ");
  const std::string target = text.substr(text.find_first_not_of(' '), equals - text.find_first_not_of(' '));
  const std::string formula = equals == std::string::npos ? "" : text.substr(equals + 3);
  if (target == "each") return {true, 0, Reader(formula).whole()};
  const auto input = inputs.find(target);
  if (input == inputs.end()) throw std::runtime_error("no gradient is called " + target);
  return {false, input->second, Reader(formula).whole()};
}

}  // namespace

void define(const std::string& name, const std::string& text) {
  definitions()[name] = Reader(text).whole();
}

WrongBackward formula(const std::string& op, const std::string& text) {
  std::vector<Part> parts;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(';', begin), text.size());
    parts.push_back(part_of(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return [=](In run) {
    Grads grads = run.right;
    for (const Part& part : parts) {
      for (std::size_t input = 0; input < grads.size(); ++input) {
        const bool is_meant = part.is_each || part.input == input;
        if (is_meant && grads[input].defined()) grads[input] = part.gradient({run, op, input}).tensor;
      }
    }
    return grads;
  };
}

}  // namespace op_mistakes
