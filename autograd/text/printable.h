// Makes text that others wrote harmless for a terminal, a page and a reader of JSON.
#pragma once

#include <string>
#include <string_view>

namespace autograd {

// Control characters and bytes that are not UTF-8 become \xNN; what turns the reading direction or cannot be seen
// becomes \u{202e}. Joiners within words beyond ASCII stay: Persian, Hindi and emoji are spelled with them.
std::string printable(std::string_view text);
// The same for a text of several lines: line feeds and tabs stay, and CR LF becomes LF.
std::string printable_lines(std::string_view text);

// Escapes what HTML and SVG would read as markup.
std::string markup(std::string_view text);

}  // namespace autograd
