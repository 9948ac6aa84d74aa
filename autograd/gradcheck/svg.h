// Escapes text and attribute values for SVG, so that no character is read as markup.
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
        // XML allows no control characters but tabs and line ends.
        escaped += static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r' ? ' ' : c;
    }
  }
  return escaped;
}

}  // namespace autograd::svg
