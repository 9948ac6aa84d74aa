#include "nn/measures/tokenizer_13a.h"

#include <autograd/text/characters.h>

#include <cstddef>

namespace nn {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_point_or_comma(char c) {
  return c == '.' || c == ',';
}

// The class [\{-\~\[-\` -\&\(-\+\:-\@\/]: ASCII punctuation and the space, without ' , - and the point.
bool stands_alone(char c) {
  return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') || (c >= '(' && c <= '+') ||
         (c >= ':' && c <= '@') || c == '/';
}

void decode_entities(std::string& text) {
  if (text.find('&') == std::string::npos) return;
  replace_all(text, "&quot;", "\"");
  replace_all(text, "&amp;", "&");
  replace_all(text, "&lt;", "<");
  replace_all(text, "&gt;", ">");
}

std::string set_apart(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (stands_alone(c)) {
      result += ' ';
      result += c;
      result += ' ';
    } else {
      result += c;
    }
  }
  return result;
}

// ([^0-9])([\.,]) -> "\1 \2 ". [^0-9] may be a point itself. A character of UTF-8 is several bytes, and the last of
// them serves as well as the whole: none of them is a digit.
std::string split_unless_behind_digit(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    result += text[i];
    if (!is_digit(text[i]) && i + 1 < text.size() && is_point_or_comma(text[i + 1])) {
      result += ' ';
      result += text[++i];
      result += ' ';
    }
  }
  return result;
}

// ([\.,])([^0-9]) -> " \1 \2". The second character is matched too: in ".a." the scan goes on after the a.
std::string split_unless_before_digit(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_point_or_comma(text[i]) && i + 1 < text.size() && !is_digit(text[i + 1])) {
      result += ' ';
      result += text[i];
      result += ' ';
      result += text[++i];
    } else {
      result += text[i];
    }
  }
  return result;
}

// ([0-9])(-) -> "\1 \2 "
std::string split_hyphen_behind_digit(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    result += text[i];
    if (is_digit(text[i]) && i + 1 < text.size() && text[i + 1] == '-') {
      result += " - ";
      ++i;
    }
  }
  return result;
}

}  // namespace

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

std::vector<std::string> split_at_white_space(std::string_view line) {
  std::vector<std::string> words;
  bool in_word = false;
  while (!line.empty()) {
    const autograd::Character next = autograd::take_character(line);
    const bool begins = !in_word;
    in_word = !autograd::is_white_space(next.code);
    if (!in_word) continue;
    if (begins) words.emplace_back();
    words.back() += next.bytes;
  }
  return words;
}

std::vector<std::string> tokenize_13a(std::string_view line) {
  std::string text(line);
  replace_all(text, "<skipped>", "");
  replace_all(text, "-\n", "");
  replace_all(text, "\n", " ");
  decode_entities(text);
  text = set_apart(" " + text + " ");
  text = split_unless_behind_digit(text);
  text = split_unless_before_digit(text);
  text = split_hyphen_behind_digit(text);
  return split_at_white_space(text);
}

}  // namespace nn
