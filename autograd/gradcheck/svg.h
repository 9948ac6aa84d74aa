// What every file that writes SVG needs: text and attribute values in which no character is taken for markup.
#pragma once

#include <string>
#include <string_view>

namespace autograd::svg {

inline std::string escape(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      default:
        // Control characters other than tab and the line ends are not allowed in XML at all.
        escaped += static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r' ? ' ' : c;
    }
  }
  return escaped;
}

}  // namespace autograd::svg
