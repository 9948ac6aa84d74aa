#include "nn/pictures/display_text.h"

#include <autograd/tensor/characters.h>

#include <algorithm>
#include <iterator>

namespace nn {
namespace {

using autograd::Character;

constexpr char32_t replacement = 0xFFFD;

// The character at the start of the text; the replacement where there is none.
Character readable_character(std::string_view text) {
  const Character character = autograd::first_character(text);
  return character.bytes == 0 ? Character{replacement, 1} : character;
}

struct Range {
  char32_t first;
  char32_t last;
};

template <std::size_t count> bool is_in(const Range (&ranges)[count], char32_t code) {
  return std::any_of(std::begin(ranges), std::end(ranges),
                     [code](const Range& range) { return range.first <= code && code <= range.last; });
}

// Marks of the reading direction, line and paragraph separators, and codes that are no characters.
constexpr Range harmful[] = {{0x80, 0x9F},     {0x061C, 0x061C}, {0x200E, 0x200F}, {0x2028, 0x202E},
                             {0x2066, 0x2069}, {0xFFF9, 0xFFFB}, {0xFFFE, 0xFFFF}};
// Accents that stand on the letter before them, joiners, variation selectors.
constexpr Range without_width[] = {{0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x064B, 0x065F},
                                   {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x200B, 0x200D}, {0x20D0, 0x20FF},
                                   {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF}};
constexpr Range of_width_two[] = {{0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0xA4CF},  {0xAC00, 0xD7A3},
                                  {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF01, 0xFF60},  {0xFFE0, 0xFFE6},
                                  {0x1F300, 0x1F64F}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};

char32_t harmless(char32_t code) {
  constexpr char32_t picture_of_null = 0x2400;
  constexpr char32_t picture_of_delete = 0x2421;
  if (code < 0x20) return picture_of_null + code;
  if (code == 0x7F) return picture_of_delete;
  return is_in(harmful, code) ? replacement : code;
}

std::size_t width_of(char32_t code) {
  if (is_in(without_width, code)) return 0;
  return is_in(of_width_two, code) ? 2 : 1;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string line;
  while (!text.empty()) {
    const Character character = readable_character(text);
    autograd::append_character(line, harmless(character.code));
    text.remove_prefix(character.bytes);
  }
  return line;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const Character character = readable_character(text);
    width += width_of(character.code);
    text.remove_prefix(character.bytes);
  }
  return width;
}

std::vector<std::string> characters(std::string_view text) {
  std::vector<std::string> list;
  while (!text.empty()) {
    const Character character = readable_character(text);
    if (list.empty() || width_of(character.code) > 0) list.emplace_back();
    list.back() += text.substr(0, character.bytes);
    text.remove_prefix(character.bytes);
  }
  return list;
}

}  // namespace nn
