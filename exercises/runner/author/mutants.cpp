#include "runner/author/mutants.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <regex>
#include <set>

#include "autograd/text/words.h"
#include "runner/author/cpp_tokens.h"

namespace learn {
namespace {

using Kind = Token::Kind;

std::string as_it_was_first(const std::string& expression) {
  return "AT_FIRST(" + expression + ")";
}

struct Change {
  std::size_t begin = 0;  // characters [begin, end) of the piece are replaced
  std::size_t end = 0;
  std::string by;
};

int precedence(const Token& token) {
  static const std::map<std::string, int> known{{"||", 1}, {"&&", 2}, {"==", 3}, {"!=", 3}, {"<", 4},
                                                {">", 4},  {"<=", 4}, {">=", 4}, {"+", 5},  {"-", 5},
                                                {"*", 6},  {"/", 6},  {"%", 6}};
  const auto found = known.find(token.spelling);
  return token.is_binary && found != known.end() ? found->second : 0;
}

// The changes that are tried in one piece of code.
class Changes {
 public:
  explicit Changes(const std::string& code) : code_(code), tokens_(tokens_of(code)) {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (is_shown_only(i)) {
        i = std::min(tokens_[i + 1].match + 1, tokens_.size() - 1);
        continue;
      }
      if (tokens_[i].kind == Kind::sign) change_sign(i);
      if (tokens_[i].kind == Kind::number) change_number(i);
      if (tokens_[i].kind == Kind::name) change_name(i);
    }
  }

  const std::vector<Change>& all() const { return changes_; }

 private:
  const std::string& at(std::size_t i) const {
    static const std::string none;
    return i < tokens_.size() ? tokens_[i].spelling : none;
  }
  bool opens(std::size_t i) const { return at(i) == "(" || at(i) == "[" || at(i) == "{"; }
  bool closes(std::size_t i) const { return at(i) == ")" || at(i) == "]" || at(i) == "}"; }
  // The text of tokens [first, last).
  std::string text(std::size_t first, std::size_t last) const {
    return first >= last ? "" : code_.substr(tokens_[first].begin, tokens_[last - 1].end - tokens_[first].begin);
  }
  void replace(std::size_t first, std::size_t last, const std::string& by) {
    if (first < last) changes_.push_back({tokens_[first].begin, tokens_[last - 1].end, by});
  }

  // A statement that only shows something to the check.
  bool is_shown_only(std::size_t i) const {
    return at(i) == "probe" && at(i + 1) == "(" && at(tokens_[i + 1].match + 1) == ";" &&
           (i == 0 || at(i - 1) == ";" || at(i - 1) == "{" || at(i - 1) == "}");
  }

  void change_sign(std::size_t i) {
    static const std::multimap<std::string, std::string> others{
        {"<", "<="}, {"<=", "<"},  {">", ">="},  {">=", ">"},  {"==", "!="}, {"!=", "=="},
        {"+", "-"},  {"-", "+"},   {"*", "/"},   {"/", "*"},   {"+=", "="},  {"-=", "="},
        {"*=", "="}, {"+=", "-="}, {"-=", "+="}, {"&&", "||"}, {"||", "&&"}};
    if (tokens_[i].is_binary) {
      const auto [first, last] = others.equal_range(at(i));
      for (auto other = first; other != last; ++other) replace(i, i + 1, other->second);
      const bool has_terms = std::set<std::string>{"+", "-", "*", "/", "&&", "||"}.count(at(i)) > 0;
      if (has_terms) drop_operands(i);
    } else if ((at(i) == "-" && !is_whole(i + 1)) || at(i) == "!") {
      replace(i, i + 1, "");  // (a dim of -1 is the last one, which may well be dim 1)
    }
    if (at(i) == ";") drop_statement(i);
    if (at(i) == "[" && i > 0 && (tokens_[i - 1].kind == Kind::name || closes(i - 1))) {
      const std::size_t end = tokens_[i].match + 1;
      const std::size_t first = begin_of_primary(i - 1);
      if (at(first) == "shape") replace(first, end, as_it_was_first(text(first, end)));
    }
  }

  void drop_operands(std::size_t i) {
    const std::size_t right = end_of_operand(i);
    const std::size_t left = begin_of_operand(i);
    replace(i, right, "");
    if (at(i) == "-") replace(left, i, "");
    if (at(i) == "/") replace(left, i, "1.0 ");
    if (at(i) != "-" && at(i) != "/") replace(left, i + 1, "");
  }

  std::size_t end_of_operand(std::size_t i) const {
    std::size_t j = i + 1;
    while (j < tokens_.size()) {
      if (opens(j)) {
        j = tokens_[j].match + 1;
        continue;
      }
      const int other = precedence(tokens_[j]);
      if (closes(j) || at(j) == "," || at(j) == ";" || at(j) == "?" || at(j) == ":") break;
      if (other > 0 && other <= precedence(tokens_[i])) break;
      ++j;
    }
    return j;
  }

  std::size_t begin_of_operand(std::size_t i) const {
    static const std::set<std::string> ends{",", ";", "?", ":", "=", "+=", "-=", "*=", "return"};
    std::size_t j = i;
    while (j > 0) {
      if (closes(j - 1)) {
        j = tokens_[j - 1].match;
        continue;
      }
      const int other = precedence(tokens_[j - 1]);
      if (opens(j - 1) || ends.count(at(j - 1)) || (other > 0 && other < precedence(tokens_[i]))) break;
      --j;
    }
    return j;
  }

  // Where a name with what hangs on it begins: of `weights.value.size` at `size`, it is `weights`.
  std::size_t begin_of_primary(std::size_t i) const {
    std::size_t j = i;
    while (true) {
      while (closes(j)) j = tokens_[j].match > 0 ? tokens_[j].match - 1 : 0;
      if (j < 2 || (at(j - 1) != "." && at(j - 1) != "->" && at(j - 1) != "::")) return j;
      j -= 2;
    }
  }

  void drop_statement(std::size_t semicolon) {
    std::size_t j = semicolon;
    while (j > 0) {
      const std::string& before = at(j - 1);
      if (before == ";" || before == "{" || before == "else") break;
      if (before == "(" || before == "[") return;  // inside a for (...)
      if (closes(j - 1)) {
        const std::size_t open = tokens_[j - 1].match;
        const std::string& head = open > 0 ? at(open - 1) : at(0);
        if (before == ")" && (head == "if" || head == "for" || head == "while")) break;
        if (before == "}" && (head == ")" || head == ";" || head == "{" || head == "}" || head == "else")) break;
        j = open;
        continue;
      }
      --j;
    }
    static const std::set<std::string> kept{"return", "const", "using", "probe", "auto"};
    if (j < semicolon && !kept.count(at(j))) replace(j, semicolon, "");
  }

  bool is_whole(std::size_t i) const {
    return !at(i).empty() && at(i).find_first_not_of("0123456789") == std::string::npos;
  }

  void change_number(std::size_t i) {
    const std::string& number = at(i);
    if (is_whole(i)) {
      const long value = std::strtol(number.c_str(), nullptr, 10);
      replace(i, i + 1, std::to_string(value + 1));
      replace(i, i + 1, std::to_string(value - 1));
      return;
    }
    const double value = std::strtod(number.c_str(), nullptr);
    if (value == 0.0) replace(i, i + 1, "1.0");
    if (value >= 1e-3 && value <= 1e6) replace(i, i + 1, fmt::format("{:.1f}", 2.0 * value + 0.5));
  }

  void change_name(std::size_t i) {
    static const std::multimap<std::string, std::string> others{{"sum", "mean"},
                                                                {"mean", "sum"},
                                                                {"amax", "amin"},
                                                                {"amin", "amax"},
                                                                {"max", "min"},
                                                                {"min", "max"},
                                                                {"true", "false"},
                                                                {"false", "true"},
                                                                {"logical_and", "logical_or"},
                                                                {"logical_or", "logical_and"}};
    const auto [first, last] = others.equal_range(at(i));
    for (auto other = first; other != last; ++other) replace(i, i + 1, other->second);
    if (at(i) == "if" && at(i + 1) == "(") {
      const std::size_t end = tokens_[i + 1].match + 1;
      replace(i, end, "if (!" + text(i + 1, end) + ")");
    }
    if (at(i + 1) == "(" && i > 0) change_call(i);
  }

  void change_call(std::size_t i) {
    static const std::set<std::string> no_function{"if", "for", "while", "switch", "return", "probe", "todo", "move"};
    if (no_function.count(at(i))) return;
    const std::size_t open = i + 1;
    const std::size_t end = tokens_[open].match + 1;
    const bool is_member = at(i - 1) == "." || at(i - 1) == "->";
    const std::vector<std::size_t> commas = commas_in(open);
    if (is_member && (at(i) == "size" || at(i) == "numel")) {
      const std::size_t first = begin_of_primary(i);
      replace(first, end, as_it_was_first(text(first, end)));
    }
    static const std::set<std::string> no_effect{"contiguous", "reserve", "begin", "end"};
    if (is_member && !no_effect.count(at(i))) replace(i - 1, end, "");
    if (!is_member && commas.empty() && end > open + 2) replace(begin_of_primary(i), open, "");
    static const std::set<std::string> same_swapped{"max",     "min",         "swap",       "add",
                                                    "mul",     "logical_and", "logical_or", "minimum",
                                                    "maximum", "transpose",   "same_value", "allclose"};
    if (commas.size() == 1 && !same_swapped.count(at(i))) {
      const std::size_t comma = commas[0];
      const bool of_a_kind = at(open + 1) != "{" && at(comma + 1) != "true" && at(comma + 1) != "false";
      if (!of_a_kind) return;  // sum({1}, true): each would be taken for the other
      replace(open + 1, end - 1, text(comma + 1, end - 1) + ", " + text(open + 1, comma));
    }
  }

  std::vector<std::size_t> commas_in(std::size_t open) const {
    std::vector<std::size_t> commas;
    for (std::size_t j = open + 1; j < tokens_[open].match; ++j) {
      if (opens(j)) j = tokens_[j].match;
      if (at(j) == ",") commas.push_back(j);
    }
    return commas;
  }

  const std::string& code_;
  std::vector<Token> tokens_;
  std::vector<Change> changes_;
};

// Without comments and indentation.
std::string in_one_line(const std::string& lines) {
  static const std::regex comment("//[^\n]*");
  static const std::regex spaces("\\s+");
  return autograd::trim(std::regex_replace(std::regex_replace(lines, comment, ""), spaces, " "));
}

// A piece of code between //[ and //]: the lines [first, last) of the solution.
struct Piece {
  std::size_t first = 0;
  std::size_t last = 0;
};

std::vector<Piece> pieces_of(const std::vector<SolutionLine>& solution) {
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < solution.size(); ++i) {
    if (!solution[i].written) continue;
    if (i > 0 && solution[i - 1].written) {
      pieces.back().last = i + 1;
    } else {
      pieces.push_back({i, i + 1});
    }
  }
  return pieces;
}

// The parameters that are numbers, of the function in which the piece stands.
std::vector<std::string> numbers_given_to(const std::vector<SolutionLine>& solution, const Piece& piece) {
  std::string head;
  for (std::size_t i = piece.first; i-- > 0;) {
    const std::string& line = solution[i].text;
    head = line + " " + head;
    if (line.empty() || line[0] == '}' || solution[i].written) return {};
    if (line[0] != ' ' && line[0] != '/') break;
  }
  static const std::regex parameter(R"([(,]\s*(?:int|double|bool|std::int64_t|std::size_t) (\w+)\s*(?=[,)]))");
  std::vector<std::string> names;
  for (std::sregex_iterator found(head.begin(), head.end(), parameter), end; found != end; ++found) {
    names.push_back((*found)[1]);
  }
  return names;
}

class Maker {
 public:
  explicit Maker(const std::vector<SolutionLine>& solution) : solution_(solution) {
    for (const SolutionLine& line : solution) lines_.push_back(line.text);
    for (const Piece& piece : pieces_of(solution)) change_piece(piece);
  }
  std::vector<Mutant> mutants;

 private:
  void change_piece(const Piece& piece) {
    std::string code;
    for (std::size_t i = piece.first; i < piece.last; ++i) code += lines_[i] + "\n";
    for (const std::string& name : numbers_given_to(solution_, piece)) {
      add(piece.first, piece.first, name + " = " + as_it_was_first(name) + ";");
    }
    const Changes changes(code);
    for (const Change& change : changes.all()) apply(piece, code, change);
  }

  // Only the lines that the change touches are shown.
  void apply(const Piece& piece, const std::string& code, const Change& change) {
    const auto line_of = [&](std::size_t at) {
      return static_cast<std::size_t>(std::count(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    };
    const std::size_t first = line_of(change.begin);
    const std::size_t last = line_of(change.end) + 1;
    const std::size_t begin = code.rfind('\n', change.begin == 0 ? 0 : change.begin - 1);
    const std::size_t from = change.begin == 0 || begin == std::string::npos ? 0 : begin + 1;
    const std::size_t to = code.find('\n', change.end);
    add(piece.first + first, piece.first + last,
        code.substr(from, change.begin - from) + change.by + code.substr(change.end, to - change.end));
  }

  void add(std::size_t first, std::size_t last, const std::string& text) {
    std::string code = in_one_line(text);
    std::string was;
    for (std::size_t i = first; i < last; ++i) was += lines_[i] + "\n";
    was = in_one_line(was);
    if (code == was) return;
    if (code == ";") code = "without: " + was;
    const std::size_t line = solution_[first].number;
    if (seen_.insert(fmt::format("{} {}", line, code)).second) mutants.push_back({line, code, first, last, text});
  }

  const std::vector<SolutionLine>& solution_;
  std::vector<std::string> lines_;
  std::set<std::string> seen_;
};

}  // namespace

std::vector<Mutant> mutants_of(const std::vector<SolutionLine>& solution) {
  return Maker(solution).mutants;
}

}  // namespace learn
