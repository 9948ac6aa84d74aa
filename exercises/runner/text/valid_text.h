// Text that others wrote, as every reader of JSON and HTML accepts it, and no terminal obeys it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace learn {

// Bytes that are not UTF-8, and what turns the direction of writing, become U+FFFD; control characters other than tabs
// and ends of lines become '?'.
std::string valid_text(const std::string& text);
// All that is text in it.
nlohmann::json valid_json(nlohmann::json value);
// The same, with what HTML reads as markup written so that it is shown.
std::string markup_text(const std::string& text);

}  // namespace learn
