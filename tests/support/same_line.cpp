#include "tests/support/same_line.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "autograd/text/words.h"

namespace fixtures {
namespace {

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// A number at `at`, where a word may begin: its length, or 0. "-0.25e-3"
std::size_t number_length(const std::string& text, std::size_t at) {
  if (at > 0 && (is_word(text[at - 1]) || text[at - 1] == '.')) return 0;
  std::size_t end = at;
  const auto digits = [&] {
    const std::size_t before = end;
    while (end < text.size() && is_digit(text[end])) ++end;
    return end > before;
  };
  if (text[end] == '-') ++end;
  if (!digits()) return 0;
  std::size_t length = end - at;
  if (end < text.size() && text[end] == '.') {
    ++end;
    digits();
    length = end - at;
  }
  if (end < text.size() && text[end] == 'e') {
    ++end;
    if (end < text.size() && (text[end] == '-' || text[end] == '+')) ++end;
    if (digits()) length = end - at;
  }
  return length;
}

bool is_whole(const std::string& number) {
  return number.find_first_of(".e") == std::string::npos;
}

bool within_last_digit(const std::string& a, const std::string& b) {
  const double difference = std::abs(std::atof(a.c_str()) - std::atof(b.c_str()));
  return difference <= 1.001 * std::max(last_digit(a), last_digit(b)) + 1e-9;
}

// Words, numbers and signs, without the spaces between them; a run of spaces becomes " ".
std::vector<std::string> tokens(const std::string& text) {
  std::vector<std::string> result;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t length = number_length(text, at);
    if (length == 0) length = 1;
    std::string token = text.substr(at, length);
    at += length;
    const bool is_space = token == " ";
    const bool is_padding = is_space && !result.empty() && (result.back() == " " || result.back() == "[");
    if (is_padding) continue;  // a number may have a minus sign there
    result.push_back(std::move(token));
  }
  return result;
}

bool is_number(const std::string& token) {
  return is_digit(token.back()) || (token.size() > 1 && token.back() == '.');
}

}  // namespace

double last_digit(const std::string& number) {
  const std::size_t exponent = std::min(number.find('e'), number.size());
  const std::size_t point = std::min(number.find('.'), exponent);
  const double decimals = point < exponent ? static_cast<double>(exponent - point - 1) : 0.0;
  const double power = exponent < number.size() ? std::atof(number.c_str() + exponent + 1) : 0.0;
  return std::pow(10.0, power - decimals);
}

bool same_line(const std::string& expected, const std::string& actual, SameNumber same_number) {
  const std::vector<std::string> a = tokens(autograd::trim(expected));
  const std::vector<std::string> b = tokens(autograd::trim(actual));
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    const bool are_fractions = is_number(a[i]) && is_number(b[i]) && !(is_whole(a[i]) && is_whole(b[i]));
    if (!are_fractions || !same_number(a[i], b[i])) return false;
  }
  return true;
}

bool same_line(const std::string& expected, const std::string& actual) {
  return same_line(expected, actual, within_last_digit);
}

}  // namespace fixtures
