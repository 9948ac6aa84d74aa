#include "autograd/debug/assignments.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

#include "autograd/text/words.h"

namespace autograd::debug {
namespace {

bool is_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Without comments, with nothing in its literals, and with a dot for each arrow.
std::string code_of(const std::string& line) {
  std::string code;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::string_view rest = std::string_view(line).substr(i);
    if (rest.starts_with("//")) break;
    if (rest.starts_with("/*")) {
      i = std::min(line.find("*/", i + 2), line.size()) + 1;
      continue;
    }
    if (rest.starts_with("->")) ++i;
    code += rest.starts_with("->") ? '.' : line[i];
    const bool is_quote = line[i] == '"' || (line[i] == '\'' && (i == 0 || !is_letter(line[i - 1])));  // not of 1'000
    if (!is_quote) continue;
    const char quote = line[i];
    for (++i; i < line.size() && line[i] != quote; ++i) i += line[i] == '\\';
    code += quote;
  }
  return trim(code);
}

// With blanks for what stands in brackets; "" if these have no partners.
std::string outside_of_brackets(const std::string& text) {
  std::string outside = text;
  int depth = 0;
  for (char& c : outside) {
    const bool opens = c == '(' || c == '[' || c == '{', closes = c == ')' || c == ']' || c == '}';
    depth -= closes;
    if (depth < 0) return "";
    if (depth > 0) c = ' ';
    depth += opens;
  }
  return depth == 0 ? outside : "";
}

// The word that ends there, with the dots in it.
std::string word_before(const std::string& text, std::size_t end, bool with_dots) {
  std::size_t begin = end;
  while (begin > 0 && (is_letter(text[begin - 1]) || (with_dots && text[begin - 1] == '.'))) --begin;
  return text.substr(begin, end - begin);
}

bool is_name(const std::string& word) {
  return !word.empty() && word[0] != '.' && std::isdigit(static_cast<unsigned char>(word[0])) == 0;
}

// The place of the "=" that assigns.
std::size_t assignment_in(const std::string& outside) {
  constexpr std::string_view before = "=<>!+-*/%&|^";
  for (std::size_t i = 1; i + 1 < outside.size(); ++i) {
    if (outside[i] != '=' || outside[i + 1] == '=') continue;
    if (before.find(outside[i - 1]) == std::string_view::npos) return i;
  }
  return std::string::npos;
}

std::vector<std::string> names_in(const std::string& left) {
  const bool is_condition = std::count(left.begin(), left.end(), '(') > 1 && !left.starts_with("for");
  if (is_condition) return {};  // which may run ops itself
  if (!left.ends_with(']')) {
    std::string name = word_before(left, left.size(), true);
    if (name.starts_with("this.")) name = name.substr(5);
    return is_name(name) ? std::vector{name} : std::vector<std::string>();
  }
  std::vector<std::string> names;
  const std::size_t open = left.rfind('[');
  const std::string type = trim(left.substr(0, open));
  if (!type.ends_with("auto") && !type.ends_with('&')) return {};
  for (std::size_t i = open + 1; i < left.size(); ++i) {
    if (left[i] == ',' || left[i] == ']') names.push_back(word_before(left, i, false));
  }
  return names;
}

// False if no op can have made it.
bool read_value(Statement& made, const std::string& value, const std::string& outside) {
  const bool is_list = outside.find(',') != std::string::npos;  // Tensor a = x, b = y
  if (is_list || value.empty()) return false;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const bool is_call = i > 0 && value[i] == '(' && is_letter(value[i - 1]);
    made.operations += is_call || std::string_view("+-*/").find(value[i]) != std::string_view::npos;
  }
  if (outside.find_first_of("+-*/%?<>&|!^") != std::string::npos || outside.ends_with(']')) return true;
  if (!outside.ends_with(')')) return false;
  made.call = word_before(value, outside.rfind('('), false);
  return !made.call.empty();
}

Statement read_statement(const std::string& text) {
  const std::string outside = outside_of_brackets(text);
  if (outside.empty() || outside.find(';') != outside.size() - 1) return {};  // several in one line
  Statement made;
  const std::size_t equals = assignment_in(outside);
  if (equals == std::string::npos) {
    const std::size_t dot = outside.find('.');
    if (dot != std::string::npos && word_before(outside, dot, false).size() == dot) made.object = text.substr(0, dot);
    return made;
  }
  const std::size_t begin = outside.find_first_not_of(' ', equals + 1), size = outside.size() - 1 - begin;
  if (read_value(made, text.substr(begin, size), outside.substr(begin, size))) {
    made.names = names_in(trim(text.substr(0, equals)));
  }
  return made;
}

// "twice" of Tensor twice(const Tensor& x) { and of auto twice = [](const Tensor& x) {
std::string function_in(const std::string& text) {
  const std::size_t lambda = text.find(" = [");
  return word_before(text, std::min({lambda, text.find('('), text.size()}), false);
}

}  // namespace

const Statement* Assignments::at(int line) const {
  const auto place = static_cast<std::size_t>(line) - 1;
  return line > 0 && place < of_line.size() && of_line[place] < statements.size() ? &statements[of_line[place]]
                                                                                  : nullptr;
}

Assignments assignments_in(const std::vector<std::string>& lines) {
  Assignments found;
  std::set<std::string> functions;
  std::string text;
  for (const std::string& line : lines) {
    found.of_line.push_back(found.statements.size());
    const std::string code = code_of(line);
    if (code.empty() || code.starts_with('#')) continue;
    text += (text.empty() ? "" : " ") + code;
    if (std::string_view(";{}:").find(code.back()) == std::string_view::npos) continue;
    if (code.back() != ';') functions.insert(function_in(text));
    found.statements.push_back(read_statement(text));
    text.clear();
  }
  for (Statement& statement : found.statements)
    statement.calls_own = !statement.call.empty() && functions.contains(statement.call);
  return found;
}

}  // namespace autograd::debug
