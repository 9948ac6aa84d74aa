#include "nn/measures/lower_case.h"

#include <autograd/tensor/characters.h>

#include <algorithm>
#include <iterator>

#include "nn/measures/letter_case.h"

namespace nn {
namespace {

using autograd::Character;
using autograd::first_character;

// The row of a table of ranges that has this character, or nullptr.
template <class Row, std::size_t rows> const Row* find(const Row (&table)[rows], char32_t code) {
  const auto ends_before = [](const Row& row, char32_t c) { return static_cast<char32_t>(row[1]) < c; };
  const Row* row = std::lower_bound(std::begin(table), std::end(table), code, ends_before);
  return row != std::end(table) && static_cast<char32_t>((*row)[0]) <= code ? row : nullptr;
}

char32_t lower(char32_t code) {
  const auto* row = find(lower_case_ranges, code);
  if (!row) return code;
  const auto [first, last, step, distance] = *row;
  const bool is_on_a_step = (code - static_cast<char32_t>(first)) % static_cast<char32_t>(step) == 0;
  return is_on_a_step ? code + static_cast<char32_t>(distance) : code;
}

// What stands before or behind a sigma, beyond accents and the like: a letter that has a case?
enum class Beside { letter, other, ignored };
Beside beside(const Character& character) {
  if (character.bytes == 0) return Beside::other;  // no character
  if (find(case_ignored_ranges, character.code)) return Beside::ignored;
  return find(cased_ranges, character.code) ? Beside::letter : Beside::other;
}

bool begins_with_a_letter(std::string_view text) {
  while (!text.empty()) {
    const Character character = first_character(text);
    const Beside kind = beside(character);
    if (kind != Beside::ignored) return kind == Beside::letter;
    text.remove_prefix(character.bytes);
  }
  return false;
}

}  // namespace

std::string lower_case(std::string_view text) {
  constexpr char32_t capital_sigma = 0x3A3, final_sigma = 0x3C2, capital_i_with_dot = 0x130;
  std::string result;
  bool is_behind_a_letter = false;
  while (!text.empty()) {
    const Character character = first_character(text);
    const std::string_view rest = text.substr(std::max<std::size_t>(character.bytes, 1));
    if (character.bytes == 0) {
      result += text[0];
    } else if (character.code == capital_i_with_dot) {
      result += "i\u0307";  // the only one of two characters
    } else {
      const bool ends_a_word = character.code == capital_sigma && is_behind_a_letter && !begins_with_a_letter(rest);
      autograd::append_character(result, ends_a_word ? final_sigma : lower(character.code));
    }
    const Beside kind = beside(character);
    if (kind != Beside::ignored) is_behind_a_letter = kind == Beside::letter;
    text = rest;
  }
  return result;
}

}  // namespace nn
