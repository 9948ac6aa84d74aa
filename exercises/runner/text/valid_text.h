// Text that others wrote, as every reader of JSON, XML and HTML accepts it.
#pragma once

#include <string>

namespace learn {

// Bytes that are not UTF-8, and what XML has no place for, become U+FFFD; other control characters become '?'.
std::string valid_text(const std::string& text);
// The same, with what XML and HTML read as markup written so that it is shown.
std::string markup_text(const std::string& text);

}  // namespace learn
