#include "runner/text/valid_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

namespace learn {
namespace {

constexpr const char* unknown = "\xEF\xBF\xBD";  // U+FFFD

// The first byte and those after it, and how far the last one may go.
struct Characters {
  std::string_view first;
  unsigned char last;
};

constexpr Characters misleading[] = {
    {"\xC2\x80", 0x9F},      // U+0080 .. U+009F, which a terminal obeys as it does escape sequences
    {"\xD8\x9C", 0x9C},      // U+061C, and others that turn the direction of writing
    {"\xE2\x80\x8E", 0x8F},  // U+200E, U+200F
    {"\xE2\x80\xA8", 0xAE},  // U+2028 .. U+202E, with two ends of lines
    {"\xE2\x81\xA6", 0xA9},  // U+2066 .. U+2069
};

bool begins_with(std::string_view text, const Characters& some) {
  const std::size_t last = some.first.size() - 1;
  if (text.size() <= last || text.substr(0, last) != some.first.substr(0, last)) return false;
  const auto byte = static_cast<unsigned char>(text[last]);
  return static_cast<unsigned char>(some.first[last]) <= byte && byte <= some.last;
}

std::string without_misleading(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    const auto* const found = std::find_if(std::begin(misleading), std::end(misleading),
                                           [&](const Characters& some) { return begins_with(text, some); });
    const bool is_one = found != std::end(misleading);
    plain += is_one ? std::string_view(unknown) : text.substr(0, 1);
    text.remove_prefix(is_one ? found->first.size() : 1);
  }
  return plain;
}

}  // namespace

std::string valid_text(const std::string& text) {
  using nlohmann::json;
  std::string valid = json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace));
  for (char& c : valid) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7F) c = '?';
  }
  return without_misleading(valid);
}

nlohmann::json valid_json(nlohmann::json value) {
  if (value.is_string()) return valid_text(value.get<std::string>());
  if (value.is_structured()) {
    for (nlohmann::json& part : value) part = valid_json(std::move(part));
  }
  return value;
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
