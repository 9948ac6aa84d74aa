#include "nn/measures/tokenizer_13a.h"

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

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
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

// How many bytes of white space there are at this place, by Python's str.isspace(); 0 for none.
std::size_t white_space_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U; };
  const unsigned first = byte(0);
  if (first == ' ' || (first >= '\t' && first <= '\r') || (first >= 0x1c && first <= 0x1f)) return 1;
  if (first == 0xc2 && (byte(1) == 0x85 || byte(1) == 0xa0)) return 2;                   // U+0085, U+00A0
  if (first == 0xe1 && byte(1) == 0x9a && byte(2) == 0x80) return 3;                     // U+1680
  if (first == 0xe2 && byte(1) == 0x80 && byte(2) >= 0x80 && byte(2) <= 0x8a) return 3;  // U+2000 to U+200A
  if (first == 0xe2 && byte(1) == 0x80 && (byte(2) == 0xa8 || byte(2) == 0xa9 || byte(2) == 0xaf)) return 3;
  if (first == 0xe2 && byte(1) == 0x81 && byte(2) == 0x9f) return 3;  // U+205F
  if (first == 0xe3 && byte(1) == 0x80 && byte(2) == 0x80) return 3;  // U+3000
  return 0;
}

}  // namespace

std::vector<std::string> split_at_white_space(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  for (std::size_t i = 0; i < line.size();) {
    const std::size_t space = white_space_at(line, i);
    if (space == 0) {
      word += line[i++];
      continue;
    }
    if (!word.empty()) words.push_back(std::move(word));
    word.clear();
    i += space;
  }
  if (!word.empty()) words.push_back(std::move(word));
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
