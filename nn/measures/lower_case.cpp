#include "nn/measures/lower_case.h"

#include <cstddef>

namespace nn {
namespace {

bool is_between(char32_t c, char32_t first, char32_t last) {
  return first <= c && c <= last;
}

// In these blocks, each upper-case letter comes just before its lower-case one, at an even or at an odd number.
bool is_upper_of_pair(char32_t c) {
  if (c == 0x130 || c == 0x138 || c == 0x149) return false;
  if (is_between(c, 0x139, 0x148) || is_between(c, 0x179, 0x17e) || is_between(c, 0x4c1, 0x4ce)) return c % 2 == 1;
  const bool is_even_block = is_between(c, 0x100, 0x177) || is_between(c, 0x1f8, 0x21f) ||
                             is_between(c, 0x222, 0x233) || is_between(c, 0x460, 0x481) ||
                             is_between(c, 0x48a, 0x4bf) || is_between(c, 0x4d0, 0x52f) ||
                             is_between(c, 0x1e00, 0x1e95) || is_between(c, 0x1ea0, 0x1eff);
  return is_even_block && c % 2 == 0;
}

char32_t lower(char32_t c) {
  if (is_between(c, 'A', 'Z')) return c + 32;
  if (is_between(c, 0xc0, 0xde) && c != 0xd7) return c + 32;
  if (is_between(c, 0x391, 0x3ab) && c != 0x3a2) return c + 32;  // Greek
  if (is_between(c, 0x388, 0x38a)) return c + 37;                // with an accent
  if (is_between(c, 0x410, 0x42f)) return c + 32;                // Cyrillic
  if (is_between(c, 0x400, 0x40f)) return c + 80;
  switch (c) {
    case 0x1a0:
    case 0x1af: return c + 1;  // O and U with a horn
    case 0x178: return 0xff;   // Y with two dots
    case 0x386: return 0x3ac;  // Greek A, O, Y and Omega with an accent
    case 0x38c: return 0x3cc;
    case 0x38e: return 0x3cd;
    case 0x38f: return 0x3ce;
    case 0x4c0: return 0x4cf;
    case 0x1e9e: return 0xdf;  // sharp s
    default: return is_upper_of_pair(c) ? c + 1 : c;
  }
}

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

// The number of bytes of the character that begins here: 1, 2 or 3; 1 for what is longer, or no character.
std::size_t length_at(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first >= 0xc2 && first < 0xe0 && text.size() > 1 && is_continuation(text[1])) return 2;
  const bool has_three = text.size() > 2 && is_continuation(text[1]) && is_continuation(text[2]);
  return first >= 0xe0 && first < 0xf0 && has_three ? 3 : 1;
}

void append(std::string& text, char32_t c) {
  if (c < 0x80) {
    text += static_cast<char>(c);
  } else if (c < 0x800) {
    text += static_cast<char>(0xc0 | (c >> 6));
    text += static_cast<char>(0x80 | (c & 0x3f));
  } else {
    text += static_cast<char>(0xe0 | (c >> 12));
    text += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
    text += static_cast<char>(0x80 | (c & 0x3f));
  }
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = length_at(text);
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    char32_t c = byte(0);
    if (length == 2) c = ((c & 0x1f) << 6) | (byte(1) & 0x3fu);
    if (length == 3) c = ((c & 0x0f) << 12) | ((byte(1) & 0x3fu) << 6) | (byte(2) & 0x3fu);
    const bool is_changed = (length > 1 || c < 0x80) && lower(c) != c;
    if (is_changed) {
      append(result, lower(c));
    } else {
      result += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return result;
}

}  // namespace nn
