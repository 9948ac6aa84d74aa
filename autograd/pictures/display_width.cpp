#include "autograd/pictures/display_width.h"

#include <algorithm>
#include <iterator>

#include "autograd/tensor/characters.h"

namespace autograd {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// Accents that stand on the letter before them, variation selectors.
constexpr Range without_width[] = {{0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD},
                                   {0x064B, 0x065F}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF},
                                   {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}};
constexpr Range of_width_two[] = {{0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0xA4CF},  {0xAC00, 0xD7A3},
                                  {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF01, 0xFF60},  {0xFFE0, 0xFFE6},
                                  {0x1F300, 0x1F64F}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};

template <std::size_t count> bool is_in(const Range (&ranges)[count], char32_t code) {
  return std::any_of(std::begin(ranges), std::end(ranges),
                     [code](const Range& range) { return range.first <= code && code <= range.last; });
}

std::size_t width_of(char32_t code) {
  if (is_in(without_width, code)) return 0;
  return is_in(of_width_two, code) ? 2 : 1;
}

}  // namespace

std::vector<std::string> letters_of(std::string_view text) {
  std::vector<std::string> letters;
  while (!text.empty()) {
    const Character next = first_character(text);
    const std::size_t bytes = std::max<std::size_t>(next.bytes, 1);
    if (letters.empty() || width_of(next.code) > 0) letters.emplace_back();
    letters.back() += text.substr(0, bytes);
    text.remove_prefix(bytes);
  }
  return letters;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (const std::string& letter : letters_of(text)) width += width_of(first_character(letter).code);
  return width;
}

}  // namespace autograd
