#include "runner/author/cpp_tokens.h"

#include <cctype>
#include <string_view>

namespace learn {
namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}
bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

std::size_t end_of_number(const std::string& code, std::size_t at) {
  while (at < code.size()) {
    const bool exponent_sign = (code[at] == '-' || code[at] == '+') && (code[at - 1] == 'e' || code[at - 1] == 'E');
    if (!is_word(code[at]) && code[at] != '.' && !exponent_sign) break;
    ++at;
  }
  return at;
}

std::size_t end_of_text(const std::string& code, std::size_t at) {
  const char quote = code[at++];
  while (at < code.size() && code[at] != quote) at += code[at] == '\\' ? 2 : 1;
  return at + 1;
}

std::size_t end_of_sign(const std::string& code, std::size_t at) {
  constexpr std::string_view two[] = {
      "<=", ">=", "==", "!=", "+=", "-=", "*=", "/=", "&&", "||", "++", "--", "->", "::"};
  for (const std::string_view sign : two) {
    if (code.compare(at, 2, sign) == 0) return at + 2;
  }
  return at + 1;
}

void match_brackets(std::vector<Token>& tokens) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string& spelling = tokens[i].spelling;
    if (tokens[i].kind != Token::Kind::sign) continue;
    if (spelling == "(" || spelling == "[" || spelling == "{") open.push_back(i);
    if (open.empty() || (spelling != ")" && spelling != "]" && spelling != "}")) continue;
    tokens[i].match = open.back();
    tokens[open.back()].match = i;
    open.pop_back();
  }
}

}  // namespace

std::vector<Token> tokens_of(const std::string& code) {
  std::vector<Token> tokens;
  std::size_t at = 0;
  while (at < code.size()) {
    if (std::isspace(static_cast<unsigned char>(code[at]))) {
      ++at;
      continue;
    }
    if (code.compare(at, 2, "//") == 0) {
      at = std::min(code.find('\n', at), code.size());
      continue;
    }
    Token token;
    token.begin = at;
    if (is_digit(code[at])) {
      token.kind = Token::Kind::number;
      at = end_of_number(code, at);
    } else if (is_word(code[at])) {
      token.kind = Token::Kind::name;
      while (at < code.size() && is_word(code[at])) ++at;
    } else if (code[at] == '"' || code[at] == '\'') {
      token.kind = Token::Kind::text;
      at = end_of_text(code, at);
    } else {
      at = end_of_sign(code, at);
    }
    token.end = at;
    token.spelling = code.substr(token.begin, token.end - token.begin);
    const bool space_before = token.begin > 0 && std::isspace(static_cast<unsigned char>(code[token.begin - 1]));
    const bool space_after = at < code.size() && std::isspace(static_cast<unsigned char>(code[at]));
    token.is_binary = token.kind == Token::Kind::sign && space_before && space_after;
    tokens.push_back(std::move(token));
  }
  match_brackets(tokens);
  return tokens;
}

}  // namespace learn
