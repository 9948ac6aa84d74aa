#include "autograd/debug/trace/visible_text.h"

#include <fmt/core.h>

#include "autograd/debug/characters.h"

namespace autograd::debug {
std::string visible_text(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const Character next = first_character(text);
    if (next.bytes == 0) {
      result += "\xEF\xBF\xBD";  // U+FFFD
    } else if (turns_or_hides(next.code)) {
      result += fmt::format("\\u{{{:x}}}", static_cast<unsigned>(next.code));
    } else {
      result += text.substr(0, next.bytes);
    }
    text.remove_prefix(next.bytes == 0 ? 1 : next.bytes);
  }
  return result;
}

std::string escape_markup(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      case '\'': result += "&#39;"; break;
      default: result += c;
    }
  }
  return result;
}

}  // namespace autograd::debug
