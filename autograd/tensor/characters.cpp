#include "autograd/tensor/characters.h"

#include <fmt/core.h>

namespace autograd {

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return {byte(0), 1};
  const std::size_t bytes = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (byte(0) < 0xC2 || byte(0) > 0xF4 || bytes > text.size()) return {};
  char32_t code = byte(0) & (0x7Fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = (code << 6) | (byte(i) & 0x3Fu);
  }
  constexpr char32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < smallest[bytes] || code > 0x10FFFF || is_surrogate) return {};
  return {code, bytes};
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

bool turns_or_hides(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x061C || (code >= 0x200B && code <= 0x200F) ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF ||
         (code >= 0xFFF9 && code <= 0xFFFB) || code == 0xFFFE || code == 0xFFFF || (code >= 0xE0000 && code <= 0xE007F);
}

namespace {

std::string made_printable(std::string_view text, bool keeps_lines) {
  std::string result;
  while (!text.empty()) {
    const Character next = first_character(text);
    const std::size_t bytes = next.bytes == 0 ? 1 : next.bytes;
    const bool harmful = next.bytes == 0 || (turns_or_hides(next.code) && !(keeps_lines && next.code == '\n'));
    if (!harmful) {
      result += text.substr(0, bytes);
    } else if (bytes == 1) {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    } else {
      result += fmt::format("\\u{{{:x}}}", static_cast<unsigned>(next.code));
    }
    text.remove_prefix(bytes);
  }
  return result;
}

}  // namespace

std::string printable(std::string_view text) {
  return made_printable(text, false);
}

std::string printable_lines(std::string_view text) {
  return made_printable(text, true);
}

}  // namespace autograd
