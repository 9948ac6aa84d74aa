// Makes text safe to show: names of tensors and modules come from the user's program, source lines from a file that may
// have changed.
#pragma once

#include <string>
#include <string_view>

namespace autograd::debug {

// Valid UTF-8: control characters and marks that change the reading direction become text such as "\u{202e}", bytes
// that are not UTF-8 become U+FFFD.
std::string visible_text(std::string_view text);

// Escapes text for HTML and XML, in elements and in attributes.
std::string escape_markup(std::string_view text);

}  // namespace autograd::debug
