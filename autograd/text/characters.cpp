#include "autograd/text/characters.h"

#include "autograd/text/unicode.h"

namespace autograd {

Character take_character(std::string_view& text) {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto take = [&text](std::size_t bytes, char32_t code, bool is_valid) {
    const std::string_view taken = text.substr(0, bytes);
    text.remove_prefix(bytes);
    return Character{code, taken, is_valid};
  };
  if (byte(0) < 0x80) return take(1, byte(0), true);
  const std::size_t bytes = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (byte(0) < 0xC2 || byte(0) > 0xF4 || bytes > text.size()) return take(1, 0, false);
  char32_t code = byte(0) & (0x7Fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return take(1, 0, false);
    code = (code << 6) | (byte(i) & 0x3Fu);
  }
  constexpr char32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < smallest[bytes] || code > 0x10FFFF || is_surrogate) return take(1, 0, false);
  return take(bytes, code, true);
}

void append_character(std::string& text, char32_t code) {
  const auto add = [&](char32_t bits) { text += static_cast<char>(bits); };
  const auto add_rest = [&](int shift) { add(0x80 | ((code >> shift) & 0x3F)); };
  if (code < 0x80) {
    add(code);
  } else if (code < 0x800) {
    add(0xC0 | (code >> 6));
    add_rest(0);
  } else if (code < 0x10000) {
    add(0xE0 | (code >> 12));
    add_rest(6);
    add_rest(0);
  } else {
    add(0xF0 | (code >> 18));
    add_rest(12);
    add_rest(6);
    add_rest(0);
  }
}

bool is_white_space(char32_t code) {
  return code == ' ' || (code >= '\t' && code <= '\r') || (code >= 0x1C && code <= 0x1F) || code == 0x85 ||
         code == 0xA0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200A) || code == 0x2028 || code == 0x2029 ||
         code == 0x202F || code == 0x205F || code == 0x3000;
}

// ---- lower case --------------------------------------------------------------------------------------------------

namespace {

// What may stand between the letters of a word.
bool is_within_words(const Character& character) {
  constexpr std::u32string_view signs = U"'.:·‘’";
  return columns_of(character.code) == 0 || signs.find(character.code) != signs.npos;
}

bool begins_with_a_letter(std::string_view text) {
  while (!text.empty()) {
    const Character next = take_character(text);
    if (!is_within_words(next)) return has_case(next.code);
  }
  return false;
}

}  // namespace

std::string lower_case(std::string_view text) {
  constexpr char32_t capital_sigma = 0x3A3, final_sigma = 0x3C2, capital_i_with_dot = 0x130;
  std::string result;
  bool is_behind_a_letter = false;
  while (!text.empty()) {
    const Character next = take_character(text);
    if (!next.is_valid) {
      result += next.bytes;
    } else if (next.code == capital_i_with_dot) {
      result += "i\u0307";  // the only one of two characters
    } else {
      const bool ends_a_word = next.code == capital_sigma && is_behind_a_letter && !begins_with_a_letter(text);
      append_character(result, ends_a_word ? final_sigma : lower(next.code));
    }
    if (!is_within_words(next)) is_behind_a_letter = has_case(next.code);
  }
  return result;
}

}  // namespace autograd
