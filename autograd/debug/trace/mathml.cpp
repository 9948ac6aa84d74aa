#include "autograd/debug/trace/mathml.h"

#include <fmt/core.h>

#include <array>
#include <cctype>
#include <optional>
#include <utility>
#include <vector>

#include "autograd/debug/trace/markup.h"
#include "autograd/tensor/characters.h"

namespace autograd::debug {
namespace {

struct Token {
  enum class Kind { name, number, sign, end };
  Kind kind = Kind::end;
  std::string text;
  std::size_t begin = 0;  // in the formula
};

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

std::vector<Token> tokens_of(std::string_view text) {
  constexpr std::array<std::string_view, 7> long_signs{"...", "==", "!=", "<=", ">=", "+=", "-="};
  std::vector<Token> tokens;
  std::size_t i = 0;
  while (i < text.size()) {
    const std::size_t begin = i;
    if (text[i] == ' ') {
      ++i;
      continue;
    }
    if (is_letter(text[i])) {
      const auto goes_on = [&] {
        const bool dotted = text[i] == '.' && i + 1 < text.size() && is_letter(text[i + 1]);
        return is_letter(text[i]) || is_digit(text[i]) || text[i] == '\'' || dotted;
      };
      while (i < text.size() && goes_on()) ++i;
      tokens.push_back({Token::Kind::name, std::string(text.substr(begin, i - begin)), begin});
      continue;
    }
    if (is_digit(text[i])) {
      while (i < text.size() && (is_digit(text[i]) || (text[i] == '.' && i + 1 < text.size() && is_digit(text[i + 1]))))
        ++i;
      tokens.push_back({Token::Kind::number, std::string(text.substr(begin, i - begin)), begin});
      continue;
    }
    i += 1;
    for (const std::string_view sign : long_signs) {
      if (text.substr(begin, sign.size()) == sign) i = begin + sign.size();
    }
    tokens.push_back({Token::Kind::sign, std::string(text.substr(begin, i - begin)), begin});
  }
  tokens.push_back({Token::Kind::end, "", text.size()});
  return tokens;
}

std::string row(const std::string& content) {
  return "<mrow>" + content + "</mrow>";
}
std::string sign(std::string_view content) {
  return fmt::format("<mo>{}</mo>", content);
}
std::string words(std::string_view content) {
  return fmt::format("<mtext>{}</mtext>", escape_markup(content));
}

// "dy" is a d and a y; "log_probs" one name; "A_i" an A with an index.
std::string identifier(const std::string& name) {
  const auto plain = [](const std::string& text) {
    if (text.size() == 1) return fmt::format("<mi>{}</mi>", escape_markup(text));
    return fmt::format("<mi mathvariant=\"normal\">{}</mi>", escape_markup(text));
  };
  const std::size_t line = name.find('_');
  if (line != std::string::npos && line > 0 && name.size() == line + 2) {
    return fmt::format("<msub>{}{}</msub>", identifier(name.substr(0, line)), plain(name.substr(line + 1)));
  }
  const bool is_differential =
      name.size() > 1 && name[0] == 'd' && (name.size() == 2 || name.size() > 4) && name != "dims";
  if (is_differential) return row("<mi mathvariant=\"normal\">d</mi>" + plain(name.substr(1)));
  return plain(name);
}

// Thrown when the text that follows is not a formula.
struct NoFormula {};

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text), tokens_(tokens_of(text)) {}

  // The formula as far as the text is one, and the rest as words.
  std::string statement() {
    std::string result;
    std::size_t good = 0;
    try {
      result = expression(0);
      good = at_;
      while (next().text == "=" || next().text == "+=") {
        const std::string equals = sign(next().text == "=" ? "=" : "+=");
        ++at_;
        const std::string right = expression(0);
        result += equals + right;
        good = at_;
      }
    } catch (const NoFormula&) {
      at_ = good;
    }
    if (tokens_[good].kind == Token::Kind::end) return row(result);
    const std::size_t begin = tokens_[good].begin;
    const bool has_space = good > 0 && begin > 0 && text_[begin - 1] == ' ';
    return row(result + words((has_space ? "\u00a0" : "") + std::string(text_.substr(begin))));
  }

 private:
  struct Operator {
    std::string_view text;
    int strength;
    std::string_view shown;
  };
  static constexpr std::array<Operator, 13> operators{{{"?", 1, "?"},
                                                       {":", 0, ":"},
                                                       {"==", 2, "="},
                                                       {"!=", 2, "≠"},
                                                       {"<", 2, "&lt;"},
                                                       {">", 2, "&gt;"},
                                                       {"<=", 2, "≤"},
                                                       {">=", 2, "≥"},
                                                       {"+", 3, "+"},
                                                       {"-", 3, "−"},
                                                       {"*", 4, "·"},
                                                       {"/", 4, "/"},
                                                       {"@", 4, "@"}}};

  const Token& next() const { return tokens_[at_]; }
  bool take(std::string_view text) {
    if (next().text != text) return false;
    ++at_;
    return true;
  }
  void expect(std::string_view text) {
    if (!take(text)) throw NoFormula();
  }

  // Limits the recursion: formulas come from the authors of ops, and may be nested.
  class Depth {
   public:
    explicit Depth(int& depth) : depth_(depth) {
      if (++depth_ > 64) {
        --depth_;
        throw NoFormula();
      }
    }
    ~Depth() { --depth_; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;

   private:
    int& depth_;
  };

  // Two names beside each other are a product only if both look like matrices: "A B", "dY B^T", but not "dy where".
  bool starts_factor() const {
    if (next().kind != Token::Kind::name) return false;
    static constexpr std::array<std::string_view, 9> short_words{"in", "of", "is", "at", "or", "to", "by", "if", "a"};
    for (const std::string_view word : short_words) {
      if (next().text == word) return false;
    }
    return next().text.substr(0, next().text.find('_')).size() <= 2;
  }

  std::string expression(int weakest) {
    const Depth depth(depth_);
    std::string left = unary();
    while (true) {
      if (weakest <= 4 && starts_factor()) {
        left = row(left + "<mo>&#x2062;</mo>" + unary());
        continue;
      }
      const Operator* found = nullptr;
      for (const Operator& candidate : operators) {
        if (next().kind == Token::Kind::sign && next().text == candidate.text) found = &candidate;
      }
      if (!found || found->strength < weakest || found->text == ":") return left;
      ++at_;
      if (found->text == "?") {
        const std::string then = expression(1);
        expect(":");
        left += sign("?") + then + sign(":") + expression(1);
        continue;
      }
      const std::string right = expression(found->strength + 1);
      if (found->text == "/") {
        left = fmt::format("<mfrac>{}{}</mfrac>", row(stripped(left)), row(stripped(right)));
      } else {
        left = left + sign(found->shown) + right;
        if (found->strength == 4) left = row(left);
      }
    }
  }

  // The bar of a fraction makes parentheses around either part unnecessary.
  static std::string stripped(const std::string& part) {
    const std::string open = "<mrow><mo>(</mo>";
    const std::string close = "<mo>)</mo></mrow>";
    if (part.rfind(open, 0) != 0 || part.size() < open.size() + close.size()) return part;
    if (part.compare(part.size() - close.size(), close.size(), close) != 0) return part;
    const std::string inner = part.substr(open.size(), part.size() - open.size() - close.size());
    return inner.find("<mo>)</mo>") == std::string::npos ? inner : part;
  }

  std::string unary() {
    const Depth depth(depth_);
    if (take("-")) return row(sign("−") + unary());
    return power();
  }

  std::string power() {
    std::string base = postfix();
    while (take("^")) {
      std::string exponent;
      if (next().text == "T") {
        ++at_;
        exponent = "<mo>⊤</mo>";
      } else if (next().text == "-") {
        exponent = unary();
      } else {
        exponent = stripped(postfix());
      }
      base = fmt::format("<msup>{}{}</msup>", row(base), row(exponent));
    }
    return base;
  }

  // x[i][j]: the indices are subscripts, one after the other.
  std::string postfix() {
    std::string base = primary();
    std::string indices;
    while (next().text == "[") {
      ++at_;
      if (!indices.empty()) indices += sign(",");
      indices += index();
    }
    return indices.empty() ? base : fmt::format("<msub>{}{}</msub>", row(base), row(indices));
  }

  std::string index() {
    const std::size_t begin = at_;
    try {
      const std::string content = expression(0);
      if (take("]")) return content;
    } catch (const NoFormula&) {
    }
    at_ = begin;  // start:stop:step
    std::string content;
    while (next().text != "]") {
      if (next().kind == Token::Kind::end || next().text == "[") throw NoFormula();
      content += next().text;
      ++at_;
    }
    ++at_;
    return words(content);
  }

  std::string parenthesised() {
    const std::size_t begin = at_;
    try {
      const std::string content = expression(0);
      if (take(")")) return row(sign("(") + content + sign(")"));
    } catch (const NoFormula&) {
    }
    at_ = begin;  // "(how many x equal y)"
    while (next().text != ")") {
      if (next().kind == Token::Kind::end || next().text == "(") throw NoFormula();
      ++at_;
    }
    const std::size_t from = tokens_[begin].begin;
    const std::string content = words(text_.substr(from, next().begin - from));
    ++at_;
    return row(sign("(") + content + sign(")"));
  }

  std::vector<std::string> arguments() {
    std::vector<std::string> list;
    do {
      list.push_back(expression(0));
    } while (take(","));
    expect(")");
    return list;
  }

  std::string call(const std::string& function) {
    const std::vector<std::string> list = arguments();
    std::string inside;
    for (const std::string& argument : list) inside += (inside.empty() ? "" : sign(",")) + argument;
    if (function == "sqrt") return "<msqrt>" + row(inside) + "</msqrt>";
    if (function == "exp" && list.size() == 1) return "<msup><mi>e</mi>" + row(inside) + "</msup>";
    const std::string brackets = row(sign("(") + inside + sign(")"));
    if (function == "sum") return row("<mo>∑</mo>" + brackets);
    if (function == "sum_i") return row("<munder><mo>∑</mo><mi>i</mi></munder>" + brackets);
    return row(identifier(function) + "<mo>&#x2061;</mo>" + brackets);
  }

  std::string primary() {
    const Depth depth(depth_);
    const Token token = next();
    ++at_;
    if (token.kind == Token::Kind::number) return fmt::format("<mn>{}</mn>", token.text);
    if (token.kind == Token::Kind::name) {
      static constexpr std::array<std::string_view, 6> first_words{"the", "each", "sum", "half", "mean", "but"};
      const bool is_call = next().text == "(" && next().begin == token.begin + token.text.size();
      if (is_call) {
        ++at_;
        return call(token.text);
      }
      for (const std::string_view word : first_words) {
        if (token.text == word) throw NoFormula();
      }
      if (token.text.find('\'') != std::string::npos) throw NoFormula();
      return identifier(token.text);
    }
    if (token.text == "...") return sign("⋯");
    if (token.text == "(") return parenthesised();
    if (token.text == "[") {  // 1 where the condition holds, else 0
      const std::string content = expression(0);
      expect("]");
      return row(sign("[") + content + sign("]"));
    }
    if (token.text == "|") {
      const std::string content = expression(0);
      expect("|");
      return row(sign("|") + content + sign("|"));
    }
    throw NoFormula();
  }

  std::string_view text_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

// Splits at the commas outside brackets.
std::vector<std::string> statements_of(std::string_view formula) {
  std::vector<std::string> list(1);
  int open = 0;
  for (const char c : formula) {
    if (c == '(' || c == '[') ++open;
    if (c == ')' || c == ']') --open;
    if (c == ',' && open == 0) {
      list.emplace_back();
    } else if (c != ' ' || !list.back().empty()) {
      list.back() += c;
    }
  }
  return list;
}

}  // namespace

std::string to_mathml(std::string_view formula) {
  const std::string visible = printable(formula);
  const std::vector<std::string> statements = statements_of(visible);
  std::string content;
  for (const std::string& statement : statements) {
    const std::string one = Parser(statement).statement();
    content += statements.size() == 1 ? one : "<mtr><mtd>" + one + "</mtd></mtr>";
  }
  if (statements.size() > 1) content = "<mtable>" + content + "</mtable>";
  return "<math xmlns=\"http://www.w3.org/1998/Math/MathML\">" + content + "</math>";
}

}  // namespace autograd::debug
