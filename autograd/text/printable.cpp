#include "autograd/text/printable.h"

#include <fmt/core.h>

#include "autograd/text/characters.h"

namespace autograd {
namespace {

bool is_joiner(char32_t code) {
  return code == 0x200C || code == 0x200D;
}

bool turns_or_hides(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x061C || (code >= 0x200B && code <= 0x200F) ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF ||
         (code >= 0xFFF9 && code <= 0xFFFB) || code == 0xFFFE || code == 0xFFFF || (code >= 0xE0000 && code <= 0xE007F);
}

std::string made_printable(std::string_view text, bool keeps_lines) {
  std::string result;
  char32_t before = 0;
  while (!text.empty()) {
    const auto [code, bytes, is_valid] = take_character(text);
    const bool stays = (keeps_lines && (code == '\n' || code == '\t')) || (is_joiner(code) && before >= 0x80);
    if (is_valid && (stays || !turns_or_hides(code))) {
      result += bytes;
    } else if (keeps_lines && code == '\r' && (text.empty() || text[0] == '\n')) {
      continue;
    } else if (bytes.size() == 1) {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(bytes[0]));
    } else {
      result += fmt::format("\\u{{{:x}}}", static_cast<unsigned>(code));
    }
    before = code;
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

std::string markup(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      default: escaped += c;
    }
  }
  return escaped;
}

}  // namespace autograd
