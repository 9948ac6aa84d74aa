#include "runner/text/valid_text.h"

#include <nlohmann/json.hpp>

namespace learn {
namespace {

constexpr const char* unknown = "\xEF\xBF\xBD";  // U+FFFD

// U+FFFE and U+FFFF are valid UTF-8, but XML refuses them.
std::string without_non_characters(std::string text) {
  for (const char* const one : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"}) {
    for (std::size_t at = text.find(one); at != std::string::npos; at = text.find(one, at))
      text.replace(at, 3, unknown);
  }
  return text;
}

}  // namespace

std::string valid_text(const std::string& text) {
  using nlohmann::json;
  std::string valid = json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace));
  for (char& c : valid) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7F) c = '?';
  }
  return without_non_characters(std::move(valid));
}

std::string markup_text(const std::string& text) {
  std::string escaped;
  for (const char c : valid_text(text)) {
    switch (c) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      case '\'': escaped += "&#39;"; break;
      default: escaped += c;
    }
  }
  return escaped;
}

}  // namespace learn
