// Text that others wrote, as no terminal, page or reader of JSON is deceived by it.
#pragma once

#include <string>
#include <string_view>

namespace autograd {

// Control characters and bytes that are not UTF-8 become \xNN; what turns the reading direction or cannot be seen
// becomes \u{202e}. Joiners within words beyond ASCII stay: Persian, Hindi and emoji are spelled with them.
std::string printable(std::string_view text);
// The same for a text of several lines, which keeps their ends (of Windows' the line feed) and tabs.
std::string printable_lines(std::string_view text);

// With what HTML and SVG read as markup written so that it is shown.
std::string markup(std::string_view text);

}  // namespace autograd
